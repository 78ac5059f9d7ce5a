"""What an army list is in Suppression Fire: units, groups with their stat lines and guns, transports and who is inside.

Whatever the list does not say is asked, with a default that is marked as assumed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine.army_list import ArmyList, Carried, ListedUnit, Models, Remark
from engine.enlisting import take_field
from engine.form_fields import checked_profile
from engine.refusals import Refusal
from engine.ruleset import Enlisted, Enlistment, Entering, Field, FieldOption, LeftOut
from engine.suppression_fire.battle import Battle
from engine.suppression_fire.carriers import Held, hand_out
from engine.suppression_fire.gun_lines import armoury_gun_named, plain_gun, read_gun, shooting_name
from engine.suppression_fire.listed_groups import MOST_MODELS, gun_groups, joined, named_apart
from engine.suppression_fire.muster_form import armoury_unit
from engine.suppression_fire.mustering import MOST_UNITS
from engine.suppression_fire.profile_words import profile_lines
from engine.suppression_fire.profiles import GroupProfile, Kind, Transport, UnitProfile, Weapon
from engine.suppression_fire.stat_lines import (
    has_rule,
    invulnerable_in,
    kind_of,
    number,
    pain_in,
    stats_of,
    unit_type,
    why_unusable,
)
from engine.wording import counted

MOST_IN_A_UNIT = 600
"""Models of a unit of a list, and weapons; those of real lists stay far below."""

Catalogue = Mapping[str, Any]
Given = Mapping[str, Any]


def profiles(battle: Battle) -> Mapping[str, UnitProfile]:
    """All units by id, as they were mustered or amended last."""
    return {unit.id: unit.profile for unit in battle.units.values()}


def standing(battle: Battle, profile: UnitProfile) -> UnitProfile:
    """The profile with as many models fewer in each group as have fallen of it since muster or amend."""
    unit = battle.units[profile.id]
    fallen = {group.name: group.fallen for group in unit.groups}
    groups = (replace(g, models=max(0, g.models - fallen.get(g.name, 0))) for g in profile.groups)
    return replace(profile, groups=tuple(group for group in groups if group.models))


def enlist(battle: Battle, army: ArmyList, register: Entering, given: Given, catalogue: Catalogue) -> Enlistment:
    """The units of a list for a side, as far as these rules can use them.

    Raises Refusal (`order`) for a list of more units than a battle holds.
    """
    if len(army.units) > MOST_UNITS:
        raise Refusal("order", f"the list has {len(army.units)} units; a battle holds {MOST_UNITS} at most")
    reading = _Reading(army, register, given, catalogue)
    for unit in army.units:
        reading.take(unit)
    return reading.enlistment()


class _Reading:
    """A list while it is read: units that come, what is left out, what is asked."""

    def __init__(self, army: ArmyList, register: Entering, given: Given, catalogue: Catalogue) -> None:
        self._register = register
        self._given = given
        self._catalogue = catalogue
        self._units: list[Enlisted] = []
        self._left_out: list[LeftOut] = []
        self._fields: dict[str, Field] = {}
        self._gun_fields: dict[str, Field] = {}
        self._assumed: dict[str, None] = {}
        self._listed = {unit.key: unit for unit in army.units}
        self._ids = {unit.key: register.listed(unit.key, unit.name)[0] for unit in army.units}

    def enlistment(self) -> Enlistment:
        seated = self._seated()
        order = list(self._ids.values())
        about = sorted(self._fields.values(), key=lambda field: order.index(field.name.partition(".")[0]))
        return Enlistment(seated, (*about, *self._gun_fields.values()), tuple(self._assumed), tuple(self._left_out))

    def ask(self, field: Field, assumed: bool = True) -> Any:
        """The answer to a question, its default where nobody has answered."""
        told = field.name in self._given
        value = self._given.get(field.name, field.value)
        self._fields[field.name] = replace(field, value=value, inferred="" if told else field.inferred, indent=2)
        if assumed and not told:
            self._assumed[field.name] = None
        return value

    def take(self, unit: ListedUnit) -> None:
        unit_id, name = self._register.listed(unit.key, unit.name)
        why = self._why_not(unit)
        told = why or f"{counted(unit.number, 'model')}{_points(unit)}"
        field = take_field(unit_id, name, self._given, not why, told)
        self._fields[field.name] = field
        if not field.value:
            self._left_out.append(LeftOut(name, why or "left out by you"))
            return
        try:
            _judge_size(unit, name)
            profile, notes = self._profile(unit, unit_id, name)
            checked_profile(profile)
        except Refusal as refusal:
            self._left_out.append(LeftOut(name, refusal.message))
            return
        lines = (*profile_lines(profile), *notes, *unit.warnings)
        self._units.append(Enlisted(unit.key, unit.name, profile, lines))

    def _why_not(self, unit: ListedUnit) -> str:
        """What speaks against mustering a unit: stat lines of other games, or none at all."""
        if not unit.models:
            return "" if self._entry(unit) else "the list has no stats for it: say yes to type them in"
        for models in unit.models:
            if models.stats is not None and (why := why_unusable(models.stats)):
                return f"{why}; say yes to bring it all the same"
        if all(models.stats is None for models in unit.models) and not self._entry(unit):
            return "the list has no stat line for it: say yes to type one in"
        return ""

    def _entry(self, unit: ListedUnit) -> str:
        """The id of the armoury's unit of that name, empty where there is none."""
        wanted = unit.name.casefold().strip()
        units = self._catalogue.get("units", {})
        return next((entry for entry, each in units.items() if str(each["name"]).casefold() == wanted), "")

    # A unit

    def _profile(self, unit: ListedUnit, unit_id: str, name: str) -> tuple[UnitProfile, list[str]]:
        side = self._given["side"]
        entry = self._entry(unit)
        known = armoury_unit(self._catalogue, entry, unit_id, side) if entry else None
        if known is not None and not unit.models:
            return replace(known, name=name), ["as in the armoury"]
        unit = unit if unit.models else replace(unit, models=(Models(unit.name, 1),))
        kind: Kind = known.kind if known and unit.models[0].stats is None else kind_of(unit.models)
        held, notes = self._guns(unit)
        if kind == "vehicle":
            groups = gun_groups(unit, held)
            notes += self._squadron(unit)
        else:
            groups, more = self._groups(unit, unit_id, name, held, known)
            notes += more
        remarks = [*unit.remarks, *(each for models in unit.models for each in models.remarks)]
        transport = self._transport(unit, unit_id, name, known) if kind == "vehicle" else None
        fearless = has_rule(remarks, "fearless") or bool(known and known.fearless)
        return UnitProfile(unit_id, side, groups, name, kind, fearless, None, transport), notes

    @staticmethod
    def _squadron(unit: ListedUnit) -> list[str]:
        vehicles = sum(each.number for each in unit.models if each.stats and each.stats.value("front", "front armour"))
        return [f"{vehicles} vehicles count as one unit with all their guns"] if vehicles > 1 else []

    def _guns(self, unit: ListedUnit) -> tuple[list[Held], list[str]]:
        """The guns that shoot, and a note on what does not."""
        held: list[Held] = []
        idle: dict[str, str] = {}
        for carried in unit.carried:
            found = [(gun, why) for gun, why in self._gun(carried, unit) if gun or why]
            guns = tuple(gun for gun, _ in found if gun is not None)
            held += [Held(carried, guns)] if guns else []
            idle.update((carried.name, why) for gun, why in found if gun is None and why)
        kept = {each.carried.name for each in held}
        told = [f"{name} ({why})" for name, why in idle.items() if name not in kept]
        return held, [f"not for suppressing: {', '.join(told)}"] if told else []

    def _gun(self, carried: Carried, unit: ListedUnit) -> list[tuple[Weapon | None, str]]:
        if _grenade(carried.name, self._catalogue) or "grenade" in carried.name.casefold():
            return [(None, "grenades" if _grenade(carried.name, self._catalogue) else "not these grenades, SF-10")]
        if not carried.profiles:
            known = armoury_gun_named(carried.name, self._catalogue)
            return [(replace(known, name=carried.name[:100]), "")] if known else []
        first = unit.models[carried.among[0]].stats if carried.among and unit.models else None
        bearer = number(first.value("s", "strength"), 10) if first else None
        found: list[tuple[Weapon | None, str]] = []
        for profile in carried.profiles:
            if "grenade" in profile.name.casefold():
                found.append((None, "grenades"))
                continue
            line = read_gun(
                profile, shooting_name(profile.name or carried.name)[:100], bearer, self._given, self._catalogue
            )
            self._gun_fields.update({field.name: field for field in line.fields})
            self._assumed.update(dict.fromkeys(line.assumed))
            found.append((line.gun, line.why))
        return found

    # Groups

    def _groups(
        self, unit: ListedUnit, unit_id: str, name: str, held: list[Held], known: UnitProfile | None
    ) -> tuple[tuple[GroupProfile, ...], list[str]]:
        handed = hand_out(unit, unit_id, held, self._given)
        self._fields.update({field.name: field for field in handed.fields})
        self._assumed.update(dict.fromkeys(handed.assumed))
        groups: list[GroupProfile] = []
        for models, guns in zip(unit.models, handed.guns, strict=True):
            base = self._stats(unit, models, unit_id, name, known)
            for carried in sorted(dict.fromkeys(guns), key=lambda each: -guns.count(each)):
                weapons = named_apart(carried)
                groups.append(replace(base, models=guns.count(carried), weapons=weapons))
        return joined(groups, name), list(handed.notes)

    def _stats(
        self, unit: ListedUnit, models: Models, unit_id: str, name: str, known: UnitProfile | None
    ) -> GroupProfile:
        """The stat line of a kind of models: as listed, else the armoury's, else asked."""
        usual = _usual(models, known)
        told = stats_of(models.stats)
        foreign = bool(models.stats and why_unusable(models.stats))
        remarks = (*models.remarks, *unit.remarks)
        key = f"{unit_id}.{plain_key(models.name)}"
        label = f"{models.name}, " if len(unit.models) > 1 else ""

        def asked(what: str, words: str, value: int | None, start: int, most: int) -> int:
            if value is not None and not foreign:
                return value
            why = "assumed: as in its edition" if value else "assumed: the list does not say"
            why = "assumed: the armoury's" if usual else why
            field = Field(
                f"{key}.{what}", f"{label}{words}", "number", value or start, least=1, most=most, inferred=why
            )
            return int(self.ask(field))

        base = usual or GroupProfile("models", 1)
        armour, invulnerable = told.armour, told.invulnerable
        if not told.save_told or foreign:
            why = "assumed: as in its edition" if told.save_told else ""
            armour = self._save(f"{key}.armour", f"{label}armour save", armour or base.armour, why)
        given_by, wargear = invulnerable_in(remarks)
        if invulnerable is None and given_by is not None:
            inv = f"{key}.invulnerable"
            invulnerable = self._save(inv, f"{label}invulnerable save", given_by, f"assumed: {wargear}")
        return replace(
            base,
            name=models.name[:100] or "models",
            models=1,
            toughness=asked("toughness", "toughness", told.toughness, base.toughness, 10),
            wounds=asked("wounds", "wounds", told.wounds, base.wounds, 20),
            leadership=asked("leadership", "leadership", told.leadership, base.leadership, 10),
            armour=armour,
            invulnerable=invulnerable if invulnerable is not None else base.invulnerable if usual else None,
            feel_no_pain=self._pain(key, label, remarks, base),
            grenades=self._grenades(unit, remarks) or base.grenades,
            eternal_warrior=has_rule(remarks, "eternal warrior"),
            relentless=_relentless(models, remarks) or base.relentless,
            weapons=(),
        )

    def _save(self, name: str, label: str, start: int | None, why: str) -> int | None:
        options = (FieldOption("", "none"), *(FieldOption(str(each), f"{each}+") for each in range(2, 7)))
        why = why or "assumed: the list does not say"
        field = Field(name, label, "choice", str(start or ""), options, inferred=why, optional=True)
        chosen = self.ask(field)
        return int(chosen) if chosen else None

    def _pain(self, key: str, label: str, remarks: tuple[Remark, ...], base: GroupProfile) -> int | None:
        pain = pain_in(remarks)
        if pain is None:
            return base.feel_no_pain
        if pain.sure:
            return pain.needed
        why = f"assumed: {pain.by}" if pain.needed else f"assumed: {pain.by} has no number in the list"
        return self._save(f"{key}.feel_no_pain", f"{label}feel no pain", pain.needed or 5, why)

    def _grenades(self, unit: ListedUnit, remarks: tuple[Remark, ...]) -> Any:
        names = [each.name for each in unit.carried]
        names += [profile.name for each in unit.carried for profile in each.profiles]
        found = [_grenade(name, self._catalogue) for name in names]
        for each in remarks:
            words = f"{each.name} {each.text[:40]}" if "grenade" in each.name.casefold() else each.name
            found.append(_grenade(words, self._catalogue))
        kinds = [kind for kind in ("assault", "defensive") if kind in found]
        return kinds[0] if kinds else None

    # Vehicles

    def _transport(self, unit: ListedUnit, unit_id: str, name: str, known: UnitProfile | None) -> Transport | None:
        usual = known.transport if known else None
        stats = unit.models[0].stats
        told = unit.transport or stats
        written = told.value("capacity", "transport capacity") if told else None
        kind = unit_type(unit.models[0])
        open_topped = "open-topped" in kind or "open topped" in kind or bool(usual and usual.open_topped)
        capacity = number(written, MOST_MODELS)
        if capacity is None and usual is None and "transport" not in kind:
            return None
        if capacity is None:
            why = "assumed: the armoury's" if usual else "assumed: the list does not say"
            start = usual.capacity if usual else 10
            field = Field(f"{unit_id}.capacity", "carries models", "number", start, most=200, inferred=why)
            capacity = int(self.ask(field))
        points = _fire_points(told.value("fire points") if told else None)
        if points is None and not open_topped:
            why = "assumed: the armoury's" if usual else "assumed: the list does not say"
            start = usual.fire_points if usual else 0
            field = Field(f"{unit_id}.fire_points", "fire points", "number", start, most=200, inferred=why)
            points = int(self.ask(field))
        return Transport(capacity, open_topped, points or 0)

    def _seated(self) -> tuple[Enlisted, ...]:
        """The units with transports first, and those inside one that came with it, where it comes and has room."""
        there = {unit.profile.id: unit.profile for unit in self._units}
        room = {unit.id: unit.transport.capacity for unit in there.values() if unit.transport}
        seated: list[Enlisted] = []
        for unit in self._units:
            listed = self._listed[unit.key]
            into = self._ids.get(listed.inside, "") or self._leader_in(listed)
            models = sum(group.models for group in unit.profile.groups)
            if not into or into not in room or unit.profile.kind == "vehicle":
                seated.append(unit)
                continue
            name = there[into].name
            fits = models <= room[into]
            options = (FieldOption("yes", f"inside {name}"), FieldOption("no", "on foot"))
            why = "came with it" if fits else f"it has room for {room[into]} more"
            field = Field(f"{unit.profile.id}.inside", "begins", "choice",
                          "yes" if fits else "no", options, inferred=why)  # fmt: skip
            if self.ask(field, False) == "yes":
                room[into] -= models
                inside = replace(unit.profile, embarked_in=into)
                unit = replace(unit, profile=inside, lines=(*unit.lines, f"inside {name}"))
            seated.append(unit)
        return tuple(sorted(seated, key=lambda each: each.profile.embarked_in is not None))

    def _leader_in(self, listed: ListedUnit) -> str:
        leader = self._listed.get(listed.follows)
        return self._ids.get(leader.inside, "") if leader else ""


