"""What the problems that the search finds stand for (``solver.reach.problems``)."""

from __future__ import annotations

from story.problem_kinds import Kind

_UNSEEN = "What can never be reached was written for nobody; more often a way to it was forgotten."

SEARCH_KINDS: dict[str, Kind] = {
    "unreachable-card": Kind("Every card can be reached", _UNSEEN),
    "unreachable-option": Kind("Every option is open in some game", _UNSEEN),
    "unreachable-ending": Kind("Every ending can be reached", _UNSEEN),
    "soft-lock": Kind("The player always has something to answer", "The game would stop without an ending."),
    "trap": Kind("An ending can be reached from everywhere", "The game would go on for ever."),
    "traps-undecided": Kind(
        "Whether an ending can be reached from everywhere is decided", "A trap may be left that was not found."
    ),
    "endless-gain": Kind("Nothing is gained again and again for free", "The patient would pay for nothing any more."),
    "never-true": Kind("A condition holds in some game", "What depends on it would never be done."),
    "always-true": Kind("A condition fails in some game", "A question with one answer asks nothing."),
}
