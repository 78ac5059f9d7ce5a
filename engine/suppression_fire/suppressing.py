"""Who suppresses effectively, and what that comes to: the number to be hit, the leadership modifier, the gun type."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from msgspec import Struct

from engine.refusals import Option, Reason, Undecided
from engine.suppression_fire.battle import Battle, Fire, Suppression, Unit
from engine.suppression_fire.guns import SHOTS_NEEDED

SILENCING = {
    "gone_to_ground": "gone to ground",
    "falling_back": "falling back",
    "in_combat": "locked in combat",
    "shaken": "shaken",
    "stunned": "stunned",
}
"""Marks that keep a unit from suppressing (SF-6, SF-32)."""


def silenced(battle: Battle, unit: Unit) -> Reason | None:
    """Why a unit can put out no suppressing fire at all, None where it can (SF-6, SF-12, SF-32)."""
    if unit.pinned:
        return Reason("SF-6", "pinned")
    for mark in unit.marks:
        if mark in SILENCING:
            return Reason("SF-6", SILENCING[mark])
    if unit.embarked_in:
        for mark in battle.units[unit.embarked_in].marks:
            if mark in ("shaken", "stunned"):
                return Reason("SF-12", f"in a vehicle that is {mark}")
    return None


def why_not(battle: Battle, fire: Fire, sees: bool | None = None) -> str:
    """Why a suppressor is not effective, empty where it is (SF-32). `sees` overrides the line-of-sight flag."""
    unit = battle.units[fire.unit]
    if unit.out:
        return "out of play"
    if fire.stopped:
        return f"it {fire.stopped}"
    if reason := silenced(battle, unit):
        return reason.message
    if fire.shots < SHOTS_NEEDED:
        return f"{fire.shots} shot{'' if fire.shots == 1 else 's'} left, {SHOTS_NEEDED} needed"
    if not (fire.sight if sees is None else sees):
        return "no line of sight"
    return ""


def effective(
    battle: Battle, suppression: Suppression | None, seen_by: Collection[str] | None = None
) -> tuple[Fire, ...]:
    """The suppressors that count now; `seen_by`, if given, are those that see the unit as it acts (SF-21, SF-32)."""
    if suppression is None:
        return ()
    return tuple(
        fire for fire in suppression.by if not why_not(battle, fire, None if seen_by is None else fire.unit in seen_by)
    )


def hit_on(suppressors: int) -> int | None:
    """The number each model is struck on: 6+ with one suppressor, one better for each more, 2+ at best (SF-22)."""
    return max(2, 7 - suppressors) if suppressors else None


def leadership_modifier(suppressors: int) -> int:
    """Minus 1 for each suppressor after the first, minus 4 at most (SF-15)."""
    return -min(4, max(0, suppressors - 1))


class Shot(Struct, frozen=True, gc=False):
    """What strikes: gun type, strength and AP (SF-23)."""

    gun_type: str
    strength: int
    ap: int | None


Key = TypeVar("Key")


def _most(shots: dict[Key, int]) -> tuple[Key, ...]:
    most = max(shots.values(), default=0)
    return tuple(key for key, count in shots.items() if count == most and count)


def leading_gun_types(fires: Collection[Fire]) -> tuple[str, ...]:
    """The gun types with the most shots: one, or those that tie (SF-23)."""
    shots: dict[str, int] = {}
    for fire in fires:
        for line in fire.firing:
            shots[line.gun.gun_type] = shots.get(line.gun.gun_type, 0) + line.models * line.shots
    return _most(shots)


def leading_shots(fires: Collection[Fire], gun_type: str) -> tuple[Shot, ...]:
    """Within a gun type, the profiles with the most shots: one, or those that tie (SF-23)."""
    shots: dict[Shot, int] = {}
    for fire in fires:
        for line in fire.firing:
            if line.gun.gun_type == gun_type:
                shot = Shot(gun_type, line.gun.strength, line.gun.ap)
                shots[shot] = shots.get(shot, 0) + line.models * line.shots
    return _most(shots)


def _gun_names(fires: Collection[Fire], shot: Shot) -> tuple[str, ...]:
    """The guns of a profile by name, as they were declared."""
    names = {
        line.gun.name: None
        for fire in fires
        for line in fire.firing
        if line.models and Shot(line.gun.gun_type, line.gun.strength, line.gun.ap) == shot
    }
    return tuple(names)


def profile(shot: Shot) -> str:
    """A shot in the shorthand of the rulebook: S4 AP5."""
    return f"S{shot.strength} AP{'-' if shot.ap is None else shot.ap}"


def striking_shot(fires: Collection[Fire], owner: str, gun_type: str | None, weapon: str | None) -> Shot:
    """The shot that strikes; in a tie the one the target's owner picks, else Undecided is raised (SF-23)."""
    types = leading_gun_types(fires)
    picked = types[0] if len(types) == 1 else gun_type
    if picked not in types:
        options = tuple(Option(name, name) for name in types)
        question = f"gun types tie: the owner picks which strikes, gun_type: one of {', '.join(types)}"
        raise Undecided("SF-23", question, "gun_type", owner, options)
    shots = leading_shots(fires, picked)
    if len(shots) == 1:
        return shots[0]
    by_name = _profiles_by_name(fires, shots)
    if weapon not in by_name:
        options = tuple(
            Option(name, f"{name}, {profile(shot)}" if profile(shot) not in name else name)
            for name, shot in by_name.items()
        )
        question = f"profiles of {picked} tie: the owner picks which strikes, weapon: one of {', '.join(by_name)}"
        raise Undecided("SF-23", question, "weapon", owner, options)
    return by_name[weapon]


def _profiles_by_name(fires: Collection[Fire], shots: tuple[Shot, ...]) -> dict[str, Shot]:
    """The tied profiles by the names of their guns; a name that stands for two of them carries its profile."""
    named = [(name, shot) for shot in shots for name in _gun_names(fires, shot)]
    count: dict[str, int] = {}
    for name, _ in named:
        count[name] = count.get(name, 0) + 1
    return {name if count[name] == 1 else f"{name} {profile(shot)}": shot for name, shot in named}


def passengers_see_fire(battle: Battle, unit: Unit) -> bool:
    """Whether a unit sits in a vehicle that is under effective suppression (SF-37)."""
    if not unit.embarked_in:
        return False
    return bool(effective(battle, battle.suppressions.get(unit.embarked_in)))
