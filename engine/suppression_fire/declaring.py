"""Declaring suppression: who may, on whom, and with which guns."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from msgspec import Struct

from engine.refusals import Reason, Refusal, refuse_for
from engine.resolution import Rule, roll
from engine.rolls import Total
from engine.suppression_fire.battle import Battle, Group, Unit
from engine.suppression_fire.events import Contribution, Declared
from engine.suppression_fire.guns import FACES, SHOTS_NEEDED, most_shots, shots_of, why_silent
from engine.suppression_fire.happening import happen
from engine.suppression_fire.naming import unit_in_play
from engine.suppression_fire.orders import Declare, Shooter, Suppressor
from engine.suppression_fire.profiles import Weapon, inches
from engine.suppression_fire.suppressing import passengers_see_fire, silenced
from engine.wording import counted


class Gunners(Struct, frozen=True):
    """One line of a declaration: models of a group with a gun, and the shots of each, a number or a die."""

    group: str
    gun: Weapon
    models: int
    shots: int | str


class Volley(Struct, frozen=True):
    """What one unit is going to put out, at how many inches."""

    unit: str
    range: Decimal
    gunners: tuple[Gunners, ...]

    @property
    def most_shots(self) -> int:
        return sum(line.models * most_shots(line.shots) for line in self.gunners)


class Barrage(Struct, frozen=True):
    """A declaration that may be carried out."""

    target: str
    volleys: tuple[Volley, ...]


def why_no_target(battle: Battle, side: str, target: Unit) -> tuple[Reason, ...]:
    """Every reason why a side may not target a unit (SF-13)."""
    found: list[Reason] = []
    if target.side == side:
        found.append(Reason("SF-13", f"{target.name} is a friend: only enemies are suppressed"))
    if target.embarked_in:
        vehicle = battle.units[target.embarked_in].name
        found.append(Reason("SF-13", f"{target.name} is inside {vehicle}: target the vehicle"))
    if "in_combat" in target.marks:
        found.append(Reason("SF-13", f"{target.name} is locked in combat"))
    if target.is_vehicle and target.profile.transport is None:
        found.append(Reason("SF-13", f"{target.name} is a vehicle that carries nobody: nothing could happen to it"))
    return tuple(found)


def why_no_suppressor(battle: Battle, unit: Unit) -> tuple[Reason, ...]:
    """Every reason why a unit may not declare suppression now, whatever its guns (SF-4, SF-6, SF-12, SF-34, SF-37)."""
    found: list[Reason] = []
    if battle.side != unit.side or battle.phase != "shooting":
        found.append(Reason("SF-4", f"{unit.name} suppresses in its own shooting phase"))
    if unit.shot:
        found.append(Reason("SF-4", f"{unit.name} has fired this turn"))
    if unit.declared:
        found.append(Reason("SF-4", f"{unit.name} has suppressed this turn already"))
    if unit.ran:
        found.append(Reason("SF-6", f"{unit.name} ran this turn"))
    if reason := silenced(battle, unit):
        found.append(Reason(reason.clause, f"{unit.name} is {reason.message}"))
    if unit.stayed_in:
        found.append(Reason("SF-34", f"{unit.name} failed its test and stays inside this turn"))
    if unit.embarked_in and not _ports(battle, unit):
        found.append(Reason("SF-12", f"{battle.units[unit.embarked_in].name} has no fire points"))
    if passengers_see_fire(battle, unit):
        found.append(Reason("SF-37", f"{unit.name} is inside a suppressed vehicle and has passed no test"))
    return tuple(found)


def _ports(battle: Battle, unit: Unit) -> int | None:
    """How many models may fire from the vehicle the unit is in; the whole unit from an open-topped one (SF-12)."""
    transport = battle.units[unit.embarked_in].profile.transport if unit.embarked_in else None
    if transport is None:
        return None
    return unit.models if transport.open_topped else transport.fire_points


def may_fire(battle: Battle, unit: Unit) -> int:
    """How many models of a unit may fire from where it is (SF-12)."""
    ports = _ports(battle, unit)
    return unit.models if ports is None else min(ports, unit.models)


def judge_declare(battle: Battle, order: Declare) -> Barrage:
    """A declaration on one target by one unit or several (SF-3 to SF-14). Raises Refusal."""
    target = unit_in_play(battle, order.target)
    units = [unit_in_play(battle, suppressor.unit) for suppressor in order.by]
    reasons: list[Reason] = []
    for at, unit in enumerate(units):
        if unit.id in [other.id for other in units[:at]]:
            reasons.append(Reason("SF-4", f"{unit.name} is named twice: a unit declares once a turn"))
        reasons.extend(why_no_target(battle, unit.side, target))
        reasons.extend(why_no_suppressor(battle, unit))
    refuse_for(reasons)
    volleys = (judge_volley(battle, unit, by) for unit, by in zip(units, order.by, strict=True))
    return Barrage(target.id, tuple(volleys))


def judge_volley(battle: Battle, unit: Unit, by: Suppressor) -> Volley:
    """The guns of one unit: those named, else all that may (SF-3, SF-5, SF-7 to SF-12). Raises Refusal."""
    distance = inches(by.range)
    gunners = all_that_may(battle, unit, by) if by.shooters is None else _named(battle, unit, by, by.shooters)
    volley = Volley(unit.id, distance, tuple(gunners))
    if volley.most_shots < SHOTS_NEEDED:
        also = tuple(_silent_guns(battle, unit, by)) if by.shooters is None else ()
        message = f"{unit.name} puts out {counted(volley.most_shots, 'shot')}, {SHOTS_NEEDED} are needed"
        if not volley.gunners and also:
            raise Refusal(also[0].clause, also[0].message, (*also[1:], Reason("SF-3", message)))
        raise Refusal("SF-3", message, also)
    return volley


def _silent_guns(battle: Battle, unit: Unit, by: Suppressor) -> Iterable[Reason]:
    for group in unit.standing:
        for gun in group.profile.guns():
            yield from why_silent(battle, unit, group, gun, inches(by.range), by.line_of_sight)


def all_that_may(battle: Battle, unit: Unit, by: Suppressor) -> list[Gunners]:
    """Of each group all models with its first gun that may, until the fire points are full (SF-11, SF-12)."""
    distance, left, gunners = inches(by.range), may_fire(battle, unit), []
    for group in unit.standing:
        models = min(group.models, left)
        gun = next(
            (g for g in group.profile.guns() if not why_silent(battle, unit, group, g, distance, by.line_of_sight)),
            None,
        )
        if gun and models:
            gunners.append(Gunners(group.name, gun, models, shots_of(gun, distance)))
            left -= models
    return gunners


def _named(battle: Battle, unit: Unit, by: Suppressor, shooters: tuple[Shooter, ...]) -> list[Gunners]:
    reasons: list[Reason] = []
    gunners: list[Gunners] = []
    used: dict[str, int] = {}
    for shooter in shooters:
        group, gun = _group_and_gun(unit, shooter)
        distance = inches(by.range if shooter.range is None else shooter.range)
        sight = by.line_of_sight if shooter.line_of_sight is None else shooter.line_of_sight
        reasons.extend(why_silent(battle, unit, group, gun, distance, sight))
        used[group.name] = used.get(group.name, 0) + shooter.models
        if used[group.name] > group.models:
            reasons.append(
                Reason("SF-9", f"{unit.name} has {group.models} {group.name}, {used[group.name]} are named to fire")
            )
        gunners.append(Gunners(group.name, gun, shooter.models, shots_of(gun, distance)))
    if unit.embarked_in and sum(used.values()) > may_fire(battle, unit):
        reasons.append(Reason("SF-12", f"{may_fire(battle, unit)} models of {unit.name} may fire from the vehicle"))
    refuse_for(reasons)
    return gunners


def _group_and_gun(unit: Unit, shooter: Shooter) -> tuple[Group, Weapon]:
    group = unit.group(shooter.group)
    if group is None:
        raise Refusal("order", f"{unit.name} has no group {shooter.group}")
    gun = group.profile.gun(shooter.weapon)
    if gun is None and shooter.weapon == "grenade":
        raise Refusal("SF-10", f"{shooter.group} of {unit.name} carry no assault or defensive grenades")
    if gun is None:
        raise Refusal("order", f"{shooter.group} of {unit.name} have no {shooter.weapon}")
    return group, gun


def declare(battle: Battle, barrage: Barrage) -> Rule[Battle]:
    """Random shots are rolled, one die a line, and each unit's fire is fixed (SF-9, SF-11)."""
    for volley in barrage.volleys:
        firing: list[Contribution] = []
        for line in volley.gunners:
            shots = line.shots
            if isinstance(shots, str):
                shots = yield from roll(Total("shots", volley.unit, 1, FACES[shots], group=line.group))
            firing.append(Contribution(line.group, line.gun, line.models, shots))
        battle = yield from happen(Declared(barrage.target, volley.unit, volley.range, tuple(firing)))
    return battle
