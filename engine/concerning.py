"""Which units an order, an event or an entry is about, by the fields that the rule set says hold ids of units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from engine.entries import OrderEntry
from engine.ruleset import RuleSet


def concerns(rules: RuleSet, entry: OrderEntry, unit: str) -> bool:
    """Whether an entry's order, events or rolls are about the unit of that id, by the fields that hold ids of units."""
    if any(unit in units_in(rules, told) for told in (entry.order, *entry.events)):
        return True
    grouped = rules.named.get("Rolled.group") == "unit"
    return any(unit == row.subject or (grouped and unit == row.group) for row in entry.rolls)


def units_in(rules: RuleSet, told: Any) -> Iterator[str]:
    """The ids of units in an order or an event, whatever it is made of."""
    if isinstance(told, Struct):
        for name in told.__struct_fields__:
            value = getattr(told, name)
            if rules.named.get(f"{type(told).__name__}.{name}") == "unit":
                yield from _texts(value)
            else:
                yield from units_in(rules, value)
    elif isinstance(told, dict):
        for value in told.values():
            yield from units_in(rules, value)
    elif isinstance(told, (list, tuple)):
        for value in told:
            yield from units_in(rules, value)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        yield from (each for each in value if isinstance(each, str))
