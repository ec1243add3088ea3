"""What the checks conclude, and what they leave alone."""

import re

import pytest

from story.checks import Report, examine
from story.checks.leftovers import stray_mark
from story.problems import Problem, did_you_mean, near

CAMPAIGN = "format: cardwalk/1\nkind: campaign\nid: well\ntitle: Well\nchapters: [{chapters}]\ndecks: [{decks}]\n{more}"
ONE_BY_DIE = "hero: {space: 3}\nenemies: [{card: eel, place: die}]"
END = "{ending: {id: end, title: End, kind: neutral}}"


@pytest.fixture
def check(tmp_path):
    """Examine a campaign: chapters as mappings of card numbers to their steps, decks as (kind, cards)."""

    def run(*chapters, more="", **decks):
        names = [f"chapter-{n}.yaml" for n in range(1, len(chapters) + 1)]
        for number, (name, cards) in enumerate(zip(names, chapters, strict=True), 1):
            text = f"format: cardwalk/1\nkind: story\nchapter: {number}\ntitle: C\ncards:\n"
            text += "".join(f"  {card}: {{text: x, steps: {steps}}}\n" for card, steps in cards.items())
            (tmp_path / name).write_text(text, encoding="utf-8")
        files = []
        for deck, (kind, cards) in decks.items():
            file = deck.replace("_", "-") + ".yaml"
            (tmp_path / file).write_text(f"format: cardwalk/1\nkind: {kind}\ncards: {cards}\n", encoding="utf-8")
            files.append(file)
        text = CAMPAIGN.format(chapters=", ".join(names), decks=", ".join(files), more=more)
        (tmp_path / "campaign.yaml").write_text(text, encoding="utf-8")
        return [(problem.id, problem.file, problem.line) for problem in examine(tmp_path).problems]

    return run


# ---------------------------------------------------------------- references


def test_numbers_belong_to_their_chapter(check):
    assert check({1: "{reveal: 2}", 2: "{next_chapter: true}"}, {1: "{reveal: 2}", 3: END}) == [
        ("missing-target", "chapter-2.yaml", 6)
    ]


def test_a_special_cards_numbers_are_those_of_the_chapters_that_read_it(check):
    heads = ("special", "{otto: {name: Otto, text: x, steps: {reveal: 2}}}")
    first, second = {1: "[{draw: heads}, {next_chapter: true}]", 2: END}, {1: "{reveal: 3}", 3: END}
    assert check(first, second, heads=heads) == []
    second[1] = "[{pull: otto}, {reveal: 3}]"
    assert check(first, second, heads=heads) == [("missing-target", "heads.yaml", 3)]


def test_a_special_card_may_reach_a_chapter_by_way_of_another(check):
    heads = ("special", "{otto: {name: Otto, text: x, steps: {draw: tails}}}")
    tails = ("special", "{ida: {name: Ida, text: x, steps: {reveal: 2}}}")
    assert check({1: "[{draw: heads}, {reveal: 3}]", 3: END}, heads=heads, tails=tails) == [
        ("missing-target", "tails.yaml", 3)
    ]


def test_a_name_of_another_kind_is_pointed_out(check, tmp_path):
    items = ("items", "{rope: {name: Rope}}")
    assert check({1: f"[{{pull: rope}}, {{gain: {{event: rope, item: rope}}}}, {END}]"}, items=items) == [
        ("missing-target", "chapter-1.yaml", 6),
        ("missing-event", "chapter-1.yaml", 6),
    ]
    hints = [problem.hint for problem in examine(tmp_path).problems]
    assert "numbered cards" in hints[0]
    assert "kind item" in hints[1]


def test_a_deck_that_cannot_be_read_makes_no_other_problems(check, tmp_path):
    events, items = ("events", "{cut: {name: Cut}}"), ("items", "{rope: {name: Rope}}")
    story = {
        1: f"[{{gain: {{event: cut, item: rope}}}}, {{if: {{event: cut, item: rope}}, then: {{wound: 1}}}}, {END}]"
    }
    assert check(story, events=events, items=items) == []
    (tmp_path / "events.yaml").write_text("format: cardwalk/1\nkind: events\ncards: {cut: {name: 'Cut}\n")
    assert [(problem.id, problem.file) for problem in examine(tmp_path).problems] == [("yaml-syntax", "events.yaml")]
    (tmp_path / "events.yaml").unlink()
    assert [(problem.id, problem.file) for problem in examine(tmp_path).problems] == [("file-missing", "campaign.yaml")]


