"""The form that musters or amends a unit: from the armoury, like one there is, or typed in line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from engine.form_fields import Catalogue, Given, checked_profile, copied_name, free_id, free_name
from engine.refusals import Refusal
from engine.ruleset import Field, FieldOption
from engine.suppression_fire.battle import Battle, Unit
from engine.suppression_fire.orders import Muster
from engine.suppression_fire.profiles import (
    Die,
    GroupProfile,
    GunClass,
    Kind,
    Tag,
    Transport,
    UnitProfile,
    Weapon,
)

OWN = "own"
"""The choice of a unit of one's own instead of one from the armoury."""

MOST_GROUPS = 12


# The armoury


def armoury_gun(catalogue: Catalogue, gun_id: str) -> Weapon:
    """A gun of the armoury; raises KeyError for one that is not in it."""
    return msgspec.convert(catalogue["guns"][gun_id], Weapon)


def armoury_unit(catalogue: Catalogue, entry_id: str, unit_id: str, side: str) -> UnitProfile:
    """A unit of the armoury as it would be mustered under an id for a side, each group with its usual gun."""
    entry = catalogue["units"][entry_id]
    groups = []
    for group in entry.get("groups", []):
        stats = {key: value for key, value in group.items() if key != "guns"}
        guns = [armoury_gun(catalogue, gun) for gun in group.get("guns", [])[:1]]
        groups.append(msgspec.structs.replace(msgspec.convert(stats, GroupProfile), weapons=tuple(guns)))
    transport = msgspec.convert(entry["transport"], Transport) if "transport" in entry else None
    return UnitProfile(
        id=unit_id,
        side=side,
        groups=tuple(groups),
        name=entry["name"],
        kind=entry.get("kind", "infantry"),
        fearless=entry.get("fearless", False),
        transport=transport,
    )


# Mustering


def _entry(given: Given, catalogue: Catalogue) -> str | None:
    entry = given.get("entry")
    return entry if entry == OWN or entry in catalogue.get("units", {}) else None


def _copied(battle: Battle, given: Given) -> Unit | None:
    """The unit to be copied; None where none is."""
    return battle.units.get(given.get("copy_of") or "")


def _side(battle: Battle, given: Given) -> str:
    """The side mustering: as given, else that of the unit copied or mustered last, else the first."""
    if given.get("side") in battle.sides:
        return str(given["side"])
    last = _copied(battle, given) or next(reversed(battle.units.values()), None)
    return battle.sides[0] if last is None else last.side


def muster_start(battle: Battle, given: Given, catalogue: Catalogue) -> UnitProfile | None:
    """The profile that the form begins with: the copied unit's, the armoury's, or a blank one.

    None while nothing is chosen.
    """
    copied = _copied(battle, given)
    if copied is not None:
        return _copy(battle, copied.profile, given)
    entry = _entry(given, catalogue)
    if entry is None:
        return None
    side = _side(battle, given)
    if entry == OWN:
        blank = GroupProfile("models", 5)
        return UnitProfile(
            free_id(battle.units, given.get("name") or "unit", "unit"), side, (blank,), given.get("name") or ""
        )
    profile = armoury_unit(catalogue, entry, free_id(battle.units, given.get("name") or entry, "unit"), side)
    names = {each.name for each in battle.units.values()}
    return msgspec.structs.replace(profile, name=free_name(names, profile.name))


def _copy(battle: Battle, profile: UnitProfile, given: Given) -> UnitProfile:
    """A unit as another was mustered or amended last, under the next free name; it begins on foot."""
    name, unit_id = copied_name(profile.name, profile.id, {u.name for u in battle.units.values()}, battle.units)
    if given.get("name"):
        unit_id = free_id(battle.units, given["name"], "unit")
    return msgspec.structs.replace(profile, id=unit_id, name=name, side=_side(battle, given), embarked_in=None)


def muster_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """What to muster and for whom; its models; and every characteristic where they are asked for."""
    start = muster_start(battle, given, catalogue)
    sides = tuple(FieldOption(side, side) for side in battle.sides)
    side = Field("side", "Side", "choice", _side(battle, given), sides, inferred="" if "side" in given else "as before")
    if start is None:
        return [_entry_field(given, catalogue), side]
    name, unit_id = _text("name", "Name", given, start.name), _text("id", "Id", given, start.id)
    copied = _copied(battle, given) is not None
    head = [name, unit_id, side] if copied else [_entry_field(given, catalogue), side, name, unit_id]
    unfold = not copied and _entry(given, catalogue) == OWN
    return [
        *head,
        *_vehicle_fields(battle, given, start),
        *_profile_fields(start, given, catalogue, unfold, kinds=True),
    ]


