"""The format of saves and of orders as JSON Schema, made of the very types that read them.

`python -m saves.published_schema` writes the files in `saves/schema/`; a test compares them with the code. With a
folder named behind it they are written there, and those of rule sets from elsewhere too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine.entries import Header, OtherEntry
from engine.registered import OURS, RULE_SETS, rule_set
from engine.ruleset import RuleSet
from saves.records import order_line

FOLDER = Path(__file__).parent / "schema"

_DRAFT = "https://json-schema.org/draft/2020-12/schema"

_HASH = {"type": "string", "pattern": "^[0-9a-f]{32}$", "description": "The seal of the line."}


def schemas(names: Iterable[str] = OURS) -> dict[str, dict[str, Any]]:
    """Schemas by the names of their files: the header, and for each rule set named its entries and its orders."""
    made = {"header.json": _schema("The first line of a save", Header, sealed=True)}
    for name in names:
        rules = rule_set(name)
        made[f"{name}.entry.json"] = _entries(rules)
        made[f"{name}.order.json"] = _schema(f"An order of {rules.title}", rules.order_types)
    return made


def _entries(rules: RuleSet) -> dict[str, Any]:
    return _schema(f"A line of a save of {rules.title} behind the first", order_line(rules) | OtherEntry, sealed=True)


def _schema(title: str, kind: Any, *, sealed: bool = False) -> dict[str, Any]:
    schema = _with_numbers(msgspec.json.schema(kind))
    if sealed:
        schema = {**schema, "properties": {"h": _HASH}, "required": ["h"]}
    return {"$schema": _DRAFT, "title": title, **schema}


def _with_numbers(schema: Any) -> Any:
    """Inches and metres stand in saves as JSON numbers, for which msgspec says text."""
    if isinstance(schema, dict):
        if schema.get("format") == "decimal":
            return {**{key: value for key, value in schema.items() if key not in ("type", "format")}, "type": "number"}
        return {key: _with_numbers(value) for key, value in schema.items()}
    return [_with_numbers(each) for each in schema] if isinstance(schema, list) else schema


def text_of(schema: dict[str, Any]) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema, indent=1, sort_keys=True) + "\n"


def main(argv: Sequence[str]) -> None:
    folder, names = (Path(argv[0]), RULE_SETS) if argv else (FOLDER, OURS)
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas(names).items():
        (folder / name).write_text(text_of(schema), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
