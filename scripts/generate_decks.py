#!/usr/bin/env python3
"""Decks of any size for measuring: optional flags before a vault that cannot open, chains of rooms, wide webs of cards.

``python scripts/generate_decks.py flags 60 -o DIR`` writes a campaign's files into a folder.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this file must parse on the old Python it turns away
    sys.exit("Cardwalk needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

import argparse
from pathlib import Path
from random import Random

Files = dict[str, str]
"""File name to YAML text."""

CAMPAIGN = """\
format: cardwalk/1
kind: campaign
id: {id}
title: {id}
author: nobody
language: en
chapters: [chapter-1.yaml]
decks: [items.yaml, events.yaml]
counters: {{tide: {{name: Tide}}}}
hero: {{name: Somebody, crit: 20, miss: 5, wound_limit: 9, ap: 7, ap_reset: 7}}
satchel:
  breadfruit: {{name: Breadfruit, holds: 5, heals: 1}}
  uku: {{name: Uku, holds: 4, ap: 1}}
"""


def flags(k: int) -> Files:
    """A chain of ``k`` cards, each with an event that may be taken or left and is asked for later, and a vault.

    The vault needs both of two keys, and whoever takes one gives back the other.
    """
    events = [f"flag-{i}" for i in range(1, k + 1)]
    cards = []
    for i, event in enumerate(events, 1):
        take = f"{{say: Take it, gain: {{event: {event}}}, reveal: {i + 1}}}"
        cards.append((i, [f"choose: [{take}, {{say: Leave it, reveal: {i + 1}}}]"]))
    one = f"gain: {{item: one-key}}}}, {{lose: {{item: other-key}}}}, {{reveal: {k + 2}}}"
    other = f"gain: {{item: other-key}}}}, {{lose: {{item: one-key}}}}, {{reveal: {k + 2}}}"
    keys = f"choose: [{{say: One key, steps: [{{{one}]}}, {{say: The other key, steps: [{{{other}]}}, "
    cards.append((k + 1, [f"{keys}{{say: Neither, reveal: {k + 2}}}]"]))
    doors = [f"{{say: Door {i}, needs: {{event: {event}}}, reveal: {k + 4}}}" for i, event in enumerate(events, 1)]
    vault = f"{{say: The vault, needs: {{item: [one-key, other-key]}}, reveal: {k + 3}}}"
    back = f"{{say: Think again about keys, reveal: {k + 1}}}"
    way_out = f"{{say: Go home, reveal: {k + 4}}}"
    cards.append((k + 2, ["choose:", *(f"  - {option}" for option in (*doors, vault, back, way_out))]))
    cards.append((k + 3, ["ending: {id: vault, title: The vault, kind: victory}"]))
    cards.append((k + 4, ["ending: {id: home, title: Home, kind: neutral}"]))
    return _files(f"flags-{k}", cards, ["one-key", "other-key"], events)


def rooms(n: int = 40, items: int = 10, seed: int = 1) -> Files:
    """A chain of ``n`` rooms: ``items`` to find and to need, costs in AP, foods, talents, wounds and rests."""
    random = Random(seed)
    ids = [f"item-{i}" for i in range(1, items + 1)]
    places = {1 + place * n * 2 // (3 * items): id for place, id in enumerate(ids)}
    known: list[str] = []
    events = ["vow", "debt"]
    cards: list[tuple[int, list[str]]] = []
    for i in range(1, n + 1):
        on = i + 1
        options = [f"{{say: Go on, reveal: {on}}}"]
        if item := places.get(i):
            find = f"{{gain: {{item: {item}}}}}, {{reveal: {on}}}"
            options.append(f"{{say: Take it, cost: {{ap: {random.randint(1, 2)}}}, steps: [{find}]}}")
            known.append(item)
        kind = random.choice(("talent", "food", "rest", "wound", "need", "need", "tide"))
        talent = random.choice(("physical", "mental", "critical"))
        match kind:
            case "talent":
                learn = f"{{gain: {{{talent}: 1}}}}, {{reveal: {on}}}"
                options.append(f"{{say: Learn, cost: {{ap: 1}}, once: true, steps: [{learn}]}}")
            case "food":
                food = random.choice(("breadfruit: 1", "uku: 2"))
                options.append(f"{{say: Pick fruit, steps: [{{gain: {{{food}}}}}, {{wound: 1}}, {{reveal: {on}}}]}}")
            case "rest":
                options.append(f"{{say: Rest, once: true, steps: [{{gain: {{ap: 3}}}}, {{reveal: {i}}}]}}")
            case "wound":
                tried = f"{{type: {talent}, level: {random.randint(8, 16)}, succeed: {{reveal: {on}}}, "
                fail = f"fail: [{{wound: {random.randint(1, 3)}}}, {{reveal: {on}}}]}}"
                options[0] = f"{{say: Jump, challenge: {tried}{fail}}}"
            case "tide":
                options.append(f"{{say: Wait, once: true, steps: [{{count: {{tide: +1}}}}, {{reveal: {i}}}]}}")
            case _:
                needs = ", ".join(random.sample(known, min(len(known), random.randint(1, 3))) or ids[:1])
                options.append(f"{{say: Use things, needs: {{item: [{needs}]}}, reveal: {on}}}")
        if i % 8 == 0:
            options.append(f"{{say: By strength, needs: {{{talent}: 1, breadfruit: 1}}, reveal: {on}}}")
        if i % 9 == 0:
            options.append(f"{{say: Late, needs: {{tide: 2, at_most: {{wounds: 3}}}}, reveal: {on}}}")
        cards.append((i, ["choose:", *(f"  - {option}" for option in options)]))
    everything = f"{{say: Open the last door, needs: {{item: [{', '.join(ids)}]}}, reveal: {n + 2}}}"
    lie = f"{{say: Swear and owe, needs: {{event: [vow, debt]}}, reveal: {n + 4}}}"
    cards.append((n + 1, ["choose:", *(f"  - {o}" for o in (everything, lie, f"{{say: Leave, reveal: {n + 3}}}"))]))
    swear = f"{{say: Swear, steps: [{{gain: {{event: vow}}}}, {{reveal: {n + 3}}}]}}"
    owe = f"{{say: Owe, steps: [{{gain: {{event: debt}}}}, {{reveal: {n + 3}}}]}}"
    cards.append((n + 2, [f"choose: [{swear}, {owe}]"]))
    cards.append((n + 3, ["ending: {id: out, title: Out, kind: victory}"]))
    cards.append((n + 4, ["ending: {id: lie, title: A lie, kind: defeat}"]))
    return _files(f"rooms-{n}-{items}", cards, ids, events)


def web(cards: int = 10_000, links: int = 4, seed: int = 1) -> Files:
    """Cards with ``links`` choices each, to anywhere ahead or a little way back; the last one is the ending."""
    random = Random(seed)
    made: list[tuple[int, list[str]]] = []
    for i in range(1, cards):
        targets = [i + 1, *(random.randint(max(1, i - 50), cards) for _ in range(links - 1))]
        options = [f"  - {{say: Way {place}, reveal: {target}}}" for place, target in enumerate(targets, 1)]
        made.append((i, ["choose:", *options]))
    made.append((cards, ["ending: {id: end, title: The end, kind: neutral}"]))
    return _files(f"web-{cards}", made, [], [])


def _files(id: str, cards: list[tuple[int, list[str]]], items: list[str], events: list[str]) -> Files:
    lines = ["format: cardwalk/1", "kind: story", "chapter: 1", "title: One", "start: 1", "cards:"]
    for number, step in cards:
        lines += [f"  {number}:", f"    text: Card {number}.", "    steps:", f"      - {step[0]}"]
        lines += [f"        {line}" for line in step[1:]]
    files = {"campaign.yaml": CAMPAIGN.format(id=id), "chapter-1.yaml": "\n".join(lines) + "\n"}
    for kind, ids in (("items", items), ("events", events)):
        if ids:
            kept = "".join(f"  {id}: {{name: {id}, text: A card.}}\n" for id in ids)
            files[f"{kind}.yaml"] = f"format: cardwalk/1\nkind: {kind}\ncards:\n{kept}"
        else:
            files["campaign.yaml"] = files["campaign.yaml"].replace(f"{kind}.yaml", "").replace("[, ", "[")
    files["campaign.yaml"] = files["campaign.yaml"].replace("decks: [, ]\n", "").replace("decks: []\n", "")
    return files


def write(files: Files, folder: Path) -> Path:
    """The files in a folder, which is made if need be; the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return folder


def main() -> int:
    """Write one deck."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kind", choices=("flags", "rooms", "web"))
    parser.add_argument("size", type=int, help="flags, rooms or cards")
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="DIR")
    args = parser.parse_args()
    files = flags(args.size) if args.kind == "flags" else rooms(args.size) if args.kind == "rooms" else web(args.size)
    print(write(files, args.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