@pytest.mark.parametrize(
    "step",
    [
        "{if: {ap: 1}, then: {wound: 1}, heals: 1}",
        "{wound: 1, revael: 2}",
        "{choose: [{say: A, steps: {wound: 1}, revael: 2}, {say: B, wound: 1}]}",
    ],
)
def test_a_misspelt_verb_beside_another_is_one_problem(check, step):
    assert check({1: f"[{step}, {END}]", 2: END}) == [("unknown-verb", "chapter-1.yaml", 6)]


# ---------------------------------------------------------------- dead ends


@pytest.mark.parametrize(
    "steps",
    [
        "{choose: {say: On, reveal: 2}}",
        "[{challenge: {type: mental, level: 9, succeed: {reveal: 2}}}, {reveal: 2}]",
        "{challenge: {type: mental, level: 9, succeed: {reveal: 2}, fail: [{wound: 1}, {reveal: 2}]}}",
        "{roll: {die: d6, chart: {1-3: {reveal: 2}, 4-6: {wound: 1}}}}, {reveal: 2}",
        "{if: {ap: 1}, then: {reveal: 2}, else: {reveal: 2}}",
        "[{if: {ap: 1}, then: {reveal: 2}}, {if: {at_most: {ap: 0}}, then: {reveal: 2}}]",
        "{pull: 3}",
        "{encounter: {rounds: 1, hero: {space: 3}}}, {reveal: 2}",
    ],
)
def test_these_cards_lead_on(check, steps):
    steps = steps if steps.startswith("[") or "}, {reveal: 2}" not in steps[-16:] else f"[{steps}]"
    pulled = {3: "{reveal: 2}"} if "pull: 3" in steps else {}
    assert check({1: steps, 2: END, **pulled}) == []


@pytest.mark.parametrize(
    ("steps", "id"),
    [
        ("[]", "dead-end"),
        ("{gain: {ap: 1}}", "dead-end"),
        ("{pull: 4}", "dead-end"),
        ("{choose: [{say: Stay, wound: 1}]}", "dead-end"),
        ("{choose: [{say: Stay, wound: 1}, {say: Go, reveal: 2}]}", "dead-branch"),
        ("{challenge: {type: mental, level: 9, fail: {reveal: 2}}}", "dead-branch"),
        ("{roll: {die: d6, chart: {1-3: {reveal: 2}, 4-6: []}}}", "dead-branch"),
        ("[{challenge: {type: mental, level: 9, succeed: {reveal: 2}}}, {gain: {ap: 1}}]", "dead-branch"),
    ],
)
def test_these_do_not(check, steps, id):
    pulled = {4: "{gain: {ap: 1}}"} if "pull: 4" in steps else {}
    cards = {1: "{choose: [{say: A, reveal: 5}, {say: B, reveal: 2}]}", 2: END, 5: steps, **pulled}
    assert check(cards) == [(id, "chapter-1.yaml", 8)]


def test_a_card_that_is_only_pulled_may_end_as_it_likes(check):
    assert check({1: "[{pull: [2, 3]}, {reveal: 4}]", 2: "[]", 3: "{gain: {ap: 1}}", 4: END}) == []


def test_a_card_with_a_refused_step_is_not_called_a_dead_end(check):
    assert check({1: "{choose: [{say: A, reveal: 2}, {say: B, reveal: 3}]}", 2: END, 3: "{fly: 1}"}) == [
        ("unknown-verb", "chapter-1.yaml", 8)
    ]


# ---------------------------------------------------------------- circles


@pytest.mark.parametrize(
    "cards",
    [
        {1: "{reveal: 2}", 2: "{choose: [{say: Back, reveal: 1}, {say: On, reveal: 3}]}", 3: END},
        {1: "{reveal: 2}", 2: "{roll: {die: d6, chart: {1-5: {reveal: 1}, 6: {reveal: 3}}}}", 3: END},
        {1: "[{discard: this}, {pull: 1}, {reveal: 3}]", 3: END},
        {1: "[{pull: 2}, {reveal: 3}]", 2: "{choose: [{say: Again, reveal: 1}, {say: Enough, heal: 1}]}", 3: END},
    ],
)
def test_a_way_out_in_between_is_no_circle(check, cards):
    assert check(cards) == []


