"""What the checks conclude, and what they leave alone."""

import re

import pytest

from story.checks import Report, examine
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
    story = {1: f"[{{gain: {{event: cut, item: rope}}}}, {{if: {{event: cut}}, then: {{wound: 1}}}}, {END}]"}
    assert check(story, events=events, items=items) == []
    (tmp_path / "events.yaml").write_text("format: cardwalk/1\nkind: events\ncards: {cut: {name: 'Cut}\n")
    assert [(problem.id, problem.file) for problem in examine(tmp_path).problems] == [("yaml-syntax", "events.yaml")]
    (tmp_path / "events.yaml").unlink()
    assert [(problem.id, problem.file) for problem in examine(tmp_path).problems] == [("file-missing", "campaign.yaml")]


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
    assert check({1: steps, 2: END, 3: "{reveal: 2}"}) == []


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
    cards = {1: "{choose: [{say: A, reveal: 5}, {say: B, reveal: 2}]}", 2: END, 4: "{gain: {ap: 1}}", 5: steps}
    assert check(cards) == [(id, "chapter-1.yaml", 9)]


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
        {1: "[{pull: 2}, {reveal: 3}]", 2: "{choose: {say: Again, pull: 2}}", 3: END},
        {1: "{reveal: 2}", 2: "{choose: [{say: Back, reveal: 1}, {say: On, reveal: 3}]}", 3: END},
        {1: "{reveal: 2}", 2: "{roll: {die: d6, chart: {1-5: {reveal: 1}, 6: {reveal: 3}}}}", 3: END},
        {1: "[{discard: this}, {pull: 1}, {reveal: 3}]", 3: END},
        {1: "[{pull: 2}, {reveal: 3}]", 2: "[{if: {ap: 3}, then: {pull: 2}}]", 3: END},
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
        'deck.yaml:3:9: error: "rounds" should be a whole number, found two [bad-number]\n'
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
    assert did_you_mean("xyz", map(str, range(100))) == "100 are known, none of them like it"
