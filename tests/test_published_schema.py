"""The JSON Schemas that are shipped say what the code reads and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.registered import RULE_SETS
from saves.library import examples
from saves.published_schema import FOLDER, schemas, text_of

EXAMPLES = FOLDER.parent / "examples"
CASES = Path(__file__).parent / "cases"


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((FOLDER / name).read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_files_are_what_the_code_makes_of_its_types() -> None:
    """`python -m saves.published_schema` writes them anew."""
    made = {name: text_of(schema) for name, schema in schemas().items()}
    assert {path.name: path.read_text() for path in FOLDER.iterdir()} == made


@pytest.mark.parametrize("name", examples())
def test_every_line_of_a_bundled_battle_is_valid(name: str) -> None:
    header, *entries = map(json.loads, (EXAMPLES / f"{name}.battle.jsonl").read_bytes().splitlines())
    assert validator("header.json").is_valid(header)
    entry, order = validator(f"{header['rules']}.entry.json"), validator(f"{header['rules']}.order.json")
    for line in entries:
        assert list(entry.iter_errors(line)) == []
        if line["k"] == "order":
            assert list(order.iter_errors(line["order"])) == []


@pytest.mark.parametrize("rules", RULE_SETS)
def test_orders_of_the_scenario_cases_are_valid(rules: str) -> None:
    """Those that are carried out, that is; of the refused ones many are not."""
    order = validator(f"{rules}.order.json")
    checked = 0
    for case in json.loads((CASES / f"{rules}.json").read_text())[:40]:
        refused = "refused" in json.dumps(case)
        for given in [] if refused else case["orders"]:
            assert list(order.iter_errors(given)) == [], given
            checked += 1
    assert checked > 20


WRONG: tuple[Any, ...] = (
    {},
    {"type": "shout"},
    {"type": "note"},
    {"type": "note", "text": 7},
    {"type": "note", "text": "x", "loud": True},
    {"type": "note", "text": "x", "dice": ["6"]},
    {"type": "score", "side": "a", "points": 10**9},
)


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("given", WRONG, ids=str)
def test_what_is_refused_is_not_valid(rules: str, given: Any) -> None:
    assert not validator(f"{rules}.order.json").is_valid(given)


def test_a_line_without_its_seal_is_not_valid() -> None:
    entry = {"k": "undo", "n": 2, "by": "", "t": 0, "of": 1, "to": 0}
    valid = validator("gray-dawn.entry.json").is_valid
    assert not valid(entry)
    assert valid({**entry, "h": "0" * 32})
    assert not valid({**entry, "h": "0" * 31})
    assert not valid({**entry, "n": "2", "h": "0" * 32})
