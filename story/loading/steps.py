"""Steps, amounts and conditions: what story cards, outcomes and instances are made of."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from story.cards import (
    ALL,
    ALWAYS,
    NOTHING,
    TALENTS,
    AllOf,
    AnyOf,
    AtLeast,
    AtMost,
    CardRef,
    Challenge,
    Chart,
    ChartRow,
    Choice,
    Choose,
    Count,
    Discard,
    Discarded,
    DrawCard,
    Ending,
    Fight,
    Gain,
    Goods,
    Heal,
    Holds,
    If,
    Lose,
    NextChapter,
    Not,
    Pull,
    Reveal,
    Step,
    Steps,
    Tavern,
    Wound,
)
from story.loading.draft import Scope
from story.loading.reader import ID, NUMBER, Fields, Reader
from story.loading.shapes.steps import (
    BRANCHES,
    CHALLENGE,
    DICE,
    ENDING,
    HERO_SPACE,
    INVENTORIES,
    KINDS_OF_ENDING,
    OPTION,
    PLAYFIELD_VERBS,
    ROLL,
    TAVERN,
    VERB_KEYS,
)
from story.loading.shapes.values import BIG
from story.problems import near
from story.source import BrokenNode, MapNode, Node, ScalarNode

StepReader = Callable[[Reader, Node, Fields, Scope], Step | None]


# ---------------------------------------------------------------- steps


def read_steps(reader: Reader, node: Node | None, what: str, scope: Scope) -> Steps:
    """A list of steps, or one step."""
    steps = []
    for item in reader.items(node, what):
        step = read_step(reader, item, what, scope)
        if step is None:
            reader.spoil(scope)
        else:
            steps.append(step)
    return tuple(steps)


def read_step(reader: Reader, node: Node, what: str, scope: Scope) -> Step | None:
    """A mapping with one verb."""
    if isinstance(node, BrokenNode):
        return None
    if not isinstance(node, MapNode):
        hint = ""
        if isinstance(node, ScalarNode) and node.text in VERBS:
            hint = f"write {node.text}: and what to {node.text}"
        reader.expected(node, what, "a step such as {reveal: 12}", hint)
        return None
    fields = _verbs(reader, node, "a step", scope)
    verbs = [key for key in fields if key in VERBS]
    if not verbs:
        if not node.pairs:
            reader.problem(reader.start(node), "empty-step", "a step without a verb", "write one, such as reveal: 12")
        return None
    if len(verbs) > 1:
        second = next((key for key, _ in node.pairs if key.text == verbs[1]), None)
        if second is not None:  # else a misspelt one, which is told already
            reader.problem(
                second,
                "two-verbs",
                f'a step has one verb, this one has "{verbs[0]}" and "{verbs[1]}"',
                "make it a list: one step an entry",
            )
        return None
    return _read_verb(reader, verbs[0], fields, node, scope)


def _verbs(reader: Reader, node: MapNode, what: str, scope: Scope, also: tuple[str, ...] = ()) -> Fields:
    """The keys of a step that are known here; others are problems."""
    allowed: Collection[str] = PLAYFIELD_VERBS if scope.kind == "playfield" else VERBS
    if "if" in [key.text for key, _ in node.pairs]:
        also = (*also, *BRANCHES)
    fields: Fields = {}
    for key, value in reader.pairs(node, what):
        if key.text in allowed or key.text in also:
            fields[key.text] = value
        elif key.text in VERBS:
            reader.spoil(scope)
            not_on_playfield(reader, key)
        elif key.text in BRANCHES:
            reader.problem(key, "unknown-key", f'"{key.text}" without "if"', "write if: {…} beside it")
        else:
            reader.spoil(scope)
            best = near(key.text, [*allowed, *also])
            hint = f"did you mean {best}?" if best else f"known: {', '.join(sorted(allowed))}"
            reader.problem(key, "unknown-verb", f'{what} has no verb "{key.text}"', hint)
            if best and not any(other.text == best for other, _ in node.pairs):
                fields[best] = value  # read on as what was meant
    return fields


def not_on_playfield(reader: Reader, key: ScalarNode) -> None:
    """A verb of the story where only the playfield's have a meaning."""
    hint = f"use {', '.join(PLAYFIELD_VERBS)} here, and put the rest into the steps after the encounter"
    reader.problem(key, "not-on-playfield", f'"{key.text}" makes no sense on a playfield', hint)


