"""Passages to cards: links to options, code dropped and told, and a deck that passes ``check`` whatever it was."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from runner.twee_import import import_twee
from runner.twee_markup import Link, dialect, read_prose
from story.campaign import CampaignTable
from story.checks import examine
from story.problems import DeckError
from story.prompts import Decide, Over
from story.twee import parse_twee

FRAGMENTS = (
    ":: Start\n", "\n:: B [x]\n", "\n:: A [[B]]\n", "\n:: \\[c\\]\n", "[[B]]", "[[go->Start]]", "[[B<-go][$x to 1]]",
    "[[", "]]", "->", "<-", "|", "[", "]", "(if: $x)[", "(a:", ")", "<<if>>", "<<", ">>", "<b>", "</b>", "<", ">",
    "<!--", "-->", "<script>", "</script>", "[img[a.png]]", "$x", "{", "}", "\\", "\n", "- ", "---", "\t", "   ", "''",
    "//", "*", "#", ": ", "%", "'", '"', "|2", "\x00", "\x01", "\x02", "\x85", "\u2028", "\ufeff", "word", "é", "🗝",
)  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=3)), max_size=14).map("".join)
FORMATS = st.sampled_from(("", "harlowe", "sugarcube", "chapbook", "snowman"))


def examined(files):
    """The report on a deck of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8", newline="\n")
        return examine(folder, use_cache=False)


def imported(text):
    """A story made into a deck, and its chapter's cards as they are read again."""
    made = import_twee(parse_twee(text, "x.twee"), "x")
    report = examined(made.files)
    assert report.count("error") == 0, report.text(False)
    return made, report.loaded.chapters[0].cards


def notes(made, id):
    """Line, column and message of the remarks of a kind."""
    return [(note.line, note.column, note.message) for note in made.notes if note.id == id]


# ---------------------------------------------------------------- any story


@settings(max_examples=60)
@given(TEXTS, FORMATS)
@example("\n  \n   indented\n:: B\n - [[Start]]", "")
@example("# not a comment\n---\n...\n- [ ] x: {y}", "")
def test_any_story_becomes_a_deck_that_is_sound_and_begins(text, story_format):
    head = f':: StoryData\n{{"format":"{story_format}"}}\n:: Start\n'
    try:
        made = import_twee(parse_twee(head + text, "x.twee"), "x")
    except DeckError:
        return
    report = examined(made.files)
    assert report.count("error") == 0, report.text(False)
    table = CampaignTable(report.loaded)
    assert isinstance(table.prompt(table.start()), Decide | Over)
    assert len(report.loaded.chapters[0].cards) == made.cards


@given(TEXTS, FORMATS)
def test_a_card_holds_every_word_of_plain_prose(text, story_format):
    plain = "".join(mark for mark in text if (mark.isalpha() and mark.isascii()) or mark == " ")
    prose = read_prose(plain, story_format)
    assert prose.text.split() == plain.split()
    assert (prose.links, prose.dropped) == ((), ())


# ---------------------------------------------------------------- links


@pytest.mark.parametrize(
    ("inside", "text", "target"),
    [
        ("Kitchen", "Kitchen", "Kitchen"),
        ("go in->Kitchen", "go in", "Kitchen"),
        ("Kitchen<-go in", "go in", "Kitchen"),
        ("go in|Kitchen", "go in", "Kitchen"),
        ("a->b->c", "a->b", "c"),
        ("a<-b<-c", "b<-c", "a"),
        ("a|b|c", "a|b", "c"),
        ("->Kitchen", "Kitchen", "Kitchen"),
        ("the [red] room", "the [red] room", "the [red] room"),
        (r"in->the \[red\] room", "in", r"the \[red\] room"),
        ("in->C:\\", "in", "C:\\"),
    ],
)
def test_links_are_divided_as_twine_does(inside, text, target):
    prose = read_prose(f"You may [[{inside}]] now.")
    assert prose.links == (Link(text, target, 8),)
    assert prose.text == f"You may {text} now."


def test_a_link_in_a_macro_is_a_link_all_the_same():
    prose = read_prose("So <<link [[go in->Kitchen]]>><<set $a to 1>><</link>> then.", "sugarcube")
    assert prose.links == (Link("go in", "Kitchen", 10),)
    assert prose.text == "So go in then."
    assert len(prose.dropped) == 3


