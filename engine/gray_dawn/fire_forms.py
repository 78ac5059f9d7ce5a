"""The forms of covering fire and of lanes: who shoots with what, at whom, how far and how much."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from engine.fields import as_number, length
from engine.form_fields import Catalogue, Given, choice_field, demanded, number_field
from engine.gray_dawn.battle import Battle, Combatant, pair
from engine.gray_dawn.covering_fire import are_adjacent, rounds_needed, why_no_covering_fire
from engine.gray_dawn.lanes import NARROWEST, STEP, own_level, widest
from engine.gray_dawn.orders import Aim, CoveringFire, LayLane
from engine.gray_dawn.profiles import Weapon
from engine.refusals import Refusal
from engine.ruleset import Field, FieldOption

MOST_METRES = 5000
MODES = {"semi": "single shots", "burst": "bursts of three"}


# Who shoots, with what, at whom


def _shooter(battle: Battle, given: Given) -> Combatant:
    shooter = battle.combatants.get(given.get("shooter") or "")
    if shooter is None:
        raise Refusal("order", "select a combatant first")
    return shooter


def _shooter_field(battle: Battle, given: Given) -> Field:
    options = []
    for combatant in battle.combatants.values():
        if not combatant.out:
            reasons = why_no_covering_fire(battle, combatant)
            forbidden = f"{reasons[0].message} ({reasons[0].clause})" if reasons else ""
            options.append(FieldOption(combatant.id, combatant.name, forbidden))
    return Field("shooter", "Shooter", "choice", given.get("shooter"), tuple(options))


def _weapon_field(shooter: Combatant, given: Given, modes: tuple[str, ...], clause: str) -> Field:
    options = []
    for weapon in shooter.profile.weapons:
        fits = any(mode in weapon.modes for mode in modes)
        loaded = shooter.loaded[weapon.name]
        forbidden = f"it has no such fire ({clause})" if not fits else "" if loaded else "its magazine is empty (GD-20)"
        options.append(FieldOption(weapon.name, f"{weapon.name}, {loaded} of {weapon.magazine} rounds", forbidden))
    free = [option.value for option in options if not option.forbidden]
    value = given.get("weapon") if given.get("weapon") in free else None
    return Field(
        "weapon", "Weapon", "choice", value or next(iter(free), None), tuple(options),
        inferred="" if value else "the first that can",
    )  # fmt: skip


def _weapon(shooter: Combatant, field: Field) -> Weapon | None:
    return shooter.profile.weapon(field.value) if field.value else None


def _others(battle: Battle, shooter: Combatant) -> list[Combatant]:
    """All the others in action, enemies first."""
    others = [other for other in battle.combatants.values() if other.id != shooter.id and not other.out]
    return sorted(others, key=lambda other: other.side == shooter.side)


def _options(shooter: Combatant, others: list[Combatant]) -> tuple[FieldOption, ...]:
    return tuple(
        FieldOption(other.id, f"{other.name}{' (own side)' if other.side == shooter.side else ''}") for other in others
    )


def _crowd_field(
    name: str,
    label: str,
    shooter: Combatant,
    others: list[Combatant],
    given: Given,
    inferred: tuple[str, ...] = (),
    why: str = "",
) -> Field:
    known = {other.id for other in others}
    told = given.get(name)
    value = inferred if told is None else tuple(combatant for combatant in told if combatant in known)
    return Field(
        name, label, "choices", value, _options(shooter, others), inferred=why if told is None and value else "",
        optional=True,
    )  # fmt: skip


def range_between(battle: Battle, shooter: Combatant, target: str) -> tuple[Decimal, str] | None:
    """How far it is between two combatants: by position, else as told last; None where nothing is known."""
    other = battle.combatants[target]
    if shooter.position and other.position:
        square = sum((here - there) ** 2 for here, there in zip(shooter.position, other.position, strict=True))
        return length(round(Decimal(square).sqrt(), 2)), "by position"
    known = battle.ranges.get(pair(shooter.id, target))
    return None if known is None else (known, "as last time: check it")


def _range(battle: Battle, shooter: Combatant, target: str, weapon: Weapon | None) -> tuple[Decimal, str]:
    reach = weapon.long_range if weapon else Decimal(0)
    return range_between(battle, shooter, target) or (reach, "in reach: check it")


def _range_field(name: str, label: str, given: Given, inferred: tuple[Decimal, str], indent: int = 0) -> Field:
    told = given.get(name)
    shown, why = inferred if told is None else (length(told), "")
    return Field(name, label, "decimal", shown, most=MOST_METRES, inferred=why, indent=indent)


# Covering fire


def covering_fire_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """Shooter, weapon, mode, targets with count and range, and who is next to them."""
    fields = [_shooter_field(battle, given)]
    shooter = battle.combatants.get(given.get("shooter") or "")
    if shooter is None:
        return fields
    weapon_field = _weapon_field(shooter, given, ("semi", "burst"), "GD-16, GD-17")
    weapon = _weapon(shooter, weapon_field)
    mode_field = _mode_field(weapon, given)
    targets_field = _targets_field(battle, shooter, given)
    fields += [weapon_field, mode_field, targets_field]
    for target in targets_field.value:
        fields.extend(_aim_fields(battle, shooter, target, weapon, mode_field.value, given))
    fields.append(_adjacent_field(battle, shooter, targets_field.value, given))
    return fields


def _mode_field(weapon: Weapon | None, given: Given) -> Field:
    modes = weapon.modes if weapon else ()
    clauses = {"semi": "GD-16", "burst": "GD-17"}
    options = tuple(
        FieldOption(mode, words, "" if mode in modes else f"the weapon has none ({clauses[mode]})")
        for mode, words in MODES.items()
    )
    usual = next((mode for mode in MODES if mode in modes), None)
    told = given if given.get("mode") in modes else {}
    return choice_field("mode", "Mode", options, told, usual, "what the weapon has")


def _targets_field(battle: Battle, shooter: Combatant, given: Given) -> Field:
    """The targets: those chosen, else the only enemy there is."""
    others = _others(battle, shooter)
    enemies = tuple(other.id for other in others if other.side != shooter.side)
    only = enemies if len(enemies) == 1 else ()
    field = _crowd_field("targets", "Targets", shooter, others, given, only, "the only enemy")
    return Field("targets", field.label, "choices", field.value, field.options, inferred=field.inferred)


def _aim_fields(
    battle: Battle, shooter: Combatant, target: str, weapon: Weapon | None, mode: str, given: Given
) -> Iterator[Field]:
    name = battle.combatants[target].name
    what = "bursts" if mode == "burst" else "actions"
    most = max(1, shooter.loaded[weapon.name] // rounds_needed(weapon, mode, 1)) if weapon and mode else 1
    yield number_field(f"count:{target}", f"{name}, {what}", given, 1, most, 1, f"up to {most}")
    yield _range_field(f"range:{target}", "metres", given, _range(battle, shooter, target, weapon), indent=2)


def _adjacent_field(battle: Battle, shooter: Combatant, targets: tuple[str, ...], given: Given) -> Field:
    """Who is one space from a target; where all have positions these tell (GD-19)."""
    others = _others(battle, shooter)
    if all(combatant.position for combatant in battle.combatants.values()):
        near = tuple(
            other.id for other in others if any(are_adjacent(battle.combatants[target], other) for target in targets
                                                if target != other.id)
        )  # fmt: skip
        return _crowd_field("adjacent", "Next to them", shooter, others, given, near, "by position")
    return _crowd_field("adjacent", "Next to them", shooter, others, given)


def filled_covering_fire(battle: Battle, given: Given, catalogue: Catalogue) -> CoveringFire:
    """The order; neighbours are named only where the player named them. Raises Refusal (`order`)."""
    shooter = _shooter(battle, given)
    values = {field.name: field.value for field in covering_fire_fields(battle, given, catalogue)}
    demanded(values, "weapon", "with which weapon; none has single shots or bursts and rounds left")
    demanded(values, "mode", "single shots or bursts")
    if not values["targets"]:
        raise Refusal("order", "say who is shot at")
    aims = (
        Aim(target, values[f"count:{target}"], as_number(values[f"range:{target}"])) for target in values["targets"]
    )
    adjacent = tuple(values["adjacent"]) if given.get("adjacent") is not None else None
    return CoveringFire(shooter.id, values["weapon"], values["mode"], tuple(aims), adjacent)


# Lanes


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

KINDS = {
    "covering": "covering: suppresses who is inside",
    "saturation": "saturation: waits for who crosses it",
}


def lane_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """Shooter, weapon, kind, name, width, rounds, range, and who is inside and near."""
    fields = [_shooter_field(battle, given)]
    shooter = battle.combatants.get(given.get("shooter") or "")
    if shooter is None:
        return fields
    weapon_field = _weapon_field(shooter, given, ("auto",), "GD-21")
    weapon = _weapon(shooter, weapon_field)
    kind = given.get("kind") or "covering"
    fields += [weapon_field, _kind_field(given), _lane_name_field(battle, given, kind)]
    if weapon is None:
        return fields
    rounds_field = _rounds_field(shooter, weapon, given)
    others = _others(battle, shooter)
    inside = _crowd_field("inside", "Inside", shooter, others, given)
    fields += [rounds_field, _width_field(weapon, rounds_field.value, given)]
    fields += [_lane_range(battle, shooter, weapon, given), inside]
    if kind == "covering":
        outside = [other for other in others if other.id not in inside.value]
        fields.append(_crowd_field("near", "Within two spaces", shooter, outside, given))
    return fields


def _kind_field(given: Given) -> Field:
    options = tuple(FieldOption(kind, words) for kind, words in KINDS.items())
    return Field("kind", "Kind", "choice", given.get("kind") or "covering", options)


def _lane_name_field(battle: Battle, given: Given, kind: str) -> Field:
    """The lane's name: a saturation lane that is there already, so that the rounds add up, else a new one (GD-27)."""
    there = next((lane.name for lane in battle.lanes.values() if lane.kind == kind == "saturation"), None)
    new = next(name for at in range(300) if (name := _LETTERS[at % 26] * (at // 26 + 1)) not in battle.lanes)
    told = given.get("name")
    return Field(
        "name", "Name", "text", told or there or new,
        inferred="" if told else "is there already" if there else "a new one",
    )  # fmt: skip


def _rounds_field(shooter: Combatant, weapon: Weapon, given: Given) -> Field:
    most = max(1, min(weapon.rof, shooter.loaded[weapon.name]))
    why = "full rate of fire" if most == weapon.rof else "all that are left"
    return number_field("rounds", "Rounds", given, 1, most, most, why)


def _width_field(weapon: Weapon, rounds: int, given: Given) -> Field:
    """Every width that the weapon can cover, with the level that the rounds make in it (GD-21, GD-22)."""
    steps = int((widest(weapon) - NARROWEST) / STEP) + 1
    widths = [length(NARROWEST + STEP * step) for step in range(steps)]
    options = tuple(FieldOption(str(width), f"{width} m, level {own_level(rounds, width)}") for width in widths)
    told = given if given.get("width") in {option.value for option in options} else {}
    return choice_field("width", "Width", options, told, str(NARROWEST), "narrowest")


def _lane_range(battle: Battle, shooter: Combatant, weapon: Weapon, given: Given) -> Field:
    """The distance to the lane: that of the farthest inside, where it is known."""
    known = [range_between(battle, shooter, combatant) for combatant in given.get("inside") or ()
             if combatant in battle.combatants]  # fmt: skip
    farthest = max((told for told in known if told), default=(weapon.long_range, "in reach: check it"))
    return _range_field("range", "Metres", given, farthest)


def filled_lane(battle: Battle, given: Given, catalogue: Catalogue) -> LayLane:
    """The order that the form stands for. Raises Refusal (`order`) where something is missing."""
    shooter = _shooter(battle, given)
    values = {field.name: field.value for field in lane_fields(battle, given, catalogue)}
    demanded(values, "weapon", "with which weapon; none has automatic fire and rounds left")
    return LayLane(
        shooter=shooter.id,
        weapon=values["weapon"],
        kind=values["kind"],
        name=demanded(values, "name", "what the lane is called"),
        width=as_number(Decimal(values["width"])),
        range=as_number(values["range"]),
        rounds=values["rounds"],
        inside=tuple(values["inside"]),
        near=tuple(values.get("near", ())),
    )