def _read_verb(reader: Reader, verb: str, fields: Fields, node: Node, scope: Scope) -> Step | None:
    value = fields[verb]
    if isinstance(value, BrokenNode):
        return None
    step = VERBS[verb](reader, value, fields, scope)
    if isinstance(step, Choose) and isinstance(node, MapNode):
        # Its value begins with an option: the question itself stands at its verb.
        key = next((key for key, _ in node.pairs if key.text == verb), None)
        return replace(step, span=reader.span(key)) if key is not None else step
    return step


def _reveal(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    card = read_card(reader, node, "reveal", scope)
    return None if card is None else Reveal(card, span=reader.span(node))


def _pull(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    cards = [read_card(reader, item, "pull", scope) for item in reader.items(node, '"pull"')]
    known = tuple(card for card in cards if card is not None)
    if len(known) < len(cards):
        reader.spoil(scope)
    return Pull(known, span=reader.span(node)) if known else None


def _draw(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    deck = reader.id(node, '"draw"')
    if deck is None:
        return None
    reader.refer("deck", deck, node, scope, "special")
    return DrawCard(deck, span=reader.span(node))


def _discard(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    if isinstance(node, ScalarNode) and node.text == "this":
        return Discard(None, span=reader.span(node))
    card = read_card(reader, node, "discard", scope)
    return None if card is None else Discard(card, span=reader.span(node))


def _gain(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    return Gain(read_goods(reader, node, '"gain"', scope, "gain"), span=reader.span(node))


def _lose(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    return Lose(read_goods(reader, node, '"lose"', scope, "lose", may_take_all=True), span=reader.span(node))


def _wound(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    n = reader.integer(node, '"wound"', 1)
    return None if n is None else Wound(n, span=reader.span(node))


def _heal(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    if isinstance(node, ScalarNode) and node.text == "all":
        return Heal(ALL, span=reader.span(node))
    n = reader.integer(node, '"heal"', 1)
    return None if n is None else Heal(n, span=reader.span(node))


def _count(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    counts = []
    for key, value in reader.pairs(node, '"count"'):
        n = reader.integer(value, f'the counter "{key.text}"', -BIG, signed=True)
        reader.refer("counter", key.text, key, scope, "count", n or 0)
        if n is not None:
            counts.append(Count(key.text, n, span=reader.span(key)))
    if len(counts) > 1:
        reader.problem(node, "two-verbs", '"count" changes one counter at a time', "make it a list: one step an entry")
    return counts[0] if counts else None


def read_challenge(reader: Reader, node: Node, scope: Scope) -> Challenge | None:
    """A challenge with at least one outcome (CHAL-1, CHAL-8)."""
    outcomes = ("succeed", "fail", "perfect")
    fields = reader.table(node, CHALLENGE)
    if fields is None:
        return None
    kind = reader.word(fields.get("type"), "the type of a challenge", TALENTS)
    level = reader.integer(fields.get("level"), "the level of a challenge", 1)
    steps = {
        name: read_steps(reader, fields[name], f'"{name}"', scope) if name in fields else None for name in outcomes
    }
    if not any(name in fields for name in outcomes):
        reader.problem(
            reader.start(node), "challenge-empty", "a challenge without any outcome", "add succeed: or fail: with steps"
        )
        return None
    if kind is None or level is None:
        return None
    return Challenge(kind, level, steps["succeed"], steps["fail"], steps["perfect"], span=reader.span(node))


def _challenge(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    return read_challenge(reader, node, scope)


def _roll(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    fields = reader.table(node, ROLL)
    if fields is None:
        return None
    die: Any = reader.word(fields.get("die"), "the die of a roll", tuple(DICE))
    influence = True
    if (node_influence := fields.get("influence")) is not None:
        # The contract writes `influence: no`; true and false mean the same.
        word = reader.word(node_influence, '"influence"', ("no", "yes", "true", "false"))
        influence = word not in ("no", "false")
    rows = []
    sound = die is not None and "chart" in fields
    if "chart" in fields:
        for key, value in reader.pairs(fields["chart"], "a roll chart"):
            span = _faces(reader, key)
            steps = read_steps(reader, value, f'the row "{key.text}"', scope)
            if span is None:
                sound = False
            else:
                rows.append((ChartRow(*span, steps), key))
        sound = sound and isinstance(fields["chart"], MapNode)
    if not sound:
        return None
    rows.sort(key=lambda row: (row[0].low, row[0].high))
    _cover(reader, fields["chart"], die, rows)
    return Chart(die, tuple(row for row, _ in rows), influence, span=reader.span(node))


def _faces(reader: Reader, key: ScalarNode) -> tuple[int, int] | None:
    low, dash, high = key.text.partition("-")
    if NUMBER.match(low) and (not dash or NUMBER.match(high)) and len(key.text) < 10:
        first, last = int(low), int(high) if dash else int(low)
        if first <= last:
            return first, last
    hint = "the smaller number comes first" if dash and NUMBER.match(low) and NUMBER.match(high) else ""
    reader.expected(key, "a row of a roll chart", "a face or a range such as 3-5", hint, "chart-range")
    return None


def _cover(reader: Reader, chart: Node, die: str, rows: list[tuple[ChartRow, ScalarNode]]) -> None:
    """The rows cover the die exactly once (CHAL-9)."""
    sides, wanted = DICE[die], 1
    missing: list[int] = []
    for row, key in rows:
        if row.high > sides or row.low < 1:
            reader.problem(
                key,
                "chart-range",
                f"the row {key.text} reaches past the faces 1 to {sides} of a {die}",
                f"let it {f'end with {sides}' if row.low <= sides and row.low >= 1 else f'lie within 1 to {sides}'}",
            )
            return
        if row.low < wanted:
            message = f"the row {key.text} covers faces that an earlier row covers too"
            hint = f"let it begin with {wanted}" if wanted <= row.high else "delete it, or shorten the earlier row"
            reader.problem(key, "chart-range", message, hint)
            return
        missing += range(wanted, row.low)
        wanted = row.high + 1
    missing += range(wanted, sides + 1)
    if missing:
        faces = ", ".join(map(str, missing))
        reader.problem(
            reader.start(chart),
            "chart-range",
            f"no row of the chart covers {faces} of a {die}",
            f"add a row for {faces}, or let another row reach there",
        )


_OPTION_KEYS = tuple(key for key in OPTION.keys if key not in (*VERB_KEYS, *BRANCHES))


def _choose(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    choices: list[Choice] = []
    said: set[str] = set()
    items = reader.items(node, '"choose"')
    for item in items:
        choice = _choice(reader, item, scope)
        if choice is not None:
            if choice.say and choice.say in said:
                message = f'two options say "{choice.say}": a save could not tell them apart'
                reader.problem(reader.start(item), "same-words", message, "word one of them differently", "warning")
            said.add(choice.say)
            choices.append(choice)
        else:
            reader.spoil(scope)
    if not items and not isinstance(node, BrokenNode) and not reader.empty(node):
        reader.problem(
            reader.start(node), "empty-list", '"choose" offers nothing', "add an option: {say: …, reveal: 5}"
        )
    return Choose(tuple(choices), span=reader.span(node)) if choices else None


def _choice(reader: Reader, node: Node, scope: Scope) -> Choice | None:
    if not isinstance(node, MapNode):
        reader.expected(node, "an option", "a mapping such as {say: …, reveal: 5}")
        return None
    fields = _verbs(reader, node, "an option", scope, _OPTION_KEYS)
    if "say" not in fields:
        place = node.pairs[0][0] if node.pairs else node
        reader.problem(
            reader.start(place), "missing-key", 'an option needs "say"', 'add "say": the words of the choice'
        )
    say = reader.text(fields.get("say"), '"say"')
    needs = read_condition(reader, fields["needs"], '"needs"', scope) if "needs" in fields else ALWAYS
    cost = read_goods(reader, fields["cost"], '"cost"', scope, "cost") if "cost" in fields else NOTHING
    locked = reader.word(fields.get("locked"), '"locked"', ("shown", "hidden"))
    once = reader.flag(fields.get("once"), '"once"', False)
    verbs = [key for key in fields if key in VERBS]
    if verbs and "steps" in fields:
        key = next((key for key, _ in node.pairs if key.text == verbs[0]), None)
        if key is not None:
            message = f'"{verbs[0]}" beside "steps": nobody can say which comes first'
            reader.problem(key, "two-verbs", message, 'move it into "steps"')
        reader.spoil(scope)
        verbs = []
    steps: list[Step] = list(read_steps(reader, fields["steps"], '"steps"', scope)) if "steps" in fields else []
    for verb in verbs:
        step = _read_verb(reader, verb, fields, node, scope)
        if step is None:
            reader.spoil(scope)
        else:
            steps.append(step)
    return Choice(say, tuple(steps), needs, cost, locked == "hidden", once, reader.span(node))


def _if(reader: Reader, node: Node, fields: Fields, scope: Scope) -> Step | None:
    condition = read_condition(reader, node, '"if"', scope)
    if "then" not in fields and "else" not in fields:
        reader.problem(reader.start(node), "missing-key", '"if" needs "then" or "else"', "add then: with steps")
        reader.spoil(scope)
    then = read_steps(reader, fields["then"], '"then"', scope) if "then" in fields else ()
    otherwise = read_steps(reader, fields["else"], '"else"', scope) if "else" in fields else ()
    return If(condition, then, otherwise, span=reader.span(node))


def _encounter(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    from story.loading.encounters import read_encounter

    encounter = read_encounter(reader, node, scope)
    return None if encounter is None else Fight(encounter, span=reader.span(node))


def _tavern(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    fields = reader.table(node, TAVERN)
    if fields is None:
        return None
    turns = reader.integer(fields.get("turns"), '"turns"', 1)
    hand = reader.integer(fields.get("hand"), '"hand"', 1)
    drinks = reader.id(fields.get("drinks"), '"drinks"')
    if drinks is not None:
        reader.refer("deck", drinks, fields["drinks"], scope, "drinks")
    space = 1
    taken: dict[int, str] = {}
    if "hero" in fields and (hero := reader.table(fields["hero"], HERO_SPACE)) is not None:
        space = reader.space(hero.get("space"), "the hero's space") or 1
    taken[space] = "the hero"
    seats = []
    for key, value in reader.pairs(fields["seats"], '"seats"') if "seats" in fields else ():
        seat = reader.space(key, "a seat")
        name = reader.id(value, "who sits on a seat")
        if name is not None:
            reader.refer("conversation", name, value, scope, "seat")
        if seat is not None and seat in taken:
            reader.problem(key, "space-taken", f"{taken[seat]} is on space {seat} already", "seat this one elsewhere")
        elif seat is not None and name is not None:
            taken[seat] = name
            seats.append((seat, name))
    then = read_steps(reader, fields.get("then"), '"then"', scope) if "then" in fields else ()
    return Tavern(turns or 3, hand or 3, drinks or "", space, tuple(seats), then, span=reader.span(node))


def _next_chapter(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    if isinstance(node, ScalarNode) and node.plain and node.text == "true":
        if scope.kind != "playfield":
            reader.refer("next", "next_chapter", node, scope, "next_chapter")
        return NextChapter(span=reader.span(node))
    reader.expected(node, '"next_chapter"', "true", "write next_chapter: true, or delete the step")
    return None


def _ending(reader: Reader, node: Node, _: Fields, scope: Scope) -> Step | None:
    fields = reader.table(node, ENDING)
    if fields is None:
        return None
    id = reader.id(fields.get("id"), "the id of an ending")
    title = reader.text(fields.get("title"), "the title of an ending")
    kind: Any = reader.word(fields.get("kind"), "the kind of an ending", KINDS_OF_ENDING)
    if id is None or kind is None:
        return None
    return Ending(id, title, kind, span=reader.span(node))


VERBS: dict[str, StepReader] = {
    "reveal": _reveal,
    "pull": _pull,
    "draw": _draw,
    "discard": _discard,
    "gain": _gain,
    "lose": _lose,
    "wound": _wound,
    "heal": _heal,
    "count": _count,
    "challenge": _challenge,
    "roll": _roll,
    "choose": _choose,
    "if": _if,
    "encounter": _encounter,
    "tavern": _tavern,
    "next_chapter": _next_chapter,
    "ending": _ending,
}


# ---------------------------------------------------------------- cards, amounts, conditions


def read_card(reader: Reader, node: Node, role: str, scope: Scope) -> CardRef | None:
    """A card by its number, its id or ``DECK:ID``; an unnumbered card becomes ``DECK:ID``.

    None if it is malformed, unknown or ambiguous; the last two are told by the reference checks.
    """
    if isinstance(node, BrokenNode):
        return None
    wanted = "a card: its number or its id"
    if not isinstance(node, ScalarNode):
        reader.expected(node, f'"{role}"', wanted)
        return None
    if node.plain and NUMBER.match(node.text) and len(node.text) < 10:
        number = int(node.text)
        if number < 1:
            reader.problem(node, "out-of-range", f"card numbers start at 1, found {node.text}")
            return None
        reader.refer("card", number, node, scope, role)
        return f"{scope.owner}:{number}" if scope.kind == "conversation" else number
    deck, colon, id = node.text.rpartition(":")
    if ID.match(id) and (not colon or ID.match(deck)):
        reader.refer("special", node.text, node, scope, role)
        if colon:
            return node.text if id in reader.draft.index.specials.get(deck, {}) else None
        homes = reader.draft.index.homes(id)
        return f"{homes[0]}:{id}" if len(homes) == 1 else None
    if any(mark.isdigit() for mark in node.text[:1]) or not node.plain:
        reader.integer(node, f'"{role}"', 1)
    else:
        reader.expected(node, f'"{role}"', wanted, id="bad-id")
    return None


def read_goods(
    reader: Reader, node: Node, what: str, scope: Scope, role: str, *, may_take_all: bool = False, ids: bool = True
) -> Goods:
    """Amounts by name and ids for the inventories."""
    amounts: list[tuple[str, int]] = []
    held: dict[str, tuple[str, ...]] = {}
    for key, value in reader.pairs(node, what):
        if key.text in INVENTORIES:
            if ids:
                held[key.text] = reader.ids(value, f'"{key.text}"', key.text, scope, role)
            else:
                reader.problem(key, "unknown-key", f'{what} takes amounts alone, not "{key.text}"', "gain it in a step")
            continue
        takes_all = may_take_all and isinstance(value, ScalarNode) and value.text == "all"
        n = ALL if takes_all else reader.integer(value, f'"{key.text}"', 1)
        reader.refer("amount", key.text, key, scope, role, n or 0)
        if n is not None:
            amounts.append((key.text, n))
    if isinstance(node, MapNode) and not node.pairs:
        reader.problem(reader.start(node), "empty-mapping", f"{what} names nothing", "name an amount, or delete it")
    return Goods(tuple(amounts), held.get("event", ()), held.get("item", ()), held.get("action", ()))


def read_condition(reader: Reader, node: Node, what: str, scope: Scope) -> AllOf:
    """A mapping of which all keys must hold."""
    clauses: list[Holds | AtLeast | AtMost | Discarded | Not | AnyOf] = []
    for key, value in reader.pairs(node, what):
        name = key.text
        if name in INVENTORIES:
            kind: Any = name
            clauses += [Holds(kind, id) for id in reader.ids(value, f'"{name}"', name, scope, "ask")]
        elif name == "at_most":
            for inner, amount in reader.pairs(value, '"at_most"'):
                n = reader.integer(amount, f'"{inner.text}"')
                reader.refer("asked", inner.text, inner, scope, "at_most", n or 0)
                if n is not None:
                    clauses.append(AtMost(inner.text, n))
        elif name == "discarded":
            for item in reader.items(value, '"discarded"'):
                if (card := read_card(reader, item, "discarded", scope)) is not None:
                    clauses.append(Discarded(card))
        elif name == "not":
            clauses.append(Not(read_condition(reader, value, '"not"', scope)))
        elif name == "any":
            inner_conditions = [read_condition(reader, item, '"any"', scope) for item in reader.items(value, '"any"')]
            if inner_conditions:
                clauses.append(AnyOf(tuple(inner_conditions)))
        else:
            n = reader.integer(value, f'"{name}"')
            reader.refer("asked", name, key, scope, "ask", n or 0)
            if n is not None:
                clauses.append(AtLeast(name, n))
    if isinstance(node, MapNode) and not node.pairs:
        reader.problem(
            reader.start(node), "empty-mapping", f"{what} asks for nothing", "name a condition, or delete it"
        )
    return AllOf(tuple(clauses), reader.span(node))
