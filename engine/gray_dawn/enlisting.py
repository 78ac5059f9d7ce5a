"""What an army list is in Gray Dawn: a combatant for each model, with the stats and weapons that the list says.

List builders write no such stats, so that their lists come in only with stats typed in; lists of our own have them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.army_list import ArmyList, Carried, ListedUnit, Models, Profile
from engine.enlisting import take_field
from engine.form_fields import checked_profile
from engine.gray_dawn.battle import Battle
from engine.gray_dawn.muster_form import STATS, armoury_combatant
from engine.gray_dawn.mustering import MOST_COMBATANTS
from engine.gray_dawn.profiles import Armour, CombatantProfile, Weapon
from engine.refusals import Refusal
from engine.ruleset import Enlisted, Enlistment, Entering, Field, LeftOut

NEEDED = ("ref", "cl", "ma", "int", "body")
SKILLS = ("dodge", "athletics", "awareness", "stealth")
AREAS = ("head", "torso", "arms", "legs")
Catalogue = Mapping[str, Any]
Given = Mapping[str, Any]


def profiles(battle: Battle) -> Mapping[str, CombatantProfile]:
    """All combatants by id, as they were mustered or amended last."""
    return {each.profile.id: each.profile for each in battle.combatants.values()}


def standing(battle: Battle, profile: CombatantProfile) -> CombatantProfile:
    """The profile itself: wounds, stance and rounds loaded stay with the combatant."""
    return profile


def enlist(battle: Battle, army: ArmyList, register: Entering, given: Given, catalogue: Catalogue) -> Enlistment:
    """The combatants of a list for a side. Raises Refusal (`order`) for more kinds of them than a battle holds."""
    kinds = sum(len(unit.models) or 1 for unit in army.units)
    if kinds > MOST_COMBATANTS:
        raise Refusal("order", f"the list has {kinds} kinds of models; a battle holds {MOST_COMBATANTS} combatants")
    reading = _Reading(register, given, catalogue)
    for unit in army.units:
        for models in unit.models or (Models(unit.name, 1),):
            reading.take(unit, models)
    return Enlistment(
        tuple(reading.units), tuple(reading.fields.values()), tuple(reading.assumed), tuple(reading.left_out)
    )


class _Reading:
    """A list while it is read."""

    def __init__(self, register: Entering, given: Given, catalogue: Catalogue) -> None:
        self._register = register
        self._given = given
        self._catalogue = catalogue
        self._keys: dict[tuple[str, str], list[int]] = {}
        self.units: list[Enlisted] = []
        self.left_out: list[LeftOut] = []
        self.fields: dict[str, Field] = {}
        self.assumed: dict[str, None] = {}

    def take(self, unit: ListedUnit, models: Models) -> None:
        """All models of a kind; what is asked is asked of the first of them."""
        called = models.name or unit.name
        before = sum(self._keys.get((unit.key, called), ()))
        count = models.number if models.number <= MOST_COMBATANTS else 1
        self._keys.setdefault((unit.key, called), []).append(count)
        keys = [f"{unit.key}/{called}/{number}" for number in range(before + 1, before + count + 1)]
        ids = [self._register.listed(key, called) for key in keys]
        first, name = ids[0]
        entry = self._entry(called) or self._entry(unit.name)
        missing = [stat for stat in NEEDED if _value(models.stats, stat) is None]
        why = f"it has no {', '.join(missing).upper()}; say yes to type them in" if missing and not entry else ""
        if models.number > MOST_COMBATANTS:
            many = f"there are {models.number}; a battle holds {MOST_COMBATANTS} combatants"
            self.left_out.append(LeftOut(name, many))
            return
        several = f"{name} and {len(ids) - 1} more" if len(ids) > 1 else name
        field = take_field(first, several, self._given, not why, why)
        self.fields[field.name] = field
        if not field.value:
            self.left_out.append(LeftOut(several, why or "left out by you"))
            return
        try:
            profile = checked_profile(self._profile(unit, models, first, name, entry))
        except Refusal as refusal:
            self.left_out.append(LeftOut(several, refusal.message))
            return
        for key, (combatant, its_name) in zip(keys, ids, strict=True):
            own = replace(profile, id=combatant, name=its_name)
            self.units.append(Enlisted(key, called, own, profile_lines(own)))

    def _entry(self, name: str) -> str:
        """The id of the armoury's combatant of that name, empty where there is none."""
        wanted = name.casefold().strip()
        known = self._catalogue.get("combatants", {})
        return next((entry for entry, each in known.items() if str(each["name"]).casefold() == wanted), "")

    def _profile(self, unit: ListedUnit, models: Models, combatant: str, name: str, entry: str) -> CombatantProfile:
        side = self._given["side"]
        usual = armoury_combatant(self._catalogue, entry, combatant, side) if entry else None
        stats = {stat: self._stat(stat, models, combatant, name, usual) for stat in NEEDED}
        told = {skill: _number(models.stats, skill) for skill in SKILLS}
        blank = CombatantProfile(combatant, side, stats["ref"], stats["cl"], stats["ma"], stats["int"], stats["body"])
        base = replace(
            usual or blank, name=name, ref=stats["ref"], cl=stats["cl"], ma=stats["ma"], intelligence=stats["int"],
            body=stats["body"], **{skill: value for skill, value in told.items() if value is not None},
        )  # fmt: skip
        areas = {area: _number(models.stats, area, f"sp {area}") for area in AREAS}
        known = msgspec.structs.asdict(base.sp)
        worn = Armour(**{area: known[area] if value is None else value for area, value in areas.items()})
        place = unit.models.index(models) if models in unit.models else 0
        carried = [each for each in unit.carried if not each.among or place in each.among]
        weapons = self._weapons(carried, name)
        return replace(base, sp=worn, weapons=weapons or base.weapons)

    def _stat(self, stat: str, models: Models, combatant: str, name: str, usual: CombatantProfile | None) -> int:
        told = _number(models.stats, stat)
        if told is not None:
            return told
        attribute = "intelligence" if stat == "int" else stat
        if usual is not None:
            return int(getattr(usual, attribute))
        field = Field(f"{combatant}.{stat}", STATS[attribute], "number", 6, most=30,
                      inferred="assumed: the list does not say")  # fmt: skip
        given = field.name in self._given
        value = self._given.get(field.name, field.value)
        self.fields[field.name] = replace(field, value=value, inferred="" if given else field.inferred, indent=2)
        if not given:
            self.assumed[field.name] = None
        return int(value)

    def _weapons(self, carried: list[Carried], name: str) -> tuple[Weapon, ...]:
        weapons: dict[str, Weapon] = {}
        for each in carried:
            weapon = _weapon(each, self._catalogue)
            if weapon is not None:
                weapons.setdefault(weapon.name, weapon)
            elif each.profiles:
                self.left_out.append(LeftOut(f"{each.name} of {name}", "it has no modes, ROF and magazine"))
            else:
                self.left_out.append(LeftOut(f"{each.name} of {name}", "the armoury has no weapon of that name"))
        return tuple(weapons.values())


