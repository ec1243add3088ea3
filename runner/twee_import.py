"""A Twee story as a new deck: passages to cards, plain links to options; what a deck cannot hold is listed."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

from runner.twee_markup import Link, Prose, dialect, read_prose
from story.decks import CAMPAIGN_FILE
from story.loading.reader import HTML
from story.problems import DeckError, Problem, Severity, near
from story.source import CONTROL
from story.twee import DATA, TITLE, Passage, Twee, note, shown

CHAPTER = "chapter-1.yaml"

START = "Start"
"""The passage that begins a story unless StoryData says otherwise."""

AUTHOR = "StoryAuthor"
SPECIAL_NAMES = frozenset(
    (
        *("StoryInit", "StoryCaption", "StoryMenu", "StorySubtitle", "StoryBanner", "StoryInterface", "StoryShare"),
        *("StorySettings", "StoryIncludes", "StoryDisplayTitle", "StoryLoadingIndicator", "PassageHeader"),
        *("PassageFooter", "PassageReady", "PassageDone", "MenuOptions", "MenuShare", "MenuStory"),
    )
)
"""Passages that story formats read as code or as parts of the page."""
SPECIAL_TAGS = frozenset(
    (
        *("script", "stylesheet", "widget", "init", "startup", "header", "footer", "annotation", "Twine.private"),
        *("Twine.image", "Twine.audio", "Twine.video", "Twine.vtt", "debug-startup", "debug-header", "debug-footer"),
    )
)
SUGGESTIONS = 100
"""Broken links that are told which passage may have been meant: looking for it takes its time."""

LONGEST = 200
"""Characters of a name for which another is suggested."""

_SAID = frozenset((TITLE, DATA, AUTHOR))
_URL = re.compile(r"[a-z][a-z0-9+.-]*://|mailto:", re.IGNORECASE)


@dataclass
class Imported:
    """A deck's files by name, and what became of the story."""

    files: dict[str, str] = field(default_factory=dict)
    cards: int = 0
    options: int = 0
    endings: int = 0
    notes: list[Problem] = field(default_factory=list)
    """What was dropped or decided, sorted by line."""


def import_twee(story: Twee, name: str) -> Imported:
    """The story as a deck; ``name`` is what it is called where it has no title.

    The start passage becomes card 1, the others follow in the order of the file. A passage without a link that leads
    somewhere is a neutral ending. Raises DeckError if the story has no passage to play or its start is missing.
    """
    return _Import(story, name).done()


