"""The starter campaign and the template for new decks: sound, playable everywhere, every ending within reach."""

import random
from dataclasses import fields, is_dataclass

import pytest

from story.campaign import CampaignTable
from story.cards import Choice, Ending
from story.checks import examine, playable
from story.decks import HERE, TEMPLATE, built_in
from story.load import load_campaign
from story.prompts import Decide, Over, Roll

STARTER = HERE / "starter"


@pytest.fixture(scope="module")
def starter():
    return CampaignTable(load_campaign(STARTER))


@pytest.fixture(scope="module")
def template():
    return CampaignTable(load_campaign(HERE / TEMPLATE))


def cards(campaign):
    """(chapter, card) of everything that can be read; special cards stand under chapter 0."""
    numbered = {
        (chapter.number, number): card for chapter in campaign.chapters for number, card in chapter.cards.items()
    }
    return numbered | {(0, ref): card for ref, card in campaign.library.specials.items()}


def within(steps, kind):
    """Every ``kind`` of thing anywhere in the steps of a card."""
    if isinstance(steps, kind):
        yield steps
    if is_dataclass(steps):
        steps = [getattr(steps, field.name) for field in fields(steps) if field.name != "span"]
    if isinstance(steps, list | tuple):
        for step in steps:
            yield from within(step, kind)


def play(table, decide, roll, limit=600):
    """Play to the end; gives the end, the last state, the cards read and the choices taken."""
    state, read, taken = table.start(), set(), set()
    for _ in range(limit):
        key = None
        if state.journey.reading:
            for ref in state.journey.reading:
                key = (state.journey.chapter if isinstance(ref, int) else 0, ref)
                read.add(key)
        match table.prompt(state):
            case Over() as over:
                return over, state, read, taken
            case Roll() as prompt:
                answer = roll(prompt)
            case Decide() as prompt:
                answer = decide(prompt, state)
                if answer.startswith("choose "):
                    taken.add((key, next(option.say for option in prompt.options if option.answer == answer)))
        state = table.answer(state, answer)
    pytest.fail(f"no end after {limit} answers")


def at_random(table, seed):
    """A play in which nobody thinks."""
    rng = random.Random(seed)

    def roll(prompt):
        return rng.choices([face.answer for face in prompt.faces], [face.weight for face in prompt.faces])[0]

    return play(table, lambda prompt, state: rng.choice(prompt.options).answer, roll)


def along(table, line, fight="end", luck=0.5, foes=0.0, letter=None):
    """A play along a line: the beginnings of what each choice says, in order.

    ``fight`` is the action of each of her turns while she can pay for it; ``luck`` picks the face of her rolls from
    the lowest (0) to the highest (1), ``foes`` that of her enemies' rolls, ``letter`` the card that is drawn.
    """
    left = list(line)
    names = tuple(enemy.name for enemy in table.library.enemies.values())

    def decide(prompt, state):
        answers = [option.answer for option in prompt.options]
        if prompt.topic == "turn":
            return fight if fight in answers else "end"
        chosen = [option for option in prompt.options if option.answer.startswith("choose ")]
        if not chosen:
            return answers[0]
        want = left.pop(0)
        matching = [option.answer for option in chosen if option.say.strip('"').startswith(want)]
        assert len(matching) == 1, f"{want!r} is not offered among {[option.say for option in chosen]}"
        return matching[0]

    def roll(prompt):
        if prompt.die == "draw" and letter is not None:
            return next(face.answer for face in prompt.faces if letter in face.answer)
        share = foes if prompt.title.startswith(names) else luck
        return prompt.faces[round(share * (len(prompt.faces) - 1))].answer

    result = play(table, decide, roll)
    assert left == [], "the game was over before the line was"
    return result


# ---------------------------------------------------------------- the starter


def test_starter_is_built_in_and_without_a_problem():
    assert "starter" in built_in()
    report = examine(STARTER, use_cache=False)
    assert report.problems == ()
    assert playable(report.loaded) == ()


def test_every_card_option_and_ending_is_met_and_nobody_gets_stuck(starter):
    every = cards(starter.campaign)
    endings = {ending.id for card in every.values() for ending in within(card.steps, Ending)}
    options = {(key, choice.say) for key, card in every.items() for choice in within(card.steps, Choice)}
    met, read, taken = set(), set(), set()
    for seed in range(400):
        over, _, its_cards, its_choices = at_random(starter, seed)
        met.add(over.id if over.kind != "death" else "death")
        read |= its_cards
        taken |= its_choices
    assert met == endings | {"death"}
    assert read == set(every)
    assert taken == options


def test_its_cards_are_short_enough_to_read_aloud(starter):
    lengths = {key: len(card.text.split()) for key, card in cards(starter.campaign).items()}
    assert {key: n for key, n in lengths.items() if not 40 <= n <= 140} == {}


BELT_TO_DACE = ("Cut the money belt", "Take the jar of stonefish", "Empty the money belt")
KEYS = ("Open his hand", "Take the jar of numbfish")
BREATH, HEAD, HAND = "That one breathes", "She reads water", "I have never seen"

