"""How a rule is written and how it is run.

A rule is a generator: `x = yield from roll(...)`, `battle = yield from happen(...)`, never a bare `yield`. It does
not know who reads it: app dice, table dice and verification are one driver (`carry_out`) with three sources of
faces; odds are the other (`engine/odds.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from engine.dice import Keys, Source
from engine.refusals import Option, Undecided
from engine.rolls import Faces, Roll, Rolled, Throw

T = TypeVar("T")
State = TypeVar("State")


class Event(Struct, frozen=True, gc=False, tag_field="type"):
    """Something that happened, in the past tense: enough to rebuild the state without the rules."""


class Choice(Struct, Generic[T], frozen=True):
    """A question that arises after dice have fallen; `field` is the order's field that answers it beforehand.

    `options` makes the answers to choose from: asked for only where somebody is there to choose.
    """

    field: str
    owner: str
    clause: str
    question: str
    options: Callable[[], tuple[Option, ...]]
    default: T


Step: TypeAlias = Roll[Any] | Event | Choice[Any]
Rule: TypeAlias = Generator[Step, Any, State]


def roll(request: Roll[T]) -> Generator[Step, Any, T]:
    """Ask the dice; comes back with the outcome."""
    outcome: T = yield request
    return outcome


def happen(event: Event) -> Generator[Step, Any, Any]:
    """Tell what happened; comes back with the state after it."""
    after: Any = yield event
    return after


def choose(choice: Choice[T]) -> Generator[Step, Any, T]:
    """Ask a player; comes back with the answer, the default where nobody is there to ask."""
    answer: T = yield choice
    return answer


class Resolution(Struct, Generic[State], frozen=True):
    """An order that is through: the state after it, what happened and what was rolled."""

    state: State
    events: tuple[Event, ...]
    rolls: tuple[Rolled, ...]


class Correction(Struct, frozen=True):
    """A roll with the same key that is in the file already: in which entry, with which faces of which die."""

    entry: int
    sides: int
    dice: tuple[int, ...]

    def faces_for(self, throw: Throw) -> tuple[int, ...]:
        """The faces that this throw had then; none where it was another one, or its chain began otherwise."""
        fallen = throw.follows or ()
        faces = self.dice if throw.follows is None else self.dice[len(fallen) : len(fallen) + throw.count]
        fits = self.sides == throw.sides and self.dice[: len(fallen)] == fallen and len(faces) == throw.count
        return faces if fits else ()


def _differs(before: Correction, throw: Throw, faces: tuple[int, ...]) -> bool:
    """Whether these are other faces than the ones which this throw had before; a chain once it has parted."""
    if throw.follows is None:
        return bool(before.faces_for(throw)) and before.dice != faces
    chain = (*throw.follows, *faces)
    return before.sides == throw.sides and before.dice[: len(chain)] != chain


def carry_out(
    rule: Rule[State],
    state: State,
    evolve: Callable[[State, Any], State],
    turn: Callable[[State], str],
    source: Source,
    keys: Keys,
    earlier: Mapping[str, Correction],
    ask: bool = False,
) -> Resolution[State]:
    """Run a rule to its end with faces from `source`, folding its events into `state` as it goes.

    All or nothing: whatever is raised on the way (dice missing, a choice with `ask`) leaves no trace. `turn` names
    the turn for the dice keys; `earlier` holds rolls with the same key already in the file, so that other faces
    now are marked as a correction.
    """
    events: list[Event] = []
    rolls: list[Rolled] = []

    def dice(throw: Throw) -> Faces:
        key = keys.next(turn(state), throw)
        faces, whence = source.faces(throw, key)
        before = earlier.get(key)
        corrects = before.entry if before and _differs(before, throw, faces) else None
        return Faces((*(throw.follows or ()), *faces), whence, key, corrects)

    answer: Any = None
    while True:
        try:
            step = rule.send(answer)
        except StopIteration as end:
            if end.value is not state:
                raise AssertionError("a rule must return the state after its last event") from None
            break
        if isinstance(step, Roll):
            answer, rows = step.read(dice)
            rolls.extend(rows)
        elif isinstance(step, Choice):
            if ask:
                raise Undecided(step.clause, step.question, step.field, step.owner, step.options())
            answer = step.default
        else:
            state = evolve(state, step)
            events.append(step)
            answer = state
    source.finish()
    return Resolution(state, tuple(events), tuple(rolls))
