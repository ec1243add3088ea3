"""Twee 3 by its specification: headers with escapes, texts that look like headers, and what is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from story.problems import DeckError
from story.twee import Passage, parse_twee, read_twee, twee_text

NASTY = st.one_of(
    st.sampled_from((*"[]{}\\:|<>-#\"' \t\x0b\x85\u2028é漢🗝", "::", "\\::", " :: ", "->", "]]", '{"a":1}', "a", "Z")),
    st.characters(exclude_characters="\r\n\ufeff", exclude_categories=("Cs",)),
)
NAMES = st.lists(NASTY, min_size=1, max_size=8).map("".join)
TAGS = NAMES.map(lambda name: "".join(name.split())).filter(bool)
TEXTS = st.lists(st.one_of(NASTY, st.just("\n"), st.just("\n::"), st.just("\n\\\\::")), max_size=12).map("".join)
WORDS = st.text(st.characters(exclude_characters="\ufeff", exclude_categories=("Cs",)), max_size=6)
VALUES = st.recursive(
    st.one_of(st.integers(), st.booleans(), WORDS),
    lambda inner: st.lists(inner, max_size=2),
    max_leaves=4,
)


def without_blank_end(text):
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines)


PASSAGES = st.lists(
    st.builds(
        Passage,
        NAMES.filter(lambda name: name != "StoryData"),
        TEXTS.map(without_blank_end),
        st.lists(TAGS, max_size=3).map(tuple),
        st.dictionaries(WORDS, VALUES, max_size=2),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda passage: passage.name,
)


def one(text):
    """The only passage of a text."""
    (passage,) = parse_twee(text, "x.twee").passages
    return passage


def refused(data):
    """The lines that say why bytes are no story."""
    with pytest.raises(DeckError) as caught:
        read_twee(data, "x.twee")
    return [problem.headline() for problem in caught.value.problems]


# ---------------------------------------------------------------- there and back


@given(PASSAGES)
def test_what_is_written_is_read_again(passages):
    text = twee_text(passages)
    story = parse_twee(text, "x.twee")
    assert story.passages == tuple(passages)
    assert story.notes == ()
    assert read_twee(b"\xef\xbb\xbf" + text.encode(), "x.twee").passages == story.passages


@given(st.one_of(st.text(), TEXTS, st.lists(st.sampled_from((":: ", "[", "]", "{", "}", "\\", "a", "\n", "::\n")))))
def test_any_text_is_a_story_or_named_problems(text):
    text = "".join(text)
    try:
        story = parse_twee(text, "x.twee")
    except DeckError:
        return
    assert all(passage.name for passage in story.passages)
    assert parse_twee(twee_text(story.passages), "x.twee").passages == story.passages


@given(st.binary(max_size=60))
def test_any_bytes_are_a_story_or_named_problems(data):
    try:
        story = read_twee(b":: a\n" + data, "x.twee")
    except DeckError:
        return
    assert story.passages[0].name == "a"


# ---------------------------------------------------------------- headers


@pytest.mark.parametrize(
    ("header", "name", "tags", "metadata"),
    [
        (":: An overgrown path", "An overgrown path", (), {}),
        ("::Close", "Close", (), {}),
        ("::   Blanks around   ", "Blanks around", (), {}),
        (r":: \ One kept blank\ ", " One kept blank ", (), {}),
        (":: Path [forest spooky]", "Path", ("forest", "spooky"), {}),
        (':: Path {"position":"6,4"}', "Path", (), {"position": "6,4"}),
        (':: Path [a  b] {"size":"1,2"}', "Path", ("a", "b"), {"size": "1,2"}),
        (":: Path []", "Path", (), {}),
        (r":: \[a\] \{b\} \\", r"[a] {b} " + "\\", (), {}),
        (r":: \q", "q", (), {}),
        (r":: a [t\]u \\]", "a", ("t]u", "\\"), {}),
        ("::: colon", ": colon", (), {}),
        (":: a:: b", "a:: b", (), {}),
        (":: a ] b }", "a ] b }", (), {}),
        (":: a\\", "a\\", (), {}),
    ],
)
def test_a_header_is_name_tags_and_metadata(header, name, tags, metadata):
    passage = one(header)
    assert (passage.name, passage.tags, passage.metadata) == (name, tags, metadata)


@pytest.mark.parametrize(
    ("header", "note", "column"),
    [
        (":: a [b", "the tags are not closed", 6),
        (":: a {b}", "metadata that is no JSON is dropped", 6),
        (":: a {" + "[" * 100_000, "metadata that is no JSON is dropped", 6),
        (":: a [b] c", '"c" after the passage\'s name is dropped', 10),
        (':: a {"b":1} [c]', '"[c]" after the passage\'s name is dropped', 14),
    ],
)
def test_an_odd_header_is_read_and_noted(header, note, column):
    story = parse_twee(f"{header}\ntext", "x.twee")
    assert [(passage.name, passage.text) for passage in story.passages] == [("a", "text")]
    (found,) = story.notes
    assert note in found.message
    assert (found.line, found.column) == (1, column)


# ---------------------------------------------------------------- texts


def test_a_text_keeps_its_blanks_but_not_blank_lines_at_its_end():
    assert one(":: a\n\n  in\nside \n\n\n \n").text == "\n  in\nside "


def test_line_ends_of_every_system_are_one():
    assert one(":: a\r\nb\rc\nd\r\n").text == "b\nc\nd"


def test_only_line_feeds_end_lines():
    assert one(":: a\u2028b\nc\x85:: d\n\x0c:: e").text == "c\x85:: d\n\x0c:: e"


def test_a_line_that_looks_like_a_header_is_escaped():
    assert twee_text([Passage("a", ":: b\n\\:: c\n :: d")]) == ":: a\n\\:: b\n\\\\:: c\n :: d\n"
    assert one(":: a\n\\:: b\n\\\\:: c\n :: d\n").text == ":: b\n\\:: c\n :: d"


def test_joined_files_may_bring_their_byte_order_marks():
    story = read_twee("\ufeff:: a\nb\n\ufeff:: c\nd".encode(), "x.twee")
    assert [(passage.name, passage.text) for passage in story.passages] == [("a", "b"), ("c", "d")]


# ---------------------------------------------------------------- the story as a whole


def test_title_and_data_are_told():
    data = {"ifid": "X", "start": "a", "zoom": 1}
    story = parse_twee(f":: StoryTitle\nThe  Long\nWay\n:: StoryData\n{json.dumps(data, indent=1)}\n:: a\n", "x.twee")
    assert story.title == "The Long Way"
    assert story.data == data
    bare = parse_twee(":: a", "x.twee")
    assert (bare.title, bare.data, bare.notes) == ("", {}, ())


@pytest.mark.parametrize("data", ["", "{", "[]", "1", '"a"', "[" * 100_000])
def test_story_data_that_is_no_object_is_dropped_and_noted(data):
    story = parse_twee(f":: a\n:: StoryData\n{data}", "x.twee")
    assert story.data == {}
    assert [problem.headline() for problem in story.notes] == [
        "x.twee:2:1: warning: StoryData is no JSON object; it is dropped [bad-metadata]"
    ]


def test_text_before_the_first_passage_is_noted():
    (note,) = parse_twee("\n\nhello\nthere\n:: a", "x.twee").notes
    assert (note.line, note.id) == (3, "stray-text")


# ---------------------------------------------------------------- what is refused


def test_every_nameless_or_repeated_passage_is_told():
    assert refused(b":: a\n::\n:: b\n  \n:: a [t]\n:: \n::   b") == [
        "x.twee:2:3: error: a passage without a name; write one after :: [unnamed-passage]",
        'x.twee:5:3: error: two passages are called "a": here and on line 1; rename one [duplicate-passage]',
        "x.twee:6:3: error: a passage without a name; write one after :: [unnamed-passage]",
        'x.twee:7:3: error: two passages are called "b": here and on line 3; rename one [duplicate-passage]',
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "x.twee:1:1: error: there is no passage: no line begins with :: and a name [no-passages]"),
        (b"hello\n :: a\n", "x.twee:1:1: error: there is no passage: no line begins with :: and a name [no-passages]"),
        (
            b":: a\n\xc3\xa9 caf\xe9\n",
            "x.twee:2:6: error: the file is not UTF-8: found the byte 0xe9; save it as UTF-8",
        ),
        (":: a".encode("utf-16"), "x.twee:1:1: error: the file is not UTF-8: found UTF-16; save it as UTF-8"),
    ],
)
def test_what_is_no_story_is_refused_with_its_place(data, said):
    (line,) = refused(data)
    assert line.startswith(said)


def test_a_file_too_large_is_refused_before_it_is_read():
    (line,) = refused(b":" * (16 * 2**20 + 1))
    assert line == "x.twee: error: larger than 16 MB [too-large]"


@pytest.mark.parametrize(
    "passage",
    [Passage(""), Passage("a\nb"), Passage("a", tags=("b c",)), Passage("a", tags=("",)), Passage("a", "b\n"),
     Passage("a", "b\rc")],
)  # fmt: skip
def test_what_the_notation_cannot_hold_is_not_written(passage):
    with pytest.raises(ValueError, match=r"name|tags|text"):
        twee_text([passage])
