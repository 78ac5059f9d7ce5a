"""Player turns and phases, and what the end of a turn frees."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.refusals import Refusal
from engine.resolution import Rule
from engine.scorekeeping import known_side
from engine.suppression_fire.battle import Battle
from engine.suppression_fire.events import PhaseBegan, TurnBegan, TurnEnded
from engine.suppression_fire.happening import happen
from engine.suppression_fire.orders import BeginTurn, EndTurn, Phase

BEFORE = {"shooting": "movement", "assault": "shooting"}


class Opening(Struct, frozen=True):
    """A player turn that may begin."""

    side: str
    turn: int


class NextPhase(Struct, frozen=True):
    """A phase that may begin."""

    phase: Literal["shooting", "assault"]


class Closing(Struct, frozen=True):
    """A player turn that may end: the units it frees and the targets whose suppression is over."""

    side: str
    freed: tuple[str, ...]
    ended: tuple[str, ...]


def judge_begin_turn(battle: Battle, order: BeginTurn) -> Opening:
    """Sides alternate; a game turn is one player turn of each (SF-1). Raises Refusal."""
    side = known_side(battle, order.side)
    if battle.side is not None:
        raise Refusal("SF-1", f"the turn of {battle.side} is not over: end it first")
    if battle.went == side:
        raise Refusal("SF-1", f"sides alternate: {side} has just had its turn")
    return Opening(side, battle.turn + 1 if battle.opened in (None, side) else battle.turn)


def begin_turn(battle: Battle, opening: Opening) -> Rule[Battle]:
    return (yield from happen(TurnBegan(opening.side, opening.turn)))


def judge_phase(battle: Battle, order: Phase) -> NextPhase:
    """Movement, shooting, assault, none skipped; no test left open (SF-1, SF-19). Raises Refusal."""
    if battle.side is None:
        raise Refusal("SF-1", "no turn is running: begin one first")
    if battle.phase != BEFORE[order.to]:
        raise Refusal("SF-1", f"{order.to} comes after {BEFORE[order.to]}; this is the {battle.phase} phase")
    judge_open_tests(battle)
    return NextPhase(order.to)


def untested(battle: Battle) -> tuple[str, ...]:
    """Targets that still owe their test; a vehicle owes none (SF-19, SF-33)."""
    return tuple(
        target for target, s in battle.suppressions.items() if s.test is None and not battle.units[target].is_vehicle
    )


def judge_open_tests(battle: Battle) -> None:
    """No shooting phase ends while a declared target is untested (SF-19)."""
    if battle.phase == "shooting" and (open_tests := untested(battle)):
        names = ", ".join(battle.units[target].name for target in open_tests)
        raise Refusal("SF-19", f"not yet tested: {names}; take the test first")


def next_phase(battle: Battle, coming: NextPhase) -> Rule[Battle]:
    return (yield from happen(PhaseBegan(coming.phase)))


def judge_end_turn(battle: Battle, order: EndTurn) -> Closing:
    """A turn may end in any phase, but not with a test left open (SF-1, SF-2, SF-19). Raises Refusal."""
    if battle.side is None:
        raise Refusal("SF-1", "no turn is running: there is none to end")
    judge_open_tests(battle)
    freed = tuple(unit.id for unit in battle.units.values() if unit.side == battle.side and unit.pinned)
    ended = tuple(target for target in battle.suppressions if battle.units[target].side == battle.side)
    return Closing(battle.side, freed, ended)


def end_turn(battle: Battle, closing: Closing) -> Rule[Battle]:
    return (yield from happen(TurnEnded(closing.side, closing.freed, closing.ended)))