@pytest.mark.parametrize(
    "cards",
    [
        {1: "[{pull: 1}, {reveal: 3}]", 3: END},
        {1: "[{pull: 2}, {reveal: 3}]", 2: "[{gain: {ap: 1}}, {pull: [4, 1]}]", 3: END, 4: "{wound: 1}"},
        {1: "[{pull: otto}, {reveal: 3}]", 3: END},
    ],
)
def test_a_pull_that_comes_back_is_one(check, cards):
    heads = (
        "special",
        "{otto: {name: Otto, text: x, steps: {pull: ida}}, ida: {name: Ida, text: x, steps: {pull: otto}}}",
    )
    found = check(cards, heads=heads) if "otto" in cards[1] else check(cards)
    assert [problem[0] for problem in found] == ["cyclic-pull"]


def test_a_circle_of_three_thousand_pulls_is_looked_through(check):
    cards = {n: f"{{pull: {n + 1}}}" for n in range(1, 3000)}
    assert [problem[0] for problem in check({**cards, 3000: "{pull: 1}"})] == ["no-ending", "dead-end", "cyclic-pull"]


@pytest.mark.rule("NAV-3")
@pytest.mark.parametrize(
    "steps",
    [
        "{roll: {die: d6, chart: {1-5: {pull: 2}, 6: []}}}",
        "{choose: [{say: Again, pull: 2}, {say: Enough, heal: 1}]}",
        "[{if: {ap: 3}, then: {pull: 2}}]",
        "{challenge: {type: mental, level: 9, fail: {pull: 2}}}",
    ],
)
def test_a_card_that_may_be_pulled_while_it_is_read_is_a_warning(check, steps):
    assert check({1: "[{pull: 2}, {reveal: 3}]", 2: steps, 3: END}) == [("recursive-pull", "chapter-1.yaml", 7)]


def test_cards_that_may_pull_each_other_are_told_once(check):
    again = "{{choose: [{{say: Again, pull: {}}}, {{say: Enough, heal: 1}}]}}"
    cards = {1: "[{pull: 2}, {reveal: 3}]", 2: again.format(4), 3: END, 4: again.format(2)}
    assert check(cards) == [("recursive-pull", "chapter-1.yaml", 7)]


def test_a_draw_comes_to_an_end_of_itself(check):
    heads = ("special", "{otto: {name: Otto, text: x, steps: {draw: heads}}, ida: {name: Ida, text: x, steps: []}}")
    assert check({1: "[{draw: heads}, {reveal: 2}]", 2: END}, heads=heads) == []


# ---------------------------------------------------------------- paths


@pytest.mark.rule("NAV-1")
@pytest.mark.parametrize(
    ("cards", "lines"),
    [
        ({1: "{reveal: 2}", 2: END, 3: "{reveal: 2}"}, [8]),
        ({1: "{reveal: 2}", 2: END, 3: "{choose: [{say: A, reveal: 3}, {say: B, reveal: 2}]}"}, [8]),
        ({1: "{reveal: 2}", 2: END, 3: "{reveal: 4}", 4: "{choose: [{say: A, reveal: 3}, {say: B, reveal: 2}]}"}, [8]),
        ({1: "{reveal: 2}", 2: END, 3: "{reveal: 2}", 4: "{pull: 5}", 5: "{reveal: 2}"}, [8, 9]),
    ],
)
def test_cards_that_no_path_reaches_are_told_group_by_group(check, cards, lines):
    assert check(cards) == [("no-path", "chapter-1.yaml", line) for line in lines]


def test_special_cards_of_an_island_belong_to_it(check):
    heads = ("special", "{otto: {name: Otto, text: x, steps: {reveal: 2}}}")
    assert check({1: "{reveal: 2}", 2: END, 3: "{pull: otto}"}, heads=heads) == [("no-path", "chapter-1.yaml", 8)]
    heads = (
        "special",
        "{otto: {name: Otto, text: x, steps: [{pull: ida}]}, ida: {name: Ida, text: x, steps: {draw: heads}}}",
    )
    assert check({1: "{reveal: 2}", 2: END}, heads=heads) == [("no-path", "heads.yaml", 3)]


@pytest.mark.parametrize("cards", [{2: END, 3: "{reveal: 2}"}, {2: "{choose: {say: A, reveal: 2}}", 3: END}])
def test_without_a_first_card_no_path_is_judged(check, cards):
    assert [problem[0] for problem in check(cards)] == ["missing-key"]


