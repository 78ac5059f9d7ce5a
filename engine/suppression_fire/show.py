"""The state as data for other programs: the contract's `show --json`."""

from __future__ import annotations

from typing import Any

from engine.scorekeeping import show_kept
from engine.suppression_fire.battle import Battle, Suppression, Unit
from engine.suppression_fire.suppressing import effective, hit_on, leadership_modifier, leading_gun_types, why_not


def show(battle: Battle) -> dict[str, Any]:
    """Units, suppressions, turn and score; lists in alphabetical order."""
    return {
        "turn": battle.turn,
        "side": battle.side,
        "phase": battle.phase,
        "units": {unit.id: _unit(battle, unit) for unit in battle.units.values()},
        "suppressions": {s.target: _suppression(battle, s) for s in battle.suppressions.values()},
        **show_kept(battle),
    }


def _unit(battle: Battle, unit: Unit) -> dict[str, Any]:
    suppression = battle.suppressing(unit.id)
    return {
        "side": unit.side,
        "name": unit.name,
        "kind": unit.profile.kind,
        "models": unit.models,
        "groups": {g.name: {"models": g.models, "wounds_lost": g.wounds_lost} for g in unit.groups},
        "pinned": unit.pinned,
        "status": list(unit.marks),
        "moved": unit.moved,
        "ran": unit.ran,
        "shot": unit.shot,
        "suppressing": suppression.target if suppression else None,
        "embarked_in": unit.embarked_in,
        "out": unit.out,
    }


def _suppression(battle: Battle, suppression: Suppression) -> dict[str, Any]:
    fires = effective(battle, suppression)
    types = leading_gun_types(fires)
    return {
        "by": {fire.unit: _fire(why_not(battle, fire), fire.shots) for fire in suppression.by},
        "hit_on": hit_on(len(fires)),
        "leadership_modifier": leadership_modifier(len(fires)),
        "test": suppression.test,
        "spent": suppression.spent,
        "gun_type": types[0] if len(types) == 1 else None,
        "gun_types_tied": sorted(types) if len(types) > 1 else [],
    }


def _fire(why: str, shots: int) -> dict[str, Any]:
    return {"shots": shots, "effective": not why, "why_not": f"{why} (SF-32)" if why else None}