def test_lines_that_hold_links_alone_are_the_options_and_not_the_text():
    prose = read_prose("Choose:\n\n- [[a]]\n* [[b]], [[c]]\n1. [[d]]\n[[e]] | [[f]]\nor [[g]]")
    assert prose.text == "Choose:\n\nor g"
    assert [link.target for link in prose.links] == list("abcdefg")


def test_the_start_is_card_1_and_the_rest_follow_the_file():
    made, cards = imported(":: B\n[[A]]\n:: A\n[[Start]]\n:: Start\n[[B]] [[A]]")
    assert [(n, card.title) for n, card in cards.items()] == [(1, "Start"), (2, "B"), (3, "A")]
    assert [choice.steps[0].card for choice in cards[1].steps[0].choices] == [2, 3]
    assert (made.cards, made.options, made.endings) == (3, 4, 0)


def test_story_data_names_the_start():
    _, cards = imported(':: StoryData\n{"start":"B"}\n:: Start\n[[B]]\n:: B\nthe end')
    assert [card.title for card in cards.values()] == ["B", "Start"]


def test_without_a_start_the_first_passage_is_it_and_that_is_told():
    made, cards = imported(":: B\n[[A]]\n:: A\nend")
    assert cards[1].title == "B"
    assert notes(made, "no-start") == [(1, 1, 'nothing says where the story starts; it starts here, with "B"')]


def test_names_are_found_as_they_are_written_and_without_escapes_and_blanks():
    made, cards = imported(
        ":: Start\n[[a->\\[x\\]]]x[[b->[x]]]x[[c->  plain ]]x[[d->C:\\d]]\n:: \\[x\\]\nx\n:: plain\nx\n:: C:\\\\d\nx"
    )
    assert [choice.steps[0].card for choice in cards[1].steps[0].choices] == [2, 2, 3, 4]
    assert notes(made, "broken-link") == []


def test_links_that_lead_nowhere_are_told_and_dropped():
    made, cards = imported(
        ":: Start\n[[Kitchne]]\n [[out->https://example.org]]\n[[js]][[ ]]\n[[Kitchen]] [[Kitchen]]\n"
        ":: Kitchen\nend\n:: js [script]\nx()"
    )
    assert notes(made, "broken-link") == [
        (2, 1, 'the link "Kitchne" is dropped: there is no passage "Kitchne"; did you mean "Kitchen"?'),
        (3, 2, 'the link "out" is dropped: it leads out of the story'),
        (4, 1, 'the link "js" is dropped: "js" is no passage to be played'),
    ]
    assert notes(made, "empty-link") == [(4, 7, "a link without a target is dropped")]
    assert notes(made, "repeated-link") == [(5, 13, 'a second link "Kitchen" to the same passage is dropped')]
    assert [choice.say for choice in cards[1].steps[0].choices] == ["Kitchen"]


def test_a_passage_that_leads_nowhere_ends_the_game():
    made, cards = imported(":: Start\n[[1]] [[2]] [[3]]\n:: 1\nx\n:: 2\n[[nowhere]]\n:: 3\n[[Start]]\n")
    endings = [(step.id, step.title, step.kind) for n in (2, 3) for step in cards[n].steps]
    assert endings == [("ending", "1", "neutral"), ("ending-2", "2", "neutral")]
    assert [line for line, _, _ in notes(made, "ending")] == [3, 5]
    assert [line for line, _, _ in notes(made, "no-text")] == [1, 5, 7]
    assert (cards[1].text, cards[4].text) == ("Start", "3")


# ---------------------------------------------------------------- what is dropped


