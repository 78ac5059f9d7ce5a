"""The form that musters or amends a combatant: from the armoury, like one there is, or typed in line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from engine.fields import as_number, length
from engine.form_fields import Catalogue, Given, checked_profile, copied_name, free_id, free_name
from engine.gray_dawn.battle import Battle, Combatant
from engine.gray_dawn.orders import Muster
from engine.gray_dawn.profiles import Armour, CombatantProfile, Mode, Weapon
from engine.gray_dawn.telling import STANCES
from engine.refusals import Refusal
from engine.ruleset import Field, FieldOption

OWN = "own"
"""The choice of a combatant of one's own instead of one from the armoury."""

STATS = {
    "ref": "REF",
    "cl": "CL (cool)",
    "ma": "MA (movement)",
    "intelligence": "INT",
    "body": "BODY",
    "dodge": "Dodge/Cover",
    "athletics": "Athletics",
    "awareness": "Awareness",
    "stealth": "Stealth",
}

AREAS = {"head": "SP head", "torso": "SP torso", "arms": "SP arms", "legs": "SP legs"}


# The armoury


def armoury_weapon(catalogue: Catalogue, weapon: str) -> Weapon:
    """A weapon of the armoury; raises KeyError for one that is not in it."""
    return msgspec.convert(catalogue["weapons"][weapon], Weapon)


def armoury_combatant(catalogue: Catalogue, entry: str, combatant_id: str, side: str) -> CombatantProfile:
    """A combatant of the armoury as it would be mustered under an id for a side, with its weapons."""
    stats = {**catalogue["combatants"][entry], "id": combatant_id, "side": side, "weapons": []}
    weapons = tuple(armoury_weapon(catalogue, weapon) for weapon in catalogue["combatants"][entry].get("weapons", []))
    return msgspec.structs.replace(msgspec.convert(stats, CombatantProfile), weapons=weapons)


# Mustering


def _entry(given: Given, catalogue: Catalogue) -> str | None:
    entry = given.get("entry")
    return entry if entry == OWN or entry in catalogue.get("combatants", {}) else None


def _copied(battle: Battle, given: Given) -> Combatant | None:
    """The combatant to be copied; None where none is."""
    return battle.combatants.get(given.get("copy_of") or "")


def _side(battle: Battle, given: Given) -> str:
    """The side mustering: as given, else that of the combatant copied or mustered last, else the first."""
    if given.get("side") in battle.sides:
        return str(given["side"])
    last = _copied(battle, given) or next(reversed(battle.combatants.values()), None)
    return battle.sides[0] if last is None else last.side


def muster_start(battle: Battle, given: Given, catalogue: Catalogue) -> CombatantProfile | None:
    """The profile that the form begins with: the copied combatant's, the armoury's, or an average one.

    None while nothing is chosen.
    """
    copied = _copied(battle, given)
    if copied is not None:
        return _copy(battle, copied.profile, given)
    entry, name = _entry(given, catalogue), given.get("name") or ""
    if entry is None:
        return None
    side = _side(battle, given)
    if entry == OWN:
        return CombatantProfile(free_id(battle.combatants, name, "combatant"), side, 6, 6, 6, 6, 6, name)
    profile = armoury_combatant(catalogue, entry, free_id(battle.combatants, name or entry, "combatant"), side)
    names = {each.name for each in battle.combatants.values()}
    return msgspec.structs.replace(profile, name=free_name(names, profile.name))


def _copy(battle: Battle, profile: CombatantProfile, given: Given) -> CombatantProfile:
    """A combatant as another was mustered or amended last, under the next free name."""
    names = {combatant.name for combatant in battle.combatants.values()}
    name, combatant_id = copied_name(profile.name, profile.id, names, battle.combatants)
    if given.get("name"):
        combatant_id = free_id(battle.combatants, given["name"], "combatant")
    return msgspec.structs.replace(profile, id=combatant_id, name=name, side=_side(battle, given))


def muster_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """Whom to muster and for whom, with which weapons; every characteristic where they are asked for."""
    start = muster_start(battle, given, catalogue)
    sides = tuple(FieldOption(side, side) for side in battle.sides)
    side = Field("side", "Side", "choice", _side(battle, given), sides, inferred="" if "side" in given else "as before")
    if start is None:
        return [_entry_field(given, catalogue), side]
    name, combatant_id = _text("name", "Name", given, start.name), _text("id", "Id", given, start.id)
    copied = _copied(battle, given) is not None
    head = [name, combatant_id, side] if copied else [_entry_field(given, catalogue), side, name, combatant_id]
    stances = tuple(FieldOption(stance, words) for stance, words in STANCES.items())
    return [
        *head,
        Field("stance", "Stance", "choice", given.get("stance", start.stance), stances),
        _number("cover", "Cover level", given, start.cover, 20),
        *_position_fields(start, given),
        *_profile_fields(start, given, catalogue, unfold=not copied and _entry(given, catalogue) == OWN),
    ]


def _entry_field(given: Given, catalogue: Catalogue) -> Field:
    entries = (
        FieldOption(OWN, "a combatant of your own"),
        *(FieldOption(key, entry["name"]) for key, entry in catalogue.get("combatants", {}).items()),
    )
    return Field("entry", "Combatant", "choice", _entry(given, catalogue), entries)


def _position_fields(start: CombatantProfile, given: Given) -> Iterator[Field]:
    """Where it stands, for those who play with positions."""
    somewhere = bool(given.get("somewhere", start.position is not None))
    yield Field("somewhere", "On the map", "flag", somewhere)
    if somewhere:
        for axis, usual in zip(("x", "y"), start.position or (0, 0), strict=True):
            value = given.get(axis, usual)
            yield Field(axis, f"{axis}, metres", "decimal", value, least=-10000, most=10000, indent=2)


