"""Seeded games by three policies: repeatable, the same whoever plays them, and rightly added up."""

import itertools
import random
import signal
import sys
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from solver import careful
from solver.playtest import CrewError, Job, Tally, add_game, crew, play_all, play_game, route, summary
from solver.playtest.figures import mean, quantile, wilson
from solver.playtest.game import Game, choices, roll
from solver.policies import POLICIES, Best, policy
from story.cards import (
    AllOf,
    AtLeast,
    Attack,
    Choice,
    Choose,
    Encounter,
    Ending,
    EnemyCard,
    Fight,
    Gain,
    NextChapter,
    Placement,
    Pull,
    Reveal,
    Wound,
)
from story.load import load_deck, load_encounter
from story.prompts import Decide, Face, Option, Over, Roll, answers
from tests import build, generate

CASES = Path(__file__).parents[1] / "cases" / "playfield"
HOME = Ending("home", "Home", "victory")


@pytest.fixture(scope="module")
def starter():
    return load_deck("starter")


def tally(deck, name="careful", runs=60, seed=5, **parts):
    return play_all(Job(deck, name, runs, seed, **parts), workers=1)


def one(deck, name="random", number=0, seed=1, **parts):
    on = route(deck)
    script = []
    game = play_game(on, policy(name, on.table.library), seed, number, script=script, **parts)
    return game, script


def offers(topic, *options):
    """A decision between options as (answer, kind, detail)."""
    return Decide(topic, "", tuple(Option(answer, "", "", kind, detail) for answer, kind, detail in options))


# ---------------------------------------------------------------- figures


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_meets_published_intervals(count, of, low, high):
    assert wilson(count, of) == pytest.approx((low, high), abs=5e-5)


def test_wilson_mirrors_and_stays_within_bounds():
    assert wilson(29, 29)[1] == 1
    assert wilson(0, 0) == (0, 1)
    low, high = wilson(7, 30)
    assert wilson(23, 30) == pytest.approx((1 - high, 1 - low))
    assert low < 7 / 30 < high


def test_quantiles_lie_between_neighbours():
    counts = Counter({1: 2, 4: 1, 10: 1})
    assert [quantile(counts, part) for part in (0, 0.25, 0.5, 0.75, 1)] == [1, 1, 2.5, 5.5, 10]
    assert mean(counts) == 4
    with pytest.raises(ValueError, match="no amounts"):
        quantile({}, 0.5)


def test_a_face_comes_as_often_as_its_weight_says():
    prompt = Roll("draw", "", (Face("pick a", 1), Face("pick b", 3)))
    dice = random.Random(0)
    seen = Counter(roll(prompt, dice) for _ in range(4000))
    assert seen["pick b"] / 4000 == pytest.approx(0.75, abs=0.03)
    assert set(seen) == {"pick a", "pick b"}


# ---------------------------------------------------------------- repeatable


@pytest.mark.parametrize("name", ["random", "careful"])
def test_a_game_depends_on_its_seed_and_number_alone(starter, name):
    alone = one(starter, name, 17)
    on = route(starter)
    player = policy(name, on.table.library)
    scripts = {}
    for number in (3, 17, 4, 17):
        scripts.setdefault(number, []).append([])
        game = play_game(on, player, 1, number, script=scripts[number][-1])
        assert number != 17 or (game, scripts[17][-1]) == alone
    assert scripts[3] != scripts[4]
    assert one(starter, name, 17, seed=2)[1] != alone[1]


def test_the_script_of_a_game_replays_on_the_table(starter):
    game, script = one(starter, "careful", 8)
    table = route(starter).table
    state = table.start()
    for answer in script:
        state = table.answer(state, answer)
    over = table.prompt(state)
    assert isinstance(over, Over)
    assert (over.id, over.kind) == (game.ending, game.kind)
    assert len(script) == game.answers + game.rolls


