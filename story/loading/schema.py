"""The deck format as a JSON Schema (draft-07), so that an editor completes, explains and checks while one types."""

from __future__ import annotations

from typing import Any

from story.loading.shapes.decks import DECKS, FORMAT, KINDS, TABLES
from story.loading.shapes.values import NAMES, Card, Each, Either, Id, In, Key, Many, Table, Text, Value, Whole, Word

Schema = dict[str, Any]

_ID = f"^{NAMES['id']}$"
_CARD = f"^({NAMES['id']}:)?{NAMES['id']}$"


def schema() -> Schema:
    """The schema of every deck file: one definition a table of the loader, the file's ``kind`` choosing among them."""
    kinds = [
        {"if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]}, "then": _ref(f"{kind}-deck")}
        for kind in DECKS
    ]
    tables = {f"{kind}-deck": table for kind, table in DECKS.items()} | TABLES
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"A deck of the format {FORMAT}",
        "type": "object",
        "required": ["format", "kind"],
        "properties": {
            "format": {"const": FORMAT, "description": "The version of the deck format."},
            "kind": {"enum": list(KINDS), "description": "What sort of deck this file is."},
        },
        "allOf": kinds,
        "definitions": {name: _table(tables[name]) for name in sorted(tables)},
    }


def _table(table: Table) -> Schema:
    made: Schema = {
        "title": table.what,
        "type": "object",
        "properties": {name: _key(key) for name, key in table.keys.items()},
        "additionalProperties": False,
    }
    if table.others is not None:
        made["additionalProperties"] = _value(table.others.value)
        made["propertyNames"] = {"anyOf": [{"enum": list(table.keys)}, {"pattern": f"^{NAMES[table.others.names]}$"}]}
    if required := [*table.required, *table.needed]:
        made["required"] = required
    made |= _json(table.rules)
    return made


def _key(key: Key) -> Schema:
    value = _value(key.value)
    # Beside a $ref nothing else is read in draft-07.
    return {"description": key.about} | ({"allOf": [value]} if "$ref" in value else value)


def _value(value: Value) -> Schema:
    match value:
        case Whole(low, high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case Text():
            return {"type": ["string", "number", "boolean"], "pattern": "\\S"}
        case Id():
            return {"type": "string", "pattern": _ID}
        case Card():
            return {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": _CARD}]}
        case Word(words):
            return {"enum": list(words)}
        case Many(single, least):
            one = _value(single)
            return {"anyOf": [one, {"type": "array", "items": one} | ({"minItems": least} if least else {})]}
        case Either(values):
            return {"anyOf": [_value(each) for each in values]}
        case In(table):
            return _ref(table)
        case Each(names, each, least):
            made = {"type": "object", "patternProperties": {f"^{NAMES[names]}$": _value(each)}}
            return made | {"additionalProperties": False} | ({"minProperties": least} if least else {})


def _ref(name: str) -> Schema:
    return {"$ref": f"#/definitions/{name}"}


def _json(value: Any) -> Any:
    """Plain data of its own: a schema that is changed by its reader changes no table."""
    if isinstance(value, dict):
        return {key: _json(each) for key, each in value.items()}
    return [_json(each) for each in value] if isinstance(value, list | tuple) else value
