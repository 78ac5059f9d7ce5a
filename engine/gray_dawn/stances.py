"""Stance, cover and position: what a combatant chooses, and what the game master overrules."""

from __future__ import annotations

from engine.gray_dawn.battle import Battle, Combatant
from engine.gray_dawn.events import CoverTaken, PositionTaken, StanceTaken
from engine.gray_dawn.lanes import open_lanes_around
from engine.gray_dawn.naming import listed
from engine.gray_dawn.orders import TakeCover, TakePosition, TakeStance
from engine.gray_dawn.profiles import place
from engine.refusals import Reason, Refusal, refuse_for
from engine.scorekeeping import Entered

UNDER_SUPPRESSION = ("full_cover", "moving")


def why_no_stance(battle: Battle, combatant: Combatant, stance: str) -> tuple[Reason, ...]:
    """Every reason why a combatant may not choose a stance now (GD-9, GD-25)."""
    found: list[Reason] = []
    if combatant.suppressed and stance not in UNDER_SUPPRESSION:
        found.append(Reason("GD-9", f"{combatant.name} is suppressed: full cover or moving until its next check"))
    if stance == "active" and (lanes := open_lanes_around(battle, combatant.id)):
        found.append(Reason("GD-9", f"{combatant.name} is inside {lanes[0].name}: lean out as an action, and be met"))
    return tuple(found)


def judge_stance(battle: Battle, order: TakeStance) -> Entered:
    """Any stance, unless it walks round a failed check or a lane; the game master's always (GD-9). Raises Refusal."""
    combatant, overruling = listed(battle, order.combatant), why_overruled(order)
    if not overruling:
        refuse_for(list(why_no_stance(battle, combatant, order.stance)))
    return Entered(StanceTaken(combatant.id, order.stance, overruling))


def why_overruled(order: TakeStance | TakeCover | TakePosition) -> str:
    """The reason with which the game master overrules, empty where a player chose (GD-9).

    Raises Refusal (`order`) where one is missing.
    """
    if not order.override:
        return ""
    if not order.reason.strip():
        raise Refusal("order", "the game master overrules with a reason: say why")
    return order.reason


def judge_cover(battle: Battle, order: TakeCover) -> Entered:
    """How good the cover is that a combatant has, 0 for none. Raises Refusal (`order`)."""
    return Entered(CoverTaken(listed(battle, order.combatant).id, order.level, why_overruled(order)))


def judge_position(battle: Battle, order: TakePosition) -> Entered:
    """Where a combatant is, in metres along two axes (GD-5). Raises Refusal (`order`)."""
    return Entered(PositionTaken(listed(battle, order.combatant).id, place(order.at), why_overruled(order)))
