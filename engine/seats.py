"""Seats: who may give which order, and who takes back what, where several people share a battle.

A seat is one of the battle's sides, or `both` (all sides: alone, or all at one table), `umpire`, or `spectator`.
"""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec.structs import replace

from engine.entries import MoveEntry
from engine.history import History
from engine.refusals import Refusal
from engine.ruleset import RuleSet, Switch

BOTH = "both"
UMPIRE = "umpire"
SPECTATOR = "spectator"

RESERVED = (BOTH, UMPIRE, SPECTATOR)
"""Seats that are no side; no side can be called so."""

UNDO = Switch("undo", ("own", "free", "consent", "off"), "seat", "Who may take back what, where people sit apart?")
"""`own`: one's own latest orders of the same turn while nothing was rolled, all else with consent."""

Move = TypeVar("Move", bound=MoveEntry)


class ConsentNeeded(Refusal):
    """A step back that others have to agree to first: `sides` are whom to ask, `to` is where the head would go."""

    def __init__(self, sides: tuple[str, ...], to: int) -> None:
        super().__init__("seat", f"{' and '.join(sides)} must agree to that first: ask them")
        self.sides = sides
        self.to = to


def seat_named(text: str, sides: tuple[str, ...]) -> str:
    """The seat of that name; raises Refusal (`seat`) where the battle has none."""
    seats = (*sides, *RESERVED)
    if text in seats:
        return text
    alike = [seat for seat in seats if seat.casefold() == text.casefold()]
    if len(alike) == 1:
        return alike[0]
    raise Refusal("seat", f"there is no seat {text}; there are: {', '.join(seats)}")


def as_recorded(seat: str) -> str:
    """How a seat stands in an entry: whoever sits at all sides at once leaves it out."""
    return "" if seat == BOTH else seat


def keeps_secret(seat: str, sides: tuple[str, ...]) -> bool:
    """Whether a seat is that of the side which keeps the battle, and with it the secret of sealed dice: the first."""
    return seat == sides[0]


def commands_all(seat: str) -> bool:
    """Whether every order may be given from a seat: by the umpire, and by who sits there for all."""
    return seat in ("", BOTH, UMPIRE)


def refuse_order(rules: RuleSet, battle: Any, order: Any, seat: str) -> None:
    """Raise Refusal (`seat`) for an order that is not to be given from that seat."""
    if commands_all(seat):
        return
    refuse_spectator(seat)
    whose = rules.owner(battle, order)
    if whose and whose != seat:
        raise Refusal("seat", f"that is for {whose} to order; you sit for {seat}")


def refuse_spectator(seat: str) -> None:
    """Raise Refusal (`seat`) for whoever only looks on."""
    if seat == SPECTATOR:
        raise Refusal("seat", "spectators look on: they give no orders and take nothing back")


def sides_to_ask(history: History, to: int, seat: str, by: str) -> tuple[str, ...]:
    """The sides that must agree before somebody in that seat moves the head to `to`; none where that is free.

    Raises Refusal (`seat`) where it is not to be had at all.
    """
    if commands_all(seat):
        return ()
    refuse_spectator(seat)
    policy = history.header.switches.get(UNDO.name, UNDO.values[0])
    if policy == "off":
        raise Refusal("seat", "nothing is taken back in this battle (switch undo=off), unless the umpire does it")
    if policy == "free" or (policy == "own" and _is_own(history, to, seat, by)):
        return ()
    return tuple(side for side in history.header.sides if side != seat)


def _is_own(history: History, to: int, seat: str, by: str) -> bool:
    """Whether all that goes, or comes back, are orders of this player in this turn, and nothing was rolled for them.

    What comes back was rolled before, if at all.
    """
    gone, come = history.between(to)
    orders = [history.order(node) for node in (*gone, *come)]
    if any((order.seat, order.by) != (seat, by) for order in orders):
        return False
    turn = history.rules.turn(history.state)
    here = all(history.rules.turn(history.state_at(history.parent(node))) == turn for node in gone)
    return here and not any(history.order(node).rolls for node in gone)


def with_leave(history: History, move: Move, seat: str) -> Move:
    """The entry of a move of the head with its seat, and with the answers of those who had to agree.

    Raises ConsentNeeded where they have not, and Refusal (`seat`) where it is not to be had.
    """
    sides = sides_to_ask(history, move.to, seat, move.by)
    if not sides:
        return replace(move, seat=as_recorded(seat))
    request = history.request
    if request is None or (request.to, request.seat, request.by) != (move.to, seat, move.by):
        raise ConsentNeeded(sides, move.to)
    if not set(sides) <= set(history.agreed):
        raise ConsentNeeded(tuple(side for side in sides if side not in history.agreed), move.to)
    return replace(move, seat=seat, agreed=tuple(sorted({history.agreed[side] for side in sides})))


def refuse_answer(history: History, seat: str) -> None:
    """Raise Refusal (`seat`) where nobody asks, or this seat is not asked."""
    request = history.request
    if request is None:
        raise Refusal("seat", "nobody asks to take anything back")
    if seat == SPECTATOR or seat == request.seat:
        raise Refusal("seat", "that is for the other side to answer")
    if seat in history.agreed:
        raise Refusal("seat", f"{seat} has agreed already")