def test_a_chapter_without_cards_is_no_island(check, tmp_path):
    check({1: END})
    (tmp_path / "chapter-1.yaml").write_text("format: cardwalk/1\nkind: story\nchapter: 1\ntitle: C\ncards: {}\n")
    assert [problem.id for problem in examine(tmp_path).problems] == ["empty-mapping"]


def test_a_misspelt_name_proves_no_island(check):
    assert check({1: "{choose: [{say: A, reveal: 2}, {say: B, reveal: 33}]}", 2: END, 3: "{reveal: 2}"}) == [
        ("missing-target", "chapter-1.yaml", 6)
    ]


@pytest.mark.rule("CHK-1")
def test_a_chapter_that_no_path_leaves_is_told_and_the_next_one_is_no_island(check):
    second = {1: "{reveal: 2}", 2: END}
    assert check({1: "{reveal: 2}", 2: END}, second) == [("no-way-on", "chapter-1.yaml", 6)]
    assert check({1: "{reveal: 2}", 2: END, 3: "{next_chapter: true}"}, second) == [
        ("no-way-on", "chapter-1.yaml", 6),
        ("no-path", "chapter-1.yaml", 8),
    ]
    heads = ("special", "{otto: {name: Otto, text: x, steps: {next_chapter: true}}}")
    assert check({1: "{draw: heads}"}, second, heads=heads) == []


@pytest.mark.parametrize(
    ("cards", "lines"),
    [
        ({2: "{choose: {say: Round, reveal: 2}}"}, [7]),
        (
            {
                2: "{choose: [{say: A, reveal: 4}, {say: B, reveal: 2}]}",
                4: "{roll: {die: d6, chart: {1-6: {reveal: 2}}}}",
            },
            [7],
        ),
        ({2: "{reveal: 4}", 4: "{choose: [{say: A, reveal: 4}]}"}, [8]),
        ({2: "[{pull: 4}, {choose: {say: A, reveal: 2}}]", 4: "{gain: {ap: 1}}"}, [7]),
        ({2: "[{encounter: {rounds: 1, hero: {space: 3}}}, {reveal: 4}]", 4: "{reveal: 2}"}, [7]),
        ({2: "{reveal: 4}", 4: "[{pull: 5}, {reveal: 3}]", 5: "{choose: {say: On, reveal: 4}}"}, [8]),
    ],
)
def test_cards_that_lead_to_no_ending_are_told_where_they_close(check, cards, lines):
    story = {1: "{choose: [{say: A, reveal: 2}, {say: B, reveal: 3}]}", **cards, 3: END}
    found = [(id, line) for id, _, line in check(story) if id != "recursive-pull"]
    assert found == [("no-way-out", line) for line in lines]


def test_a_pulled_card_that_never_ends_closes_the_way_behind_it(check):
    cards = {1: "[{pull: 2}, {reveal: 3}]", 2: "{choose: {say: Again, pull: 2}}", 3: END}
    assert check(cards) == [("no-way-out", "chapter-1.yaml", 7), ("recursive-pull", "chapter-1.yaml", 7)]


@pytest.mark.parametrize(
    "cards",
    [
        {2: "{choose: [{say: A, reveal: 2}, {say: B, needs: {ap: 9}, reveal: 3}]}"},
        {2: "[{pull: 4}, {reveal: 3}]", 4: "{gain: {ap: 1}}"},
        {2: "[{discard: 4}, {reveal: 4}, {reveal: 3}]", 4: "{reveal: 2}"},
        {2: "[{choose: {say: A, once: true, reveal: 2}}, {reveal: 3}]"},
        {2: "[{choose: {say: A, locked: hidden, needs: {ap: 3}, reveal: 2}}, {reveal: 3}]"},
        {2: "[{challenge: {type: mental, level: 9, fail: {reveal: 2}}}, {reveal: 3}]"},
        {2: "[{choose: [{say: A, reveal: 4}]}]", 4: "[{pull: 5}, {reveal: 2}]", 5: "{if: {ap: 1}, then: {reveal: 3}}"},
    ],
)
def test_whoever_can_come_to_an_ending_is_in_no_trap(check, cards):
    assert check({1: "{choose: [{say: A, reveal: 2}, {say: B, reveal: 3}]}", **cards, 3: END}) == []


