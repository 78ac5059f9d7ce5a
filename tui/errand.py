"""An order on its way into the battle: ties are asked, dice told throw by throw; nothing is recorded before the end.

Who asks, and where, is a matter of the screen (`giving`) or of the line mode.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from engine.dice import Source
from engine.entries import OrderEntry
from engine.history import History
from engine.orders import app_dice, prompted_source, resolve_order
from engine.refusals import DiceMissing, Refusal, Undecided
from engine.roll_words import shown_faces
from engine.rolls import Throw
from engine.seats import commands_all
from saves.battle import OpenBattle
from saves.faults import Fault

FOR_OTHERS = "What other sides roll the app rolls for them."

Faces: TypeAlias = tuple[int, ...] | None
"""What was said to one throw: faces, or None where the app rolls."""


class Asked(Struct, frozen=True):
    """One throw as it is asked for: the order it belongs to, its words, the throw, and faces typed for it before.

    `apart` is what has to be known where people sit apart: that the app rolls for the other sides.
    """

    order: str
    words: str
    throw: Throw
    before: tuple[int, ...] = ()
    apart: str = ""


class Answer(Struct, frozen=True):
    """What the player said: `faces`, `app` (the app rolls this one), `rest` (and all others), `back`, or `stop`."""

    kind: str
    faces: tuple[int, ...] = ()


def typed_last(history: History) -> bool:
    """Whether dice are to be typed: as this battle was made for, else as its last roll was made."""
    rolls = (row for entry in reversed(history.entries) if isinstance(entry, OrderEntry) for row in entry.rolls)
    last = next(rolls, None)
    return history.header.dice.mode == "table" or (last is not None and last.source == "table")


def last_rolled(history: History) -> OrderEntry | None:
    """The order at the head, if dice were rolled for it: the one whose dice can be corrected."""
    entry = history.order(history.head) if history.head else None
    return entry if entry is not None and entry.rolls else None


def how_to_type(throw: Throw) -> str:
    """How the faces of a throw are typed."""
    if throw.sides == 3:
        how = "halved: type 1, 2 or 3" if throw.count == 1 else "halved: a run of 1 to 3"
        return f"A D6 {how}."
    ten = " 0 is 10." if throw.sides == 10 else ""
    return f"Type what it shows.{ten}" if throw.count == 1 else f"Type what fell: 46655, or counted 3x6 2x5.{ten}"


class Errand(ABC):
    """One order on its way into the battle. Used once."""

    def __init__(self, battle: OpenBattle, order: Any, by: str, typed: bool, instead_of: int | None = None) -> None:
        """`instead_of` is the order at the head where it is to be given again with other dice."""
        self._battle = battle
        self._order = order
        self._by = by
        self._typed = typed
        self._answers: list[Faces] = []
        self._words: list[str] = []
        self._instead_of = instead_of
        self._former: Faces = None
        self._rest = False

    async def carried_out(self) -> OrderEntry | None:
        """Give the order, asking whatever has to be asked; None where the player gave it up.

        Raises Refusal and faults of the file, with nothing recorded.
        """
        while True:
            try:
                return self._attempt()
            except Undecided as question:
                if not await self._decided(question):
                    return None
            except DiceMissing as missing:
                if not await self._rolled(missing.waiting, missing.key):
                    return None

    def _attempt(self) -> OrderEntry:
        """Give the order with what has been answered so far; one that was given before is taken back only now."""
        source = self._source()
        if self._instead_of is not None:
            resolve_order(self._history, self._order, copy.copy(source), ask=True, seat=self._battle.seat)
            return self._given_again(source, self._instead_of)
        return self._battle.give(self._order, by=self._by, source=source, ask=True)

    def _given_again(self, source: Source, former: int) -> OrderEntry:
        """Take the former order back and give it with these dice; where that fails, the former one stands again."""
        self._battle.undo(by=self._by, of=former)
        try:
            return self._battle.give(self._order, by=self._by, source=source, ask=True)
        except Exception:
            with suppress(Refusal, Fault):
                self._battle.redo(by=self._by)
            raise

    @property
    def _history(self) -> History:
        """The history that the order is judged on."""
        history = self._battle.history
        return history if self._instead_of is None else history.as_before(self._instead_of)

    def _source(self) -> Source:
        history = self._history
        if not self._typed or (self._rest and not self._answers):
            return app_dice(history)
        return prompted_source(history, tuple(self._answers), self._order, self._battle.seat)

    async def _decided(self, question: Undecided) -> bool:
        """Ask whoever has to decide, and put the answer into the order."""
        picked = await self.decide(question, self._asked_of(question))
        if picked is None:
            return False
        self._order = msgspec.structs.replace(self._order, **{question.field: question.options[picked].value})
        return True

    def _asked_of(self, question: Undecided) -> str:
        """The question, and whose owner has to answer it where it does not say so itself."""
        history = self._history
        for row in history.rules.units(history.state).rows:
            if row.id == question.owner and row.cells and row.cells[0].text not in question.message:
                return f"{question.message} The owner of {row.cells[0].text} decides."
        return question.message

    async def _rolled(self, throw: Throw, key: str) -> bool:
        """Ask for the faces of one throw; false where the order is given up."""
        if self._rest:
            self._note(throw, None)
            return True
        answer = await self._asked(throw, key)
        if answer.kind == "stop":
            return False
        if answer.kind == "back":
            self._former = self._answers.pop()
            self._words.pop()
            return True
        self._rest = answer.kind == "rest"
        self._note(throw, answer.faces if answer.kind == "faces" else None)
        return True

    def _note(self, throw: Throw, faces: Faces) -> None:
        history = self._history
        self._answers.append(faces)
        self._words.append(history.rules.tell_roll(history.state, throw))

    async def _asked(self, throw: Throw, key: str) -> Answer:
        history = self._history
        before = history.rolled.get(key)
        asked = Asked(
            order=history.rules.order_title(history.state, self._order),
            words=history.rules.tell_roll(history.state, throw),
            throw=throw,
            before=before.faces_for(throw) if before is not None else (),
            apart="" if commands_all(self._battle.seat) else FOR_OTHERS,
        )
        earlier = tuple(
            (words, "rolled by the app" if faces is None else shown_faces(faces, 12))
            for words, faces in zip(self._words, self._answers, strict=True)
        )
        former, self._former = self._former, None
        return await self.ask_faces(asked, earlier, shown_faces(former) if former else "")

    @abstractmethod
    async def decide(self, question: Undecided, words: str) -> int | None:
        """Ask a question that the rules leave open, in these words; the number of the option, None to give up."""

    @abstractmethod
    async def ask_faces(self, asked: Asked, earlier: tuple[tuple[str, str], ...], typed: str) -> Answer:
        """Ask for one throw; `earlier` are the throws answered so far and what was said, `typed` stands there."""
