"""What an army list is in Firefight: each of its units a squad, its models soldiers; the rest is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.army_list import ArmyList
from engine.enlisting import take_field
from engine.form_fields import number_field
from engine.ruleset import Enlisted, Enlistment, Entering, Field, LeftOut

from .squads import MOST_SOLDIERS, Battle, SquadProfile

Given = Mapping[str, Any]


def profiles(battle: Battle) -> Mapping[str, SquadProfile]:
    """All squads by id, as they were mustered or amended last."""
    return {squad.id: squad.profile for squad in battle.squads.values()}


def profile_lines(profile: SquadProfile) -> tuple[str, ...]:
    return (f"{profile.soldiers} soldiers, firepower {profile.firepower}, nerve {profile.nerve}",)


def standing(battle: Battle, profile: SquadProfile) -> SquadProfile:
    """The profile itself: amending takes what fell before into account."""
    return profile


def enlist(battle: Battle, army: ArmyList, register: Entering, given: Given, catalogue: Given) -> Enlistment:
    """The squads of a list; firepower and nerve, which no list says, are assumed and may be answered."""
    units: list[Enlisted] = []
    fields: list[Field] = []
    left_out: list[LeftOut] = []
    for unit in army.units:
        squad, name = register.listed(unit.key, unit.name)
        number = unit.number or 1
        if number > MOST_SOLDIERS:
            left_out.append(LeftOut(name, f"it has {number} models; a squad has {MOST_SOLDIERS} soldiers at most"))
            continue
        take = take_field(squad, name, given)
        fields.append(take)
        if not take.value:
            left_out.append(LeftOut(name, "left out by you"))
            continue
        firepower = number_field(f"{squad}.firepower", "Firepower", given, 1, 12, min(12, number), "assumed")
        nerve = number_field(f"{squad}.nerve", "Nerve", given, 3, 11, 8, "assumed")
        fields += [firepower, nerve]
        profile = SquadProfile(squad, given["side"], name, number, firepower.value, nerve.value)
        units.append(Enlisted(unit.key, unit.name, profile, profile_lines(profile)))
    assumed = tuple(field.name for field in fields if field.inferred == "assumed")
    return Enlistment(tuple(units), tuple(fields), assumed, tuple(left_out))