def test_best_repeats_whatever_games_went_before():
    deck = load_encounter(CASES / "dodge.yaml")
    on = route(deck)
    player = Best(on.table.library)

    def game(number, player):
        script = []
        return play_game(on, player, 1, number, script=script), script

    in_a_row = [game(number, player) for number in range(12)]
    assert in_a_row == [game(number, Best(on.table.library)) for number in range(12)]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_while_processes_are_started_is_put_off_and_not_lost():
    went_on = []

    def start():
        with crew._interrupts_put_off():
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
            went_on.append(True)

    with pytest.raises(KeyboardInterrupt):
        start()
    assert went_on


def test_processes_and_one_alone_come_to_the_same(starter):
    job = Job(starter, "careful", 90, 11)
    heard = []
    alone = play_all(job, workers=1)
    assert play_all(job, workers=2, progress=heard.append) == alone
    assert heard == sorted(heard)
    assert heard[-1] == 90
    assert summary(job, alone)["runs"] == 90


def test_chunks_hold_every_game_once(starter):
    for runs, crew_size in ((1, 1), (7, 3), (1000, 4), (3_000_017, 8)):
        parts = crew.chunks(Job(starter, "random", runs, 1), crew_size)
        assert parts[0].start == 0
        assert parts[-1].stop == runs
        assert all(a.stop == b.start for a, b in itertools.pairwise(parts))
        assert len(parts) <= crew.MOST_CHUNKS + 1


def test_tallies_add_up_in_any_order(starter):
    player = crew.Player(Job(starter, "random", 40, 1))
    parts = [player.play(range(start, start + 10)) for start in range(0, 40, 10)]
    forth, back = Tally(), Tally()
    for part in parts:
        forth.merge(part)
    for part in reversed(parts):
        back.merge(part)
    assert forth == back == player.play(range(40))


# ---------------------------------------------------------------- clusters


class FakeClient:
    """As much of a Dask client as is asked of one."""

    loop = None

    def __init__(self, threads=2):
        self.threads = threads
        self.cancelled = 0

    def nthreads(self):
        return {"tcp://worker": self.threads} if self.threads else {}

    def scatter(self, data, broadcast, hash):
        return data

    def submit(self, function, *arguments, pure):
        assert not pure
        return SimpleNamespace(result=lambda: function(*arguments))

    def cancel(self, futures):
        self.cancelled += len(futures)


def last_first(futures, loop):
    return reversed(futures)


def test_a_cluster_comes_to_the_same(starter):
    job = Job(starter, "careful", 50, 4)
    client, total = FakeClient(), Tally()
    for part in crew._with_client(client, last_first, job):
        total.merge(part)
    assert total == play_all(job, workers=1)
    assert client.cancelled == len(crew.chunks(job, 2))


def test_a_cluster_in_trouble_is_told_in_one_line(starter):
    def broken(futures, loop):
        yield SimpleNamespace(result=lambda: 1 / 0)

    job = Job(starter, "random", 5, 1)
    with pytest.raises(CrewError, match=r"^the cluster failed: ZeroDivisionError: division by zero$"):
        list(crew._with_client(FakeClient(), broken, job))
    with pytest.raises(CrewError, match="no workers"):
        list(crew._with_client(FakeClient(threads=0), last_first, job))


# ---------------------------------------------------------------- what is noted


