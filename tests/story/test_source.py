"""Reading files as nodes with places: encodings, limits, both parsers, and what no deck may hold."""

import gc
import os
from pathlib import Path

import pytest

from story import source as source_module
from story.checks import examine
from story.source import BrokenNode, ListNode, MapNode, ScalarNode, read_source, source_of_text

DECKS = sorted((Path(__file__).parent.parent / "decks").glob("*/*/*.yaml"))
CASES = sorted((Path(__file__).parent.parent / "cases" / "playfield").glob("*.yaml"))


def tree(node):
    """A node as plain values, places included."""
    place = (node.line, node.column, node.end_line, node.end_column) if node else None
    match node:
        case ScalarNode():
            return place, node.text, node.plain
        case ListNode():
            return place, [tree(item) for item in node.items]
        case MapNode():
            return place, [(tree(key), tree(value)) for key, value in node.pairs]
        case BrokenNode():
            return place, "broken"
    return None


def values(text):
    """The values of a mapping's keys as written."""
    return {key.text: value.text for key, value in source_of_text(text).root.pairs}


def first(data, tmp_path):
    """The first problem of a file with this content."""
    path = tmp_path / "deck.yaml"
    path.write_bytes(data)
    return read_source(path).problems[0]


@pytest.mark.parametrize("path", [*DECKS, *CASES], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_both_parsers_give_the_same_nodes_and_problems(path):
    quick, pure = read_source(path), read_source(path, pure=True)
    assert tree(quick.root) == tree(pure.root)
    assert quick.problems == pure.problems


def test_scalars_are_what_is_written():
    text = "a: 010\nb: 08\nc: 1_000\nd: 12:30\ne: no\nf: 2026-11-30\ng: '7'\nh: ~\ni: 0x1F\nj: 1e3\nk: .inf\nl: True\n"
    assert list(values(text).values()) == [
        "010", "08", "1_000", "12:30", "no", "2026-11-30", "7", "~", "0x1F", "1e3", ".inf", "True",
    ]  # fmt: skip


def test_places_count_characters_from_one():
    root = source_of_text("é: {ü: [1, 'zwei']}\nblock: |\n  x\n").root
    (_, value), (key, block) = root.pairs
    inner, items = value.pairs[0]
    assert (inner.line, inner.column) == (1, 5)
    assert (items.items[1].column, items.items[1].end_column, items.items[1].plain) == (12, 18, False)
    assert (key.line, key.column, block.text) == (2, 1, "x\n")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_endings_and_byte_order_mark_change_nothing(ending, mark, tmp_path):
    text = "format: cardwalk/1\ntext: |\n  one\n  two\nlast: 1\n"
    path = tmp_path / "deck.yaml"
    path.write_bytes((mark + text.replace("\n", ending)).encode())
    assert tree(read_source(path).root) == tree(source_of_text(text).root)


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-16-le", "UTF-16 (little-endian)"),
        ("utf-16-be", "UTF-16 (big-endian)"),
        ("utf-32-le", "UTF-32 (little-endian)"),
        ("utf-32-be", "UTF-32 (big-endian)"),
    ],
)
@pytest.mark.parametrize("mark", ["\ufeff", ""])
def test_other_encodings_are_refused_by_name(encoding, name, mark, tmp_path):
    problem = first((mark + "format: cardwalk/1\nkind: story\n").encode(encoding), tmp_path)
    assert problem.id == "encoding"
    assert name.split(" ")[0] in problem.message
    assert "at byte " in problem.message
    if mark:
        assert name in problem.message


def test_a_wrong_byte_is_named_with_its_offset_and_place(tmp_path):
    problem = first(b"\xef\xbb\xbfformat: x\r\ntitle: caf\xe9\r\n", tmp_path)
    assert (problem.line, problem.column) == (2, 11)
    assert "0xE9 at byte 24" in problem.message


