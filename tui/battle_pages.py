"""What opens over a battle to be read: why, history, luck, entries, rulebook, help, and the list of all actions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.odds import Cancelled
from engine.ruleset import Cell
from saves.battle import OpenBattle
from tui.actions import NamedAction, actions_of
from tui.battle_view import BattleView
from tui.dice_log import LogPane
from tui.entry_page import entry_cells
from tui.picker_screen import Pick, PickerScreen
from tui.reading_screen import ReadingScreen, rulebook_screen
from tui.settings import keymap_of
from tui.unit_history import chain_cells, unit_cells

# What opens only at a key is loaded then: the first frame does not wait for it.
if TYPE_CHECKING:
    from engine.luck import Known


class BattlePages(BattleView):
    """A battle with all that can be read about it, as of the moment that is shown."""

    def __init__(self, battle: OpenBattle, log: LogPane, more: tuple[NamedAction, ...] = ()) -> None:
        super().__init__(battle, log, more)
        self._known_losses: Known = {}

    def _selected_words(self) -> str:
        row = self._acting.row(self._acting.cursor)
        return row.cells[0].text if row.cells else row.id

    def _do_why(self) -> None:
        if self.selected is None:
            self.say("Nothing is selected.")
            return
        reasons = self._rules.why(self._history.state, self.selected)
        self._read(f"Why: {self._selected_words()}", (*reasons, *chain_cells(self._history, self.selected)))

    def _do_history(self) -> None:
        if self.selected is None:
            self.say("Nothing is selected.")
            return
        self._read(f"History: {self._selected_words()}", unit_cells(self._history, self.selected))

    def _read(self, title: str, cells: tuple[Cell, ...]) -> None:
        self.app.push_screen(ReadingScreen(title, cells, self._rules.clauses, self._entry_page))

    def _entry_page(self, number: int) -> ReadingScreen:
        return ReadingScreen(f"Entry {number}", entry_cells(self._history, number), self._rules.clauses)

    def _do_luck(self) -> None:
        page = ReadingScreen("Luck", (Cell("Reading the odds of every roll ...", "dim"),), (), self._entry_page)
        self.app.push_screen(page)
        self.run_worker(self._reckon_luck(page), group="luck", exclusive=True, exit_on_error=False)

    async def _reckon_luck(self, page: ReadingScreen) -> None:
        """Reckon the luck aside; closing the page stops it, and what was read of entries is kept."""
        from engine.luck import luck_of
        from tui.luck_page import luck_cells

        history = self._history
        try:
            luck = await asyncio.to_thread(luck_of, history, lambda: page.is_attached, self._known_losses)
        except Cancelled:
            return
        if page.is_attached:
            page.show_cells(luck_cells(history, luck))

    def _do_help(self) -> None:
        pane = self.focused.id if self.focused is not None and self.focused.id else "units"
        cells = self._help(pane)
        refused = self._message.refusal
        if refused:
            cells = (Cell(f"Just refused: {refused}", "bad"), Cell(""), *cells)
        self.app.push_screen(ReadingScreen("Help", cells, self._rules.clauses))

    def _help(self, pane: str) -> tuple[Cell, ...]:
        """What the pane of that id shows, and the keys."""
        raise NotImplementedError

    def _do_rulebook(self) -> None:
        self.app.push_screen(rulebook_screen(self._rules.title, self._rules.clauses))

    def _do_palette(self) -> None:
        picks = tuple(self._palette())
        self.app.push_screen(PickerScreen("All actions", "Search:", picks, search=True), self._picked)

    def _palette(self) -> Iterator[Pick]:
        for own in (*self.own_actions, *actions_of("app")):
            yield Pick(own.name, keymap_of(self.app).shown(own), self._named(own))

    def _named(self, action: NamedAction) -> str:
        """An action as the palette tells it."""
        return action.label

    def _picked(self, name: str | None) -> None:
        if name is not None:
            self.action_act(name)
