"""The state as data for other programs: the contract's `show --json`."""

from __future__ import annotations

from typing import Any

from engine.fields import as_number
from engine.gray_dawn.battle import Battle, Combatant, Lane
from engine.gray_dawn.lanes import firing, is_open, level_of
from engine.scorekeeping import show_kept


def show(battle: Battle) -> dict[str, Any]:
    """Combatants, lanes, round and score; lists in alphabetical order, shooters of a lane as they laid it."""
    return {
        "round": battle.round,
        "running": battle.running,
        "combatants": {combatant.id: _combatant(combatant) for combatant in battle.combatants.values()},
        "lanes": {lane.name: _lane(battle, lane) for lane in battle.lanes.values()},
        **show_kept(battle),
    }


def _combatant(combatant: Combatant) -> dict[str, Any]:
    return {
        "side": combatant.side,
        "name": combatant.name,
        "initiative": combatant.initiative,
        "points": combatant.points,
        "suppressed": combatant.suppressed,
        "stance": combatant.stance,
        "cover": combatant.cover,
        "position": [as_number(metres) for metres in combatant.position] if combatant.position else None,
        "loaded": dict(combatant.loaded),
        "hits": combatant.hits,
        "wounds": combatant.wounds,
        "out": combatant.out,
        "covering": combatant.covering,
        "checked": combatant.checked,
        "acted": combatant.acted,
        "lightning": combatant.lightning,
    }


def _lane(battle: Battle, lane: Lane) -> dict[str, Any]:
    fires = firing(battle, lane)
    widths = {fire.width for fire in lane.fires}
    return {
        "kind": lane.kind,
        "width": as_number(widths.pop()) if len(widths) == 1 else None,
        "rounds": sum(fire.rounds for fire in fires),
        "level": level_of(fires),
        "shooters": [fire.shooter for fire in lane.fires],
        "inside": list(lane.inside),
        "near": list(lane.near),
        "open": is_open(battle, lane),
    }
