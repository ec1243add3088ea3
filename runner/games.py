"""Games begun and games gone on with: a deck, a session over it, and the save that keeps it."""

from __future__ import annotations

import tempfile
from hashlib import sha256
from pathlib import Path

from runner import saves, shelf
from runner.dice import new_seed
from runner.savefile import DeckMark, Header, digest_now, history_of, mine_now
from runner.session import GameTable, Session
from story.campaign import CampaignTable
from story.cards import Campaign, CardRef, EncounterFile
from story.checks import playable
from story.decks import resolve
from story.load import load_deck, load_encounter
from story.playfield.table import EncounterTable
from story.problems import DeckError, near_card

Deck = Campaign | EncounterFile


class GameError(Exception):
    """A game that cannot be begun or gone on with; its text is for the player."""


def new_game(
    deck: str | Path | Deck = "starter", *, seed: int | None = None, mine: bool = False, saved: bool = True
) -> Session:
    """Begin a game of a deck, by name, path or as loaded; ``mine``: with the player's own dice.

    Raises DeckError for a deck with errors, GameError for one not yet playable, SaveError if no save can be written.
    """
    path = resolve(deck) if isinstance(deck, str | Path) else None
    loaded = deck if isinstance(deck, Campaign | EncounterFile) else load_deck(deck)
    _refuse_unplayable(loaded, path)
    mark = _mark(loaded, path)
    seed = new_seed() if seed is None else seed
    session = Session(_table(loaded), seed, title=_title(loaded), mine=mine)
    if saved:
        save = saves.create(mark, session.title, seed, mine=mine)
        if path is not None and mark.kind == "campaign" and not mark.builtin:
            shelf.remember(mark.id, path)
        _keep(session, save)
    return session


def open_table(deck: str | Path, card: str = "") -> tuple[GameTable, str]:
    """A deck's table, begun at ``card`` if one is named, and its title; nothing is saved.

    Raises DeckError for a deck with errors, GameError for one not yet playable or without that card.
    """
    loaded = load_deck(deck)
    _refuse_unplayable(loaded, resolve(deck))
    if not card:
        return _table(loaded), _title(loaded)
    if not isinstance(loaded, Campaign):
        raise GameError(f"{_title(loaded)} is an encounter: it has no card {card} to begin at")
    return CampaignTable(loaded, find_first(loaded, card)), _title(loaded)


def find_first(campaign: Campaign, card: str) -> tuple[int, CardRef]:
    """The card that a person names, and its chapter: ``2:14``, ``heads:otto``, ``14`` of the first chapter with one.

    An unnumbered card is read in the first chapter. Raises GameError, naming a card that is near.
    """
    keys: dict[str, tuple[int, CardRef]] = {
        f"{chapter.number}:{n}": (chapter.number, n) for chapter in campaign.chapters for n in chapter.cards
    }
    keys |= {ref: (campaign.chapters[0].number, ref) for ref in campaign.library.specials}
    if card in keys:
        return keys[card]
    same = [key for key in keys if key.rpartition(":")[2] == card]
    if same:
        return keys[same[0]]
    raise GameError(f"there is no card {card} in {campaign.id}; {near_card(card, keys)}")


def resume_game(name: str = "", *, deck: str | Path | None = None) -> Session:
    """Go on with a save (by default the newest) exactly where it stands; ``deck`` says where its deck is now.

    ``session.notes`` tells what was repaired or could not be followed. Raises SaveError, DeckError or GameError.
    """
    save, header, events, notes = saves.open_save(name)
    try:
        loaded, path = _deck_of(header, deck)
        _refuse_unplayable(loaded, path)
        mark = _mark(loaded, path)
        edited = mark.digest != digest_now(header, events)
        session = Session(_table(loaded), header.seed, title=_title(loaded), mine=mine_now(header, events))
        session.notes += notes
        saved = history_of(events)
        stopped = session.resume(saved, edited=edited)
        if stopped is not None:
            today = Header(mark, header.title, header.seed, header.created, session.mine)
            aside = save.rewrite(today, session.history)
            changed = "The deck has changed" if edited else "The program now plays this deck otherwise"
            session.notes.append(
                f"{changed}, and the game cannot be followed to its end: {stopped.why}. It stands after "
                f"{stopped.place} of {len(saved.kept)} answers; all of them are kept as saves/aside/{aside.name}."
            )
        elif edited:
            save.append({"deck": mark.digest})
            session.notes.append("The deck has changed since; the game was followed to where it stood.")
        if path is not None and mark.kind == "campaign" and not mark.builtin:
            shelf.remember(mark.id, path)
        _keep(session, save)
        return session
    except BaseException:
        save.close()
        raise


def _keep(session: Session, save: saves.Save) -> None:
    session.name = save.name
    session.watchers.append(save.watch)
    session.closers.append(save.close)


def _table(deck: Deck) -> GameTable:
    return CampaignTable(deck) if isinstance(deck, Campaign) else EncounterTable(deck)


def _title(deck: Deck) -> str:
    return deck.title or "An encounter"


def _refuse_unplayable(deck: Deck, path: Path | None) -> None:
    problems = playable(deck)
    if problems:
        folder = str(path.parent) if path else ""
        told = "\n".join(problem.text(folder=folder) for problem in problems)
        raise GameError(f"{_title(deck)} asks for something that cannot be played yet:\n{told}")


def _mark(deck: Deck, path: Path | None) -> DeckMark:
    if isinstance(deck, Campaign):
        folder = path if path is None or path.is_dir() else path.parent
        return DeckMark(
            "campaign", deck.id, deck.digest, folder.resolve().name if folder else "", builtin=_is_builtin(path)
        )
    from story.dump import encounter_text

    content = encounter_text(deck)
    name = Path(deck.file).stem if deck.file else "encounter"
    return DeckMark("encounter", name, sha256(content.encode()).hexdigest(), Path(deck.file).name, content=content)


def _is_builtin(path: Path | None) -> bool:
    import story.decks

    return path is None or Path(story.decks.__file__).parent.resolve() in path.resolve().parents


def _deck_of(header: Header, named: str | Path | None) -> tuple[Deck, Path | None]:
    """The deck of a save and where it was found: where ``named`` says, or where it was last seen."""
    mark = header.deck
    if mark.kind == "encounter":
        return _encounter_of(mark), None
    if named is not None:
        deck = load_deck(named)
        if not isinstance(deck, Campaign) or deck.id != mark.id:
            other = deck.id if isinstance(deck, Campaign) else "an encounter"
            raise GameError(f"the save belongs to the deck '{mark.id}', not to {named} ({other})")
        return deck, resolve(named)
    places: list[str | Path] = [*shelf.remembered(mark.id)]
    places.insert(0 if mark.builtin else len(places), mark.id)
    found: tuple[Deck, Path | None] | None = None
    broken: DeckError | None = None
    for place in places:
        try:
            path = resolve(place)
        except DeckError:
            continue
        try:
            deck = load_deck(path)
        except DeckError as error:
            broken = broken or error
            continue
        if isinstance(deck, Campaign) and deck.id == mark.id:
            if deck.digest == mark.digest:
                return deck, path
            found = found or (deck, path)
    if found is not None:
        return found
    if broken is not None:
        raise broken
    folder = f" (folder '{mark.folder}')" if mark.folder else ""
    raise GameError(f"the deck '{mark.id}'{folder} of this save is not where it was: name it with --deck")


def _encounter_of(mark: DeckMark) -> EncounterFile:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, Path(mark.folder).name or "encounter.yaml")
        file.write_text(mark.content, encoding="utf-8")
        return load_encounter(file)
