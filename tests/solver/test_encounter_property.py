"""The fast solver against the rules themselves, on generated encounters, with a fixed budget.

``scripts/solver_fuzz.py`` goes on where this ends.
"""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from solver import encounter
from solver.encounter.kinds import TRAITS
from story.cards import STANDARD_FOODS
from story.dump import encounter_text
from story.load import load_encounter
from story.prompts import Over, answers
from tests.solver import compare, generate

SEEDS = range(5000, 5080)
STATES = 1500
"""For the reference, a seed: larger encounters are left out, and not more than half may be."""


@pytest.mark.parametrize("start", SEEDS[::20])
def test_both_solvers_agree_on_every_action(start):
    compared = {seed: compare.compare(compare.question(seed), STATES) for seed in range(start, start + 20)}
    assert {seed: found for seed, found in compared.items() if found.outcome not in ("same", "too large")} == {}
    assert Counter(found.outcome for found in compared.values())["same"] >= 10


def test_what_is_generated_has_everything_in_it():
    occurred = set()
    for seed in range(400):
        random, table = Random(seed), compare.Watched(generate.encounter(seed))
        for _ in range(3):
            state = table.start()
            while not isinstance(prompt := table.prompt(state), Over):
                state = table.answer(state, random.choice(answers(prompt)))
        occurred |= table.occurred
    wanted = {f"trait {id}" for id in TRAITS}
    wanted |= {f"ground {id}" for id in generate.GROUND_TRAITS}
    wanted |= {f"answer eat {food.id}" for food in STANDARD_FOODS}
    wanted |= {f"answer {card.word}" for card in generate.ACTIONS.values() if card.kind == "attack"}
    wanted |= {f"answer +{card.word}" for card in generate.ACTIONS.values() if card.kind == "augment"}
    wanted |= {f"answer {word}" for word in ("dodge", "duck", "fear", "scare", "+lob", "+arc", "heal", "step", "try")}
    wanted |= {f"answer {word}" for word in ("add", "subtract", "keep", "use", "no", "stand", "end")}
    wanted |= {
        f"asks {topic}" for topic in ("turn", "window", "bite", "dodge", "stand", "place", "pick", "draw", "d20")
    }
    wanted |= {f"mark {mark}" for mark in compare.MARKS}
    wanted |= {"rule ACT-11", "rule FOE-4", "rule TRAIT-RECRUIT", "rule HEAL-1"}
    assert wanted - occurred == set()


@pytest.mark.parametrize("part", ["value", "p_defeat", "expected_wounds", "best", "actions"])
def test_a_wrong_answer_would_be_noticed(part, monkeypatch):
    solve = encounter.solve

    def wrong(*given, **asked):
        right = solve(*given, **asked)
        old = getattr(right, part)
        return replace(right, **{part: old[1:] if isinstance(old, tuple) else old + 1e-8})

    monkeypatch.setattr(encounter, "solve", wrong)
    assert compare.compare(compare.question(5006), STATES).outcome == "different"


def test_questions_are_asked_at_every_kind_of_moment():
    asked = {compare.question(seed).topic for seed in range(200)}
    assert asked >= {"turn", "window", "dodge", "d20", "pick", "place"}


def test_what_is_generated_can_be_written_down(tmp_path):
    for seed in range(60):
        made = generate.encounter(seed)
        file = tmp_path / f"{seed}.yaml"
        file.write_text(encounter_text(made), encoding="utf-8")
        read = load_encounter(file)
        laid_out = replace(read.encounter, title="")
        assert (laid_out, read.hero, read.position) == (made.encounter, made.hero, made.position)
        assert (read.library.enemies, read.library.terrain) == (made.library.enemies, made.library.terrain)
