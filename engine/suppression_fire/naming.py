"""Finding what an order names; what is not there is refused with the clause `order`."""

from __future__ import annotations

from engine.refusals import Refusal
from engine.suppression_fire.battle import Battle, Group, Unit


def unit_in_play(battle: Battle, unit_id: str) -> Unit:
    """The unit of that id; raises Refusal (`order`) for one that is unknown or out of play."""
    unit = battle.units.get(unit_id)
    if unit is None:
        raise Refusal("order", f"there is no unit {unit_id} in this battle")
    if unit.out:
        raise Refusal("order", f"{unit.name} is out of play")
    return unit


def group_of(unit: Unit, name: str) -> Group:
    """The group of that name; raises Refusal (`order`) where the unit has none."""
    group = unit.group(name)
    if group is None:
        known = ", ".join(g.name for g in unit.groups) or "none"
        raise Refusal("order", f"{unit.name} has no group {name}; it has {known}")
    return group