def _entry_field(given: Given, catalogue: Catalogue) -> Field:
    entries = (
        FieldOption(OWN, "a unit of your own"),
        *(
            FieldOption(key, f"{unit['name']} ({unit.get('army', '')})")
            for key, unit in catalogue.get("units", {}).items()
        ),
    )
    return Field("entry", "Unit", "choice", _entry(given, catalogue), entries)


def _vehicle_fields(battle: Battle, given: Given, start: UnitProfile) -> list[Field]:
    """Where the unit begins: asked only where its side has a transport that it could be in."""
    vehicles = tuple(
        FieldOption(unit.id, unit.name)
        for unit in battle.units.values()
        if unit.profile.transport and unit.side == start.side and not unit.out
    )
    if start.kind == "vehicle" or not vehicles:
        return []
    options = (FieldOption("", "on foot"), *vehicles)
    return [Field("embarked_in", "Inside", "choice", given.get("embarked_in", ""), options, optional=True)]


def filled_muster(battle: Battle, given: Given, catalogue: Catalogue) -> Muster:
    """The order to muster what the form says; raises Refusal (`order`) where something is missing."""
    start = muster_start(battle, given, catalogue)
    if start is None:
        raise Refusal("order", "say which unit: one of the armoury, or one of your own")
    profile = _filled_profile(start, given, catalogue)
    if not profile.name:
        raise Refusal("order", "give the unit a name")
    embarked_in = given.get("embarked_in") or None
    unit_id = given.get("id") or profile.id
    return Muster(checked_profile(msgspec.structs.replace(profile, id=unit_id, embarked_in=embarked_in)))


# Profiles, for mustering and amending


def profile_fields(unit: Unit, given: Given, catalogue: Catalogue) -> list[Field]:
    """The fields that amend a unit: its models and guns as they are, and every characteristic where asked for."""
    profile = standing_profile(unit)
    return [
        _text("name", "Name", given, profile.name),
        *_profile_fields(profile, given, catalogue, unfold=False, kinds=False),
    ]


def amended_profile(unit: Unit, given: Given, catalogue: Catalogue) -> UnitProfile:
    """The profile that the form makes of a unit's; raises Refusal (`order`) for what cannot be."""
    return checked_profile(_filled_profile(standing_profile(unit), given, catalogue))


def standing_profile(unit: Unit) -> UnitProfile:
    """A unit's profile with the models that it has left: what an amendment begins with."""
    standing = tuple(msgspec.structs.replace(group.profile, models=group.models) for group in unit.standing)
    return msgspec.structs.replace(unit.profile, groups=standing)


def _text(name: str, label: str, given: Given, start: str) -> Field:
    value = given.get(name)
    return Field(name, label, "text", start if value is None else value, inferred="" if value or not start else "usual")


def _number(name: str, label: str, given: Given, start: int, least: int, most: int, indent: int = 0) -> Field:
    return Field(name, label, "number", given.get(name, start), least=least, most=most, indent=indent)


def _groups_count(profile: UnitProfile, given: Given) -> int:
    count = given.get("groups", len(profile.groups))
    return min(MOST_GROUPS, max(0 if profile.kind == "vehicle" else 1, int(count)))


def _starts(profile: UnitProfile, given: Given, catalogue: Catalogue) -> list[GroupProfile]:
    """The groups that the form begins with; each further one is a single model like those of the group before it."""
    groups: list[GroupProfile] = []
    for at in range(_groups_count(profile, given)):
        if at < len(profile.groups):
            groups.append(profile.groups[at])
        elif groups:
            like = _with_stats(groups[-1], f"g{at - 1}", given, catalogue)
            groups.append(msgspec.structs.replace(like, name=f"group {at + 1}", models=1))
        else:
            groups.append(GroupProfile(f"group {at + 1}", 1))
    return groups


def _kind(profile: UnitProfile, given: Given) -> Any:
    return given.get("kind", profile.kind)


def _profile_fields(
    profile: UnitProfile, given: Given, catalogue: Catalogue, unfold: bool, kinds: bool
) -> Iterator[Field]:
    """Models and guns, and how many groups; with `more`, all there is, the kind where it may be chosen."""
    more = bool(given.get("more", unfold))
    profile = msgspec.structs.replace(profile, kind=_kind(profile, given))
    groups = _number("groups", "Model groups", given, len(profile.groups), 0, MOST_GROUPS)
    if more:
        if kinds:
            options = tuple(FieldOption(kind, kind.replace("_", " ")) for kind in get_args(Kind))
            yield Field("kind", "Kind", "choice", profile.kind, options)
        yield Field("fearless", "Fearless", "flag", given.get("fearless", profile.fearless))
        if profile.kind == "vehicle":
            yield from _transport_fields(profile, given)
        yield groups
    for at, group in enumerate(_starts(profile, given, catalogue)):
        named = more or at >= len(profile.groups)
        yield from _group_fields(profile, group, f"g{at}", given, catalogue, named, more)
    if not more:
        yield groups
    if not unfold:
        yield Field("more", "Every characteristic", "flag", more)


