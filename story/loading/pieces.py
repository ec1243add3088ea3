"""Cards of the playfield: enemies, terrain, actions (FOE-1, TERR, ACT-1, ACT-11)."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

from story.cards import (
    ATTACK_TYPES,
    IMMUNITIES,
    LAST,
    RANGES,
    STANDARD_ACTIONS,
    TERRAIN_CLASSES,
    ActionCard,
    Attack,
    EnemyCard,
    Gain,
    Goods,
    Instance,
    Steps,
    TerrainCard,
    Trait,
    When,
)
from story.hero import MOST_WOUNDS
from story.loading.draft import Scope
from story.loading.reader import Fields, Reader
from story.loading.shapes.playfield import (
    ACTION,
    ACTION_KINDS,
    ATTACK,
    ATTACK_EFFECTS,
    ENEMY,
    ENEMY_INSTANCE,
    ENEMY_WHEN,
    RECRUIT_FROM,
    SKILL_EFFECTS,
    TERRAIN,
    TERRAIN_INSTANCE,
    TERRAIN_WHEN,
)
from story.loading.shapes.steps import PLAYFIELD_VERBS
from story.loading.shapes.values import BIG, Table
from story.loading.steps import VERBS, not_on_playfield, read_challenge, read_goods
from story.problems import did_you_mean
from story.source import CONTROL, BrokenNode, MapNode, Node, ScalarNode

LARGEST_ART = 64 * 1024
"""Bytes of a text art file."""

PLAYFIELD = Scope("playfield")


def read_enemy(reader: Reader, id: str, node: Node) -> EnemyCard | None:
    """An enemy card (FOE-1); None if it cannot be one."""
    fields = reader.table(node, ENEMY)
    if fields is None:
        return None
    crit, miss = read_crit_miss(reader, fields)
    attack = _attack(reader, fields["attack"]) if "attack" in fields else None
    rewards = read_goods(reader, fields["rewards"], '"rewards"', PLAYFIELD, "gain") if "rewards" in fields else Goods()
    wounds = reader.integer(fields.get("wounds"), '"wounds"', 1)
    moves = reader.integer(fields.get("moves"), '"moves"')
    immune = []
    for item in reader.items(fields["immune"], '"immune"') if "immune" in fields else ():
        if (name := reader.word(item, "an immunity", IMMUNITIES, "unknown-immunity")) is not None:
            immune.append(name)
    return EnemyCard(
        id,
        reader.text(fields.get("name"), '"name"'),
        wounds or BIG,
        attack,
        moves or 0,
        crit,
        miss,
        _traits(reader, fields, terrain=False),
        frozenset(immune),
        rewards,
        _instances(reader, fields, ENEMY_INSTANCE, ENEMY_WHEN, "an enemy"),
        read_challenge(reader, fields["challenge"], PLAYFIELD) if "challenge" in fields else None,
        read_copies(reader, fields),
        reader.text(fields.get("text"), '"text"', line=False),
        read_art(reader, fields),
        reader.span(node),
    )


def read_terrain(reader: Reader, id: str, node: Node) -> TerrainCard | None:
    """A terrain card (TERR-1 to TERR-5); None if it cannot be one."""
    fields = reader.table(node, TERRAIN)
    if fields is None:
        return None
    classes = []
    for item in reader.items(fields["classes"], '"classes"') if "classes" in fields else ():
        if (name := reader.word(item, "a class of terrain", TERRAIN_CLASSES)) is not None:
            classes.append(name)
    return TerrainCard(
        id,
        reader.text(fields.get("name"), '"name"'),
        frozenset(classes),
        read_challenge(reader, fields["challenge"], PLAYFIELD) if "challenge" in fields else None,
        _traits(reader, fields, terrain=True),
        _instances(reader, fields, TERRAIN_INSTANCE, TERRAIN_WHEN, "terrain"),
        read_copies(reader, fields),
        reader.text(fields.get("text"), '"text"', line=False),
        read_art(reader, fields),
        reader.span(node),
    )


def read_crit_miss(reader: Reader, fields: Fields) -> tuple[int, int]:
    """The crit number (default 20) and the miss number (default 5), the first above the second."""
    crit = reader.integer(fields.get("crit"), '"crit"', 1)
    miss = reader.integer(fields.get("miss"), '"miss"')
    if ("crit" in fields and crit is None) or ("miss" in fields and miss is None):
        return 20, 5
    high, low = 20 if crit is None else crit, 5 if miss is None else miss
    if high <= low:
        node = fields["crit"] if "crit" in fields else fields["miss"]
        reader.problem(
            node,
            "crit-not-above-miss",
            f"the crit number {high} is not above the miss number {low}",
            f"write crit: {low + 1} or more, or miss: {high - 1} or less",
        )
        return 20, 5
    return high, low


def read_copies(reader: Reader, fields: Fields) -> int:
    """Copies in a deck that is drawn from, default 1."""
    copies = reader.integer(fields.get("copies"), '"copies"', 1, 1000)
    if copies is None and "copies" in fields:
        return 15  # enough for every draw, so that one mistake makes one problem
    return copies or 1


def read_art(reader: Reader, fields: Fields) -> str:
    """The content of a text art file beside the deck, empty if there is none."""
    node = fields.get("art")
    if node is None or isinstance(node, BrokenNode):
        return ""
    name = reader.text(node, '"art"')
    if not name or reader.draft.folder is None:
        return ""
    if problem := bad_path(name):
        reader.problem(
            node, "bad-path", f'"art" should name a file beside the deck: {problem}', "name it relative to the deck"
        )
        return ""
    file = "/".join([*reader.source.file.split("/")[:-1], name])
    try:
        if not (reader.draft.folder / file).is_file():
            raise FileNotFoundError(name)
        with (reader.draft.folder / file).open("rb") as stream:
            data = stream.read(LARGEST_ART + 1)
    except (OSError, ValueError):
        reader.draft.manifest[file] = None
        reader.problem(node, "art-missing", f"there is no file {name} beside the deck", "draw it, or delete the key")
        return ""
    reader.draft.manifest[file] = hashlib.sha256(data).hexdigest()
    try:
        art = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reader.problem(node, "encoding", f"{name} is not UTF-8: seen at byte {error.start}", "save the file as UTF-8")
        return ""
    art = art.replace("\r\n", "\n").expandtabs(4)
    if len(data) > LARGEST_ART or CONTROL.search(art):
        reader.problem(
            node,
            "bad-art",
            f"{name} is no text art: it holds control characters or more than 64 KiB",
            "draw it in plain characters",
        )
        return ""
    return art.rstrip()


def bad_path(name: str) -> str:
    """What is wrong with the relative name of a file, empty if nothing is."""
    if "\\" in name:
        return "it has a backslash"
    if name.startswith("/") or name[1:2] == ":":
        return "it begins at the root"
    if ".." in name.split("/"):
        return "it leads out of the folder"
    return ""


def _attack(reader: Reader, node: Node) -> Attack | None:
    fields = reader.table(node, ATTACK)
    if fields is None:
        return None
    kind = reader.word(fields.get("type"), "the type of an attack", ATTACK_TYPES)
    wounds = reader.integer(fields.get("wounds"), "the wounds of an attack", 0, MOST_WOUNDS)
    return Attack(kind, wounds) if kind is not None and wounds is not None else None


def _traits(reader: Reader, fields: Fields, *, terrain: bool) -> tuple[Trait, ...]:
    from story.playfield.traits import TRAITS

    known = [id for id, trait in TRAITS.items() if trait.on_terrain or not terrain]
    traits: list[Trait] = []
    for item in reader.items(fields["traits"], '"traits"') if "traits" in fields else ():
        name, key, value = _trait_words(reader, item)
        if name is None or key is None:
            continue
        if name in TRAITS and name not in known:
            reader.problem(
                key, "unknown-trait", f"the trait {name} means nothing on terrain", f"known: {', '.join(known)}"
            )
            continue
        if name not in known:
            hint = (
                "immunities have a key of their own: immune: [stun]"
                if name.startswith("immun")
                else did_you_mean(name, known)
            )
            reader.problem(key, "unknown-trait", f'there is no trait "{name}"', hint)
            continue
        source = None
        if value is not None and not TRAITS[name].recruits:
            reader.problem(value, "wrong-type", f"the trait {name} takes no more words", f"write {name}")
        elif TRAITS[name].recruits:
            more = reader.table(value, RECRUIT_FROM) if value is not None else {}
            if value is None:
                reader.problem(
                    key,
                    "missing-key",
                    f"the trait {name} needs the deck it draws from",
                    "write {recruit: {from: DECK}}",
                )
            source = reader.id(more.get("from"), '"from"') if more else None
            if source is not None and more:
                reader.refer("deck", source, more["from"], PLAYFIELD, "enemies")
        if any(trait.id == name for trait in traits):
            reader.problem(
                key, "duplicate-trait", f"the trait {name} stands here twice", "it does not stack: delete one"
            )
        else:
            traits.append(Trait(name, source, reader.span(item)))
    return tuple(traits)


def _trait_words(reader: Reader, item: Node) -> tuple[str | None, Node | None, Node | None]:
    """A trait's id, where it stands, and the mapping behind it if there is one."""
    if isinstance(item, ScalarNode):
        return item.text, item, None
    if isinstance(item, MapNode) and len(item.pairs) == 1:
        key, value = item.pairs[0]
        return key.text, key, value
    reader.expected(item, "a trait", "its id, or {recruit: {from: DECK}}")
    return None, None, None


