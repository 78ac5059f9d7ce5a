"""Giving an order on a screen: ties are asked in a picker, dice in the dice prompt."""

from __future__ import annotations

from typing import Any

from textual.app import App

from engine.entries import OrderEntry
from engine.refusals import Undecided
from saves.battle import OpenBattle
from tui.dice_screen import DiceScreen
from tui.errand import Answer, Asked, Errand
from tui.picker_screen import PickerScreen, numbered


class Giving(Errand):
    """One order on its way into the battle, asked about on the screens of an app. Used once, in a worker."""

    def __init__(
        self, app: App[Any], battle: OpenBattle, order: Any, by: str, typed: bool, instead_of: int | None = None
    ) -> None:
        super().__init__(battle, order, by, typed, instead_of)
        self._app = app
        self._prompt: DiceScreen | None = None

    async def carried_out(self) -> OrderEntry | None:
        try:
            return await super().carried_out()
        finally:
            if self._prompt is not None:
                self._prompt.dismiss()

    async def decide(self, question: Undecided, words: str) -> int | None:
        picks = numbered(tuple(option.label for option in question.options))
        title = f"To be decided ({question.clause})"
        picked = await self._app.push_screen_wait(PickerScreen(title, words, picks))
        return None if picked is None else int(picked)

    async def ask_faces(self, asked: Asked, earlier: tuple[tuple[str, str], ...], typed: str) -> Answer:
        if self._prompt is None:
            self._prompt = DiceScreen()
            await self._app.push_screen(self._prompt)
        return await self._prompt.ask(asked, earlier, typed)
