"""The rules as a player can look them up: one page a game, every rule under its id, in the project's own words.

A page is Markdown: ``## section`` headings, and below them one paragraph a rule, ``**MOVE-2 Title.** text``. Other
paragraphs (an introduction, a worked example) belong to the page but are no rule.
"""

import difflib
import functools
import re
from importlib import resources
from typing import NamedTuple

RULE = re.compile(r"\*\*(?P<id>[A-Z]+-(?:\d+|[A-Z][A-Z-]*)) (?P<title>[^*]+?)\.?\*\*\s+(?P<text>.+)")
SECTION = re.compile(r"##\s+(?P<section>.+)")

ALIKE = 0.7
"""How alike (difflib ratio) a name must be to what was asked for; at 0.6, ``nope`` was taken for ``no``."""


class Rule(NamedTuple):
    """One rule of a game; ``text`` is one paragraph, in which ``**Ruling:**`` marks what the project has settled."""

    id: str
    title: str
    text: str
    section: str

    @property
    def group(self) -> str:
        """What stands before the dash of the id: ``MOVE`` for ``MOVE-2``."""
        return self.id.partition("-")[0]


class NoSuchRule(LookupError):
    """Nothing in the rulebook answers a query; its text says so in one line and names what comes near."""


@functools.cache
def page(game: str = "rangitaki") -> str:
    """The whole page of a game, as Markdown. Raises FileNotFoundError for a game without one."""
    return resources.files(__name__).joinpath(f"{game}.md").read_text(encoding="utf-8")


@functools.cache
def rules(game: str = "rangitaki") -> tuple[Rule, ...]:
    """Every rule of a game, in the order of its page."""
    found, section = [], ""
    for paragraph in page(game).split("\n\n"):
        line = " ".join(paragraph.split())
        if heading := SECTION.fullmatch(line):
            section = re.sub(r"^\d+\.\s+", "", heading["section"])
        elif rule := RULE.fullmatch(line):
            found.append(Rule(rule["id"], rule["title"], rule["text"], section))
    return tuple(found)


def find(query: str, game: str = "rangitaki") -> tuple[Rule, ...]:
    """The rules a query asks for, the closest first.

    An id gives that rule, the front of an id (``MOVE``) its group first; otherwise every word must occur in the id,
    title or text, and rules with all of them in id and title come first. Capitals do not matter.
    Raises NoSuchRule.
    """
    book, wanted = rules(game), " ".join(query.casefold().split())
    if exact := tuple(rule for rule in book if rule.id.casefold() == wanted):
        return exact

    def rank(rule: Rule) -> int | None:
        heading = f"{rule.id} {rule.title}".casefold()
        if wanted == rule.group.casefold():
            return 0
        if all(word in heading for word in wanted.split()):
            return 1
        return 2 if all(word in f"{heading} {rule.text.casefold()}" for word in wanted.split()) else None

    ranked = [(place, rule) for rule in book if (place := rank(rule)) is not None]
    if not ranked:
        raise NoSuchRule(_nothing(query, book))
    return tuple(rule for _, rule in sorted(ranked, key=lambda pair: pair[0]))


def _nothing(query: str, book: tuple[Rule, ...]) -> str:
    known = {name.casefold(): name for rule in book for name in (*rule.title.split(), rule.id)}
    near = difflib.get_close_matches(query.casefold().strip(), known, n=3, cutoff=ALIKE)
    hint = f"; did you mean {' or '.join(known[name] for name in near)}?" if near else "."
    return f"No rule has the id or the words {query!r}{hint}"
