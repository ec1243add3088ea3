"""What encounters leave behind when every answer is tried, held against what the verdicts over states take of them."""

from collections import Counter, deque
from random import Random

from solver.reach.closer import Closer
from solver.reach.flow import invariants
from solver.reach.program import Program
from story.campaign import CampaignTable
from story.cards import Campaign, Chapter, Ending, Fight, StoryCard
from story.prompts import answers

HELD = ("event", "item", "action")


def story(file):
    """A campaign that is one encounter."""
    card = StoryCard(1, "One", "Text.", (Fight(file.encounter), Ending("home", "Home", "neutral")))
    return Campaign("one", "One", "", "en", file.hero, (Chapter(1, "One", 1, {1: card}),), file.library)


def ends(table, state, most):
    """(every state that the encounter can end in alive, whether no more can follow) from trying ``most`` states."""
    seen, queue, found = {state}, deque([state]), set()
    while queue:
        state = queue.popleft()
        for answer in answers(table.prompt(state)):
            new = table.answer(state, answer)
            if new in seen or (new.over is not None and new.over.kind == "death"):
                continue
            seen.add(new)
            if new.over is not None:
                found.add(new)
            elif len(seen) > most:
                return found, False
            else:
                queue.append(new)
    return found, True


def games(table, state, random, n):
    """The states in which some games with random answers end alive."""
    found = set()
    for _ in range(n):
        here = state
        while here.over is None:
            offered = answers(table.prompt(here))
            extremes = [answer for answer in offered if answer in ("d20 1", "d20 20", "d20 11")]
            here = table.answer(here, random.choice(extremes or offered))
        if here.over.kind != "death":
            found.add(here)
    return found


def standing(program, hero):
    """A hero as the graph of places sees her: flags, amounts."""
    flags = 0
    for name, bit in program.flags.items():
        if name[0] in HELD and name[1] in getattr(hero, f"{name[0]}s"):
            flags |= bit
    return flags, tuple(hero.amount(name, program.library) for name in program.names)


def allows(program, edge, before, after):
    """Whether an edge through an encounter can leave her so."""
    flags, amounts = before[0], list(before[1])
    least, most = amounts[:], amounts[:]
    free = 0
    for op in edge.ops:
        if op[0] == "s":
            flags = (flags | op[1]) & ~op[2]
        elif op[0] == "a":
            least[op[1]], most[op[1]] = (max(0, n + op[2]) for n in (least[op[1]], most[op[1]]))
        elif op[0] == "=":
            least[op[1]], most[op[1]] = least[op[2]], most[op[2]]
        else:
            free |= ~flags & op[1] | flags & op[2]
            for place, falls, rises in op[3]:
                least[place], most[place] = max(0, least[place] - falls), most[place] + rises
    # Amounts are compared below their most, where they are told apart.
    spans = zip(least, after[1], most, program.caps, strict=True)
    return not (flags ^ after[0]) & ~free and all(min(a, cap) <= min(n, cap) <= min(b, cap) for a, n, b, cap in spans)


def compare_crossing(file, most):
    """(what is wrong, counts): every end that trying finds must be one that a closer look allows."""
    deck = story(file)
    program = Program(deck)
    holds = invariants(program)
    number = next(number for number in holds if program.places[number].kind == "fight")
    table = CampaignTable(deck)
    begin = table.answer(table.start(), "begin")
    if begin.over is not None:
        return [], Counter()
    closer = Closer(program, holds, lambda: False)
    closer.look(number)
    looked = closer.told
    edges = [edge for edge in program.places[number].edges if edge.label == ("fight",)]
    before = standing(program, table.start().hero)
    found, complete = ends(table, begin, most)
    found |= set() if complete else games(table, begin, Random(most), most // 20)
    left = {standing(program, state.hero) for state in found}
    wrong = [
        f"an end is denied: {after}" for after in left if not any(allows(program, e, before, after) for e in edges)
    ]
    counts = Counter({"encounters looked at closely": looked, "encounters taken in the large": not looked})
    if looked and complete:
        met = sum(any(allows(program, edge, before, after) for after in left) for edge in edges)
        counts |= Counter({"outcomes met": met, "outcomes not met": len(edges) - met})
    return wrong, counts