def _judge_size(unit: ListedUnit, name: str) -> None:
    """Refuses what no unit of these rules is like, before its weapons are handed out model by model."""
    armed = sum(1 for each in unit.carried if each.profiles)
    if unit.number > MOST_IN_A_UNIT or armed > MOST_IN_A_UNIT:
        what = counted(unit.number, "model") if unit.number > MOST_IN_A_UNIT else counted(armed, "weapon")
        raise Refusal("order", f"{name} has {what}; no unit here has more than {MOST_IN_A_UNIT}")


def plain_key(name: str) -> str:
    """The name of a kind of models in the names of questions."""
    return (
        "-".join("".join(char if char.isalnum() and char.isascii() else " " for char in name.casefold()).split())
        or "models"
    )


def _points(unit: ListedUnit) -> str:
    return f", {unit.points:f} points" if unit.points else ""


def _grenade(name: str, catalogue: Catalogue) -> Any:
    """Which kind of grenades that count a name speaks of; empty for others."""
    words = name.casefold()
    kinds = catalogue.get("grenades", {})
    found = (
        kind
        for kind, known in kinds.items()
        if any(word in words and re.search(rf"\b{re.escape(word)}(?:s|z)?\b", words) for word in known)
    )
    return next(found, "")


def _relentless(models: Models, remarks: tuple[Remark, ...]) -> bool:
    return has_rule(remarks, "relentless") or any(word in unit_type(models) for word in ("monstrous", "bike"))


def _usual(models: Models, known: UnitProfile | None) -> GroupProfile | None:
    """The armoury's group for a kind of models of which the list has no stat line."""
    if known is None or models.stats is not None or not known.groups:
        return None
    wanted = plain_gun(models.name).removesuffix("s")
    return next((group for group in known.groups if group.name.casefold().removesuffix("s") == wanted), known.groups[0])


def _fire_points(written: str | None) -> int | None:
    if written is None or written in ("-", ""):
        return None
    words = {"none": 0, "no": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
    first = written.casefold().split()[0].strip(".,:;")
    return words.get(first, int(first) if first.isdecimal() and len(first) < 3 else None)
