"""The orders as players see them: a key, a few words, and when each makes sense."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine.gray_dawn.acting import why_no_action
from engine.gray_dawn.battle import Battle, Combatant
from engine.gray_dawn.checks import why_no_check
from engine.gray_dawn.covering_fire import why_no_covering_fire
from engine.gray_dawn.crossing import lanes_crossed
from engine.gray_dawn.lanes import is_open
from engine.gray_dawn.mustering import judge_dismiss
from engine.gray_dawn.orders import BeginRound, Dismiss, EndRound
from engine.gray_dawn.rounds import judge_begin_round, judge_end_round
from engine.refusals import Reason, Refusal
from engine.ruleset import Action
from engine.wording import with_clause


def _deed(name: str, key: str, label: str, told: str) -> Action:
    return Action(name, key, label, told, "unit", "act", fixed={"action": name}, unit_field="combatant")


ACTIONS = (
    Action("covering_fire", "d", "Covering fire", "Single shots or bursts at somebody's general location.", "unit",
           "covering_fire", unit_field="shooter"),
    Action("lane", "l", "Lane", "Automatic fire down a lane, covering or saturation.", "unit", "lane",
           unit_field="shooter"),
    Action("check", "t", "Check", "The suppression check, before stance and actions.", "unit", "check",
           unit_field="about"),
    _deed("aimed_fire", "f", "Aimed fire", "Fire and aim; the attack itself is rolled at the table."),
    _deed("melee", "a", "Melee", "Attack hand to hand."),
    _deed("move", "m", "Move", "Move; through a lane with a check first."),
    _deed("emerge", "e", "Emerge", "Come out of cover."),
    _deed("cross", "x", "Cross", "Cross lanes."),
    _deed("lean_out", "v", "Lean out", "Lean out of cover: the stance is then active."),
    _deed("reload", "r", "Reload", "Fill a magazine."),
    _deed("other", "o", "Other action", "Anything else."),
    Action("stance", "s", "Stance", "Take a stance; the game master may overrule.", "unit", "stance",
           unit_field="combatant"),
    Action("cover", "c", "Cover", "How good its cover is.", "unit", "cover", unit_field="combatant"),
    Action("position", "p", "Position", "Where it stands, in metres.", "unit", "position", unit_field="combatant"),
    Action("spot", "y", "Spot", "Does somebody notice a flanker?", "unit", "spot", unit_field="observer"),
    Action("points", "P", "Points", "Suppression points by the game master's hand.", "unit", "points",
           unit_field="combatant"),
    Action("wound", "h", "Wounds", "Wounds, and whether they put it out of action.", "unit", "wound",
           unit_field="combatant"),
    Action("set", "T", "Set right", "Anything set right by the game master's hand.", "unit", "set",
           unit_field="combatant"),
    Action("begin_round", "b", "Begin round", "A round begins: everybody rolls for initiative.", "battle",
           "begin_round"),
    Action("end_round", "E", "End round", "The round ends; lanes and covering fire are over.", "battle", "end_round",
           form=False),
    Action("muster", "M", "Muster", "A new combatant, from the armoury or your own.", "battle", "muster"),
    Action("copy", "C", "Copy", "A new combatant like this one, as it was mustered or amended last.", "unit",
           "muster", unit_field="copy_of"),
    Action("amend", "A", "Amend", "Mend the profile of a combatant.", "unit", "amend", unit_field="id"),
    Action("dismiss", "X", "Dismiss", "Take a combatant off the list that was mustered by mistake.", "unit",
           "dismiss", form=False, unit_field="combatant"),
    Action("score", "S", "Score", "Points for a side.", "battle", "score"),
    Action("note", "n", "Note", "A few words for the record.", "battle", "note"),
    Action("mission", "O", "Mission", "The objective: what the battle is about.", "battle", "mission"),
    Action("end_battle", "B", "End battle", "The battle is over: who won, and why.", "battle", "end_battle"),
)  # fmt: skip

EVEN_WHEN_OUT = ("stance", "cover", "position", "wound", "set", "copy")
"""What may be done with somebody out of action."""


GOING = ("move", "emerge", "cross", "lean_out")
"""The actions that take a combatant somewhere, perhaps into a lane."""


def available(battle: Battle, action: Action, combatant_id: str | None) -> str:
    """Empty where the action makes sense now, for that combatant if it is about one; else why not, with the clause."""
    if battle.ended and action.order != "note":
        return "the battle is over; undo takes that back"
    if action.about == "battle":
        return _BATTLE_CHECKS.get(action.order, _free)(battle)
    combatant = battle.combatants.get(combatant_id or "")
    if combatant is None:
        return "select a combatant first"
    if combatant.out and action.name not in EVEN_WHEN_OUT:
        return f"{combatant.name} is out of action"
    return _UNIT_CHECKS.get(action.order, _always)(battle, combatant, action)


def _first(reasons: Iterable[Reason]) -> str:
    return next((with_clause(reason.message, reason.clause) for reason in reasons), "")


def _refused(judge: Callable[[Battle, Any], object], battle: Battle, order: Any) -> str:
    try:
        judge(battle, order)
    except Refusal as refusal:
        return with_clause(refusal.message, refusal.clause)
    return ""


def _armed(combatant: Combatant, modes: tuple[str, ...], fire: str, clause: str) -> str:
    if any(mode in weapon.modes for weapon in combatant.profile.weapons for mode in modes):
        return ""
    return f"{combatant.name} has no weapon with {fire} ({clause})"


def _covering_fire(battle: Battle, combatant: Combatant, action: Action) -> str:
    armed = _armed(combatant, ("semi", "burst"), "single shots or bursts", "GD-16")
    return _first(why_no_covering_fire(battle, combatant)) or armed


def _lane(battle: Battle, combatant: Combatant, action: Action) -> str:
    armed = _armed(combatant, ("auto",), "automatic fire", "GD-21")
    return _first(why_no_covering_fire(battle, combatant)) or armed


def may_check(battle: Battle, combatant: Combatant) -> bool:
    """Whether a check would change anything: points to check against, or being suppressed (GD-7)."""
    return bool(combatant.points or combatant.suppressed) and not combatant.out and not why_no_check(battle, combatant)


def _check(battle: Battle, combatant: Combatant, action: Action) -> str:
    if any(may_check(battle, other) for other in battle.combatants.values()):
        return ""
    return _first(why_no_check(battle, combatant)) or "nobody carries points: there is no check to make (GD-7)"


def _act(battle: Battle, combatant: Combatant, action: Action) -> str:
    deed = action.fixed["action"]
    crosses = bool(lanes_crossed(battle, combatant, deed, ())) or may_name_lanes(battle, deed)
    if deed == "reload" and not combatant.profile.weapons:
        return f"{combatant.name} has no weapon"
    no_lane = "there is no lane to cross" if deed == "cross" and not battle.lanes else ""
    return _first(why_no_action(battle, combatant, deed, crosses)) or no_lane


def may_name_lanes(battle: Battle, deed: str) -> bool:
    """Whether an action could lead through a lane that does not list the combatant inside (GD-24, GD-25)."""
    return deed in GOING and any(is_open(battle, lane) for lane in battle.lanes.values())


def _spot(battle: Battle, combatant: Combatant, action: Action) -> str:
    others = any(other.id != combatant.id and not other.out for other in battle.combatants.values())
    return "" if others else "there is nobody to notice"


def _dismiss(battle: Battle, combatant: Combatant, action: Action) -> str:
    return _refused(judge_dismiss, battle, Dismiss(combatant.id))


def _always(battle: Battle, combatant: Combatant, action: Action) -> str:
    return ""


_UNIT_CHECKS: dict[str, Callable[[Battle, Combatant, Action], str]] = {
    "covering_fire": _covering_fire,
    "lane": _lane,
    "check": _check,
    "act": _act,
    "spot": _spot,
    "dismiss": _dismiss,
}


def _free(battle: Battle) -> str:
    return ""


_BATTLE_CHECKS: dict[str, Callable[[Battle], str]] = {
    "begin_round": lambda battle: _refused(judge_begin_round, battle, BeginRound()),
    "end_round": lambda battle: _refused(judge_end_round, battle, EndRound()),
}


def asks(battle: Battle, action: Action, combatant_id: str | None) -> bool:
    """Whether the order has anything to be asked before it is given: an aim, a weapon, a lane to cross."""
    combatant = battle.combatants.get(combatant_id or "")
    if action.order != "act" or combatant is None:
        return action.form
    if action.name == "aimed_fire" or (action.name == "reload" and len(combatant.profile.weapons) > 1):
        return True
    return may_name_lanes(battle, action.name) or bool(lanes_crossed(battle, combatant, action.name, ()))
