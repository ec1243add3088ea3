"""A campaign: its own file first, then what all its decks define, then every card of them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from story.cards import STANDARD_ACTIONS, Campaign, Food, HeroCard, Library, Span
from story.loading.decks import deck_id, index_deck, read_cards, read_conversation, read_kind, read_story
from story.loading.draft import Draft, Scope
from story.loading.encounters import read_encounter_file, read_hero
from story.loading.pieces import bad_path
from story.loading.reader import ID, Fields, Reader
from story.loading.shapes.decks import CAMPAIGN, COUNTER, FOOD
from story.loading.shapes.playfield import HERO
from story.loading.shapes.steps import CONDITION
from story.problems import near
from story.source import MapNode, Node, ScalarNode, Source, read_source

CAMPAIGN_FILE = "campaign.yaml"

SCOPE = Scope("campaign")


def read_deck(path: Path, *, pure: bool = False) -> Draft:
    """Read whatever deck stands at a path: a campaign with all its decks, an encounter, or one deck."""
    draft = Draft(name=path.stem, folder=path.parent)
    source = _open(draft, path, path.name, pure)
    kind = read_kind(source)
    if kind is None:
        draft.unread = True
        return draft
    if kind == "campaign":
        _read_campaign(draft, source, path.parent, pure)
    elif kind == "encounter":
        encounter = read_encounter_file(source, draft)
        draft.loaded = encounter
    else:
        draft.loose = True
        _index_standard(draft)
        index_deck(source, kind, draft)
        _read_one(source, kind, draft, _empty_library())
    return draft


def _open(draft: Draft, path: Path, file: str, pure: bool) -> Source:
    source = read_source(path, file, pure=pure)
    draft.sources[file] = source
    draft.manifest[file] = source.digest if source.data else None
    return source


def _index_standard(draft: Draft) -> None:
    for id in STANDARD_ACTIONS:
        draft.index.cards["action"][id] = Span("", 0, 0, 0, 0)


def _empty_library() -> dict[str, dict[str, Any]]:
    kinds = ("events", "items", "enemies", "terrain", "actions", "drinks", "specials", "conversations", "decks")
    return {kind: {} for kind in kinds}


def _read_campaign(draft: Draft, source: Source, folder: Path, pure: bool) -> None:
    reader = Reader(source, draft)
    assert source.root is not None
    _index_standard(draft)
    fields = reader.table(source.root, CAMPAIGN) or {}
    foods = _foods(reader, fields.get("satchel"))
    counters = _counters(reader, fields.get("counters"))
    id = reader.id(fields.get("id"), '"id"') or ""
    reader.text(fields.get("text"), '"text"', line=False)
    draft.name = id or draft.name

    chapters = _files(reader, fields.get("chapters"), '"chapters"')
    decks = _files(reader, fields.get("decks"), '"decks"')
    seen: dict[str, ScalarNode] = {}
    files: list[tuple[Source, str]] = []
    for names, wanted in ((chapters, "story"), (decks, "")):
        for node in names:
            if (twice := seen.setdefault(node.text, node)) is not node:
                reader.problem(
                    node, "duplicate-deck", f"{node.text} is listed twice, first on line {twice.line}", "delete one"
                )
                continue
            deck = _open_listed(draft, reader, node, folder, pure)
            kind = read_kind(deck) if deck is not None else None
            if deck is None or kind is None:
                draft.unread = True
            elif _fits(reader, node, kind, wanted):
                files.append((deck, kind))
    if not chapters and "chapters" in fields and not isinstance(fields["chapters"], ScalarNode):
        reader.problem(
            reader.start(fields["chapters"]), "empty-list", "a campaign without chapters", "list its story decks"
        )

    _index_all(draft, reader, files, seen)
    library = _empty_library()
    read_chapters = []
    for deck, kind in files:
        read = _read_one(deck, kind, draft, library)
        if kind == "story":
            read_chapters.append((read, deck))
    for place, (chapter, deck) in enumerate(read_chapters, 1):
        if chapter.number != place and chapter.number and len(read_chapters) == len(chapters):
            number = _value(deck, "chapter")
            deck.problem(
                number,
                "chapter-number",
                f"chapter {chapter.number} stands at place {place} of the campaign",
                f"write chapter: {place}",
            )
    hero = _hero(reader, fields, foods)
    actions = {**STANDARD_ACTIONS, **library["actions"]}
    draft.loaded = Campaign(
        id,
        reader.text(fields.get("title"), '"title"'),
        reader.text(fields["author"], '"author"') if "author" in fields else "",
        reader.text(fields["language"], '"language"') if "language" in fields else "en",
        hero,
        tuple(chapter for chapter, _ in read_chapters),
        Library(
            foods,
            library["enemies"],
            library["terrain"],
            actions,
            library["events"],
            library["items"],
            library["drinks"],
            library["specials"],
            library["conversations"],
            library["decks"],
            counters,
        ),
        digest(draft),
        tuple(sorted(draft.manifest)),
    )


def digest(draft: Draft) -> str:
    """SHA-256 over the names and contents of all files of the deck, art included."""
    total = hashlib.sha256()
    for file, content in sorted(draft.manifest.items()):
        total.update(f"{file}\0{content or ''}\n".encode())
    return total.hexdigest()


def _read_one(source: Source, kind: str, draft: Draft, library: dict[str, dict[str, Any]]) -> Any:
    if kind == "story":
        return read_story(source, draft)
    if kind == "conversation":
        conversation = read_conversation(source, draft)
        library["conversations"][conversation.id] = conversation
        return conversation
    return read_cards(source, kind, draft, library)


def _value(source: Source, key: str) -> Node:
    assert isinstance(source.root, MapNode)
    return next(value for name, value in source.root.pairs if name.text == key)


# ---------------------------------------------------------------- the files of a campaign


def _files(reader: Reader, node: Node | None, what: str) -> list[ScalarNode]:
    names = []
    for item in reader.items(node, what):
        if not isinstance(item, ScalarNode) or not item.text:
            reader.expected(item, what, "the name of a deck file")
        elif problem := bad_path(item.text):
            reader.problem(
                item,
                "bad-path",
                f"{item.text} is no file in the campaign's folder: {problem}",
                "put it into the folder of the campaign, and name it without a path to elsewhere",
            )
        else:
            names.append(item)
    return names


def _open_listed(draft: Draft, reader: Reader, node: ScalarNode, folder: Path, pure: bool) -> Source | None:
    if node.text == reader.source.file:
        return reader.source
    path = folder / node.text
    try:
        there = path.exists()
    except (OSError, ValueError):
        there = False
    if not there:
        draft.manifest[node.text] = None
        listed = "".join(reader.source.lines)
        names = sorted(file.name for file in folder.glob("*.y*ml") if file.name != CAMPAIGN_FILE)
        best = near(node.text, [name for name in names if name not in listed])
        reader.problem(
            node,
            "file-missing",
            f"there is no file {node.text} in the campaign's folder",
            f"did you mean {best}?" if best else "write it, or take it out of the list",
        )
        return None
    source = _open(draft, path, node.text, pure)
    if not source.lines and source.problems:
        # There is no line to show in that file: show the one that lists it.
        for problem in source.problems:
            reader.problem(node, problem.id, f"{node.text}: {problem.message}", problem.hint)
        source.problems.clear()
    return source


def _fits(reader: Reader, node: ScalarNode, kind: str, wanted: str) -> bool:
    if kind in ("campaign", "encounter"):
        reader.problem(node, "wrong-kind", f"a file of kind {kind} is no deck of a campaign", "delete it from the list")
    elif wanted and kind != wanted:
        reader.problem(
            node, "wrong-kind", f"{node.text} is a deck of kind {kind}, not a chapter", 'list it under "decks"'
        )
    elif not wanted and kind == "story":
        reader.problem(node, "wrong-kind", f"{node.text} is a chapter", 'list it under "chapters"')
    else:
        return True
    return False


def _index_all(draft: Draft, reader: Reader, files: list[tuple[Source, str]], seen: dict[str, ScalarNode]) -> None:
    chapters: dict[int, Source] = {}
    for source, kind in files:
        id = deck_id(source.file)
        if kind != "story":
            node = seen[source.file]
            if not ID.match(id):
                reader.problem(
                    node,
                    "bad-id",
                    f"the file name of a deck is its id, and {id} is none",
                    "use lower-case words and hyphens",
                )
            elif id in draft.index.decks:
                other = draft.index.decks[id][1].file
                reader.problem(
                    node, "duplicate-deck", f"two decks have the id {id}: {other} and {source.file}", "rename a file"
                )
        index_deck(source, kind, draft)
        if kind == "story" and isinstance(source.root, MapNode):
            number = next((value for key, value in source.root.pairs if key.text == "chapter"), None)
            if isinstance(number, ScalarNode) and number.text.isdecimal():
                first = chapters.setdefault(int(number.text), source)
                if first is not source:
                    source.problem(
                        number,
                        "duplicate-chapter",
                        f"chapter {number.text} is in {first.file} already",
                        "number it anew",
                    )


# ---------------------------------------------------------------- foods, counters, the hero


def _foods(reader: Reader, node: Node | None) -> tuple[Food, ...]:
    foods = []
    for key, value in reader.pairs(node, '"satchel"') if node is not None else ():
        id = reader.id(key, "the id of a food")
        fields = reader.table(value, FOOD)
        if id is None or fields is None:
            continue
        if _reserved(reader, id, key):
            continue
        reader.draft.index.foods[id] = reader.span(key)
        heals = reader.integer(fields.get("heals"), '"heals"', 1) or 0
        ap = reader.integer(fields.get("ap"), '"ap"', 1) or 0
        if "heals" not in fields and "ap" not in fields:
            reader.problem(
                reader.start(value), "missing-key", 'a food needs "heals" or "ap"', "add what eating it gives"
            )
        holds = reader.integer(fields.get("holds"), '"holds"', 1) or 1
        foods.append(Food(id, reader.text(fields.get("name"), '"name"'), holds, heals, ap))
    return tuple(foods)


def _counters(reader: Reader, node: Node | None) -> dict[str, str]:
    counters = {}
    for key, value in reader.pairs(node, '"counters"') if node is not None else ():
        id = reader.id(key, "the id of a counter")
        fields = reader.table(value, COUNTER)
        if id is None or fields is None or _reserved(reader, id, key):
            continue
        reader.draft.index.counters[id] = reader.span(key)
        counters[id] = reader.text(fields.get("name"), '"name"')
    return counters


def _reserved(reader: Reader, id: str, key: ScalarNode) -> bool:
    if id in CONDITION.keys or id in reader.draft.index.foods:
        reader.problem(key, "reserved-id", f'"{id}" has a meaning already', "choose another id")
        return True
    return False


def _hero(reader: Reader, fields: Fields, foods: tuple[Food, ...]) -> HeroCard:
    if "hero" not in fields:
        return HeroCard(satchel=(0,) * len(foods))
    known = reader.table(fields["hero"], HERO)
    return read_hero(reader, known, foods, SCOPE) if known is not None else HeroCard(satchel=(0,) * len(foods))


def home_of(path: Path) -> Path | None:
    """The campaign that lists a deck file, if it lies beside it: one deck is judged by the whole it belongs to."""
    home = path.parent / CAMPAIGN_FILE
    if path.name == CAMPAIGN_FILE or not home.is_file():
        return None
    return home if path.name in listed(read_source(home)) else None


def listed(source: Source) -> list[str]:
    """The names of the deck files that a campaign's file lists, such as lie below its folder."""
    names: list[str] = []
    for key, value in source.root.pairs if isinstance(source.root, MapNode) else ():
        if key.text in ("chapters", "decks"):
            items = getattr(value, "items", [value])
            names += [item.text for item in items if isinstance(item, ScalarNode) and not bad_path(item.text)]
    return names
