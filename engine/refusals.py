"""What a player is told when an order cannot be carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from engine.rolls import Throw


class Reason(Struct, frozen=True):
    """One clause that forbids an order, and the sentence that says so."""

    clause: str
    message: str


class Option(Struct, frozen=True):
    """One answer to a question: the value that goes into the order's field and the words on the screen."""

    value: Any
    label: str


class Refusal(Exception):  # noqa: N818  a refusal is the rules' answer, not an error of the program
    """An order that is refused: nothing has happened and nothing is recorded.

    `clause` is a clause of the rulebook, `order` for an order that is malformed or names what is not there, or
    `dice` for faces that do not fit. `message` is one sentence for the player. `reasons` holds every clause
    that forbids the order, the first of them being `clause` and `message`.
    """

    def __init__(self, clause: str, message: str, also: tuple[Reason, ...] = ()) -> None:
        super().__init__(f"{message} ({clause})")
        self.clause = clause
        self.message = message
        self.reasons = (Reason(clause, message), *also)


class Undecided(Refusal):
    """An order that leaves a choice open which the rules do not make for the player.

    `field` is the order's field that answers it, `owner` the id of whose owner is asked, `options` what may be
    said. Give the same order again with the field filled in.
    """

    def __init__(self, clause: str, message: str, field: str, owner: str, options: tuple[Option, ...]) -> None:
        super().__init__(clause, message)
        self.field = field
        self.owner = owner
        self.options = options


class DiceMissing(Refusal):
    """Fewer faces were given than the rules roll: `waiting` is the throw that has none yet, `key` its dice key."""

    def __init__(self, message: str, waiting: Throw, key: str) -> None:
        super().__init__("dice", message)
        self.waiting = waiting
        self.key = key


def refuse_for(reasons: list[Reason]) -> None:
    """Raise the first of the reasons as a Refusal that carries all of them; do nothing where there are none."""
    if reasons:
        first, *also = reasons
        raise Refusal(first.clause, first.message, tuple(also))
