"""Every rule of the rulebook has a test that names it, ``@pytest.mark.rule("MOVE-2")``, or is listed as pending.

The marks are read from the sources of the test modules, so the verdict is the same whichever tests are run.
"""

import ast
from pathlib import Path

import pytest

from story import rulebook

TESTS = Path(__file__).parent
PENDING = TESTS / "pending_rules.txt"


def marks(source):
    """The ids of all ``pytest.mark.rule(...)`` calls in a source, with their lines; None for one not spelled out."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.rule"):
            for argument in node.args or [node]:
                yield argument.lineno, getattr(argument, "value", None) if isinstance(argument, ast.Constant) else None


def marked():
    """Where each id is named: id -> ``file:line`` of its marks."""
    found = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for line, rule in marks(path.read_text(encoding="utf-8")):
            found.setdefault(rule, []).append(f"{path.relative_to(TESTS.parent).as_posix()}:{line}")
    return found


def pending():
    """The ids whose work has not come yet."""
    lines = (line.partition("#")[0].strip() for line in PENDING.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line]


def ids():
    return [rule.id for rule in rulebook.rules()]


def test_every_rule_has_a_test_or_is_pending():
    assert sorted(set(ids()) - set(marked()) - set(pending())) == []


def test_the_pending_list_only_shrinks():
    tested = {rule: places for rule, places in marked().items() if rule in pending()}
    assert not tested, f"tested by now, take them off {PENDING.name}: {tested}"
    assert sorted(set(pending()) - set(ids())) == [], "pending, but in no rulebook"
    assert len(pending()) == len(set(pending())), "an id stands in the list twice"


def test_every_mark_names_a_rule():
    unknown = {str(rule): places for rule, places in marked().items() if rule not in ids()}
    assert not unknown, f"no such rule, or an id that is not spelled out: {unknown}"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('@pytest.mark.rule("A-1", "A-2")\ndef test(): ...', ["A-1", "A-2"]),
        ('pytestmark = [pytest.mark.rule("A-1")]', ["A-1"]),
        ('pytest.param(1, marks=mark.rule("A-1"))', ["A-1"]),
        ("@pytest.mark.rule(*RULES)\ndef test(): ...", [None]),
        ("@pytest.mark.rule()\ndef test(): ...", [None]),
        ("\"pytest.mark.rule('A-1')\"", []),
    ],
)
def test_marks_are_found_wherever_they_stand(source, found):
    assert [rule for _, rule in marks(source)] == found