def _weapon(carried: Carried, catalogue: Catalogue) -> Weapon | None:
    """A weapon from what the list says of it, else the armoury's of that name; None where neither is enough."""
    wanted = carried.name.casefold().strip()
    known = next(
        (each for each in catalogue.get("weapons", {}).values() if str(each["name"]).casefold() == wanted), None
    )
    told: dict[str, Any] = dict(known or {})
    for profile in carried.profiles[:1]:
        told.update(_told(profile))
    told["name"] = carried.name[:100]
    try:
        return msgspec.convert(told, Weapon)
    except msgspec.ValidationError:
        return None


def _told(profile: Profile) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for field in ("rof", "semi_rof", "range", "magazine"):
        number = _number(profile, field)
        if number is not None:
            told[field] = number
    modes = (profile.value("modes", "mode") or "").replace("/", " ").replace("+", " ").casefold().split()
    if modes:
        told["modes"] = modes
    if profile.value("damage"):
        told["damage"] = profile.value("damage")
    return told


def _value(profile: Profile | None, *names: str) -> str | None:
    return profile.value(*names) if profile else None


def _number(profile: Profile | None, *names: str) -> int | None:
    text = (_value(profile, *names) or "").strip().removesuffix("m").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else None


def profile_lines(profile: CombatantProfile) -> tuple[str, ...]:
    """A combatant as it would be mustered: its stats and weapons on one line."""
    stats = f"REF {profile.ref} CL {profile.cl} MA {profile.ma} INT {profile.intelligence} BODY {profile.body}"
    weapons = ", ".join(weapon.name for weapon in profile.weapons) or "no weapon"
    return (f"{stats}: {weapons}",)