# ---------------------------------------------------------------- amounts and what is held


def test_what_is_given_and_never_asked_for_is_a_remark(check):
    events, items = ("events", "{cut: {name: Cut}}"), ("items", "{rope: {name: Rope}}")
    gains = "{gain: {event: cut, item: rope, action: lob, heads: 1}}"
    story = {1: f"[{gains}, {{lose: {{item: rope}}}}, {END}]"}
    counters = "counters: {heads: {name: Heads}}\n"
    assert [each[0] for each in check(story, more=counters, events=events, items=items)] == ["never-asked"] * 4
    asks = "{if: {not: {event: cut}, at_most: {heads: 1}}, then: {choose: [{say: A, cost: {item: rope}, wound: 1}]}}"
    fight = "{encounter: {rounds: 1, hero: {space: 3}}}"
    story = {1: f"[{gains}, {asks}, {fight}, {END}]"}
    assert check(story, more=counters, events=events, items=items) == []


def test_a_price_that_can_never_be_paid_and_a_counter_that_never_rises(check):
    items = ("items", "{rope: {name: Rope}}")
    story = {1: f"[{{choose: [{{say: A, wound: 1}}, {{say: B, cost: {{item: rope}}, wound: 1}}]}}, {END}]"}
    assert check(story, items=items) == [("never-gained", "chapter-1.yaml", 6)]
    counters = "counters: {heads: {name: Heads}}\n"
    asks = "{if: {heads: %d}, then: {wound: 1}}"
    assert check({1: f"[{{count: {{heads: -1}}}}, {asks % 1}, {END}]"}, more=counters) == [
        ("never-gained", "chapter-1.yaml", 6)
    ]
    assert check({1: f"[{asks % 0}, {END}]"}, more=counters) == []


@pytest.mark.rule("CHAL-4", "HEAL-4")
@pytest.mark.parametrize(
    ("step", "ids"),
    [
        ("{gain: {physical: 5, kelp: 2, ap: 99}}", []),
        ("{gain: {mental: 6, kelp: 3}}", ["gain-beyond-cap", "gain-beyond-cap"]),
        ("{lose: {mental: 9, kelp: all}}", []),
        ("{if: {critical: 6}, then: {wound: 1}}", ["asked-beyond-cap"]),
        ("{choose: [{say: A, wound: 1}, {say: B, cost: {kelp: 3}, wound: 1}]}", ["asked-beyond-cap"]),
        ("{if: {at_most: {critical: 9}}, then: {wound: 1}}", []),
    ],
)
def test_amounts_beyond_their_caps(check, step, ids):
    satchel = "satchel: {kelp: {name: Kelp, holds: 2, heals: 1}}\n"
    assert [problem[0] for problem in check({1: f"[{step}, {END}]"}, more=satchel)] == ids


def test_rewards_beyond_a_cap_are_told_too(check):
    enemies = ("enemies", "{eel: {name: Eel, wounds: 1, rewards: {mental: 6}}}")
    fight = "{encounter: {rounds: 1, hero: {space: 3}, enemies: [{card: eel, space: 8}]}}"
    assert check({1: f"[{fight}, {END}]"}, enemies=enemies) == [("gain-beyond-cap", "enemies.yaml", 3)]


@pytest.mark.rule("CHAL-2", "CHAL-3", "CHAL-6", "CHAL-7")
@pytest.mark.parametrize(
    ("level", "more", "ids"),
    [
        (2, "", ["cannot-fail"]),
        (3, "", []),
        (24, "", []),
        (25, "", ["cannot-succeed"]),
        (4, "hero: {talents: {mental: 2}}\n", ["cannot-fail"]),
        (5, "hero: {talents: {mental: 2}}\n", []),
    ],
)
def test_challenges_that_the_die_hardly_decides(check, level, more, ids):
    story = {1: f"[{{challenge: {{type: mental, level: {level}, succeed: {{heal: 1}}}}}}, {END}]"}
    assert [problem[0] for problem in check(story, more=more)] == ids


def test_a_talent_that_may_be_lost_makes_no_challenge_sure(check):
    story = {1: f"[{{lose: {{mental: 1}}}}, {{challenge: {{type: mental, level: 4, succeed: {{heal: 1}}}}}}, {END}]"}
    assert check(story, more="hero: {talents: {mental: 2}}\n") == []


