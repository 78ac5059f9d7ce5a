"""Whose a unit is, and whose each order is: one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.scorekeeping import Score
from engine.suppression_fire import orders
from engine.suppression_fire.battle import Battle


def side_of(battle: Battle, unit: str) -> str:
    """The side of a unit, empty for one that is not there."""
    known = battle.units.get(unit)
    return known.side if known else ""


def names(battle: Battle) -> Mapping[str, str]:
    """The name of every unit by its id, those out of play too."""
    return {unit.id: unit.name for unit in battle.units.values()}


OWNERS: dict[type[Any], Callable[[Battle, Any], str]] = {
    orders.Muster: lambda battle, order: order.unit.side,
    orders.Amend: lambda battle, order: order.unit.side,
    orders.Dismiss: lambda battle, order: side_of(battle, order.unit),
    orders.BeginTurn: lambda battle, order: order.side,
    orders.Phase: lambda battle, order: battle.side or "",
    orders.EndTurn: lambda battle, order: battle.side or "",
    orders.Declare: lambda battle, order: side_of(battle, order.by[0].unit),
    orders.Test: lambda battle, order: side_of(battle, order.target),
    orders.RerollTest: lambda battle, order: side_of(battle, order.target),
    orders.Act: lambda battle, order: side_of(battle, order.unit),
    orders.Casualties: lambda battle, order: side_of(battle, order.unit),
    orders.Status: lambda battle, order: side_of(battle, order.unit),
    orders.Wounds: lambda battle, order: side_of(battle, order.unit),
    orders.Restore: lambda battle, order: side_of(battle, order.unit),
    Score: lambda battle, order: order.side,
    orders.Import: lambda battle, order: order.side,
}
"""The side whose each order is. The rest is anybody's: line of sight, notes, the mission, the end of the battle."""


def owner(battle: Battle, order: Any) -> str:
    """The side whose an order is, with the battle as it was before it; empty for what is anybody's."""
    whose = OWNERS.get(type(order))
    return whose(battle, order) if whose else ""


def under_fire(battle: Battle, unit: str) -> bool:
    """Whether anything holds the unit down or may yet: a suppression, a failed test, a mark set by hand."""
    known = battle.units.get(unit)
    if known is None:
        return False
    suppressed = (known.embarked_in or known.id) in battle.suppressions
    return suppressed or known.pinned or known.stayed_in or bool(known.marks)