def _instances(reader: Reader, fields: Fields, table: Table, events: Table, whose: str) -> tuple[Instance, ...]:
    read = []
    for item in reader.items(fields.get("instances"), '"instances"'):
        if (instance := _instance(reader, item, table, events, whose)) is not None:
            read.append(instance)
    return tuple(read)


def _instance(reader: Reader, node: Node, table: Table, events: Table, whose: str) -> Instance | None:
    if not isinstance(node, MapNode):
        reader.expected(node, "an instance", "a mapping such as {when: {defeated: true}, gain: {ap: 1}}")
        return None
    story_verbs = [verb for verb in VERBS if verb not in PLAYFIELD_VERBS]
    fields = reader.table(node, table, also=story_verbs)
    if fields is None:
        return None
    for key, _ in node.pairs:
        if key.text in story_verbs:
            not_on_playfield(reader, key)
    later = reader.word(fields.get("at"), '"at"', ("next_round",)) is not None
    instead = None
    if "instead" in fields:
        instead = read_goods(reader, fields["instead"], '"instead"', PLAYFIELD, "gain", ids=False)
    steps: list[Any] = []
    for verb in fields:
        if verb in PLAYFIELD_VERBS and not isinstance(fields[verb], BrokenNode):
            step = VERBS[verb](reader, fields[verb], fields, PLAYFIELD)
            if step is not None:
                steps.append(step)
    if not any(key in fields for key in ("instead", *VERBS)):
        reader.problem(
            reader.start(node),
            "missing-key",
            "an instance needs an effect",
            f"add instead: or {', '.join(PLAYFIELD_VERBS)}",
        )
    when = _when(reader, fields["when"], tuple(events.keys), whose) if "when" in fields else None
    if when is None:
        return None
    instance = Instance(when, tuple(steps), instead, later, reader.span(node))
    if instead is not None and when.event not in ("defeated", "retreats"):
        reader.problem(
            next(key for key, _ in node.pairs if key.text == "instead"),
            "instead-without-defeat",
            '"instead" replaces the reward, which is only paid at a defeat',
            "use gain:, or when: {defeated: true}",
        )
    _lost_at_once(reader, instance, fields)
    return instance


