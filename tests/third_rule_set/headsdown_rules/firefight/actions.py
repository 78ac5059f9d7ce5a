"""The orders as players see them: keys, words, when each makes sense, and what is known beforehand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.refusals import Refusal
from engine.ruleset import Action, Cell, Preview
from engine.spoken import Spoken
from engine.wording import counted, with_clause

from .acting import RALLIES, Move, Rallying, Volley, judge_rally, why_not
from .mustering import judge_begin_round, judge_end_round
from .orders import BeginRound, EndRound, Rally
from .squads import Battle, name_of
from .telling import dice

ACTIONS: tuple[Action, ...] = (
    Action("suppress", "d", "Suppress", "Keep the heads of an enemy squad down.", "unit", "suppress",
           unit_field="squad"),
    Action("advance", "m", "Advance", "Go into the open or into cover.", "unit", "advance", unit_field="squad"),
    Action("rally", "r", "Rally", "Take pins off.", "unit", "rally", form=False, unit_field="squad"),
    Action("losses", "c", "Losses", "Soldiers who fell otherwise.", "unit", "losses", unit_field="squad"),
    Action("begin_round", "b", "Begin round", "A round begins.", "battle", "begin_round", form=False),
    Action("end_round", "E", "End round", "The round ends.", "battle", "end_round", form=False),
    Action("muster", "M", "Muster", "A new squad.", "battle", "muster"),
    Action("amend", "A", "Amend", "Mend the profile of a squad.", "unit", "amend", unit_field="id"),
    Action("dismiss", "X", "Dismiss", "Take a squad off the list.", "unit", "dismiss", form=False, unit_field="squad"),
    Action("score", "S", "Score", "Points for a side.", "battle", "score"),
    Action("note", "n", "Note", "A few words for the record.", "battle", "note"),
    Action("mission", "O", "Mission", "What the battle is about.", "battle", "mission"),
    Action("end_battle", "B", "End battle", "The battle is over: who won, and why.", "battle", "end_battle"),
)  # fmt: skip

SPOKEN = Spoken(
    prepositions={
        "at": ("target",),
        "into": ("to",),
        "in": ("to", "ground"),
        "for": ("side",),
        "named": ("name",),
        "because": ("reason",),
    },
    clauses={
        "suppress": "FF-3",
        "advance": "FF-7",
        "rally": "FF-8",
        "losses": "FF-1",
        "begin_round": "FF-2",
        "end_round": "FF-9",
        "muster": "FF-1",
        "muster.nerve": "FF-6",
        "muster.firepower": "FF-3",
        "amend": "FF-1",
    },
)
"""Words of the line mode: `suppress rifles at militia`, `advance rifles into cover`."""


def available(battle: Battle, action: Action, squad_id: str | None) -> str:
    """Empty where the action makes sense now, for that squad if it is about one; else why not, with the clause."""
    if battle.ended and action.order != "note":
        return "the battle is over; undo takes that back"
    if action.order == "begin_round":
        return _refused(lambda: judge_begin_round(battle, BeginRound()))
    if action.order == "end_round":
        return _refused(lambda: judge_end_round(battle, EndRound()))
    if action.about == "battle":
        return ""
    squad = battle.squads.get(squad_id or "")
    if squad is None:
        return "select a squad first"
    if squad.out and action.name not in ("amend", "dismiss"):
        return f"{squad.name} is out of play"
    if action.order == "rally":
        return _refused(lambda: judge_rally(battle, Rally(squad=squad.id)))
    if action.order in ("suppress", "advance"):
        return next((with_clause(reason.message, reason.clause) for reason in why_not(battle, squad)), "")
    return ""


def _refused(judge: Callable[[], object]) -> str:
    try:
        judge()
    except Refusal as refusal:
        return with_clause(refusal.message, refusal.clause)
    return ""


def asks(battle: Battle, action: Action, squad_id: str | None) -> bool:
    """Whether there is anything to fill in before the order is given."""
    return action.form


def preview(battle: Battle, order: Any, judge: Callable[[Battle, Any], Any]) -> Preview:
    """What is known of an order before it is given, or why it would be refused."""
    try:
        return Preview(tuple(_lines(battle, judge(battle, order))))
    except Refusal as refusal:
        return Preview((), with_clause(refusal.message, refusal.clause))


def _lines(battle: Battle, plan: Any) -> Iterator[Cell]:
    squad = battle.squads.get(getattr(plan, "squad", ""))
    if squad and squad.pins and isinstance(plan, Volley | Move):
        yield Cell(f"Nerve first: two dice at {squad.profile.nerve - squad.pins} or less (FF-6)", "warning")
    if isinstance(plan, Volley):
        yield Cell(f"{dice(plan.dice)} at {plan.needed}+ (FF-3)")
        yield Cell(f"{name_of(battle, plan.target)} carries {counted(battle.squads[plan.target].pins, 'pin')} (FF-5)")
    if isinstance(plan, Rallying):
        yield Cell(f"{dice(plan.pins)} at {RALLIES}+ (FF-8)")
