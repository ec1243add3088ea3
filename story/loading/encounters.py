"""Encounters: the set-up in a story step, and files of their own with ``kind: encounter`` (FIELD-4)."""

from __future__ import annotations

from story.cards import (
    STANDARD_ACTIONS,
    STANDARD_FOODS,
    TALENTS,
    Encounter,
    EncounterFile,
    FoeMarks,
    Food,
    HeroCard,
    KeptCard,
    Library,
    Placement,
    Position,
    Span,
)
from story.hero import MOST_WOUNDS, TALENT_CAP
from story.loading.draft import Draft, Scope
from story.loading.pieces import playfield_steps, read_action, read_crit_miss, read_enemy, read_terrain
from story.loading.reader import Fields, Reader, nearest_id
from story.loading.shapes.decks import ENCOUNTER
from story.loading.shapes.playfield import (
    ENCOUNTER_STEP,
    ENEMY_PLACEMENT,
    HERO_OF_FILE,
    HERO_PLACED,
    LONGEST,
    MARKS,
    STATE,
    TALENT_POINTS,
    TERRAIN_PLACEMENT,
)
from story.loading.shapes.values import BIG
from story.source import BrokenNode, ListNode, MapNode, Node, ScalarNode, Source

# ---------------------------------------------------------------- the set-up


def read_encounter(reader: Reader, node: Node, scope: Scope) -> Encounter | None:
    """The encounter of a story step."""
    fields = reader.table(node, ENCOUNTER_STEP)
    if fields is None:
        return None
    hero: tuple[int, ...] = ()
    if "hero" in fields:
        hero_fields = reader.table(fields["hero"], HERO_PLACED)
        if hero_fields is not None:
            hero = read_hero_spaces(reader, fields["hero"], hero_fields)
    return _setup(reader, node, fields, hero, scope)


def read_hero_spaces(reader: Reader, node: Node, fields: Fields) -> tuple[int, ...]:
    """The hero's space, or the spaces the player chooses among (FIELD-9)."""
    if "space" not in fields:
        reader.problem(
            reader.start(node), "hero-not-placed", "the hero stands nowhere", 'add "space": a number from 1 to 15'
        )
        return ()
    value = fields["space"]
    if isinstance(value, ListNode) and not value.items:
        reader.problem(reader.start(value), "hero-not-placed", "the hero stands nowhere", "name a space from 1 to 15")
        return ()
    return reader.spaces(value, "the hero's space")


def _setup(reader: Reader, node: Node, fields: Fields, hero: tuple[int, ...], scope: Scope) -> Encounter:
    rounds = reader.integer(fields.get("rounds"), '"rounds"', 1, LONGEST, id="duration")
    until = reader.word(fields.get("until"), '"until"', ("rounds", "cleared"))
    return Encounter(
        rounds or LONGEST,
        hero,
        _placements(reader, fields.get("enemies"), "enemy", scope),
        _placements(reader, fields.get("terrain"), "terrain", scope),
        frozenset(reader.spaces(fields.get("blocked"), '"blocked"')),
        frozenset(reader.spaces(fields.get("no_start"), '"no_start"')),
        until == "cleared",
        reader.text(fields.get("title"), '"title"'),
        reader.text(fields.get("text"), '"text"', line=False),
        reader.span(node),
        _hero_span(reader, fields.get("hero")),
    )


def _hero_span(reader: Reader, node: Node | None) -> Span | None:
    if not isinstance(node, MapNode):
        return None
    return next((reader.span(value) for key, value in node.pairs if key.text == "space"), reader.start(node))


def _placements(reader: Reader, node: Node | None, kind: str, scope: Scope) -> tuple[Placement, ...]:
    table = ENEMY_PLACEMENT if kind == "enemy" else TERRAIN_PLACEMENT
    what = table.what
    placed = []
    for item in reader.items(node, what):
        if isinstance(item, ScalarNode):
            reader.expected(item, what, "a mapping such as {card: nalu, space: 8}")
            continue
        fields = reader.table(item, table)
        if fields is not None and (placement := _placement(reader, item, fields, what, kind, scope)) is not None:
            placed.append(placement)
    return tuple(placed)