@pytest.mark.parametrize(
    ("story_format", "text", "left", "dropped"),
    [
        ("", "a <<set $x to 1>> b", "a b", ["macro"]),
        ("", "<<if $a>>a.<<else>>b<</if>>, c<</b>>", "a. b, c", ["macro"] * 4),
        ("", "un<b>der</b>way", "underway", ["HTML", "HTML"]),
        ("", "a<br>b", "a\nb", []),
        ("", "a <!-- no\nno --> b", "a b", ["comment"]),
        ("", "<style>b {}</style>a", "a", ["code"]),
        ("", "it costs $5, and $gold.left too", "it costs $5, and too", ["variable"]),
        ("", "(set: $x to (a: 1, 2))a (if: $x)[b [c] d](else:)[e]", "a b [c] d e", ["macro", "macro", "macro"]),
        ("", "1 < 2 and (so on: ever)", "1 < 2 and (so on: ever)", []),
        ("", "''b'' and //i//, http://x.org//y", "**b** and *i*, http://x.org//y", []),
        ("sugarcube", "a /* b */ c /% d %/ e", "a c e", ["comment", "comment"]),
        ("sugarcube", "<<script>>a > b<</script>>c (note: d)", "c (note: d)", ["script"]),
        ("sugarcube", "a /* b <b> c */ d /* e", "a d e", ["comment", "comment"]),
        ("sugarcube", "[img[a.png][B]] c", "c", ["image"]),
        ("harlowe", "a {b} $c", "a b", ["brace", "brace", "variable"]),
        ("chapbook", "x: 1\n--\na {x}\n[if x]\nb [c]", "a\nb [c]", ["variables", "insert", "modifier"]),
        ("chapbook", "a ''b'' $c", "a ''b'' $c", []),
        ("snowman", "a <% if (x) { %> b", "a b", ["code"]),
        ("", "a\x00\x07\tb\x85c", "a bc", ["the", "the"]),
    ],
)
def test_code_is_dropped_and_named(story_format, text, left, dropped):
    prose = read_prose(text, story_format)
    assert prose.text == left
    assert [found.message.split()[0] for found in prose.dropped] == dropped
    assert all(text[found.place : found.place + 1].strip() or "\x85" in text for found in prose.dropped)


@pytest.mark.parametrize(
    "mark",
    ["[", "(a:[", "<", "<!--", "<<", "''", "[[a", "\\[", "{", "- ", "<script>", "//a", "/*", "a\n", "-1."],
)
def test_no_text_takes_long(mark):
    text = mark * 20_000
    assert len(read_prose(text, "harlowe").text) <= 2 * len(text)


def test_formats_are_known_by_name():
    assert dialect("SugarCube") == "sugarcube"
    assert dialect("Paloma") == dialect(None) == dialect(7) == ""


def test_what_belongs_to_the_whole_story_is_told():
    made, _ = imported(
        ':: StoryData\n{"ifid":"X","zoom":1}\n:: StoryAuthor\nA. Nonymous\n:: StoryInit\n<<set $a to 1>>\n'
        ':: look [stylesheet]\nb {}\n:: Start [dark] {"position":"0,0"}\nend\n'
    )
    assert [note.message for note in made.notes] == [
        "a deck has no place for ifid, zoom",
        'there is no StoryTitle; the deck is called "x"',
        '"StoryInit" is dropped: it belongs to the story format',
        '"look" is dropped: its tag is stylesheet',
        "a passage's metadata (its place on Twine's map) is dropped",
        'tags of "Start" are dropped: dark',
        '"Start" leads nowhere: it ends the game (kind: neutral)',
    ]
    assert "author: A. Nonymous" in made.files["campaign.yaml"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            ':: StoryData\n{"start":"Begn"}\n:: Begin\n',
            'the story starts with "Begn", and no passage is called so; did you mean "Begin"? [missing-start]',
        ),
        (":: StoryTitle\nx\n:: a [script]\n", "no passage of the story is text to be played [no-passages]"),
    ],
)
def test_a_story_without_a_beginning_is_refused(text, said):
    with pytest.raises(DeckError) as caught:
        import_twee(parse_twee(text, "x.twee"), "x")
    assert [problem.headline() for problem in caught.value.problems] == [f"x.twee:1:1: error: {said}"]


@pytest.mark.parametrize(
    ("title", "id"),
    [("The Rope's End", "the-ropes-end"), ("Überall", "uberall"), ("漢字", "imported-story"), ("100 <b>", "b")],
)
def test_the_decks_id_is_made_from_its_title(title, id):
    made, _ = imported(f":: StoryTitle\n{title}\n:: Start\nx")
    assert f"\nid: {id}\n" in made.files["campaign.yaml"]