@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize(
    "text", ["a: " + "[" * 3000, "[" * 3000 + "]" * 3000, "\n".join(" " * n + "a:" for n in range(3000)), "- " * 3000]
)
def test_deep_nesting_is_refused_before_anything_overflows(text, pure):
    source = source_of_text(text, pure=pure)
    assert [problem.id for problem in source.problems] == ["nesting"]
    assert source.root is None


@pytest.mark.parametrize("pure", [False, True])
def test_64_levels_are_read(pure):
    assert source_of_text("[" * 64 + "]" * 64, pure=pure).problems == []
    assert [problem.id for problem in source_of_text("[" * 65 + "]" * 65, pure=pure).problems] == ["nesting"]


def test_an_alias_bomb_costs_nothing():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    source = source_of_text("\n".join(lines))
    assert {problem.id for problem in source.problems} == {"anchor", "alias"}
    assert len(source.problems) == 30 + 290


def test_a_file_larger_than_16_mib_is_refused_unread(tmp_path, monkeypatch):
    monkeypatch.setattr(source_module, "LARGEST", 100)
    assert first(b"#" * 100 + b"\n", tmp_path).id == "file-too-large"
    assert source_module.read_source(tmp_path / "deck.yaml").lines == []


def test_a_missing_file_a_folder_and_an_empty_file(tmp_path):
    assert read_source(tmp_path / "none.yaml").problems[0].id == "file-missing"
    assert read_source(tmp_path).problems[0].id == "file-unreadable"
    assert first(b"", tmp_path).id == "empty-file"
    assert first(b"\n# only a comment\n---\n", tmp_path).id == "empty-file"


def test_every_control_character_is_located_and_reading_goes_on():
    source = source_of_text("a: x\x07y\nb: \x9bz\x85\nc: ok\u2028\u202e\n")
    assert [(problem.id, problem.line, problem.column) for problem in source.problems] == [
        ("control-character", 1, 5),
        ("control-character", 2, 4),
        ("control-character", 2, 6),
        ("control-character", 3, 6),
        ("control-character", 3, 7),
    ]
    assert [value.text for _, value in source.root.pairs] == ["x y", "z", "ok"]


def test_tabs_are_a_problem_in_texts_and_indentation_and_nowhere_else():
    source = source_of_text("a:\t1\t# a\tcomment\nb: |\n  x\ty\nc: 'p\tq'\n\t\n")
    assert [(problem.id, problem.line, problem.column) for problem in source.problems] == [("tab", 3, 4), ("tab", 4, 6)]
    assert [problem.id for problem in source_of_text("a:\n\tb: 1\n").problems] == ["tab"]


def test_garbage_collection_is_as_it_was():
    source_of_text("a: [1")
    assert gc.isenabled()
    gc.disable()
    try:
        source_of_text("a: 1")
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: b: c\n", "a colon that YAML cannot place"),
        ("a: 'b\n", "a quote that is never closed"),
        ("a: @b\n", "a character that cannot begin a value"),
        ('a: "\\q"\n', "an unknown escape"),
        ("a: 1\nb\nc: 2\n", "a key without a colon"),
        ("a: - b\n", "a dash that YAML cannot place"),
        ("a: [b, c\nd: 1\n", "brackets or braces that are not closed"),
        ("a: [b,\n", "brackets or braces with nothing"),
        ("a: x # y\n  z\n", "a line that does not fit"),
        ("a:\n  - b\n c: d\n", "a line that does not fit"),
    ],
)
@pytest.mark.parametrize("pure", [False, True])
def test_syntax_errors_in_our_own_words(text, words, pure):
    (problem,) = source_of_text(text, pure=pure).problems
    assert problem.id == "yaml-syntax"
    assert words in problem.message
    assert problem.hint
    assert 1 <= problem.line <= text.count("\n")


def test_a_device_is_refused_and_never_read():
    report = examine(os.devnull)
    assert [(problem.id, problem.line) for problem in report.problems] == [("file-unreadable", 0)]
