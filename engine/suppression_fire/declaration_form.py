"""The form of a declaration: the target, who suppresses it, at what range and with which guns."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from engine.fields import as_number
from engine.form_fields import Catalogue, Given
from engine.refusals import Refusal
from engine.ruleset import Field, FieldOption
from engine.suppression_fire.battle import Battle, Unit, pair
from engine.suppression_fire.declaring import all_that_may, may_fire, why_no_suppressor, why_no_target
from engine.suppression_fire.guns import ban, why_silent
from engine.suppression_fire.orders import Declare, Shooter, Suppressor
from engine.suppression_fire.profiles import GRENADE, inches

MOST_INCHES = 240


def declaration_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """Target, suppressors, and for each of them range, sight and guns."""
    target, by = chosen_target(battle, given), chosen_suppressors(battle, given)
    fields = [_target_field(battle, given, target), _suppressors_field(battle, given, by)]
    for unit_id in by:
        fields.extend(_volley_fields(battle, battle.units[unit_id], target, given))
    return fields


def _acting_side(battle: Battle) -> str:
    return battle.side or battle.sides[0]


def chosen_target(battle: Battle, given: Given) -> str | None:
    """The target: the one chosen, the selected enemy, the one suppressed last, else the only enemy there is."""
    enemies = [
        unit.id
        for unit in battle.units.values()
        if not unit.out and not why_no_target(battle, _acting_side(battle), unit)
    ]
    for name in (given.get("target"), given.get("about")):
        if name in enemies:
            return str(name)
    waiting = [target for target in battle.suppressions if target in enemies]
    if waiting:
        return waiting[-1]
    return enemies[0] if len(enemies) == 1 else None


def _target_field(battle: Battle, given: Given, target: str | None) -> Field:
    side = _acting_side(battle)
    options = []
    for unit in battle.units.values():
        if unit.side != side and not unit.out:
            reasons = why_no_target(battle, side, unit)
            forbidden = f"{reasons[0].message} ({reasons[0].clause})" if reasons else ""
            options.append(FieldOption(unit.id, unit.name, forbidden))
    inferred = "" if given.get("target") or target is None else "selected" if target == given.get("about") else "likely"
    return Field("target", "Target", "choice", target, tuple(options), inferred=inferred)


def chosen_suppressors(battle: Battle, given: Given) -> tuple[str, ...]:
    """The suppressors: those chosen, else the selected unit, else the only one that may."""
    able = [unit.id for unit in _own_units(battle) if not why_no_suppressor(battle, unit)]
    if "by" in given:
        return tuple(unit_id for unit_id in given["by"] if unit_id in battle.units)
    if given.get("about") in able:
        return (str(given["about"]),)
    return (able[0],) if len(able) == 1 else ()


def _own_units(battle: Battle) -> Iterator[Unit]:
    side = _acting_side(battle)
    return (unit for unit in battle.units.values() if unit.side == side and not unit.out)


def _suppressors_field(battle: Battle, given: Given, by: tuple[str, ...]) -> Field:
    options = []
    for unit in _own_units(battle):
        reasons = why_no_suppressor(battle, unit)
        forbidden = f"{reasons[0].message} ({reasons[0].clause})" if reasons else ""
        options.append(FieldOption(unit.id, unit.name, forbidden))
    return Field("by", "By", "choices", by, tuple(options), inferred="" if "by" in given or not by else "selected")


def _known_range(battle: Battle, unit: Unit, target: str | None) -> tuple[Decimal, str]:
    """A range to begin with: the last one of this pair, else as far as all its usual guns reach."""
    if target is not None and (known := battle.ranges.get(pair(unit.id, target))) is not None:
        return known, "as last time: check it"
    usual = [next((g for g in group.profile.weapons if not ban(g, battle.switches)), None) for group in unit.standing]
    reach = [inches(gun.range) for gun in usual if gun]
    return min(reach, default=inches(GRENADE.range)), "in reach: check it"


def range_of(battle: Battle, unit: Unit, target: str | None, given: Given) -> tuple[Decimal, str]:
    """The range in inches, and whence it is known; empty for one that was given."""
    told = given.get(f"range:{unit.id}")
    return (inches(told), "") if told is not None else _known_range(battle, unit, target)


def _suppressor(battle: Battle, unit: Unit, target: str | None, given: Given) -> Suppressor:
    distance, _ = range_of(battle, unit, target, given)
    sight = given.get(f"sight:{unit.id}", True)
    return Suppressor(unit.id, as_number(distance), sight)


def _volley_fields(battle: Battle, unit: Unit, target: str | None, given: Given) -> Iterator[Field]:
    distance, inferred = range_of(battle, unit, target, given)
    sight = given.get(f"sight:{unit.id}")
    apart = bool(given.get(f"apart:{unit.id}", False))
    yield Field(
        f"range:{unit.id}", f"{unit.name}, inches", "decimal", distance, least=0, most=MOST_INCHES, inferred=inferred
    )
    yield Field(
        f"sight:{unit.id}", "sees it", "flag", sight is None or sight, indent=2,
        inferred="taken as clear" if sight is None else "",
    )  # fmt: skip
    by = _suppressor(battle, unit, target, given)
    usual = {(line.group, line.gun.name): line.models for line in all_that_may(battle, unit, by)}
    for group in unit.standing:
        for gun in group.profile.guns():
            key = f"{unit.id}:{group.name}:{gun.name}"
            line_by = _apart(by, key, given) if apart else by
            silent = why_silent(battle, unit, group, gun, inches(line_by.range), line_by.line_of_sight)
            given_models = given.get(f"guns:{key}")
            models = usual.get((group.name, gun.name), 0) if given_models is None else given_models
            yield Field(
                f"guns:{key}",
                f"{group.name}: {gun.name}",
                "number",
                0 if silent else models,
                least=0,
                most=min(group.models, may_fire(battle, unit)),
                inferred="" if given_models is not None else "all that may" if models else "",
                forbidden=f"{silent[0].message} ({silent[0].clause})" if silent else "",
                indent=2,
            )
            if apart:
                yield from _apart_fields(line_by, key)
    yield Field(f"apart:{unit.id}", "range and sight gun by gun", "flag", apart, indent=2)


def _apart(by: Suppressor, key: str, given: Given) -> Suppressor:
    """The range and sight of one gun, where they are told gun by gun."""
    distance = given.get(f"gun_range:{key}")
    sight = given.get(f"gun_sight:{key}")
    return Suppressor(
        by.unit,
        by.range if distance is None else as_number(inches(distance)),
        by.line_of_sight if sight is None else sight,
    )


def _apart_fields(by: Suppressor, key: str) -> Iterator[Field]:
    distance = inches(by.range)
    yield Field(f"gun_range:{key}", "inches", "decimal", distance, least=0, most=MOST_INCHES, indent=4)
    yield Field(f"gun_sight:{key}", "sees it", "flag", by.line_of_sight, indent=4)


def filled_declaration(battle: Battle, given: Given, catalogue: Catalogue) -> Declare:
    """The declaration; guns are named one by one only where they differ from all that may. Raises Refusal."""
    target, by = chosen_target(battle, given), chosen_suppressors(battle, given)
    if target is None:
        raise Refusal("order", "say which unit is the target")
    if not by:
        raise Refusal("order", "say which units suppress it")
    return Declare(target, tuple(_filled_volley(battle, battle.units[unit], target, given) for unit in by))


def _filled_volley(battle: Battle, unit: Unit, target: str, given: Given) -> Suppressor:
    by = _suppressor(battle, unit, target, given)
    apart = bool(given.get(f"apart:{unit.id}", False))
    usual = {(line.group, line.gun.name): line.models for line in all_that_may(battle, unit, by)}
    shooters: list[Shooter] = []
    for group in unit.standing:
        for gun in group.profile.guns():
            key = f"{unit.id}:{group.name}:{gun.name}"
            line_by = _apart(by, key, given) if apart else by
            if why_silent(battle, unit, group, gun, inches(line_by.range), line_by.line_of_sight):
                continue
            models = given.get(f"guns:{key}", usual.get((group.name, gun.name), 0))
            if models:
                differs = (line_by.range, line_by.line_of_sight) != (by.range, by.line_of_sight)
                own = (line_by.range, line_by.line_of_sight) if differs else (None, None)
                shooters.append(Shooter(group.name, gun.name, min(models, group.models), *own))
    as_usual = {(s.group, s.weapon): s.models for s in shooters} == usual and all(s.range is None for s in shooters)
    if usual and not shooters:
        raise Refusal("SF-3", f"no gun of {unit.name} is to fire: give it at least five shots, or leave it out")
    if as_usual or not shooters:
        return by
    return Suppressor(by.unit, by.range, by.line_of_sight, tuple(shooters))