# ---------------------------------------------------------------- texts and ids


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("plain", ""),
        ("*one* and **two** and _three_", ""),
        ("*one two\nthree* four", ""),
        ("*one\n\ntwo*", "*one"),
        ("an *open end", "*open"),
        ("a closed* end", "closed*"),
        ("**half* way", "**half"),
        ("3 * 4, a*b, snake_case, ____, * * *", ""),
        ("- *item*\n* item\n+ _item", "_item"),
        (r"\*not\* so", ""),
        ("_so* it goes", "_so*"),
        ("*Very,* she said. *Very.*", ""),
        ('"*Well*," he said, "_well_!"', ""),
    ],
)
def test_marks_of_emphasis_without_a_partner(text, mark):
    assert stray_mark(text) == mark


def test_notes_and_spaces_in_any_text_of_a_deck(check, tmp_path):
    items = ("items", "{rope: {name: 'Rope  end', text: TBD}}")
    story = {
        1: "[{gain: {item: rope}}, {choose: [{say: TODO, needs: {item: rope}, reveal: 2}, {say: B, reveal: 2}]}]",
        2: END,
    }
    assert check(story, items=items) == [
        ("unfinished-text", "chapter-1.yaml", 6),
        ("double-space", "items.yaml", 3),
        ("unfinished-text", "items.yaml", 3),
    ]
    marked = [each.excerpt[each.column - 1 : each.end_column - 1] for each in examine(tmp_path).problems]
    assert marked == ["TODO", "Rope  end", "TBD"]


@pytest.mark.parametrize(
    ("ids", "found"),
    [
        (["lantern", "lanterm"], 1),
        (["lantern", "lanterns"], 1),
        (["lantern", "lantren"], 1),
        (["key-1", "key-2", "key-12", "key-21"], 0),
        (["door-a", "door-b"], 0),
        (["eel", "eels", "eal"], 0),
        (["bucket", "basket"], 0),
    ],
)
def test_ids_that_differ_by_one_letter(check, ids, found):
    items = ("items", "{" + ", ".join(f"{id}: {{name: {id}}}" for id in ids) + "}")
    names = ", ".join(ids)
    story = {1: f"[{{gain: {{item: [{names}]}}}}, {{if: {{item: [{names}]}}, then: {{wound: 1}}}}, {END}]"}
    assert [problem[0] for problem in check(story, items=items)] == ["similar-ids"] * found


# ---------------------------------------------------------------- the playfield


def encounter(tmp_path, body):
    """The problems of an encounter file with an eel, a wall and a pool."""
    file = tmp_path / "table.yaml"
    cards = "enemy_cards: {eel: {name: Eel, wounds: 2}}\n"
    cards += "terrain_cards: {wall: {name: Wall, classes: impassable}, pool: {name: Pool}}\n"
    file.write_text(f"format: cardwalk/1\nkind: encounter\nrounds: 2\n{cards}{body}\n", encoding="utf-8")
    return [problem.id for problem in examine(file).problems]


