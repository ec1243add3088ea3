"""Cards that may be pulled again while they are still being read (NAV-3)."""

from __future__ import annotations

from story.cards import Campaign, Discard, Span
from story.checks.cyclic_pulls import circles
from story.checks.walk import in_words
from story.loading.draft import Draft

IDS = (ID := "recursive-pull",)
SEVERITY = {ID: "warning"}
TITLE = "No card is pulled while it is still being read"
WHY = (
    "On a table the card lies there already; in the program it is read within itself, and each time it has to be "
    "finished once more. If what leads to the pull does not change, it never is."
)


def check(draft: Draft) -> None:
    """Circles of pulls behind choices, rolls and conditions; those without are told elsewhere.

    A draw gives no card twice, a reveal leaves the cards below behind, and a discarded card is not pulled again.
    """
    if not isinstance(draft.loaded, Campaign):
        return
    import networkx

    pulls: networkx.DiGraph = networkx.DiGraph()
    spans: dict[tuple[str, str], Span | None] = {}
    for source, target, data in draft.graph.edges(data=True):
        if data["verb"] == "pull":
            pulls.add_edge(source, target)
            spans.setdefault((source, target), data["link"].span)
    told = {key for circle in circles(draft) for key in circle}
    place = {key: number for number, key in enumerate(draft.cards)}
    for group in networkx.strongly_connected_components(pulls):
        keys = sorted(group & place.keys(), key=place.__getitem__)
        if not keys or group & told or any(isinstance(step, Discard) for key in keys for step in draft.steps[key]):
            continue
        inside = [target for target in pulls[keys[0]] if target in group]
        if inside and (span := spans[keys[0], inside[0]]):
            message = (
                f"{in_words(keys)} may be pulled again while {'it is' if len(keys) == 1 else 'they are'} being read"
            )
            draft.problem(span, ID, message, "reveal: it instead, or let another card be pulled", "warning")
