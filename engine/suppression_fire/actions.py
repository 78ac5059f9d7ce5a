"""The orders as players see them: a key, a few words, and when each makes sense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.refusals import Refusal
from engine.ruleset import Action
from engine.suppression_fire.acting import fires_met, suppression_on, why_no_action
from engine.suppression_fire.battle import Battle, Unit
from engine.suppression_fire.declaring import why_no_suppressor, why_no_target
from engine.suppression_fire.mustering import judge_dismiss
from engine.suppression_fire.orders import Dismiss, EndTurn, Phase
from engine.suppression_fire.riding import has_seats
from engine.suppression_fire.turns import judge_end_turn, judge_phase, untested
from engine.wording import with_clause


def _deed(name: str, key: str, label: str, told: str) -> Action:
    return Action(name, key, label, told, "unit", "act", fixed={"action": name}, unit_field="unit")


ACTIONS = (
    Action("declare", "d", "Suppress", "Suppress an enemy unit, with one unit or several.", "unit", "declare",
           unit_field="about"),
    Action("test", "t", "Test", "The leadership test of a suppressed unit, with the shrapnel before it.", "unit",
           "test", unit_field="about"),
    Action("reroll_test", "T", "Reroll", "The test once more, where a special rule grants it.", "battle",
           "reroll_test"),
    _deed("move", "m", "Move", "Move the unit; under fire it is hit first."),
    _deed("run", "r", "Run", "Run in the shooting phase."),
    _deed("shoot", "f", "Fire", "Fire in the shooting phase (not suppressing)."),
    _deed("assault", "a", "Assault", "Charge in the assault phase."),
    _deed("embark", "e", "Embark", "Get into a transport."),
    _deed("disembark", "x", "Disembark", "Get out of a transport; under fire with a test first."),
    _deed("fire_from_vehicle", "v", "Fire from vehicle", "Fire from inside; under fire with a test first."),
    _deed("other", "o", "Other action", "Anything else that exposes the unit."),
    Action("casualties", "c", "Casualties", "Models that fell to ordinary fire; guns of a vehicle.", "unit",
           "casualties", unit_field="unit"),
    Action("wounds", "h", "Wounds", "Wounds from ordinary fire.", "unit", "wounds", unit_field="unit"),
    Action("line_of_sight", "l", "Sight", "Line of sight of a suppressor to its target, lost or regained.", "unit",
           "line_of_sight", unit_field="about"),
    Action("status", "s", "Mark", "A mark set or taken off by hand: pinned, gone to ground, destroyed ...", "unit",
           "status", unit_field="unit"),
    Action("begin_turn", "b", "Begin turn", "The player turn of a side begins.", "battle", "begin_turn"),
    Action("phase", "p", "Next phase", "On to shooting, then to assault.", "battle", "phase", form=False),
    Action("end_turn", "E", "End turn", "The player turn ends; its pinned units are free.", "battle", "end_turn",
           form=False),
    Action("muster", "M", "Muster", "A new unit, from the armoury or your own.", "battle", "muster"),
    Action("copy", "C", "Copy", "A new unit like this one, as it was mustered or amended last.", "unit", "muster",
           unit_field="copy_of"),
    Action("amend", "A", "Amend", "Mend the profile of a unit.", "unit", "amend", unit_field="id"),
    Action("dismiss", "X", "Dismiss", "Take a unit off the list that was mustered by mistake.", "unit", "dismiss",
           form=False, unit_field="unit"),
    Action("restore", "R", "Restore", "Models brought back, wounds healed.", "unit", "restore", unit_field="unit"),
    Action("score", "S", "Score", "Points for a side.", "battle", "score"),
    Action("note", "n", "Note", "A few words for the record.", "battle", "note"),
    Action("mission", "O", "Mission", "The objective: what the battle is about.", "battle", "mission"),
    Action("end_battle", "B", "End battle", "The battle is over: who won, and why.", "battle", "end_battle"),
)  # fmt: skip


def available(battle: Battle, action: Action, unit_id: str | None) -> str:
    """Empty where the action makes sense now, for that unit if it is about one; else why not, with the clause."""
    if battle.ended and action.order != "note":
        return "the battle is over; undo takes that back"
    unit = battle.units.get(unit_id) if unit_id else None
    if action.about == "unit":
        if unit is None:
            return "select a unit first"
        if unit.out and action.name != "copy":
            return f"{unit.name} is out of play"
        return _UNIT_CHECKS[action.order](battle, unit, action)
    return _BATTLE_CHECKS[action.order](battle)


def _refused(judge: Callable[[Battle, Any], object], battle: Battle, order: Any) -> str:
    try:
        judge(battle, order)
    except Refusal as refusal:
        return with_clause(refusal.message, refusal.clause)
    return ""


def _declare(battle: Battle, unit: Unit, action: Action) -> str:
    """The unit may suppress, or somebody may suppress it."""
    if battle.side == unit.side or battle.side is None or battle.phase != "shooting":
        reasons = why_no_suppressor(battle, unit)
    else:
        reasons = why_no_target(battle, battle.side, unit)
    return with_clause(reasons[0].message, reasons[0].clause) if reasons else ""


def _test(battle: Battle, unit: Unit, action: Action) -> str:
    if untested(battle):
        return ""
    if unit.is_vehicle and unit.id in battle.suppressions:
        return "a vehicle needs no test: its passengers take theirs when they get out or fire (SF-33)"
    return (
        f"{unit.name} has been tested (SF-16)" if unit.id in battle.suppressions else "nobody waits for a test (SF-14)"
    )


def _act(battle: Battle, unit: Unit, action: Action) -> str:
    reasons = why_no_action(battle, unit, action.fixed["action"])
    if reasons:
        return with_clause(reasons[0].message, reasons[0].clause)
    if action.name == "embark" and not has_seats(battle, unit.id, unit.name, unit.side, unit.models):
        return f"no transport of {unit.side} has room for {unit.name}"
    return ""


def _losses(battle: Battle, unit: Unit, action: Action) -> str:
    return "" if unit.standing else f"{unit.name} has nothing left to lose"


def _wounds(battle: Battle, unit: Unit, action: Action) -> str:
    return f"{unit.name} is a vehicle and has no wounds" if unit.is_vehicle else ""


def _restore(battle: Battle, unit: Unit, action: Action) -> str:
    lost = any(group.fallen or group.wounds_lost for group in unit.groups)
    return "" if lost else f"{unit.name} has lost nothing"


def _sight(battle: Battle, unit: Unit, action: Action) -> str:
    if battle.suppressing(unit.id) or unit.id in battle.suppressions:
        return ""
    return f"{unit.name} neither suppresses nor is suppressed"


def _always(battle: Battle, unit: Unit, action: Action) -> str:
    return ""


def _dismiss(battle: Battle, unit: Unit, action: Action) -> str:
    return _refused(judge_dismiss, battle, Dismiss(unit.id))


_UNIT_CHECKS: dict[str, Callable[[Battle, Unit, Action], str]] = {
    "declare": _declare,
    "test": _test,
    "act": _act,
    "casualties": _losses,
    "wounds": _wounds,
    "restore": _restore,
    "line_of_sight": _sight,
    "status": _always,
    "muster": _always,
    "amend": _always,
    "dismiss": _dismiss,
}


def _reroll(battle: Battle) -> str:
    return "" if battle.just_tested else "a reroll comes right after a rolled test (SF-16)"


def _begin_turn(battle: Battle) -> str:
    return "" if battle.side is None else f"the turn of {battle.side} is not over (SF-1)"


def _phase(battle: Battle) -> str:
    if battle.phase == "assault":
        return "assault is the last phase: end the turn (SF-1)"
    return _refused(judge_phase, battle, Phase(next_phase_of(battle)))


def next_phase_of(battle: Battle) -> Any:
    """The phase that comes next."""
    return "assault" if battle.phase == "shooting" else "shooting"


def _end_turn(battle: Battle) -> str:
    return _refused(judge_end_turn, battle, EndTurn())


def _free(battle: Battle) -> str:
    return ""


_BATTLE_CHECKS: dict[str, Callable[[Battle], str]] = {
    "reroll_test": _reroll,
    "begin_turn": _begin_turn,
    "phase": _phase,
    "end_turn": _end_turn,
    "muster": _free,
    "score": _free,
    "note": _free,
    "mission": _free,
    "end_battle": _free,
}


def asks(battle: Battle, action: Action, unit_id: str | None) -> bool:
    """Whether the order has anything to be asked or looked at before it is given: a form, or the cost of the fire."""
    unit = battle.units.get(unit_id) if unit_id else None
    if action.order != "act" or unit is None:
        return action.form
    return action.name == "embark" or action.name == "fire_from_vehicle" or under_fire(battle, unit, action.name)


def under_fire(battle: Battle, unit: Unit, action: str) -> bool:
    """Whether the action would be met by fire, or could be, by those that see the unit as it acts (SF-21)."""
    suppression = suppression_on(battle, unit, action)
    if suppression is None:
        return False
    return bool(fires_met(battle, unit, action, [fire.unit for fire in suppression.by]))