LINES = {
    "the belt is read aloud": (
        "read-aloud",
        (HEAD, *BELT_TO_DACE, "Be put off at the mill-race", "Count paddles", "Climb the ladder", "Call up the stair")
        + ("Tell him where", "See to the lamp", "Walk the lens round", "Tell all of them"),
        {},
    ),
    "the page is read aloud after the share is given back": (
        "read-aloud",
        (HEAD, *KEYS, "Be put off at the causeway", "Read the last page", "Take her hand", "Unlock the door")
        + (
            "Call up the stair",
            "Put the keys into",
            "See to the lamp",
            "Unlock the clockwork",
            "Give back your double",
        ),
        {"luck": 0.6},
    ),
    "the letter to the buyer is read aloud": (
        "read-aloud",
        (HEAD, *KEYS, "Break the seal", "Be put off at the mill-race", "Count paddles", "Climb the ladder")
        + ("Take off your boots", "See to the lamp", "Unlock the clockwork", "Tell all of them"),
        {"letter": "buyer", "luck": 0.6},
    ),
    "the boy's letter shows where the brake is": (
        "a-vacancy",
        (BREATH, "Cut the money belt", "Take the jar of stonefish", "Break the seal", "Be put off at the mill-race")
        + (
            "Go down to the grating",
            "Climb the ladder",
            "Take off your boots",
            "See to the lamp",
            "Reach behind",
            "Drop",
        ),
        {"letter": "boy", "luck": 0.7},
    ),
    "the crank turns the lamp": (
        "a-vacancy",
        (BREATH, *KEYS, "Be put off at the mill-race", "Go down to the grating", "Take down the crank", "Call up")
        + ("Tell him where", "See to the lamp", "Set the crank", "Drop the hatch"),
        {"luck": 0.7},
    ),
    "a lie opens the door below": (
        "full-share",
        (HAND, *KEYS, "Be put off at the mill-race", "Count paddles", "Climb the ladder", "Call up", "Say that he is")
        + ("See to the lamp", "Unlock the clockwork", "Turn down the wick"),
        {},
    ),
    "a fixed light, and Dace": (
        "fifty-eight",
        (HAND, *BELT_TO_DACE, "Be put off at the mill-race", "Count paddles", "Climb the ladder", "Take off your boots")
        + ("See to the lamp", "Light it as it stands", "Run down to Dace"),
        {},
    ),
    "a promise kept to Pell": (
        "full-share",
        (HAND, *KEYS, "Be put off at the causeway", "Go on along", "Take her hand", "Unlock", "Call up", "Tell him")
        + ("See to the lamp", "Sit down"),
        {},
    ),
    "Gurnard is felled, and the hatch holds for it": (
        "a-vacancy",
        (HAND, *BELT_TO_DACE, "Be put off at the causeway", "Go on along", "Give her back", "Shoot a line", "Tell him")
        + ("See to the lamp", "Walk the lens round", "Drop the hatch"),
        {"fight": "boathook gurnard", "luck": 0.55},
    ),
    "nothing is done on the causeway": (
        "death",
        (HAND, *KEYS, "Be put off at the causeway", "Go on along", "Give her back"),
        {"foes": 1.0},
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_lines_of_the_starter(starter, name):
    ending, line, how = LINES[name]
    over, state, read, _ = along(starter, line, **how)
    assert (over.id if over.kind != "death" else "death") == ending
    assert ((2, 8) in read) == ("nib-waiting" in state.hero.events and (2, 5) in read)
    assert ("gurnard-felled" in state.hero.events) == name.startswith("Gurnard")


def test_hours_spent_bring_the_ferry_nearer(starter):
    hurried = (HEAD, *KEYS, "Be put off at the mill-race", "Count paddles", "Climb the ladder", "Take off your boots")
    dawdled = (HEAD, *KEYS, "Break the seal", "Break a second", "Be put off at the mill-race", *hurried[4:])
    rest = ("Unlock the clockwork", "Turn down the wick")
    _, _, early, _ = along(starter, (*hurried, "See to the lamp", *rest))
    _, _, late, _ = along(starter, (*dawdled, *rest))
    assert {(2, 2), (2, 3)} & early == {(2, 2)}
    assert {(2, 2), (2, 3)} & late == {(2, 3)}


# ---------------------------------------------------------------- the template


def test_the_template_is_no_game_but_has_no_problem():
    assert TEMPLATE not in built_in()
    assert examine(HERE / TEMPLATE, use_cache=False).problems == ()


def test_the_template_is_met_whole_and_by_everybody_survived(template):
    every = cards(template.campaign)
    met, read, taken = set(), set(), set()
    for seed in range(100):
        over, _, its_cards, its_choices = at_random(template, seed)
        met.add(over.id)
        read |= its_cards
        taken |= its_choices
    assert met == {"paid", "unpaid"}
    assert read == set(every)
    assert taken == {(key, choice.say) for key, card in every.items() for choice in within(card.steps, Choice)}


@pytest.mark.parametrize(
    ("line", "ending"),
    [
        (("Look into the hut", "Step aboard", "Hold them off", "Unpack"), "paid"),
        (("Look into the hut", "Step aboard", "Throw them", "Walk on"), "unpaid"),
        (("Step aboard", "Walk straight", "Unpack"), "paid"),
    ],
)
def test_lines_of_the_template(template, line, ending):
    over, _, _, _ = along(template, line, fight="dart gander", foes=1.0)
    assert over.id == ending