def _transport_fields(profile: UnitProfile, given: Given) -> Iterator[Field]:
    transport = profile.transport or Transport(0)
    yield _number("capacity", "Carries models", given, transport.capacity, 0, 200)
    yield Field("open_topped", "Open-topped", "flag", given.get("open_topped", transport.open_topped))
    yield _number("fire_points", "Fire points", given, transport.fire_points, 0, 200)


SAVES = (FieldOption("", "none"), *(FieldOption(str(needed), f"{needed}+") for needed in range(2, 7)))
GRENADES = (
    FieldOption("", "none that count"),
    FieldOption("assault", "assault (frag, plasma)"),
    FieldOption("defensive", "defensive (photon)"),
)


def _group_fields(
    profile: UnitProfile, group: GroupProfile, key: str, given: Given, catalogue: Catalogue, named: bool, more: bool
) -> Iterator[Field]:
    """The models of a group, of which none leaves it out, and its guns; with `more`, the whole stat line."""
    vehicle = profile.kind == "vehicle"
    if named:
        yield Field(f"{key}:name", "Group", "text", given.get(f"{key}:name", group.name))
    label = "How many" if named else given.get(f"{key}:name", group.name)
    models = given.get(f"{key}:models", group.models)
    why = "" if models else "left out"
    yield Field(f"{key}:models", label, "number", models, least=0, most=200, inferred=why, indent=2 if named else 0)
    if more and not vehicle:
        yield from _stat_fields(group, key, given)
    yield _guns_field(group, key, given, catalogue)
    if more:
        yield from _own_gun_fields(key, given)


def _stat_fields(group: GroupProfile, key: str, given: Given) -> Iterator[Field]:
    yield _number(f"{key}:toughness", "Toughness", given, group.toughness, 1, 10, indent=2)
    yield _number(f"{key}:wounds", "Wounds", given, group.wounds, 1, 20, indent=2)
    yield _number(f"{key}:leadership", "Leadership", given, group.leadership, 1, 10, indent=2)
    for name, label in (("armour", "Armour save"), ("invulnerable", "Invulnerable"), ("feel_no_pain", "Feel no pain")):
        value = given.get(f"{key}:{name}", str(getattr(group, name) or ""))
        yield Field(f"{key}:{name}", label, "choice", value, SAVES, indent=2, optional=True)
    grenades = given.get(f"{key}:grenades", group.grenades or "")
    yield Field(f"{key}:grenades", "Grenades", "choice", grenades, GRENADES, indent=2, optional=True)
    for name, label in (("eternal_warrior", "Eternal warrior"), ("relentless", "Relentless")):
        yield Field(f"{key}:{name}", label, "flag", given.get(f"{key}:{name}", getattr(group, name)), indent=2)


def _guns(group: GroupProfile, key: str, given: Given, catalogue: Catalogue) -> dict[str, Weapon]:
    """The guns that a group may be given: its own, then what the armoury lists for it, then all with other names."""
    guns = {gun.name: gun for gun in group.weapons}
    for gun_id in (*_listed_guns(key, given, catalogue), *catalogue.get("guns", {})):
        gun = armoury_gun(catalogue, gun_id)
        guns.setdefault(gun.name, gun)
    return guns


def _listed_guns(key: str, given: Given, catalogue: Catalogue) -> list[str]:
    """What the armoury lists for that group of the unit chosen, for a further group what it lists for the last."""
    groups = catalogue.get("units", {}).get(_entry(given, catalogue), {}).get("groups", [])
    at = int(key.removeprefix("g"))
    listed: list[str] = groups[min(at, len(groups) - 1)].get("guns", []) if groups else []
    return listed


def _guns_field(group: GroupProfile, key: str, given: Given, catalogue: Catalogue) -> Field:
    options = tuple(FieldOption(gun.name, _gun_label(gun)) for gun in _guns(group, key, given, catalogue).values())
    value = given.get(f"{key}:guns", tuple(gun.name for gun in group.weapons))
    return Field(f"{key}:guns", "Guns", "choices", value, options, indent=2, optional=True)


def _gun_label(gun: Weapon) -> str:
    ap = "-" if gun.ap is None else gun.ap
    return f'{gun.name}: {gun.range}" S{gun.strength} AP{ap} {gun.type.replace("_", " ")} {str(gun.shots).upper()}'


