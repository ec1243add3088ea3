"""Pictures of a deck: what they show and hide (NAV-6), where things stand, and that no text breaks a format."""

import json
import re
import xml.etree.ElementTree as Tree
from html.parser import HTMLParser
from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from runner.pictures.dot import dot, quoted
from runner.pictures.layout import cells, lay_out, shortened
from runner.pictures.mermaid import MOST_EDGES, MOST_LETTERS, mermaid, warnings
from runner.pictures.page import page
from runner.pictures.sheet import Edge, Node, Sheet, Way, sheet_of
from runner.pictures.svg import svg
from solver.reach import verdicts
from story.cards import Choice, Choose, DrawCard, Ending, NextChapter, Pull, Reveal
from story.load import load_campaign
from tests.build import campaign, card, goods

EVIL = '</script><script>alert(1)</script><img src=x onerror="alert(2)"> ]]> & "end" `x` \\ {{y}} -->'


def ending(id="home", kind="victory"):
    return Ending(id, f"Ending {id}", kind)


def option(*steps, say="Go", **parts):
    return Choice(say, steps, **parts)


@pytest.fixture(scope="module")
def small():
    """Two chapters, a deck of two cards that is drawn from, a pull, an option that can never be taken."""
    heads = {f"heads:{id}": (f"Head {id}", "Grins.", ()) for id in ("otto", "ida")}
    barred = option(Reveal(3), say="Say nothing", cost=goods(items=["lamp"]))
    return campaign(
        {
            1: card(Choose((option(Reveal(2), say="Climb down"), barred)), title="Attic", text="Dust *everywhere*."),
            2: card(Pull((4,)), DrawCard("heads"), NextChapter(), title="Cellar"),
            3: card(ending("dark", "defeat"), title="Nowhere"),
            4: card(title="Shelf"),
        },
        {1: card(ending(), title="Street")},
        specials=heads,
        decks={"heads": ("otto", "ida")},
    ).campaign


@pytest.fixture(scope="module")
def sheets(small):
    found = verdicts(small)
    return {spoilers: sheet_of(small, found, spoilers=spoilers) for spoilers in (False, True)}


def written(sheet):
    """The sheet in every format."""
    drawing = lay_out(sheet)
    return {"svg": svg(sheet, drawing), "html": page(sheet, drawing), "dot": dot(sheet), "mermaid": mermaid(sheet)}


SECRETS = (
    *("Attic", "Cellar", "Nowhere", "Shelf", "Street", "Dust", "Climb", "Say nothing", "Lamp", "Ending", "dark"),
    *("home", "victory", "defeat", "otto", "ida", "heads", "Head", "Chapter 1"),
)


@pytest.mark.rule("NAV-6")
def test_without_spoilers_no_picture_tells_a_title_text_option_or_ending(sheets):
    for name, text in written(sheets[False]).items():
        shown = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", text, flags=re.DOTALL)
        assert [word for word in SECRETS if word in shown] == [], name
        assert "--spoilers" in text or name in ("dot", "mermaid")
    assert [node.name for node in sheets[False].nodes] == [
        *("1:1", "1:2", "1:3", "1:4", "2:1", "deck A", "A:1", "A:2", "end 1", "end 2")
    ]


def test_with_spoilers_they_are_told(sheets):
    text = written(sheets[True])["html"]
    for word in ("Attic", "Dust everywhere.", "Climb down", "Say nothing", "Ending home", "victory", "heads:otto"):
        assert word in text
    first = next(node for node in sheets[True].nodes if node.name == "1:1")
    assert [(o.number, o.words, o.cost, o.verdict) for o in first.options] == [
        (1, "Climb down", "", "reached"),
        (2, "Say nothing", "Lamp", "unreachable"),
    ]


def test_nodes_have_verdicts_and_ways_that_are_never_open_are_closed(sheets):
    sheet = sheets[True]
    told = {node.name: node.verdict for node in sheet.nodes}
    assert (told["1:1"], told["1:3"], told["ending dark"], told["deck heads"]) == (
        *("reached", "unreachable", "unreachable"),
        "",
    )
    names = [node.name for node in sheet.nodes]
    ways = {(names[edge.source], names[edge.target]): edge for edge in sheet.edges}
    assert ways["1:1", "1:3"].closed
    assert ways["1:1", "1:3"].ways == (Way("option 2 (Say nothing)", "", "Lamp", True),)
    assert not ways["1:1", "1:2"].closed
    assert ways["1:2", "2:1"].verb == "next chapter"
    assert sheet.caption == "7 cards, 2 endings, 9 links, 7 reached, 2 unreachable"


def test_a_draw_from_a_deck_of_several_cards_is_one_link_to_the_deck(sheets):
    sheet = sheets[True]
    names = [node.name for node in sheet.nodes]
    drawn = [(names[edge.source], names[edge.target]) for edge in sheet.edges if edge.verb == "draw"]
    assert drawn == [("1:2", "deck heads"), ("deck heads", "heads:otto"), ("deck heads", "heads:ida")]


