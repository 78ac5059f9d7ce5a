"""Bringing units into the battle, mending their profiles, and taking back a mistake."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from engine.fields import name_from_id
from engine.refusals import Refusal
from engine.resolution import Rule
from engine.scorekeeping import known_side
from engine.suppression_fire.battle import Battle, Fire, Unit
from engine.suppression_fire.events import Amended, Contribution, Dismissed, Mustered
from engine.suppression_fire.happening import happen
from engine.suppression_fire.naming import unit_in_play
from engine.suppression_fire.orders import Amend, Dismiss, Muster
from engine.suppression_fire.profiles import UnitProfile
from engine.suppression_fire.riding import judge_seats

MOST_UNITS = 200


class Arrival(Struct, frozen=True):
    """A unit that may be mustered."""

    profile: UnitProfile


class Mending(Struct, frozen=True):
    """A profile that may replace another: wounds lost by each group, and what stays of the unit's fire."""

    profile: UnitProfile
    hurt: tuple[int, ...]
    firing: tuple[Contribution, ...]


class Departure(Struct, frozen=True):
    """A unit that may be taken off the list."""

    unit: str


def named(profile: UnitProfile) -> UnitProfile:
    """The profile with a name: where none is given, one made from the id."""
    return replace(profile, name=name_from_id(profile.name, profile.id))


def judge_profile(battle: Battle, profile: UnitProfile) -> None:
    """What holds of every unit; raises Refusal (`order`)."""
    known_side(battle, profile.side)
    if profile.kind != "vehicle" and not profile.groups:
        raise Refusal("order", f"{profile.id} needs at least one group of models")
    if profile.transport is not None and profile.kind != "vehicle":
        raise Refusal("order", f"{profile.id} is no vehicle and carries nobody: leave transport out")
    _once("group", profile.id, [group.name for group in profile.groups])
    for group in profile.groups:
        _once("weapon", f"{profile.id}, {group.name}", [weapon.name for weapon in group.weapons])


def _once(what: str, where: str, names: list[str]) -> None:
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise Refusal("order", f"{where} has two {what}s named {twice}: give each its own name")


def judge_muster(battle: Battle, order: Muster) -> Arrival:
    """A new unit with an id of its own, inside a transport with room if it says so. Raises Refusal (`order`)."""
    profile = named(order.unit)
    judge_profile(battle, profile)
    if profile.id in battle.units:
        raise Refusal("order", f"there is a unit {profile.id} already: choose another id, or amend it")
    if len(battle.units) >= MOST_UNITS:
        raise Refusal("order", f"a battle holds {MOST_UNITS} units at most")
    if profile.embarked_in is not None:
        judge_rider(battle, profile, profile.embarked_in)
    return Arrival(profile)


def judge_rider(battle: Battle, profile: UnitProfile, into: str) -> None:
    """A unit of that profile inside a transport; raises Refusal (`order`) where it cannot be."""
    if profile.kind == "vehicle":
        raise Refusal("order", f"{profile.name} is a vehicle and rides in none")
    models = sum(group.models for group in profile.groups)
    judge_seats(battle, profile.id, profile.name, profile.side, models, into)


def muster(battle: Battle, arrival: Arrival) -> Rule[Battle]:
    return (yield from happen(Mustered(arrival.profile)))


def judge_amend(battle: Battle, order: Amend) -> Mending:
    """Another profile for a unit in play; where it is and what happened to it stay. Raises Refusal (`order`)."""
    unit = unit_in_play(battle, order.unit.id)
    profile = replace(named(order.unit), embarked_in=unit.profile.embarked_in)
    judge_profile(battle, profile)
    if (profile.side, profile.kind) != (unit.side, unit.profile.kind):
        raise Refusal("order", f"{unit.name} stays {unit.profile.kind} of {unit.side}: side and kind cannot be amended")
    if unit.embarked_in is not None:
        judge_rider(battle, profile, unit.embarked_in)
    _judge_passengers(battle, profile)
    hurt = tuple(_hurt(unit, group.name, group.wounds) for group in profile.groups)
    suppression = battle.suppressing(unit.id)
    fire = suppression.fire_of(unit.id) if suppression else None
    return Mending(profile, hurt, _firing(fire, profile) if fire else ())


def _hurt(unit: Unit, group: str, wounds: int) -> int:
    before = unit.group(group)
    return min(before.wounds_lost, wounds - 1) if before else 0


def _judge_passengers(battle: Battle, profile: UnitProfile) -> None:
    inside = sum(unit.models for unit in battle.passengers(profile.id))
    capacity = profile.transport.capacity if profile.transport else 0
    if inside > capacity:
        raise Refusal("order", f"{profile.name} carries {inside} models: a capacity of {capacity} is too small")


def _firing(fire: Fire, profile: UnitProfile) -> tuple[Contribution, ...]:
    """The declared fire as far as it still exists: group and gun by name, shots as declared."""
    groups = {group.name: group for group in profile.groups}
    free = {name: group.models for name, group in groups.items()}
    lines: list[Contribution] = []
    for line in fire.firing:
        gun = groups[line.group].gun(line.gun.name) if line.group in groups else None
        models = min(line.models, free.get(line.group, 0)) if gun else 0
        if models:
            free[line.group] -= models
        lines.append(replace(line, gun=gun or line.gun, models=models))
    return tuple(lines)


def amend(battle: Battle, mending: Mending) -> Rule[Battle]:
    return (yield from happen(Amended(mending.profile, mending.hurt, mending.firing)))


def judge_dismiss(battle: Battle, order: Dismiss) -> Departure:
    """Mustered by mistake: not while it suppresses, is suppressed or carries. Raises Refusal (`order`)."""
    unit = unit_in_play(battle, order.unit)
    if battle.suppressing(unit.id):
        raise Refusal("order", f"{unit.name} is suppressing: it cannot be dismissed now")
    if unit.id in battle.suppressions:
        raise Refusal("order", f"{unit.name} is suppressed: it cannot be dismissed now")
    if next(battle.passengers(unit.id), None):
        raise Refusal("order", f"{unit.name} carries passengers: it cannot be dismissed now")
    return Departure(unit.id)


def dismiss(battle: Battle, departure: Departure) -> Rule[Battle]:
    return (yield from happen(Dismissed(departure.unit)))