def test_what_happened_is_noted_by_id():
    low = Choice("Go low", (Reveal(2),))
    locked = Choice("Fly", (Reveal(3),), needs=AllOf((AtLeast("physical", 5),)))
    table = build.campaign(
        {
            1: build.card(Pull((4,)), Choose((low, locked))),
            2: build.card(NextChapter()),
            3: build.card(HOME),
            4: build.card(Gain(build.goods(ap=1))),
        },
        {1: build.card(Wound(2), Reveal(2)), 2: build.card(HOME)},
        hero=build.hero(ap=6),
    )
    game, _ = one(table.campaign, "careful")
    assert (game.ending, game.kind, game.card, game.wounds) == ("home", "victory", "2:2", 2)
    assert game.cards == {"1:1", "1:2", "1:4", "2:1", "2:2"}
    assert (game.open, game.taken) == ({"1:1/1"}, {"1:1/1"})
    assert game.chapters[1] == (0, 6)
    assert game.turned == 5

    document = summary(Job(table.campaign, "careful", 10, 1), tally(table.campaign, runs=10))
    assert document["never_met"] == ["1:3"]
    assert document["never_open"] == ["1:1/2"]
    assert document["never_taken"] == []
    assert document["options"]["1:1/1"] == {"open": 10, "taken": 10}
    assert document["endings"]["home"]["count"] == 10
    assert document["checkpoints"]["end"]["wounds"]["median"] == 2
    assert list(document["checkpoints"]) == ["1", "2", "end"]
    assert document["routes"]["cards"]["counts"] == {"5": 10}


def test_options_are_numbered_as_they_stand_in_the_file(starter):
    by_card = {}
    for card, option, choice in choices(starter):
        by_card.setdefault(card, []).append((option, choice.span.line))
    for card, found in by_card.items():
        assert [option for option, _ in found] == [f"{card}/{n}" for n in range(1, len(found) + 1)]
        assert [line for _, line in found] == sorted(line for _, line in found)


def test_deaths_are_counted_by_card():
    table = build.campaign({1: build.card(Reveal(2)), 2: build.card(Wound(9), HOME)})
    total = tally(table.campaign, runs=7)
    assert total.deaths == {"1:2": 7}
    document = summary(Job(table.campaign, "careful", 7, 5), total)
    assert document["deaths"]["1:2"]["count"] == 7
    assert document["deaths"]["1:2"]["first_run"] == 0
    assert document["kinds"]["death"]["share"] == 1
    assert document["endings"]["home"] == {
        "kind": "victory", "count": 0, "share": 0, "low": 0, "high": pytest.approx(0.354, abs=1e-3), "first_run": None,
    }  # fmt: skip


def test_a_game_without_end_is_stopped_and_reported():
    table = build.campaign({1: build.card(Reveal(2)), 2: build.card(Reveal(1))})
    game, script = one(table.campaign, answers=50)
    assert (game.ending, game.kind) == ("endless", "endless")
    assert len(script) == 50
    total = tally(table.campaign, "random", runs=3, answers=50)
    assert sum(total.stops.values()) == 3
    assert summary(Job(table.campaign, "random", 3, 5), total)["kinds"]["endless"]["count"] == 3


def test_a_card_that_leads_nowhere_is_reported():
    table = build.campaign({1: build.card(Gain(build.goods(ap=1)))})
    total = tally(table.campaign, "random", runs=4)
    assert total.endings == {"stuck": 4}
    assert total.stops == {"1:1": 4}


def test_the_first_game_of_an_ending_is_the_lowest():
    total = Tally()
    for number in (9, 2, 5):
        add_game(total, Game(ending="home", kind="victory"), number)
    assert total.first["ending home"] == 2


# ---------------------------------------------------------------- policies


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_plays_every_worked_position(name):
    for file in sorted(CASES.glob("*.yaml")):
        if name == "best" and file.stem in {"instances", "recruit", "poison-loses-ap", "turn-chain"}:
            continue
        game, _ = one(load_encounter(file), name)
        assert game.kind in ("done", "death"), file.name


@pytest.mark.parametrize("name", ["random", "careful"])
def test_a_policy_plays_whatever_a_deck_may_hold(name):
    for seed in range(60):
        rng = random.Random(seed)
        for deck in (generate.random_encounter(rng), generate.random_campaign(rng)):
            deck = getattr(deck, "file", None) or getattr(deck, "campaign", None) or deck
            game, _ = one(deck, name, answers=400)
            assert game.ending