def test_unnumbered_cards_and_endings_stand_in_the_chapter_that_alone_turns_to_them(sheets):
    groups = {node.name: node.group for node in sheets[True].nodes}
    assert groups["heads:otto"] == groups["deck heads"] == groups["ending dark"] == groups["1:1"]
    assert groups["ending home"] == groups["2:1"]


def test_a_card_that_two_chapters_turn_to_stands_with_its_deck():
    steps = (Pull(("heads:otto",)), ending())
    both = campaign(
        {1: card(Choose((option(*steps), option(NextChapter()))))},
        {1: card(*steps)},
        specials={"heads:otto": ("Otto", "Grins.", ())},
    ).campaign
    sheet = sheet_of(both, None, spoilers=True)
    groups = {node.name: node.group for node in sheet.nodes}
    assert sheet.groups[groups["heads:otto"]] == "deck heads"
    assert groups["ending home"] is None
    assert not sheet.judged
    assert "reached" not in sheet.caption


# ---------------------------------------------------------------- texts that could break something


class Page(HTMLParser):
    """What a browser would see: its elements, the texts outside scripts, and the scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self.attributes = [], [], []
        self._script = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self._script = tag == "script"

    def handle_endtag(self, tag):
        self._script = False

    def handle_data(self, data):
        if self._script:
            self.scripts.append(data)


@pytest.fixture(scope="module")
def evil():
    nodes = (Node(EVIL, EVIL, "card", 0, True, "reached", EVIL, EVIL), Node("end", "end", "ending", 0))
    edges = (Edge(0, 1, "reveal", "fail", (Way(EVIL, EVIL, EVIL),)),)
    return Sheet(EVIL, (EVIL,), nodes, edges, True, True)


def test_no_text_of_a_deck_is_run(evil):
    seen = Page(written(evil)["html"])
    assert seen.tags.count("script") == 2
    assert "img" not in seen.tags
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    data = json.loads(seen.scripts[0])
    assert data["nodes"][0]["text"] == data["edges"][0]["ways"][0]["words"] == EVIL


def test_the_page_refers_to_nothing_outside_itself(sheets):
    for sheet in sheets.values():
        text = written(sheet)["html"]
        assert "//" not in re.sub(r"^ *// .*$", "", text, flags=re.MULTILINE)
        names = {name for name, _ in Page(text).attributes}
        assert not names & {"src", "srcset", "action", "poster", "xlink:href"}
        assert {value for name, value in Page(text).attributes if name == "href"} == {"#legend"}
        assert "default-src 'none'" in text
        for word in ("import", "fetch(", "XMLHttp", "@import", "url(h", "localStorage", "sendBeacon"):
            assert word not in text


def test_svg_is_sound_xml_whatever_the_texts_are(evil, sheets):
    for sheet in (evil, *sheets.values()):
        root = Tree.fromstring(written(sheet)["svg"])
        drawn = [group for group in root.iter("{http://www.w3.org/2000/svg}g") if group.get("class", "")[:4] == "node"]
        assert len(drawn) == len(sheet.nodes)


def test_dot_strings_hold_quotes_backslashes_and_line_ends(evil):
    assert quoted('a "b" \\ c\nd') == '"a \\"b\\" \\\\ c\\nd"'
    text = written(evil)["dot"]
    without = re.sub(r'"(\\.|[^"\\])*"', "S", text)
    assert '"' not in without
    assert "S -> S [" in without
    assert text.count("{") - EVIL.count("{") * text.count("{{y}}") == text.count("}") - 2 * text.count("{{y}}")


def test_mermaid_labels_hold_nothing_that_mermaid_reads(evil):
    lines = written(evil)["mermaid"].splitlines()
    labels = re.findall(r'"([^"]*)"', "\n".join(lines[2:]))
    assert labels
    assert all(re.fullmatch(r"(#\d+;|[\w .,:!?·…✓✕])*", label) for label in labels)
    ids = [re.match(r"\s*(\w+)", line).group(1) for line in lines if line.strip().startswith("n")]
    assert set(ids) == {"n0", "n1"}


@settings(max_examples=25)
@example(title="\uffff<\ufffe>", say=EVIL, text=EVIL)
@given(title=st.text(), say=st.text(), text=st.text())
def test_every_text_makes_sound_pictures(title, say, text):
    cards = {1: card(Choose((option(ending(), say=say),)), title=title, text=text)}
    sheet = sheet_of(campaign(cards).campaign, None, spoilers=True)
    pictures = written(sheet)
    Tree.fromstring(pictures["svg"])
    assert re.sub(r'"(\\.|[^"\\])*"', "", pictures["dot"]).count('"') == 0
    assert all(re.fullmatch(r'[^"]*("[^"<>`]*"[^"]*)*', line) for line in pictures["mermaid"].splitlines()[2:])
    data = json.loads(Page(pictures["html"]).scripts[0])
    assert data["nodes"][0].get("title", "") == sheet.nodes[0].title
    assert data["nodes"][0]["options"][0].get("words", "") == sheet.nodes[0].options[0].words


def test_mermaid_warns_past_its_limits():
    nodes = tuple(Node(f"1:{n}", f"{n}", "card", 0) for n in range(2))
    edges = tuple(Edge(0, 1, "reveal") for _ in range(MOST_EDGES + 1))
    few, many = (Sheet("S", ("chapter 1",), nodes, edges[:n], False, False) for n in (MOST_EDGES, MOST_EDGES + 1))
    assert warnings(few, mermaid(few)) == []
    assert "501 links" in warnings(many, mermaid(many))[0]
    assert "maxTextSize" in warnings(few, "x" * (MOST_LETTERS + 1))[0]


# ---------------------------------------------------------------- layout


def overlap(a, b):
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height


def sound(sheet, drawing):
    """No two nodes lie on each other, all lie in the picture and in their band, and lines join the nodes."""
    boxes = drawing.nodes
    assert not [(i, j) for i in range(len(boxes)) for j in range(i) if overlap(boxes[i], boxes[j])]
    for node, box in zip(sheet.nodes, boxes, strict=True):
        frames = [(0, 0, drawing.width, drawing.height)]
        if node.group is not None:
            band = drawing.bands[node.group]
            frames.append((band.x, band.y, band.width, band.height))
        for x, y, width, height in frames:
            assert x - 1 <= box.x
            assert box.x + box.width <= x + width + 1
            assert y - 1 <= box.y
            assert box.y + box.height <= y + height + 1
    for edge, line in zip(sheet.edges, drawing.lines, strict=True):
        for place, (x, y) in ((edge.source, line[0]), (edge.target, line[-1])):
            box = boxes[place]
            assert box.x - 2 <= x <= box.x + box.width + 2
            assert box.y - 2 <= y <= box.y + box.height + 2


def made(rng, count, links, bands=3):
    """A sheet of cards that lead anywhere."""
    nodes = tuple(
        Node(
            f"{n}", f"{n}", "card", rng.choice((None, *range(bands))), title=rng.choice(("", "A title of some length"))
        )
        for n in range(count)
    )
    edges = tuple(Edge(rng.randrange(count), rng.randrange(count), "reveal") for _ in range(links))
    return Sheet("Made", tuple(f"chapter {n}" for n in range(bands)), nodes, edges, True, False)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_nodes_stand_apart_inside_their_bands(seed):
    rng = Random(seed)
    sheet = made(rng, rng.randint(1, 40), rng.randint(0, 60))
    drawing = lay_out(sheet)
    assert drawing.layered
    sound(sheet, drawing)


def test_chapters_stand_side_by_side_and_each_start_on_top(sheets):
    sheet = sheets[True]
    drawing = lay_out(sheet)
    first, second = drawing.bands[0], drawing.bands[1]
    assert first.x + first.width < second.x
    for node, box in zip(sheet.nodes, drawing.nodes, strict=True):
        if node.start:
            assert box.y == min(
                other.y for peer, other in zip(sheet.nodes, drawing.nodes, strict=True) if peer.group == node.group
            )


def test_ways_back_to_the_start_run_upwards():
    nodes = tuple(Node(f"1:{n}", f"{n}", "card", 0, start=n == 2) for n in range(4))
    edges = tuple(Edge(a, b, "reveal") for a, b in ((0, 1), (1, 2), (2, 3), (3, 0), (3, 2)))
    drawing = lay_out(Sheet("S", ("chapter 1",), nodes, edges, False, False))
    assert [place for _, place in sorted((box.y, place) for place, box in enumerate(drawing.nodes))] == [2, 3, 0, 1]


def test_a_tangle_stands_in_rows():
    sheet = made(Random(1), 400, 2000)
    drawing = lay_out(sheet)
    assert not drawing.layered
    sound(sheet, drawing)
    assert 0.4 < drawing.width / drawing.height < 2.5


def test_a_sheet_without_cards_is_drawn():
    assert written(Sheet("Empty", (), (), (), False, False))["svg"].startswith("<svg")


@pytest.mark.parametrize("name", ["starter", "template"])
def test_lines_of_a_real_deck_run_round_its_cards(name):
    from story.decks import HERE

    sheet = sheet_of(load_campaign(HERE / name), None, spoilers=True)
    drawing = lay_out(sheet)
    sound(sheet, drawing)
    for edge, line in zip(sheet.edges, drawing.lines, strict=True):
        for (ax, ay), (bx, by) in pairwise(line):
            for place, box in enumerate(drawing.nodes):
                if place in (edge.source, edge.target):
                    continue
                clear = max(ax, bx) <= box.x or min(ax, bx) >= box.x + box.width
                assert clear or max(ay, by) <= box.y or min(ay, by) >= box.y + box.height


def test_the_same_deck_gives_the_same_bytes(small):
    assert written(sheet_of(small, None, spoilers=True)) == written(sheet_of(small, None, spoilers=True))


def test_long_and_wide_titles_are_cut_to_their_room():
    assert shortened("short") == "short"
    for text in ("x" * 50, "古い灯台の下の扉と鍵と小さな靴", "a  b\nc" * 20):
        assert cells(shortened(text)) <= 22
        assert shortened(text).endswith("…")