def _when(reader: Reader, node: Node, events: tuple[str, ...], whose: str) -> When | None:
    if not isinstance(node, MapNode):
        reader.expected(node, '"when"', "a mapping such as {defeated: true}")
        return None
    known: list[tuple[ScalarNode, Node]] = []
    for key, value in reader.pairs(node, '"when"'):
        if key.text in events:
            known.append((key, value))
        else:
            hint = did_you_mean(key.text, events)
            other = key.text in ENEMY_WHEN.keys or key.text in TERRAIN_WHEN.keys
            message = f'"{key.text}" never happens to {whose}' if other else f'"when" knows no "{key.text}"'
            reader.problem(key, "unknown-key", message, hint)
    if len(known) > 1:
        reader.problem(
            known[1][0],
            "two-keys-in-when",
            f'"when" has one key, this one has "{known[0][0].text}" and "{known[1][0].text}"',
            "write an instance for each",
        )
        return None
    if not known:
        if not node.pairs:
            reader.problem(reader.start(node), "empty-mapping", '"when" names nothing', f"known: {', '.join(events)}")
        return None
    key, value = known[0]
    name = key.text
    if name == "defeated_in_round":
        rounds = []
        for item in reader.items(value, f'"{name}"'):
            if isinstance(item, ScalarNode) and item.text == "last":
                rounds.append(LAST)
            elif (n := reader.integer(item, f'"{name}"', 1)) is not None:
                rounds.append(n)
        return When("defeated", tuple(rounds)) if rounds else None
    if isinstance(value, ScalarNode) and value.plain and value.text == "true":
        return When(name)
    if name in ("round_start", "round_end") and isinstance(value, ScalarNode) and value.text[:1].isdigit():
        n = reader.integer(value, f'"{name}"', 1)
        return None if n is None else When(name, (n,))
    reader.expected(value, f'"{name}"', "true or a number" if name.startswith("round_") else "true")
    return None


