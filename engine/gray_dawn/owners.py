"""Whose a combatant is, and whose each order is: one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.gray_dawn import orders
from engine.gray_dawn.battle import Battle
from engine.gray_dawn.lanes import open_lanes_around
from engine.gray_dawn.panes import LANE
from engine.scorekeeping import Score


def side_of(battle: Battle, combatant: str) -> str:
    """The side of a combatant, empty for one that is not there."""
    known = battle.combatants.get(combatant)
    return known.side if known else ""


def names(battle: Battle) -> Mapping[str, str]:
    """The name of every combatant by its id, those out of action too."""
    return {combatant.id: combatant.name for combatant in battle.combatants.values()}


OWNERS: dict[type[Any], Callable[[Battle, Any], str]] = {
    orders.Muster: lambda battle, order: order.combatant.side,
    orders.Amend: lambda battle, order: order.combatant.side,
    orders.Dismiss: lambda battle, order: side_of(battle, order.combatant),
    orders.CoveringFire: lambda battle, order: side_of(battle, order.shooter),
    orders.LayLane: lambda battle, order: side_of(battle, order.shooter),
    orders.TakeCheck: lambda battle, order: side_of(battle, order.combatant),
    orders.Act: lambda battle, order: side_of(battle, order.combatant),
    orders.TakeStance: lambda battle, order: side_of(battle, order.combatant),
    orders.TakeCover: lambda battle, order: side_of(battle, order.combatant),
    orders.TakePosition: lambda battle, order: side_of(battle, order.combatant),
    orders.Spot: lambda battle, order: side_of(battle, order.observer),
    orders.SetByHand: lambda battle, order: side_of(battle, order.combatant),
    orders.LayPoints: lambda battle, order: side_of(battle, order.combatant),
    orders.Wound: lambda battle, order: side_of(battle, order.combatant),
    Score: lambda battle, order: order.side,
    orders.Import: lambda battle, order: order.side,
}
"""The side whose each order is. The rest is anybody's: rounds, notes, the mission, the end of the battle."""


def owner(battle: Battle, order: Any) -> str:
    """The side whose an order is, with the battle as it was before it; empty for what is anybody's."""
    whose = OWNERS.get(type(order))
    return whose(battle, order) if whose else ""


def under_fire(battle: Battle, row: str) -> bool:
    """Whether anything holds a combatant down or may yet: points, a failed check, an open lane; a lane is fire."""
    if row.startswith(LANE):
        return row.removeprefix(LANE) in battle.lanes
    known = battle.combatants.get(row)
    if known is None:
        return False
    return known.suppressed or known.points > 0 or bool(open_lanes_around(battle, known.id))
