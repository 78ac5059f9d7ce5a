"""Room in a transport."""

from __future__ import annotations

from engine.refusals import Refusal
from engine.suppression_fire.battle import Battle
from engine.suppression_fire.naming import unit_in_play


def has_seats(battle: Battle, rider: str, name: str, side: str, models: int) -> bool:
    """Whether any transport of its side has room for so many models."""
    for vehicle in battle.units.values():
        if vehicle.profile.transport is not None and not vehicle.out and vehicle.id != rider:
            try:
                judge_seats(battle, rider, name, side, models, vehicle.id)
            except Refusal:
                continue
            return True
    return False


def judge_seats(battle: Battle, rider: str, name: str, side: str, models: int, into: str) -> None:
    """A transport of its own side in play, with room for so many models; raises Refusal (`order`) otherwise.

    `rider` is the id of the unit that wants in, which is not counted among those inside.
    """
    vehicle = unit_in_play(battle, into)
    transport = vehicle.profile.transport
    if transport is None:
        raise Refusal("order", f"{vehicle.name} is no transport")
    if vehicle.side != side:
        raise Refusal("order", f"{vehicle.name} belongs to {vehicle.side}, {name} to {side}")
    inside = sum(unit.models for unit in battle.passengers(into) if unit.id != rider)
    if inside + models > transport.capacity:
        raise Refusal(
            "order",
            f"{vehicle.name} holds {transport.capacity} models: {inside} are inside, {models} of {name} do not fit",
        )
