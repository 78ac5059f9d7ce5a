"""Bringing combatants into the battle, mending their profiles, and taking back a mistake."""

from __future__ import annotations

from msgspec.structs import replace

from engine.fields import name_from_id
from engine.gray_dawn.battle import Battle
from engine.gray_dawn.events import Amended, Dismissed, Mustered
from engine.gray_dawn.naming import in_action
from engine.gray_dawn.orders import Amend, Dismiss, Muster
from engine.gray_dawn.profiles import CombatantProfile
from engine.refusals import Refusal
from engine.scorekeeping import Entered, known_side

MOST_COMBATANTS = 200


def named(profile: CombatantProfile) -> CombatantProfile:
    """The profile with a name: where none is given, one made from the id."""
    return replace(profile, name=name_from_id(profile.name, profile.id))


def judge_profile(battle: Battle, profile: CombatantProfile) -> None:
    """What holds of every combatant; raises Refusal (`order`)."""
    known_side(battle, profile.side)
    seen: set[str] = set()
    for weapon in profile.weapons:
        if weapon.name in seen:
            raise Refusal("order", f"{profile.id} has two weapons named {weapon.name}: give each its own name")
        seen.add(weapon.name)
        if weapon.as_loaded > weapon.magazine:
            raise Refusal(
                "order", f"{weapon.name} of {profile.id} holds {weapon.magazine} rounds, not {weapon.as_loaded}"
            )


def judge_muster(battle: Battle, order: Muster) -> Entered:
    """A new combatant with an id of its own. Raises Refusal (`order`)."""
    profile = named(order.combatant)
    judge_profile(battle, profile)
    if profile.id in battle.combatants:
        raise Refusal("order", f"there is a combatant {profile.id} already: choose another id, or amend it")
    if len(battle.combatants) >= MOST_COMBATANTS:
        raise Refusal("order", f"a battle holds {MOST_COMBATANTS} combatants at most")
    return Entered(Mustered(profile))


def judge_amend(battle: Battle, order: Amend) -> Entered:
    """Another profile; stance, cover, position and rounds loaded stay, and so does all that happened.

    Raises Refusal (`order`).
    """
    combatant = in_action(battle, order.combatant.id)
    profile = named(order.combatant)
    judge_profile(battle, profile)
    if profile.side != combatant.side:
        raise Refusal("order", f"{combatant.name} stays with {combatant.side}: the side cannot be amended")
    loaded = {w.name: min(combatant.loaded.get(w.name, w.as_loaded), w.magazine) for w in profile.weapons}
    return Entered(Amended(profile, loaded))


def judge_dismiss(battle: Battle, order: Dismiss) -> Entered:
    """Mustered by mistake: not while a lane names it. Raises Refusal (`order`)."""
    combatant = in_action(battle, order.combatant)
    for lane in battle.lanes.values():
        shooters = tuple(fire.shooter for fire in lane.fires)
        if combatant.id in (*shooters, *lane.inside, *lane.near):
            raise Refusal("order", f"the lane {lane.name} names {combatant.name}: it cannot be dismissed this round")
    return Entered(Dismissed(combatant.id))