@pytest.mark.parametrize(
    ("body", "ids"),
    [
        ("hero: {space: 3}\nterrain: [{card: pool, space: 3}]", ["space-taken"]),
        ("hero: {space: 3}\nterrain: [{card: pool, space: 3}]\nstate: {round: 1}", []),
        ("hero: {space: 3}\nterrain: [{card: wall, space: 3}]\nstate: {round: 1}", ["space-taken"]),
        ("hero: {space: 3}\nenemies: [{card: eel, space: 9}]\nterrain: [{card: pool, space: 9}]\nstate: {}", []),
        ("hero: {space: 3}\nterrain: [{card: pool, space: 9}, {card: pool, space: 9}]\nstate: {}", ["space-taken"]),
        ("hero: {space: 3}\nblocked: [3]", ["space-blocked"]),
        ("hero: {space: [3, 4]}\nblocked: [4]", ["space-blocked"]),
        ("hero: {space: [3, 4]}\nstate: {}", ["position-not-laid-out"]),
        ("hero: {space: [3, 3]}", ["duplicate-space"]),
        ("hero: {space: []}", ["hero-not-placed"]),
        (
            f"{ONE_BY_DIE}\nno_start: [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]\nblocked: 14",
            [],
        ),
        (
            f"{ONE_BY_DIE}\nno_start: [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]\nblocked: [14, 15]",
            ["no-free-space"],
        ),
        ("hero: {space: 3}\nenemies: [{draw: 1, from: gang, place: die}]\ndecks: {gang: []}", ["draw-too-many"]),
        ("hero: {space: 3}\nenemies: [{card: eel, draw: 1, from: gang, place: die}]", ["card-and-draw"]),
        ("hero: {space: 3}\nenemies: [{card: eel, space: 8, place: die}]", ["space-and-place"]),
        ("hero: {space: 3}\nenemies: [{card: eel, drawn: 1, space: 8}]", ["card-and-draw", "unknown-key"]),
        ("hero: {space: 3}\nenemies: [{card: eel, space: 8, plase: die}]", ["space-and-place", "unknown-key"]),
        ("hero: {space: 3}\nenemies: [{draw: 1, from: gang, spaces: 8}]", ["draw-with-space", "unknown-key"]),
        ("hero: {space: 3}\nenemies: [{card: eel, fro: gang, space: 8}]", ["unknown-key", "unknown-key"]),
        ("hero: {space: 3}\nenemies: [{drawn: 1, place: die}]", ["missing-key", "unknown-key"]),
        ("hero: {space: 3}\nenemies: [{card: eel}]", ["missing-key"]),
        ("hero: {space: 3}\nenemies: [{draw: 1, place: die}]", ["missing-key"]),
        ("hero: {space: 3}\nenemies: eel", ["wrong-type"]),
        ("hero: {space: 3}\nrouns: 3", ["unknown-key"]),
        ("hero: {spce: 3}", ["unknown-key"]),
        ("hero: {space: 3, wounds: 9}", ["out-of-range"]),
        ("hero: {space: 3, talents: {physical: 6}}", ["out-of-range"]),
        ("hero: {space: 3, satchel: {uku: 5}}", ["out-of-range"]),
        ("hero: {space: 3}\nstate: {round: 3}", ["out-of-range"]),
        ("hero: {space: 3}\nterrain: [{card: pool, space: 8}]\nstate: {tried: pool}", ["missing-piece"]),
        ("hero: {space: 3}\nenemies: [{draw: 1, from: rocks, place: die}]\ndecks: {rocks: [wall]}", ["wrong-deck"]),
    ],
)
def test_set_ups(tmp_path, body, ids):
    assert encounter(tmp_path, body) == ids


@pytest.mark.parametrize(
    ("instance", "ids"),
    [
        ("{when: {retreats: true}, gain: {ap: 1}}", ["ap-lost"]),
        ("{when: {retreats: true}, gain: {ap: 1}, at: next_round}", []),
        ("{when: {retreats: true}, gain: {physical: 1}}", []),
        ("{when: {defeated: true}, gain: {ap: 1}}", []),
        ("{when: {round_end: 2}, instead: {ap: 1}}", ["ap-lost", "instead-without-defeat"]),
        ("{when: {round_start: true}, gain: {ap: 1}}", []),
        ("{when: {entered: true}, gain: {ap: 1}}", ["unknown-key"]),
        ("{when: {defeated: false}, gain: {ap: 1}}", ["wrong-type"]),
        ("{when: {defeated: true}}", ["missing-key"]),
        ("{when: {}, gain: {ap: 1}}", ["empty-mapping"]),
    ],
)
def test_instances(tmp_path, instance, ids):
    body = "hero: {space: 3}\nenemies: [{card: imp, space: 8}]\ndecks: {d: [imp]}\n"
    file = tmp_path / "table.yaml"
    cards = f"enemy_cards: {{imp: {{name: Imp, wounds: 1, instances: [{instance}]}}}}\n"
    file.write_text(f"format: cardwalk/1\nkind: encounter\nrounds: 2\n{cards}{body}", encoding="utf-8")
    assert sorted(problem.id for problem in examine(file).problems) == sorted(ids)


# ---------------------------------------------------------------- use


def test_cards_are_used_by_name_or_by_their_deck(check):
    enemies = ("enemies", "{eel: {name: Eel, wounds: 1}, crab: {name: Crab, wounds: 1}}")
    fight = "[{encounter: {rounds: 1, hero: {space: 3}, enemies: [%s]}}, %s]"
    assert check({1: fight % ("{card: eel, space: 8}", END)}, enemies=enemies) == [("unused-card", "enemies.yaml", 3)]
    assert check({1: fight % ("{draw: 1, from: enemies, place: die}", END)}, enemies=enemies) == []