def _placement(reader: Reader, node: Node, fields: Fields, what: str, kind: str, scope: Scope) -> Placement | None:
    assert isinstance(node, MapNode)
    # By what stands behind it, as a misspelt key is read as the one that was meant.
    keys = {name: key for name, value in fields.items() for key, other in node.pairs if other is value}
    if any(isinstance(value, BrokenNode) for value in fields.values()) or len(fields) < len(node.pairs):
        return None
    if "card" in fields and "draw" in fields:
        reader.problem(keys["draw"], "card-and-draw", f'{what} has "card" and "draw"', "make it two entries")
        return None
    if "card" not in fields and "draw" not in fields:
        reader.problem(reader.start(node), "missing-key", f'{what} needs "card" or "draw"', "add card: and an id")
        return None
    if "space" in fields and "place" in fields:
        reader.problem(keys["place"], "space-and-place", f'{what} has "space" and "place"', "delete one of the two")
        return None
    space = None
    if "draw" in fields and "space" in fields:
        reader.problem(
            keys["space"], "draw-with-space", "a draw has no fixed space", "write place: die (FOE-7, FIELD-6)"
        )
        return None
    if "place" in fields:
        if reader.word(fields["place"], '"place"', ("die",), "bad-place") is None:
            return None
    elif "space" in fields:
        space = reader.space(fields["space"], '"space"')
        if space is None:
            return None
    else:
        reader.problem(
            reader.start(node), "missing-key", f'{what} needs "space" or "place"', "add space: 8, or place: die"
        )
        return None
    if "card" in fields:
        if "from" in fields:
            reader.problem(keys["from"], "unknown-key", '"from" belongs to "draw"', "delete it, or draw instead")
        card = reader.id(fields["card"], '"card"')
        if card is None:
            return None
        reader.refer(kind, card, fields["card"], scope, "place")
        return Placement(card, space=space, span=reader.span(node))
    count = reader.integer(fields["draw"], '"draw"', 1, 15)
    if "from" not in fields:
        reader.problem(keys["draw"], "missing-key", '"draw" needs "from"', "add from: and the id of a deck")
        return None
    source = reader.id(fields["from"], '"from"')
    if count is None or source is None:
        return None
    reader.refer("deck", source, fields["from"], scope, "enemies" if kind == "enemy" else "terrain")
    return Placement(None, count, source, None, reader.span(node))


# ---------------------------------------------------------------- the hero


def read_hero(reader: Reader, fields: Fields, foods: tuple[Food, ...], scope: Scope) -> HeroCard:
    """The hero's numbers and what she holds; what is not said has its default."""

    def number(key: str, default: int, low: int = 0, high: int = BIG) -> int:
        n = reader.integer(fields.get(key), f'"{key}"', low, high)
        return default if n is None else n

    crit, miss = read_crit_miss(reader, fields)
    limit = number("wound_limit", 9, 1, MOST_WOUNDS)
    wounds = number("wounds", 0)
    if wounds >= limit:
        node = fields.get("wounds") or fields["wound_limit"]
        reader.problem(
            node, "out-of-range", f"{wounds} wounds of {limit}: the game is over already", f"write {limit - 1} or less"
        )
        wounds = 0
    reset = number("ap_reset", 7)
    talents = dict.fromkeys(TALENTS, 0)
    if "talents" in fields and (named := reader.table(fields["talents"], TALENT_POINTS)) is not None:
        for name, value in named.items():
            talents[name] = reader.integer(value, f'"{name}"', 0, TALENT_CAP) or 0
    held = [0] * len(foods)
    if "satchel" in fields:
        names = [food.id for food in foods]
        for key, value in reader.pairs(fields["satchel"], '"satchel"'):
            reader.refer("food", key.text, key, scope, "hold")
            if key.text in names:
                place = names.index(key.text)
                held[place] = reader.integer(value, f'"{key.text}"', 0, foods[place].holds) or 0
    actions: tuple[str, ...] = ()
    if "actions" in fields:
        actions = reader.ids(fields["actions"], '"actions"', "action", scope, "gain")
    return HeroCard(
        reader.text(fields["name"], '"name"') if "name" in fields else "Rangitaki",
        crit,
        miss,
        wounds,
        limit,
        number("ap", reset),
        reset,
        (talents["physical"], talents["mental"], talents["critical"]),
        tuple(held),
        tuple(dict.fromkeys(actions)),
    )


# ---------------------------------------------------------------- a file of its own


def index_encounter(source: Source, draft: Draft) -> None:
    """Note what the file defines, so that names in it can be looked up."""
    root = source.root
    index = draft.index
    assert isinstance(root, MapNode)
    for food in STANDARD_FOODS:
        index.foods[food.id] = source.span(root)
    for action in STANDARD_ACTIONS:
        index.cards["action"][action] = source.span(root)
    tables = {"enemy_cards": "enemy", "terrain_cards": "terrain", "action_cards": "action"}
    for key, value in root.pairs:
        if key.text in tables and isinstance(value, MapNode):
            for card, _ in value.pairs:
                if id := nearest_id(card.text):
                    index.cards[tables[key.text]].setdefault(id, source.span(card))
        elif key.text == "decks" and isinstance(value, MapNode):
            for deck, _ in value.pairs:
                index.decks[nearest_id(deck.text)] = ("enemies", source.span(deck))


