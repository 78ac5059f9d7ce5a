"""Whose a combatant is, whose each order, and whose dice each throw: a table each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.gray_dawn import orders
from engine.gray_dawn.battle import Battle
from engine.gray_dawn.lanes import open_lanes_around
from engine.gray_dawn.panes import LANE
from engine.ruleset import Action
from engine.scorekeeping import Score
from engine.whose import Whose, side_from


def side_of(battle: Battle, combatant: str) -> str:
    """The side of a combatant, empty for one that is not there."""
    known = battle.combatants.get(combatant)
    return known.side if known else ""


def names(battle: Battle) -> Mapping[str, str]:
    """The name of every combatant by its id, those out of action too."""
    return {combatant.id: combatant.name for combatant in battle.combatants.values()}


def _owner_of(words: str, field: str) -> Whose:
    return Whose(words, lambda battle, order: side_of(battle, getattr(order, field)))


NEW_COMBATANT = Whose("the side it fights for", lambda battle, order: order.combatant.side)
NAMED_SIDE = Whose("the side it names", lambda battle, order: order.side)
COMBATANT = _owner_of("the combatant's owner", "combatant")
SHOOTER = _owner_of("the shooter's owner", "shooter")

OWNERS: dict[type[Any], Whose] = {
    orders.Muster: NEW_COMBATANT,
    orders.Amend: NEW_COMBATANT,
    orders.Dismiss: COMBATANT,
    orders.CoveringFire: SHOOTER,
    orders.LayLane: SHOOTER,
    orders.TakeCheck: COMBATANT,
    orders.Act: COMBATANT,
    orders.TakeStance: COMBATANT,
    orders.TakeCover: COMBATANT,
    orders.TakePosition: COMBATANT,
    orders.Spot: _owner_of("the observer's owner", "observer"),
    orders.SetByHand: COMBATANT,
    orders.LayPoints: COMBATANT,
    orders.Wound: COMBATANT,
    Score: NAMED_SIDE,
    orders.Import: NAMED_SIDE,
}
"""The side whose each order is. The rest is anybody's: rounds, notes, the mission, the end of the battle."""


def _own_rolls(clause: str) -> Whose:
    return Whose("the combatant's owner", lambda battle, throw: side_of(battle, throw.subject), clause)


ROLLERS: dict[str, Whose] = {
    "initiative": _own_rolls("GD-4"),
    "suppression": _own_rolls("GD-7"),
    "defence": _own_rolls("GD-15"),
    "dodge": _own_rolls("GD-25"),
    "athletics": _own_rolls("GD-25"),
    "burst": _own_rolls("GD-29"),
    "location": _own_rolls("GD-30"),
    "damage": _own_rolls("GD-30"),
    "awareness": Whose("the observer's owner", lambda battle, throw: side_of(battle, throw.subject), "GD-10"),
    "stealth": Whose("the flanker's owner", lambda battle, throw: side_of(battle, throw.group), "GD-10"),
}
"""The side whose dice each throw is, by its purpose.

No attack is rolled: whoever is shot at rolls defence, the burst table, and what the rounds that hit come to.
"""


def owner(battle: Battle, order: Any) -> str:
    """The side whose an order is, with the battle as it was before it; empty for what is anybody's."""
    return side_from(OWNERS, type(order), battle, order)


def roller(battle: Battle, order: Any, throw: Any) -> str:
    """The side whose dice a throw of an order is, with the battle as it was before it; empty for anybody's."""
    return side_from(ROLLERS, throw.purpose, battle, throw)


def owner_of_action(battle: Battle, action: Action, unit: str | None) -> str:
    """The side whose order an action would be, begun from that combatant; empty for anybody's."""
    return side_of(battle, unit) if unit is not None and action.about == "unit" else ""


def under_fire(battle: Battle, row: str) -> bool:
    """Whether anything holds a combatant down or may yet: points, a failed check, an open lane; a lane is fire."""
    if row.startswith(LANE):
        return row.removeprefix(LANE) in battle.lanes
    known = battle.combatants.get(row)
    if known is None:
        return False
    return known.suppressed or known.points > 0 or bool(open_lanes_around(battle, known.id))
