"""Whose a unit is, whose each order, and whose dice each throw: a table each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.ruleset import Action
from engine.scorekeeping import Score
from engine.suppression_fire import orders
from engine.suppression_fire.battle import Battle
from engine.whose import Whose, side_from


def side_of(battle: Battle, unit: str) -> str:
    """The side of a unit, empty for one that is not there."""
    known = battle.units.get(unit)
    return known.side if known else ""


def names(battle: Battle) -> Mapping[str, str]:
    """The name of every unit by its id, those out of play too."""
    return {unit.id: unit.name for unit in battle.units.values()}


def enemy_of(battle: Battle, unit: str) -> str:
    """The side whose fire falls on a unit, empty for one that is not there."""
    own = side_of(battle, unit)
    return next((side for side in battle.sides if side != own), "") if own else ""


def _owner_of(words: str, field: str) -> Whose:
    return Whose(words, lambda battle, order: side_of(battle, getattr(order, field)))


NEW_UNIT = Whose("the side it fights for", lambda battle, order: order.unit.side)
NAMED_SIDE = Whose("the side it names", lambda battle, order: order.side)
TURN = Whose("the side whose turn it is", lambda battle, order: battle.side or "")
UNIT = _owner_of("the unit's owner", "unit")
TARGET = _owner_of("the target's owner", "target")
SHOOTER = Whose("the suppressors' owner", lambda battle, order: side_of(battle, order.by[0].unit))

OWNERS: dict[type[Any], Whose] = {
    orders.Muster: NEW_UNIT,
    orders.Amend: NEW_UNIT,
    orders.Dismiss: UNIT,
    orders.BeginTurn: NAMED_SIDE,
    orders.Phase: TURN,
    orders.EndTurn: TURN,
    orders.Declare: SHOOTER,
    orders.Test: TARGET,
    orders.RerollTest: TARGET,
    orders.Act: UNIT,
    orders.Casualties: UNIT,
    orders.Status: UNIT,
    orders.Wounds: UNIT,
    orders.Restore: UNIT,
    Score: NAMED_SIDE,
    orders.Import: NAMED_SIDE,
}
"""The side whose each order is. The rest is anybody's: line of sight, notes, the mission, the end of the battle."""


def _under_fire_rolls(clause: str) -> Whose:
    return Whose("the owner of the unit under fire", lambda battle, throw: side_of(battle, throw.subject), clause)


def _fire_rolls(clause: str) -> Whose:
    return Whose("the side that fires", lambda battle, throw: enemy_of(battle, throw.subject), clause)


ROLLERS: dict[str, Whose] = {
    "shots": Whose("the side that fires", lambda battle, throw: side_of(battle, throw.subject), "SF-9"),
    "shrapnel": _fire_rolls("SF-29"),
    "leadership": _under_fire_rolls("SF-15"),
    "hit": _under_fire_rolls("SF-21"),
    "wound": _fire_rolls("SF-24"),
    "save": _under_fire_rolls("SF-25"),
    "feel no pain": _under_fire_rolls("SF-25"),
}
"""The side whose dice each throw is, by its purpose.

The unit that braves the fire rolls for each of its models whether it is struck; what the guns then do, the side that
fires rolls.
"""


def owner(battle: Battle, order: Any) -> str:
    """The side whose an order is, with the battle as it was before it; empty for what is anybody's."""
    return side_from(OWNERS, type(order), battle, order)


def roller(battle: Battle, order: Any, throw: Any) -> str:
    """The side whose dice a throw of an order is, with the battle as it was before it; empty for anybody's."""
    return side_from(ROLLERS, throw.purpose, battle, throw)


ANYBODYS_ACTIONS = ("line_of_sight",)


def owner_of_action(battle: Battle, action: Action, unit: str | None) -> str:
    """The side whose order an action would be, begun from that unit; empty for anybody's or where it is open yet."""
    if action.order in ("phase", "end_turn", "declare"):
        return battle.side or ""
    if unit is None or action.about != "unit" or action.order in ANYBODYS_ACTIONS:
        return ""
    return side_of(battle, unit)


def under_fire(battle: Battle, unit: str) -> bool:
    """Whether anything holds the unit down or may yet: a suppression, a failed test, a mark set by hand."""
    known = battle.units.get(unit)
    if known is None:
        return False
    suppressed = (known.embarked_in or known.id) in battle.suppressions
    return suppressed or known.pinned or known.stayed_in or bool(known.marks)
