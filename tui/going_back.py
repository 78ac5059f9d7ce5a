"""The head of the battle moves: undo, redo, to an entry, the last dice anew; and what comes of it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.entries import OrderEntry
from engine.seats import ConsentNeeded
from saves.battle import OpenBattle
from saves.cells import wrapped
from tui.actions import NamedAction
from tui.errand import last_rolled, typed_last
from tui.going import going
from tui.log_lines import Teller
from tui.picker_screen import PickerScreen
from tui.shared_battle import YES_OR_NO, SharedBattle

# What opens only at a key is loaded then: the first frame does not wait for it.
if TYPE_CHECKING:
    from tui.giving import Giving

MESSAGE_LINES = 2
"""What came of an order is told below the panes if it needs no more lines than these; the log tells it in any case."""


class GoingBack(SharedBattle):
    """A battle whose head one may move, unless one only watches."""

    def __init__(self, battle: OpenBattle, name: str, watch: bool, orders: tuple[NamedAction, ...]) -> None:
        super().__init__(battle, name, watch, orders)
        self._typed = typed_last(battle.history)

    def _in_bar(self, action: NamedAction) -> bool:
        match action.name:
            case "undo":
                return self._history.next_undo is not None
            case "redo":
                return self._history.next_redo is not None
            case "correct":
                return last_rolled(self._history) is not None
            case "goto":
                return self.focused is self._log and self._log.entry is not None
            case _:
                return super()._in_bar(action)

    def _named(self, action: NamedAction) -> str:
        node = {"undo": self._history.next_undo, "redo": self._history.next_redo}.get(action.name)
        return f"{action.label}: {self._history.title(node)}" if node else super()._named(action)

    async def _carried_out(self, giving: Giving) -> OrderEntry | None:
        entry = await giving.carried_out()
        if entry is None:
            self.say("Given up: nothing has happened.")
            return None
        there = set(self._units.ids())
        self._show()
        new = [id_ for id_ in self._units.ids() if id_ not in there]
        if len(new) == 1:
            self._units.select(new[0])
        lines = Teller(self._history).lines(entry)
        told = " ".join(line.text for line in lines if line.kind == "event")
        short = told and len(wrapped(told, self.app.size.width)) <= MESSAGE_LINES
        self.say(told if short else f"{lines[0].text}.", "good")
        return entry

    def _move_head(self, word: str, undo: bool) -> None:
        node = self._history.next_undo if undo else self._history.next_redo

        def done() -> None:
            self.say(f"{word}: {self._history.title(node)}." if node else f"{word}.", "good")

        move = self.battle.undo if undo else self.battle.redo
        self._with_leave(lambda: move(by=self._by), done)

    def _do_undo(self) -> None:
        self._move_head("Undone", undo=True)

    def _do_redo(self) -> None:
        self._move_head("Brought back", undo=False)

    def _do_goto(self) -> None:
        """Ask whether to go to how things stood after the entry under the log's cursor."""
        number = self._log.entry
        if number is None or self.focused is not self._log:
            self._log.focus()
            self.say("Choose the entry in the log to go to, then press the same key.")
            return
        there = self._history.head_after(number)
        if there == self._history.head:
            self.say(f"After entry {number} things stood as they do now.")
            return
        self.app.push_screen(
            PickerScreen("Go to entry", going(self._history, number), YES_OR_NO), self._gone_to(number)
        )

    def _gone_to(self, number: int) -> Callable[[str | None], None]:
        def gone(answer: str | None) -> None:
            if answer == "yes":
                done = f"This is how things stood after entry {number}."
                self._with_leave(lambda: self.battle.goto(number, by=self._by), lambda: self.say(done, "good"))

        return gone

    def _do_correct(self) -> None:
        entry = last_rolled(self._history)
        if entry is None:
            self.say("the last order rolled no dice: there is nothing to correct", "bad")
            return
        with self._refusals_told():
            try:
                self.battle.refuse_correction(entry, by=self._by)
            except ConsentNeeded as needed:
                self._ask_whether_to_ask(needed)
                return
            self._begin_correcting(entry)

    def _begin_correcting(self, entry: OrderEntry) -> None:
        self.run_worker(self._correct(entry), group="give", exclusive=True)

    async def _correct(self, entry: OrderEntry) -> None:
        """Ask for the dice of the last order anew; it is taken back and given again when all are told."""
        from tui.giving import Giving

        giving = Giving(self.app, self.battle, entry.order, self._by, typed=True, instead_of=entry.n)
        with self._refusals_told():
            await self._carried_out(giving)