def test_a_policy_leaves_what_it_is_asked_as_it_was(starter):
    table = route(starter).table
    player = policy("careful", table.library)
    dice, state = random.Random(3), table.start()
    while not isinstance(prompt := table.prompt(state), Over):
        if isinstance(prompt, Decide):
            first, again = (player.choose(table, state, prompt, random.Random(1)) for _ in range(2))
            assert first == again
            assert first in answers(prompt)
            assert table.prompt(state) == prompt
            state = table.answer(state, first)
        else:
            state = table.answer(state, roll(prompt, dice))


def test_random_ends_a_turn_as_readily_as_it_shoots():
    deck = load_encounter(CASES / "dodge.yaml")
    table = route(deck).table
    state = table.start()
    prompt = table.prompt(state)
    rng = random.Random(2)
    player = policy("random", table.library)
    seen = Counter(player.choose(table, state, prompt, rng) for _ in range(2000))
    assert set(seen) == set(answers(prompt))
    assert max(seen.values()) < 1.5 * min(seen.values())


def duel(rounds=4):
    """A story that is one fight, against two who hit hard."""
    brute = EnemyCard("brute", "Brute", wounds=2, attack=Attack("surrounding", 2), moves=1, crit=18, miss=3)
    fight = Encounter(rounds, (3,), (Placement("brute", space=8), Placement("brute", space=4)))
    return build.campaign(
        {1: build.card(Fight(fight), Reveal(2)), 2: build.card(HOME)},
        enemies={"brute": brute},
        hero=build.hero(satchel={"breadfruit": 2}, actions=["dodge"]),
    ).campaign


def test_careful_beats_random_and_best_beats_careful_in_a_fight():
    deck = duel()
    won = {name: tally(deck, name, runs=150).endings["home"] for name in POLICIES}
    assert won["random"] + 30 < won["careful"] <= won["best"]


def test_careful_beats_random_on_the_starter(starter):
    by = {name: tally(starter, name, runs=400) for name in ("random", "careful")}
    won = {name: sum(n for id, n in one.endings.items() if one.kinds[id] == "victory") for name, one in by.items()}
    assert won["random"] < won["careful"]
    assert by["careful"].endings["death"] < by["random"].endings["death"]


@pytest.mark.parametrize("case", ["dodge", "last-bite", "survive-or-wounds"])
def test_best_comes_to_the_wounds_that_the_solver_foretells(case):
    from solver.encounter import solve

    deck = load_encounter(CASES / f"{case}.yaml")
    told = solve(deck).wounds
    runs = 800
    total = tally(deck, "best", runs=runs)
    for wounds in range(deck.hero.wound_limit + 1):
        low, high = wilson(total.wounds["end"][wounds], runs, z=4)
        assert low <= told.get(wounds, 0) + 1e-9
        assert told.get(wounds, 0) - 1e-9 <= high


def test_best_plays_carefully_what_is_too_large_for_it():
    on = route(duel())
    small, able = Best(on.table.library, search=3), Best(on.table.library)
    script, by_hand = [], []
    assert play_game(on, small, 1, 0, script=script).beyond == 1
    assert play_game(on, able, 1, 0).beyond == 0
    play_game(on, policy("careful", on.table.library), 1, 0, script=by_hand)
    assert script == by_hand


def test_best_looks_into_each_encounter_anew():
    brute = EnemyCard("brute", "Brute", wounds=1, attack=Attack("surrounding", 1))
    fights = [Fight(Encounter(1, (3,), (Placement("brute", space=space),))) for space in (8, 4)]
    deck = build.campaign({1: build.card(*fights, Reveal(2)), 2: build.card(HOME)}, enemies={"brute": brute}).campaign
    on = route(deck)
    player = Best(on.table.library, search=0)
    assert play_game(on, player, 1, 0).beyond == 2


# ---------------------------------------------------------------- a careful player's habits


def position(*enemies, **parts):
    table = build.encounter(*enemies, **parts)
    return table, table.start()


