"""What squads do in a round, clause by clause: `judge_...` says what is known before dice, the rule rolls and tells."""

from __future__ import annotations

from msgspec import Struct

from engine.refusals import Reason, Refusal, refuse_for
from engine.resolution import Rule, roll
from engine.rolls import Check, Lane, Pool, Stage

from .events import Advanced, Rallied, StayedDown, Suppressed, happen
from .orders import Advance, Rally, Suppress
from .squads import Battle, Ground, Squad, in_play

FIRE = {"open": 4, "cover": 5}
"""What a die needs to lay a pin, by where the target stands (FF-3)."""

FALLS = 6
RALLIES = 3


class Volley(Struct, frozen=True):
    """Suppressing fire that may be laid: how many dice, and what each needs."""

    squad: str
    target: str
    dice: int
    needed: int


class Move(Struct, frozen=True):
    """An advance that may be made."""

    squad: str
    to: Ground


class Rallying(Struct, frozen=True):
    """Rallying, and the pins there are to take off."""

    squad: str
    pins: int


def why_not(battle: Battle, squad: Squad) -> list[Reason]:
    """Every reason why a squad can do nothing now: one thing a round (FF-2)."""
    if not battle.running:
        return [Reason("FF-2", "no round is running: begin one first")]
    return [Reason("FF-2", f"{squad.name} has done its one thing in this round")] if squad.acted else []


def judge_suppress(battle: Battle, order: Suppress) -> Volley:
    """Fire at an enemy in play (FF-2, FF-3). Raises Refusal."""
    squad, target = in_play(battle, order.squad), in_play(battle, order.target)
    reasons = why_not(battle, squad)
    if target.side == squad.side:
        reasons.append(Reason("FF-3", f"{target.name} is on the same side as {squad.name}"))
    refuse_for(reasons)
    return Volley(squad.id, target.id, squad.profile.firepower, FIRE[target.ground])


def judge_advance(battle: Battle, order: Advance) -> Move:
    """Going somewhere else (FF-2, FF-7). Raises Refusal."""
    squad = in_play(battle, order.squad)
    refuse_for(why_not(battle, squad))
    return Move(squad.id, order.to)


def judge_rally(battle: Battle, order: Rally) -> Rallying:
    """Rallying where there are pins to take off (FF-2, FF-8). Raises Refusal."""
    squad = in_play(battle, order.squad)
    refuse_for(why_not(battle, squad))
    if not squad.pins:
        raise Refusal("FF-8", f"{squad.name} carries no pins: there is nothing to rally from")
    return Rallying(squad.id, squad.pins)


def keeps_nerve(battle: Battle, squad_id: str) -> Rule[bool]:
    """Two dice at nerve less pins or under; without pins nothing is thrown (FF-6)."""
    squad = battle.squads[squad_id]
    if not squad.pins:
        return True
    return (yield from roll(Check("nerve", squad.id, count=2, sides=6, at_most=squad.profile.nerve - squad.pins)))


def suppress(battle: Battle, volley: Volley) -> Rule[Battle]:
    """Nerve, the dice that lay pins, and those that tell who falls (FF-3 to FF-6)."""
    if not (yield from keeps_nerve(battle, volley.squad)):
        return (yield from happen(StayedDown(volley.squad)))
    laying = Lane(volley.squad, volley.target, volley.dice, (Stage("fire", volley.needed),))
    (laid,) = yield from roll(Pool((laying,)))
    falling = Lane(volley.target, "", laid, (Stage("losses", FALLS),))
    (fallen,) = yield from roll(Pool((falling,)))
    target = battle.squads[volley.target]
    pins = min(target.pins + laid, max(target.pins, int(battle.switches["most_pins"])))
    return (yield from happen(Suppressed(volley.squad, target.id, pins, min(fallen, target.soldiers))))


def advance(battle: Battle, move: Move) -> Rule[Battle]:
    """Nerve, then it is there (FF-6, FF-7)."""
    if not (yield from keeps_nerve(battle, move.squad)):
        return (yield from happen(StayedDown(move.squad)))
    return (yield from happen(Advanced(move.squad, move.to)))


def rally(battle: Battle, rallying: Rallying) -> Rule[Battle]:
    """A die for each pin, each 3 or more takes one off (FF-8)."""
    lane = Lane(rallying.squad, "", rallying.pins, (Stage("rally", RALLIES),))
    (taken_off,) = yield from roll(Pool((lane,)))
    return (yield from happen(Rallied(rallying.squad, rallying.pins - taken_off)))
