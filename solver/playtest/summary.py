"""What a playtest found, as one document keyed by ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solver.playtest.crew import Job
from solver.playtest.figures import mean, quantile, wilson
from solver.playtest.game import choices
from solver.playtest.tally import Tally
from story.cards import Campaign, Ending
from story.checks.walk import story_cards, walk

KINDS = ("victory", "neutral", "defeat", "done", "death", "stuck", "endless")
"""Kinds of endings in the order in which they are told."""


def summary(job: Job, tally: Tally) -> dict[str, Any]:
    """The document of ``playtest --json``; endings that the deck has and no game reached are in it with 0."""
    deck = job.deck
    campaign = deck if isinstance(deck, Campaign) else None
    cards = [key for key, _ in story_cards(campaign)] if campaign else []
    options = [option for _, option, _ in choices(campaign)] if campaign else []
    return {
        "deck": campaign.id if campaign else deck.title,
        "digest": deck.digest,
        "policy": job.policy,
        "seed": job.seed,
        "runs": tally.games,
        "confidence": 0.95,
        "kinds": {kind: share(n, tally.games) for kind, n in _kinds(tally).items()},
        "endings": _endings(tally, campaign),
        "deaths": _by_card(tally, "death", tally.deaths),
        "stops": _by_card(tally, "stop", tally.stops),
        "checkpoints": {
            name: {
                "games": sum(counts.values()),
                "wounds": spread(counts),
                **({"ap": spread(tally.ap[name])} if name in tally.ap else {}),
            }
            for name, counts in sorted(tally.wounds.items(), key=lambda item: _chapter_order(item[0]))
        },
        "cards": {card: tally.cards[card] for card in cards},
        "options": {option: {"open": tally.open[option], "taken": tally.taken[option]} for option in options},
        "never_met": [card for card in cards if not tally.cards[card]],
        "never_open": [option for option in options if not tally.open[option]],
        "never_taken": [option for option in options if tally.open[option] and not tally.taken[option]],
        "routes": {
            "cards": spread(tally.turned),
            "answers": spread(tally.answers),
            "rolls": spread(tally.rolls),
        },
        "answers_limit": job.answers,
        "not_worked_out": tally.beyond,
    }


def share(count: int, of: int) -> dict[str, Any]:
    """A count, its share and the interval of 95 % around it."""
    low, high = wilson(count, of)
    return {"count": count, "share": count / of if of else 0.0, "low": low, "high": high}


def spread(counts: Mapping[int, int]) -> dict[str, Any]:
    """Median, quartiles, mean and how often each amount occurred."""
    return {
        "median": quantile(counts, 0.5),
        "lower_quartile": quantile(counts, 0.25),
        "upper_quartile": quantile(counts, 0.75),
        "mean": mean(counts),
        "counts": {f"{amount}": counts[amount] for amount in sorted(counts)},
    }


def _kinds(tally: Tally) -> dict[str, int]:
    counts = dict.fromkeys(KINDS, 0)
    for ending, n in tally.endings.items():
        counts[tally.kinds[ending]] += n
    return {kind: n for kind, n in counts.items() if n or kind in ("victory", "neutral", "defeat", "death")}


def _endings(tally: Tally, campaign: Campaign | None) -> dict[str, Any]:
    kinds: dict[str, str] = {}
    if campaign is not None:
        for _, card in story_cards(campaign):
            kinds |= {step.id: step.kind for step in walk(card.steps) if isinstance(step, Ending)}
    kinds |= tally.kinds
    order = sorted(kinds, key=lambda ending: (KINDS.index(kinds[ending]), -tally.endings[ending], ending))
    return {
        ending: {
            "kind": kinds[ending],
            **share(tally.endings[ending], tally.games),
            "first_run": tally.first.get(f"ending {ending}"),
        }
        for ending in order
    }


def _by_card(tally: Tally, what: str, counts: Mapping[str, int]) -> dict[str, Any]:
    order = sorted(counts, key=lambda card: (-counts[card], card))
    return {card: {**share(counts[card], tally.games), "first_run": tally.first[f"{what} {card}"]} for card in order}


def _chapter_order(name: str) -> tuple[bool, int]:
    return (True, 0) if name == "end" else (False, int(name))