def turn(*enemies, **parts):
    table, state = position(*enemies, **parts)
    return careful.choose(table, table.library, state, table.prompt(state), random.Random(1))


def test_careful_heals_when_badly_hurt():
    assert turn(build.at(build.enemy(hits=2, moves=4), 8), rounds=3, hero_card=build.hero(wounds=7)) == "heal"


def test_careful_shoots_before_it_mends_a_scratch():
    target = build.enemy("crab", wounds=1, hits=2, moves=4)
    assert turn(build.at(target, 8), rounds=3, hero_card=build.hero(wounds=1)) == "dart crab"


def test_careful_shoots_who_falls_rather_than_who_stands():
    frail, stout = (build.enemy(name, wounds=n, moves=4) for name, n in (("frail", 1), ("stout", 3)))
    assert turn(build.at(frail, 8), build.at(stout, 2), rounds=2, hero_card=build.hero(ap=3)) == "dart frail"


def test_careful_has_nothing_to_do_where_nobody_is():
    assert turn(rounds=1) == "end"


def test_careful_steps_out_of_the_way_when_it_can_do_no_more():
    mine = build.enemy("brute", wounds=5, attack="adjacent", hits=3, moves=0)
    answer = turn(build.at(mine, 8), rounds=2, hero_card=build.hero(ap=1))
    assert answer.startswith("step ")


def test_careful_helps_a_challenge_over_the_bar_while_that_is_cheap():
    near = offers("window", ("keep", "keep", "fail"), ("add 2", "add", "succeed"))
    far = offers("window", ("keep", "keep", "fail"), ("add 6", "add", "succeed"))
    passed = offers("window", ("keep", "keep", "succeed"), ("subtract 1", "subtract", "fail"))
    chart = offers("window", ("keep", "keep", "1-3"), ("add 1", "add", "4-6"))
    assert [careful.story_window(prompt) for prompt in (near, far, passed, chart)] == ["add 2", "keep", "keep", "keep"]


def test_careful_eats_the_smallest_last_bite_that_saves():
    table = build.campaign(
        {1: build.card(Wound(2), HOME)},
        hero=build.hero(wounds=8, satchel={"breadfruit": 1, "abehjerne": 1}),
    )
    for wounds, bite in ((7, "eat breadfruit"), (8, "eat abehjerne")):
        hero = replace(table.campaign.hero, wounds=wounds)
        deck = build.campaign({1: build.card(Wound(2), HOME)}, hero=hero)
        state = deck.start()
        prompt = deck.prompt(state)
        assert prompt.topic == "bite"
        assert careful.choose(deck, deck.library, state, prompt, random.Random(1)) == bite
    assert one(table.campaign, "careful")[0].ending == "home"


def test_careful_does_not_waste_food_on_what_cannot_be_saved():
    deck = build.campaign({1: build.card(Wound(9), HOME)}, hero=build.hero(wounds=8, satchel={"breadfruit": 1}))
    state = deck.start()
    assert careful.choose(deck, deck.library, state, deck.prompt(state), random.Random(1)) == "keep"


def test_careful_does_not_peek_at_what_a_choice_leads_to():
    ways = (Choice("Left", (Reveal(2),)), Choice("Right", (Reveal(3),)))
    deck = build.campaign({1: build.card(Choose(ways)), 2: build.card(Wound(9), HOME), 3: build.card(HOME)}).campaign
    total = tally(deck, runs=200)
    assert 60 < total.endings["home"] < 140


def test_careful_turns_a_hit_into_a_miss_when_one_point_does_it():
    brute = build.enemy("brute", wounds=9, attack="surrounding", hits=3)
    game = build.play(build.encounter(build.at(brute, 8), hero_card=build.hero(ap=4)), "end", "d20 6")
    answer = careful.choose(game.table, game.table.library, game.state, game.prompt, random.Random(1))
    assert answer == "subtract 1"
