"""The tables of docs/seats.md: whose each order and each roll is. `python -m tests.whose_page` writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.registered import RULE_SETS, rule_set
from engine.whose import ANYBODYS, Whose

PAGE = Path(__file__).parent.parent / "docs" / "seats.md"
BEGINNING = "<!-- the tables are made by python -m tests.whose_page -->\n"


def owners_of(rules: str) -> Any:
    """The module of a rule set that says whose things are."""
    return import_module(f"engine.{rules.replace('-', '_')}.owners")


def _rows(rules: str) -> Iterator[tuple[str, str, str]]:
    """What, whose, and the clause of a roll."""
    owners: Mapping[type[Any], Whose] = owners_of(rules).OWNERS
    rollers: Mapping[str, Whose] = owners_of(rules).ROLLERS
    for kind in rule_set(rules).order_types.__args__:
        yield f"`{kind.__struct_config__.tag}`", owners[kind].words if kind in owners else ANYBODYS, ""
    for purpose, whose in rollers.items():
        yield f"roll: {purpose}", whose.words, whose.clause


def tables() -> str:
    """The tables of all rule sets."""
    lines = []
    for rules in RULE_SETS:
        lines += [f"### {rule_set(rules).title}", "", "| order or roll | whose | clause |", "| --- | --- | --- |"]
        lines += [f"| {what} | {whose} | {clause} |".replace("|  |", "| |") for what, whose, clause in _rows(rules)]
        lines.append("")
    return "\n".join(lines)


def page() -> str:
    """The page as it should be."""
    return PAGE.read_text(encoding="utf-8").partition(BEGINNING)[0] + BEGINNING + "\n" + tables()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