def test_shipped_actions_are_never_unused_and_dart_shot_may_be_replaced(check):
    actions = ("actions", "{dart-shot: {cost: 2}}")
    assert check({1: END}, actions=actions) == []


def test_asking_for_what_is_never_gained_is_a_warning_unless_she_starts_with_it(check):
    story = {1: f"[{{if: {{action: lob}}, then: {{wound: 1}}}}, {END}]"}
    assert check(story) == [("never-gained", "chapter-1.yaml", 6)]
    assert check(story, more="hero: {actions: [lob]}\n") == []


# ---------------------------------------------------------------- reports


def test_a_report_as_text_and_as_json(tmp_path):
    (tmp_path / "deck.yaml").write_text("format: cardwalk/1\nkind: encounter\nrounds: two\nhero: {space: 3}\n")
    report = examine(tmp_path / "deck.yaml")
    assert report.text() == (
        f'{tmp_path / "deck.yaml"}:3:9: error: "rounds" should be a whole number, found two [bad-number]\n'
        "    3 | rounds: two\n"
        "      |         ^^^\n"
        "      = write a whole number\n"
        "deck: 1 error"
    )
    assert "\x1b[31;1merror:\x1b[0m" in report.text(color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", report.text(color=True)) == report.text()
    assert report.json() == {
        "deck": "deck",
        "problems": [
            {
                "id": "bad-number",
                "severity": "error",
                "file": "deck.yaml",
                "line": 3,
                "column": 9,
                "end_line": 3,
                "end_column": 12,
                "message": '"rounds" should be a whole number, found two',
                "hint": "write a whole number",
            }
        ],
        "verdicts": None,
        "witness": None,
        "limit": None,
    }


def test_the_summary_counts():
    def problem(severity):
        return Problem("x", severity, "f", 1, 1, 1, 2, "m")

    assert Report("deck", (), None).summary() == "deck: no problems"
    report = Report("deck", (problem("error"), problem("error"), problem("warning"), problem("info")), None)
    assert report.summary() == "deck: 2 errors, 1 warning, 1 remark"
    assert not report.sound


def test_problems_are_sorted_by_file_and_line(check, tmp_path):
    check({1: "{reveal: 9}", 2: "{reveal: 8}"}, {1: "{reveal: 9}"})
    places = [(problem.file, problem.line, problem.column) for problem in examine(tmp_path).problems]
    assert places == sorted(places)
    assert len(places) >= 3


def test_carets_count_wide_characters_and_long_lines_are_cut():
    wide = Problem("x", "error", "f", 1, 3, 1, 4, "m", "", "字字a")
    assert wide.text().split("\n")[1:] == ["    1 | 字字a", "      |     ^"]
    far = Problem("x", "error", "f", 1, 301, 1, 303, "m", "", "-" * 300 + "ab" + "-" * 300)
    line, caret = far.text().split("\n")[1:]
    assert len(line) < 120
    assert line[caret.index("^") : caret.rindex("^") + 1] == "ab"


def test_nothing_of_a_deck_reaches_the_terminal_as_a_command():
    problem = Problem("x", "error", "f\x1b[2J", 1, 1, 1, 2, "m\r\n\x07", "h\x9b", "\x1b]0;x\x07\u202e")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", problem.text())


def test_near_names():
    assert near("nalo", ["nalu", "woopu"]) == "nalu"
    assert near("Tide_Sworn", ["tide-sworn"]) == "tide-sworn"
    assert near("xyz", ["nalu", "woopu"]) == ""
    assert did_you_mean("nalo", ["nalu"]) == "did you mean nalu?"
    assert did_you_mean("xyz", ["nalu", "woopu"]) == "known: nalu, woopu"
    assert did_you_mean("xyz", []) == ""
    assert did_you_mean("xyz", map(str, range(100))) == "mend the name, or define it: none of the 100 known is like it"


def test_a_number_of_thousands_of_digits_does_not_fill_the_terminal(tmp_path):
    file = tmp_path / "fight.yaml"
    file.write_text(
        f"format: cardwalk/1\nkind: encounter\nrounds: {'9' * 5000}\nhero: {{space: 3}}\n", encoding="utf-8"
    )
    report = examine(file)
    assert max(map(len, report.text().splitlines())) < 300
    assert "9" * 5000 in report.json()["problems"][0]["message"]
