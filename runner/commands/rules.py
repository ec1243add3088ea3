"""``cardwalk rules``: the rulebook, searchable."""

from __future__ import annotations

import argparse
import sys

from runner.cli import FINE, Failure
from runner.terminal import markdown_text, text_width

EXAMPLES = ("cardwalk rules", "cardwalk rules MOVE-4", "cardwalk rules dodge", "cardwalk rules FOE")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "query",
        nargs="*",
        metavar="ID | WORD",
        help="a rule's id, the front of ids, or words; nothing: every rule's title",
    )


def run(args: argparse.Namespace) -> int:
    """Print the rules that were asked for."""
    from story.rulebook import NoSuchRule, find, rules

    query = " ".join(args.query)
    if not query.strip():
        section = ""
        for rule in rules():
            if rule.section != section:
                print(f"{chr(10) * bool(section)}{rule.section}")
                section = rule.section
            print(f"  {rule.id}  {rule.title}")
        return FINE
    try:
        found = find(query)
    except NoSuchRule as error:
        raise Failure(f"rules: {error}") from None
    width = text_width(sys.stdout)
    print("\n\n".join(f"{rule.id}  {rule.title}\n{markdown_text(rule.text, width)}" for rule in found))
    return FINE