def _own_gun_fields(key: str, given: Given) -> Iterator[Field]:
    """A gun that is not in the armoury, typed in."""
    own = bool(given.get(f"{key}:own", False))
    yield Field(f"{key}:own", "A gun of your own", "flag", own, indent=2)
    if not own:
        return
    classes = tuple(FieldOption(name, name.replace("_", " ")) for name in get_args(GunClass))
    tags = tuple(FieldOption(name, name.replace("_", " ")) for name in get_args(Tag))
    dice = (FieldOption("", "a number"), *(FieldOption(die, die.upper()) for die in get_args(Die)))
    aps = (FieldOption("", "none"), *(FieldOption(str(ap), str(ap)) for ap in range(1, 7)))
    yield Field(f"{key}:own:name", "Its name", "text", given.get(f"{key}:own:name", ""), indent=4)
    yield Field(f"{key}:own:gun_type", "Ammunition", "text", given.get(f"{key}:own:gun_type", ""), indent=4)
    yield Field(f"{key}:own:range", "Range, inches", "decimal", given.get(f"{key}:own:range", 24), most=240, indent=4)
    yield _number(f"{key}:own:strength", "Strength", given, 4, 1, 10, indent=4)
    yield Field(f"{key}:own:ap", "AP", "choice", given.get(f"{key}:own:ap", ""), aps, indent=4, optional=True)
    yield Field(f"{key}:own:type", "Class", "choice", given.get(f"{key}:own:type", "assault"), classes, indent=4)
    die = given.get(f"{key}:own:die", "")
    yield Field(f"{key}:own:die", "Shots are", "choice", die, dice, indent=4, optional=True)
    if not die:
        yield _number(f"{key}:own:shots", "Shots", given, 2, 1, 60, indent=4)
    yield Field(
        f"{key}:own:tags", "Special", "choices", given.get(f"{key}:own:tags", ()), tags, indent=4, optional=True
    )


def _own_gun(key: str, given: Given) -> Weapon | None:
    if not given.get(f"{key}:own"):
        return None
    name = given.get(f"{key}:own:name")
    if not name:
        raise Refusal("order", "give your own gun a name")
    distance, ap = given.get(f"{key}:own:range", 24), given.get(f"{key}:own:ap")
    return Weapon(
        name=name,
        gun_type=given.get(f"{key}:own:gun_type") or name,
        range=int(distance) if distance == int(distance) else float(distance),
        strength=given.get(f"{key}:own:strength", 4),
        type=given.get(f"{key}:own:type", "assault"),
        shots=given.get(f"{key}:own:die") or given.get(f"{key}:own:shots", 2),
        ap=int(ap) if ap else None,
        tags=tuple(given.get(f"{key}:own:tags", ())),
    )


def _filled_group(group: GroupProfile, key: str, given: Given, catalogue: Catalogue) -> GroupProfile:
    filled, own = _with_stats(group, key, given, catalogue), _own_gun(key, given)
    return msgspec.structs.replace(filled, weapons=(*filled.weapons, own)) if own else filled


def _with_stats(group: GroupProfile, key: str, given: Given, catalogue: Catalogue) -> GroupProfile:
    """A group with the models, the stat line and the listed guns that the form says."""
    guns = _guns(group, key, given, catalogue)
    names = given.get(f"{key}:guns", tuple(gun.name for gun in group.weapons))
    weapons = tuple(guns[name] for name in names if name in guns)
    told: dict[str, Any] = {
        name: given[f"{key}:{name}"]
        for name in ("name", "models", "toughness", "wounds", "leadership", "eternal_warrior", "relentless")
        if given.get(f"{key}:{name}") is not None
    }
    for name in ("armour", "invulnerable", "feel_no_pain"):
        if f"{key}:{name}" in given:
            told[name] = int(given[f"{key}:{name}"]) if given[f"{key}:{name}"] else None
    if f"{key}:grenades" in given:
        told["grenades"] = given[f"{key}:grenades"] or None
    return msgspec.structs.replace(group, weapons=weapons, **told)


def _filled_profile(profile: UnitProfile, given: Given, catalogue: Catalogue) -> UnitProfile:
    kind = _kind(profile, given)
    profile = msgspec.structs.replace(profile, kind=kind)
    starts = _starts(profile, given, catalogue)
    groups = (_filled_group(group, f"g{at}", given, catalogue) for at, group in enumerate(starts))
    before = profile.transport or Transport(0)
    transport = Transport(
        given.get("capacity", before.capacity),
        given.get("open_topped", before.open_topped),
        given.get("fire_points", before.fire_points),
    )
    return msgspec.structs.replace(
        profile,
        name=given.get("name") or profile.name,
        fearless=given.get("fearless", profile.fearless),
        groups=tuple(group for group in groups if group.models),
        transport=transport if kind == "vehicle" and transport.capacity else None,
    )