class _Import:
    def __init__(self, story: Twee, name: str) -> None:
        self.story = story
        self.format = dialect(story.data.get("format"))
        self.made = Imported(notes=list(story.notes))
        self.title = _line(story.title) or _line(name) or "Untitled"
        self.endings: set[str] = set()
        self.suggested = 0
        played = [passage for passage in story.passages if self._is_played(passage)]
        if not played:
            raise DeckError([self._at(1, 1, "no-passages", "error", "no passage of the story is text to be played")])
        start = self._start(played)
        ordered = [start, *(passage for passage in played if passage is not start)]
        self.numbers = {passage.name: number for number, passage in enumerate(ordered, 1)}
        self.loose = {name.strip(): number for name, number in reversed(self.numbers.items())}
        self.names = {passage.name for passage in story.passages}
        self.passages = ordered

    def done(self) -> Imported:
        self._of_the_whole()
        cards = {number: self._card(passage) for number, passage in enumerate(self.passages, 1)}
        made = self.made
        made.cards, made.endings = len(cards), len(self.endings)
        made.files = {CAMPAIGN_FILE: self._campaign(), CHAPTER: self._chapter(cards)}
        made.notes.sort(key=lambda problem: problem.order)
        return made

    def _at(self, line: int, column: int, id: str, severity: Severity, message: str) -> Problem:
        return note(self.story.file, line, column, id, severity, message)

    def _note(self, line: int, column: int, id: str, severity: Severity, message: str) -> None:
        self.made.notes.append(self._at(line, column, id, severity, message))

    # ------------------------------------------------------------ the story as a whole

    def _is_played(self, passage: Passage) -> bool:
        if passage.name in _SAID:
            return False
        code = next((tag for tag in passage.tags if tag in SPECIAL_TAGS), None)
        if code is not None or passage.name in SPECIAL_NAMES:
            why = f"its tag is {code}" if code is not None else "it belongs to the story format"
            self._note(passage.line, 1, "dropped-passage", "warning", f"{shown(passage.name)} is dropped: {why}")
            return False
        return True

    def _start(self, played: list[Passage]) -> Passage:
        names = {passage.name: passage for passage in played}
        told = self.story.data.get("start")
        if isinstance(told, str) and told:
            if told not in names:
                line = next(passage.line for passage in self.story.passages if passage.name == DATA)
                best = near(told, names)
                hint = f"did you mean {shown(best)}?" if best else "name a passage that is there"
                message = f"the story starts with {shown(told)}, and no passage is called so; {hint}"
                raise DeckError([self._at(line, 1, "missing-start", "error", message)])
            return names[told]
        if START in names:
            return names[START]
        first = played[0]
        message = f"nothing says where the story starts; it starts here, with {shown(first.name)}"
        self._note(first.line, 1, "no-start", "warning", message)
        return first

    def _of_the_whole(self) -> None:
        data = next((passage for passage in self.story.passages if passage.name == DATA), None)
        if data is None:
            self._note(1, 1, "no-story-data", "info", f"there is no {DATA}; a deck needs none")
        elif keys := [key for key in self.story.data if key != "start"]:
            self._note(data.line, 1, "dropped-data", "info", f"a deck has no place for {', '.join(map(_line, keys))}")
        if not self.story.title:
            self._note(1, 1, "no-title", "warning", f"there is no {TITLE}; the deck is called {shown(self.title)}")
        placed = [passage.line for passage in self.passages if passage.metadata]
        if placed:
            more = f", here and in {len(placed) - 1} more" if placed[1:] else ""
            message = f"a passage's metadata (its place on Twine's map) is dropped{more}"
            self._note(placed[0], 1, "dropped-metadata", "info", message)

    # ------------------------------------------------------------ passages

    def _card(self, passage: Passage) -> dict[str, Any]:
        if passage.tags:
            tags = ", ".join(map(_line, passage.tags))
            self._note(passage.line, 1, "dropped-tags", "info", f"tags of {shown(passage.name)} are dropped: {tags}")
        places = _Places(passage)
        prose = read_prose(passage.text, self.format)
        for dropped in prose.dropped:
            self._note(*places.of(dropped.place), dropped.id, "warning", dropped.message)
        options = self._options(prose, places)
        title = _line(passage.name) or f"Card {self.numbers[passage.name]}"
        if not prose.text:
            message = f"{shown(passage.name)} has no text of its own; its name stands for it"
            self._note(passage.line, 1, "no-text", "info", message)
        card: dict[str, Any] = {"title": title, "text": prose.text or title}
        if options:
            self.made.options += len(options)
            card["steps"] = [{"choose": options}]
        else:
            card["steps"] = [{"ending": {"id": self._ending_id(title), "title": title, "kind": "neutral"}}]
            message = f"{shown(passage.name)} leads nowhere: it ends the game (kind: neutral)"
            self._note(passage.line, 1, "ending", "info", message)
        return card

    def _options(self, prose: Prose, places: _Places) -> list[dict[str, Any]]:
        options: list[dict[str, Any]] = []
        for link in prose.links:
            number = self._target(link)
            if number is None:
                self._note(*places.of(link.place), "broken-link", "warning", self._broken(link))
                continue
            say = _line(link.text) or f"Card {number}"
            option = {"say": say, "reveal": number}
            if option in options:
                message = f"a second link {shown(say)} to the same passage is dropped"
                self._note(*places.of(link.place), "repeated-link", "info", message)
            else:
                options.append(option)
        return options

    def _target(self, link: Link) -> int | None:
        names = (link.target, link.target.strip(), re.sub(r"\\(.)", r"\1", link.target.strip()))
        return next((self.numbers[name] for name in names if name in self.numbers), self.loose.get(names[1]))

    def _broken(self, link: Link) -> str:
        target = link.target.strip()
        message = f"the link {shown(link.text)} is dropped: "
        if _URL.match(target):
            return f"{message}it leads out of the story"
        if target in self.names:
            return f"{message}{shown(target)} is no passage to be played"
        self.suggested += 1
        best = near(target, self.numbers) if self.suggested <= SUGGESTIONS and len(target) < LONGEST else ""
        hint = f"; did you mean {shown(best)}?" if best else ""
        return f"{message}there is no passage {shown(target)}{hint}"

    def _ending_id(self, title: str) -> str:
        return _fresh(_slug(title) or "ending", self.endings)

    # ------------------------------------------------------------ files

    def _campaign(self) -> str:
        data: dict[str, Any] = {"format": "cardwalk/1", "kind": "campaign"}
        data |= {"id": _slug(self.title) or "imported-story", "title": self.title}
        author = next((_line(passage.text) for passage in self.story.passages if passage.name == AUTHOR), "")
        if author:
            data["author"] = author
        data |= {"chapters": [CHAPTER], "hero": {"name": "You"}}
        return _yaml(data)

    def _chapter(self, cards: dict[int, dict[str, Any]]) -> str:
        from ruamel.yaml.scalarstring import LiteralScalarString

        for card in cards.values():
            card["text"] = LiteralScalarString(f"{card['text']}\n")
        head = {"format": "cardwalk/1", "kind": "story", "chapter": 1, "title": self.title, "start": 1}
        return _yaml(head | {"cards": cards})


class _Places:
    """Where in the file a place in a passage's text is."""

    def __init__(self, passage: Passage) -> None:
        self.line = passage.line
        self.starts = [0, *(found.end() for found in re.finditer("\n", passage.text))]

    def of(self, place: int) -> tuple[int, int]:
        """Line and column, from 1."""
        row = bisect_right(self.starts, place)
        return self.line + row, place - self.starts[row - 1] + 1


def _line(text: str) -> str:
    """A name as a deck may show it: one line, neither HTML nor control characters."""
    line = " ".join(CONTROL.sub(" ", text).split())
    return line.replace("<", "‹") if HTML.search(line) else line


def _slug(text: str) -> str:
    """An id that is like the text; empty if no letter of it can be part of one."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower().replace("'", "")
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-0123456789")[:60].strip("-")


def _fresh(id: str, taken: set[str]) -> str:
    """The id, numbered if it is taken; from then on it is."""
    fresh, count = id, 1
    while fresh in taken:
        count += 1
        fresh = f"{id}-{count}"
    taken.add(fresh)
    return fresh


def _yaml(data: Any) -> str:
    from io import StringIO

    from ruamel.yaml import YAML

    from story.loading.layout import laid_out

    yaml = YAML()
    yaml.width = 120
    yaml.indent(mapping=2, sequence=4, offset=2)
    text = StringIO()
    yaml.dump(data, text)
    return laid_out(text.getvalue())
