"""``cardwalk schema``: the deck format for editors that complete, explain and check YAML while one types."""

from __future__ import annotations

import argparse
import json

from runner.cli import FINE
from runner.output import OutputFile

EXAMPLES = ("cardwalk schema > cardwalk.schema.json", "cardwalk schema -o my-deck/cardwalk.schema.json")

SCHEMA_FILE = "cardwalk.schema.json"
"""What the schema is called where it lies beside a deck."""

LINE = f"# yaml-language-server: $schema=./{SCHEMA_FILE}"
"""The first line of a deck file, by which an editor finds the schema beside it."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.description = (
        "Print the deck format as a JSON Schema (draft-07). An editor that speaks to yaml-language-server completes\n"
        "and checks every deck file that lies beside it and begins with:\n\n"
        f"  {LINE}"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write it to FILE")


def run(args: argparse.Namespace) -> int:
    """Print or write it."""
    if args.output is None:
        print(schema_text(), end="")
        return FINE
    OutputFile(args.output, "schema").write(schema_text())
    return FINE


def schema_text() -> str:
    """The schema as a JSON document that ends with a line feed."""
    from story.loading.schema import schema

    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


def with_schema(files: dict[str, str]) -> dict[str, str]:
    """The files of a new deck with the line by which editors find the schema, and the schema."""
    return {**{name: f"{LINE}\n{text}" for name, text in files.items()}, SCHEMA_FILE: schema_text()}