def filled_muster(battle: Battle, given: Given, catalogue: Catalogue) -> Muster:
    """The order to muster what the form says; raises Refusal (`order`) where something is missing."""
    start = muster_start(battle, given, catalogue)
    if start is None:
        raise Refusal("order", "say whom: one of the armoury, or one of your own")
    profile = _filled_profile(start, given, catalogue)
    if not profile.name:
        raise Refusal("order", "give the combatant a name")
    at = tuple(as_number(length(axis.value)) for axis in list(_position_fields(start, given))[1:]) or None
    told = {"id": given.get("id") or profile.id, "stance": given.get("stance", start.stance), "position": at}
    return Muster(checked_profile(msgspec.structs.replace(profile, cover=given.get("cover", start.cover), **told)))


# Profiles, for mustering and amending


def profile_fields(profile: CombatantProfile, given: Given, catalogue: Catalogue) -> list[Field]:
    """The fields that amend a profile: its weapons as they are, and every characteristic where asked for."""
    name = _text("name", "Name", given, profile.name)
    return [name, *_profile_fields(profile, given, catalogue, unfold=False)]


def amended_profile(profile: CombatantProfile, given: Given, catalogue: Catalogue) -> CombatantProfile:
    """The profile that the form makes of another; raises Refusal (`order`) for what cannot be."""
    return checked_profile(_filled_profile(profile, given, catalogue))


def _text(name: str, label: str, given: Given, start: str) -> Field:
    value = given.get(name)
    return Field(name, label, "text", start if value is None else value, inferred="" if value or not start else "usual")


def _number(name: str, label: str, given: Given, start: int, most: int, least: int = 0, indent: int = 0) -> Field:
    return Field(name, label, "number", given.get(name, start), least=least, most=most, indent=indent)


def _profile_fields(profile: CombatantProfile, given: Given, catalogue: Catalogue, unfold: bool) -> Iterator[Field]:
    more = bool(given.get("more", unfold))
    if more:
        for name, label in STATS.items():
            yield _number(name, label, given, getattr(profile, name), 30)
        for area, label in AREAS.items():
            yield _number(f"sp:{area}", label, given, getattr(profile.sp, area), 100)
    options = tuple(FieldOption(w.name, _weapon_label(w)) for w in _weapons(profile, catalogue).values())
    value = given.get("weapons", tuple(weapon.name for weapon in profile.weapons))
    yield Field("weapons", "Weapons", "choices", value, options, optional=True)
    if more:
        yield from _own_weapon_fields(given)
    if not unfold:
        yield Field("more", "Every characteristic", "flag", more)


def _weapons(profile: CombatantProfile, catalogue: Catalogue) -> dict[str, Weapon]:
    """The weapons that a combatant may be given: its own first, then those of the armoury with other names."""
    weapons = {weapon.name: weapon for weapon in profile.weapons}
    for entry in catalogue.get("weapons", {}):
        weapon = armoury_weapon(catalogue, entry)
        weapons.setdefault(weapon.name, weapon)
    return weapons


def _weapon_label(weapon: Weapon) -> str:
    damage = f", {weapon.damage}" if weapon.damage else ""
    return f"{weapon.name}: {weapon.range} m, {'/'.join(weapon.modes)}, ROF {weapon.rof}, {weapon.magazine}{damage}"


def _own_weapon_fields(given: Given) -> Iterator[Field]:
    """A weapon that is not in the armoury, typed in."""
    own = bool(given.get("own", False))
    yield Field("own", "A weapon of your own", "flag", own)
    if not own:
        return
    modes = tuple(FieldOption(mode, mode) for mode in get_args(Mode))
    yield Field("own:name", "Its name", "text", given.get("own:name", ""), indent=2)
    yield Field("own:modes", "Modes", "choices", given.get("own:modes", ("semi",)), modes, indent=2)
    yield _number("own:rof", "Rate of fire, automatic", given, 30, 1000, least=1, indent=2)
    yield _number("own:semi_rof", "Rate of fire, single", given, 2, 100, least=1, indent=2)
    yield Field("own:range", "Range, metres", "decimal", given.get("own:range", 100), most=5000, indent=2)
    yield _number("own:magazine", "Magazine", given, 30, 1000, least=1, indent=2)
    yield Field("own:damage", "Damage, like 5d6+2", "text", given.get("own:damage", ""), indent=2, optional=True)


def _own_weapon(given: Given) -> Weapon | None:
    if not given.get("own"):
        return None
    name = given.get("own:name")
    if not name:
        raise Refusal("order", "give your own weapon a name")
    return Weapon(
        name=name,
        modes=tuple(given.get("own:modes") or ("semi",)),
        rof=given.get("own:rof", 30),
        range=as_number(length(given.get("own:range", 100))),
        magazine=given.get("own:magazine", 30),
        semi_rof=given.get("own:semi_rof", 2),
        damage=given.get("own:damage") or None,
    )


def _filled_profile(profile: CombatantProfile, given: Given, catalogue: Catalogue) -> CombatantProfile:
    known, own = _weapons(profile, catalogue), _own_weapon(given)
    names = given.get("weapons", tuple(weapon.name for weapon in profile.weapons))
    weapons = [known[name] for name in names if name in known] + ([own] if own else [])
    told: dict[str, Any] = {name: given.get(name, getattr(profile, name)) for name in STATS}
    sp = Armour(**{area: given.get(f"sp:{area}", getattr(profile.sp, area)) for area in AREAS})
    name = given.get("name") or profile.name
    return msgspec.structs.replace(profile, name=name, sp=sp, weapons=tuple(weapons), **told)