def _lost_at_once(reader: Reader, instance: Instance, fields: Fields) -> None:
    """Warn of AP that AP-3 takes before they can be spent."""
    when, node = instance.when, fields["when"]
    if when.event == "round_start" and when.rounds == (1,):
        reader.problem(
            node,
            "never-happens",
            "round_start: 1 never happens: instances of a round's start begin with round 2",
            "put it into the steps before the encounter",
            "warning",
        )
        return
    gains = sum(step.goods.amount("ap") for step in instance.steps if isinstance(step, Gain))
    gains += instance.instead.amount("ap") if instance.instead else 0
    if gains and not instance.later and when.event in ("round_end", "retreats", "adjacent_at_round_end"):
        place = fields["gain"] if "gain" in fields else fields["instead"]
        reader.problem(
            place if not isinstance(place, MapNode) else reader.start(place),
            "ap-lost",
            "AP gained at the end of a round are lost at once: AP are reset then",
            "add at: next_round",
            "warning",
        )


# ---------------------------------------------------------------- actions


def read_action(reader: Reader, id: str, node: Node) -> ActionCard | None:
    """An action card; one that bears the id of a shipped card takes from that what it does not say itself."""
    shipped = STANDARD_ACTIONS.get(id)
    required = () if shipped else ("name", "kind", "cost")
    fields = reader.table(node, ACTION, required=required)
    if fields is None:
        return None
    kind: Any = reader.word(fields.get("kind"), "the kind of an action", ACTION_KINDS)
    if shipped and kind not in (None, shipped.kind):
        shipped = None
    if kind is None and "kind" in fields:
        return None
    base = shipped or ActionCard(id, "", kind or "attack", 0, damage=int(kind == "attack"), word=id)
    targets = reader.integer(fields.get("targets"), '"targets"', 1, 14)
    targets = base.targets if targets is None else targets
    effects = _effects(reader, fields, base.kind) if "effects" in fields else base.effects
    crits = base.crits if shipped else targets == 1
    if base.kind == "skill" and not effects and "kind" in fields:
        reader.problem(
            fields["kind"], "missing-key", "a skill needs an effect", f"add effects: [{', '.join(SKILL_EFFECTS)}]"
        )

    def number(key: str, old: int) -> int:
        n = reader.integer(fields.get(key), f'"{key}"')
        return old if n is None else n

    return dataclasses.replace(
        base,
        name=reader.text(fields["name"], '"name"') if "name" in fields else base.name,
        cost=number("cost", base.cost),
        damage=number("damage", base.damage),
        targets=targets,
        range=reader.word(fields.get("range"), "the range of an action", RANGES) or base.range,
        roll=reader.flag(fields.get("roll"), '"roll"', base.roll),
        crits=reader.flag(fields.get("crits"), '"crits"', crits),
        effects=effects,
        augments=reader.flag(fields.get("augments"), '"augments"', base.augments),
        copies=read_copies(reader, fields),
        text=reader.text(fields.get("text"), '"text"', line=False),
        span=reader.span(node),
    )


def _effects(reader: Reader, fields: Fields, kind: str) -> tuple[tuple[str, int], ...]:
    known = SKILL_EFFECTS if kind == "skill" else ATTACK_EFFECTS
    effects: dict[str, int] = {}
    node = fields["effects"]
    for item in reader.items(node, '"effects"'):
        name_node, n = item, 1
        if isinstance(item, MapNode) and len(item.pairs) == 1:
            name_node, value = item.pairs[0]
            n = reader.integer(value, f'the effect "{item.pairs[0][0].text}"', 1, 14) or 1
        name = reader.word(name_node, "an effect", known, "unknown-effect")
        if name in effects:
            reader.problem(name_node, "duplicate-effect", f"the effect {name} stands here twice", "delete one")
        elif name is not None:
            effects[name] = n
    return tuple(effects.items())


def playfield_steps(reader: Reader, node: Node, what: str) -> Steps:
    """Steps that make sense on a playfield."""
    from story.loading.steps import read_steps

    return read_steps(reader, node, what, PLAYFIELD)