def read_encounter_file(source: Source, draft: Draft) -> EncounterFile | None:
    """A file with ``kind: encounter``; None if it is no mapping."""
    reader = Reader(source, draft)
    assert source.root is not None
    index_encounter(source, draft)
    draft.open_inventories = True
    fields = reader.table(source.root, ENCOUNTER)
    if fields is None:
        return None
    scope = Scope("playfield", "encounter")
    hero_card = HeroCard(satchel=(0,) * len(STANDARD_FOODS))
    hero_spaces: tuple[int, ...] = ()
    if "hero" in fields:
        hero_fields = reader.table(fields["hero"], HERO_OF_FILE)
        if hero_fields is not None:
            hero_spaces = read_hero_spaces(reader, fields["hero"], hero_fields)
            hero_card = read_hero(reader, hero_fields, STANDARD_FOODS, scope)
    encounter = _setup(reader, source.root, fields, hero_spaces, scope)
    enemies, terrain, actions = {}, {}, dict(STANDARD_ACTIONS)
    for id, node in _cards(reader, fields.get("enemy_cards"), '"enemy_cards"'):
        if (enemy := read_enemy(reader, id, node)) is not None:
            enemies[id] = enemy
    for id, node in _cards(reader, fields.get("terrain_cards"), '"terrain_cards"'):
        if (ground := read_terrain(reader, id, node)) is not None:
            terrain[id] = ground
    for id, node in _cards(reader, fields.get("action_cards"), '"action_cards"'):
        if (action := read_action(reader, id, node)) is not None:
            actions[id] = action
    decks = _own_decks(reader, fields.get("decks"), draft, scope)
    position = _position(reader, fields["state"], encounter, scope) if "state" in fields else None
    library = Library(
        STANDARD_FOODS, enemies, terrain, actions, _named(draft, "event"), _named(draft, "item"), decks=decks
    )
    return EncounterFile(
        encounter.title or source.file.rsplit("/", 1)[-1].rsplit(".", 1)[0],
        encounter,
        hero_card,
        library,
        position,
        source.file,
        source.digest,
    )


def _named(draft: Draft, kind: str) -> dict[str, KeptCard]:
    """Events and items of an encounter file need no definition: the id serves as their name."""
    ids = {str(reference.name) for reference in draft.references if reference.kind == kind}
    return {id: KeptCard(id, id.replace("-", " ").capitalize()) for id in sorted(ids)}


def _cards(reader: Reader, node: Node | None, what: str) -> list[tuple[str, Node]]:
    cards = []
    for key, value in reader.pairs(node, what) if node is not None else ():
        if (id := reader.id(key, "the id of a card")) is not None:
            cards.append((id, value))
    return cards


def _own_decks(reader: Reader, node: Node | None, draft: Draft, scope: Scope) -> dict[str, tuple[str, ...]]:
    decks = {}
    for key, value in reader.pairs(node, '"decks"') if node is not None else ():
        id = reader.id(key, "the id of a deck")
        cards = []
        kinds = set()
        for item in reader.items(value, "a deck"):
            if (card := reader.id(item, "a card of a deck")) is None:
                continue
            kind = "terrain" if card in draft.index.cards["terrain"] else "enemy"
            kind = "enemy" if card in draft.index.cards["enemy"] else kind
            kinds.add(kind)
            reader.refer(kind, card, item, scope, "deck")
            cards.append(card)
        if id is not None:
            decks[id] = tuple(cards)
            if kinds == {"terrain"}:
                draft.index.decks[id] = ("terrain", draft.index.decks[id][1])
    return decks


def _position(reader: Reader, node: Node, encounter: Encounter, scope: Scope) -> Position | None:
    fields = reader.table(node, STATE)
    if fields is None:
        return None
    round = reader.integer(fields.get("round"), '"round"', 1, encounter.rounds)
    tried = []
    for item in reader.items(fields.get("tried"), '"tried"'):
        if (name := reader.id(item, '"tried"')) is not None:
            reader.refer("piece", name, item, scope, "tried")
            tried.append(name)
    foes = []
    for key, value in reader.pairs(fields["enemies"], '"enemies"') if "enemies" in fields else ():
        reader.refer("piece", key.text, key, scope, "marks")
        if (marks := _marks(reader, value)) is not None:
            foes.append((key.text, marks))
    later = fields.get("next_round")
    return Position(
        round or 1,
        reader.integer(fields.get("dodges"), '"dodges"') or 0,
        reader.flag(fields.get("no_step"), '"no_step"', False),
        reader.flag(fields.get("poisoned"), '"poisoned"', False),
        tuple(tried),
        playfield_steps(reader, later, '"next_round"') if later is not None else (),
        tuple(foes),
    )


def _marks(reader: Reader, node: Node) -> FoeMarks | None:
    fields = reader.table(node, MARKS)
    if fields is None:
        return None
    return FoeMarks(
        reader.integer(fields.get("wounds"), '"wounds"') or 0,
        reader.flag(fields.get("poisoned"), '"poisoned"', False),
        reader.flag(fields.get("stunned"), '"stunned"', False),
        reader.integer(fields.get("rage"), '"rage"') or 0,
        reader.integer(fields.get("dash"), '"dash"', 0, 1) or 0,
        reader.integer(fields.get("wounded_this_turn"), '"wounded_this_turn"') or 0,
        reader.flag(fields.get("block_used"), '"block_used"', False),
        reader.flag(fields.get("recruits"), '"recruits"', False),
    )
