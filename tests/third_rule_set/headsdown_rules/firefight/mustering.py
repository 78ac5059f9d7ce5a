"""Who is in the battle, and rounds: orders that roll no dice. What is judged happens as it stands."""

from __future__ import annotations

from msgspec.structs import replace

from engine.fields import name_from_id
from engine.refusals import Refusal
from engine.scorekeeping import Entered, known_side

from .events import Amended, Dismissed, Fell, Mustered, RoundBegan, RoundEnded
from .orders import Amend, BeginRound, Dismiss, EndRound, Losses, Muster
from .squads import MOST_SQUADS, Battle, in_play, listed


def judge_muster(battle: Battle, order: Muster) -> Entered:
    """A new squad with an id of its own (FF-1). Raises Refusal (`order`)."""
    squad = order.squad
    known_side(battle, squad.side)
    if squad.id in battle.squads:
        raise Refusal("order", f"there is a squad {squad.id} already: choose another id, or amend it")
    if len(battle.squads) >= MOST_SQUADS:
        raise Refusal("order", f"a battle holds {MOST_SQUADS} squads at most")
    return Entered(Mustered(replace(squad, name=name_from_id(squad.name, squad.id))))


def judge_amend(battle: Battle, order: Amend) -> Entered:
    """Another profile: pins, ground and losses stay. Raises Refusal (`order`)."""
    profile, squad = order.squad, listed(battle, order.squad.id)
    if profile.side != squad.side:
        raise Refusal("order", f"{squad.name} stays with {squad.side}: the side cannot be amended")
    fallen = squad.profile.soldiers - squad.soldiers
    named = replace(profile, name=name_from_id(profile.name, profile.id))
    return Entered(Amended(named, max(0, profile.soldiers - fallen)))


def judge_dismiss(battle: Battle, order: Dismiss) -> Entered:
    """Mustered by mistake. Raises Refusal (`order`)."""
    return Entered(Dismissed(listed(battle, order.squad).id))


def judge_losses(battle: Battle, order: Losses) -> Entered:
    """Soldiers who fell otherwise, no more than are left. Raises Refusal (`order`)."""
    squad = in_play(battle, order.squad)
    if order.soldiers > squad.soldiers:
        raise Refusal("order", f"{squad.name} has {squad.soldiers} soldiers left, not {order.soldiers}")
    return Entered(Fell(squad.id, order.soldiers))


def judge_begin_round(battle: Battle, order: BeginRound) -> Entered:
    """A round begins when none is running (FF-2). Raises Refusal."""
    if battle.running:
        raise Refusal("FF-2", f"round {battle.round} is still running: end it first")
    return Entered(RoundBegan(battle.round + 1))


def judge_end_round(battle: Battle, order: EndRound) -> Entered:
    """A running round ends (FF-2). Raises Refusal."""
    if not battle.running:
        raise Refusal("FF-2", "no round is running: there is none to end")
    return Entered(RoundEnded(battle.switches["quiet"] == "yes"))
