"""Giving an order on a screen: ties are asked, dice typed throw by throw; nothing is recorded before the end."""

from __future__ import annotations

import copy
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from textual.app import App

from engine.dice import Source
from engine.entries import OrderEntry
from engine.history import History
from engine.orders import app_dice, prompted_source, resolve_order
from engine.refusals import DiceMissing, Refusal, Undecided
from engine.roll_words import shown_faces
from engine.rolls import Throw
from saves.battle import OpenBattle
from saves.faults import Fault
from tui.dice_screen import Answer, Asked, DiceScreen
from tui.picker_screen import PickerScreen, numbered

Faces: TypeAlias = tuple[int, ...] | None
"""What was said to one throw: faces, or None where the app rolls."""


class Giving:
    """One order on its way into the battle. Used once."""

    def __init__(
        self, app: App[Any], battle: OpenBattle, order: Any, by: str, typed: bool, instead_of: int | None = None
    ) -> None:
        """`instead_of` is the order at the head where it is to be given again with other dice."""
        self._app = app
        self._battle = battle
        self._order = order
        self._by = by
        self._typed = typed
        self._answers: list[Faces] = []
        self._words: list[str] = []
        self._instead_of = instead_of
        self._former: Faces = None
        self._rest = False
        self._prompt: DiceScreen | None = None

    async def carried_out(self) -> OrderEntry | None:
        """Give the order, asking whatever has to be asked; None where the player gave it up.

        Raises Refusal and faults of the file, with nothing recorded. To be called in a worker.
        """
        try:
            return await self._attempts()
        finally:
            if self._prompt is not None:
                self._prompt.dismiss()

    async def _attempts(self) -> OrderEntry | None:
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
            resolve_order(self._history, self._order, copy.copy(source), ask=True)
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
        return prompted_source(history, tuple(self._answers))

    async def _decided(self, question: Undecided) -> bool:
        """Ask whoever has to decide, and put the answer into the order."""
        picks = numbered(tuple(option.label for option in question.options))
        title = f"To be decided ({question.clause})"
        picked = await self._app.push_screen_wait(PickerScreen(title, self._asked_of(question), picks))
        if picked is None:
            return False
        self._order = msgspec.structs.replace(self._order, **{question.field: question.options[int(picked)].value})
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
        if self._prompt is None:
            self._prompt = DiceScreen()
            await self._app.push_screen(self._prompt)
        before = history.rolled.get(key)
        asked = Asked(
            order=history.rules.order_title(history.state, self._order),
            words=history.rules.tell_roll(history.state, throw),
            throw=throw,
            before=before.faces_for(throw) if before is not None else (),
        )
        earlier = tuple(
            (words, "rolled by the app" if faces is None else shown_faces(faces, 12))
            for words, faces in zip(self._words, self._answers, strict=True)
        )
        former, self._former = self._former, None
        return await self._prompt.ask(asked, earlier, shown_faces(former) if former else "")
