"""The trash: battles that were thrown away, to be taken back, or removed for good after a question."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType

from engine.ruleset import Cell
from saves.faults import Fault
from saves.library import Shelved
from saves.moving import removed_for_good, taken_back, trash_of
from tui.actions import NamedAction
from tui.battle_list import shown_name
from tui.help_page import place_cells
from tui.key_bindings import bindings
from tui.library_screen import LibraryScreen
from tui.picker_screen import Pick, PickerScreen
from tui.reading_screen import ReadingScreen
from tui.settings import keymap_of

NO_OR_YES = (Pick("no", "n", "No, leave it in the trash"), Pick("yes", "y", "Yes, remove it for good"))

INTRODUCTION = (
    Cell("Battles that were thrown away. They stay here until you take them back or remove them for good.", "strong"),
    Cell("Removing asks first, and nothing brings back what was removed."),
    Cell(""),
)

EMPTY = "The trash is empty."


class TrashScreen(LibraryScreen):
    """The trash of one folder."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("trash")
    PLACE = "trash"
    chooses = "Take back"

    def __init__(self, folder: Path) -> None:
        super().__init__("Trash", EMPTY)
        self._folder = folder

    @property
    def where(self) -> Path:
        return trash_of(self._folder)

    @property
    def listed(self) -> Path | None:
        return self.where if self.where.exists() else None

    def works_now(self, action: NamedAction) -> bool:
        if action.name == "take_back":
            return False  # Enter does it, and stands there
        return self._pane.battle is not None if action.name == "remove" else super().works_now(action)

    def on_lines_chosen(self) -> None:
        self.action_take_back()

    def action_take_back(self) -> None:
        """Move the battle under the cursor back among the others."""
        each = self._pane.battle
        if each is None:
            self.say(EMPTY)
            return
        try:
            there = taken_back(Path(each.file))
        except Fault as fault:
            told, tone = str(fault), "fault"
        else:
            told, tone = f"{shown_name(each)} is back among the battles, as {there.name}.", "good"
        self.list_battles()
        self.say(told, tone)

    def action_remove(self) -> None:
        """Ask whether the battle under the cursor is to be removed for good."""
        each = self._pane.battle
        if each is None:
            self.say(EMPTY)
            return
        question = f"Remove {shown_name(each)} for good? Nothing brings it back."

        def answered(answer: str | None) -> None:
            if answer == "yes":
                self._remove(each)
            else:
                self.say(f"{shown_name(each)} stays in the trash.")

        self.app.push_screen(PickerScreen("Remove for good", question, NO_OR_YES), answered)

    def _remove(self, each: Shelved) -> None:
        try:
            removed_for_good(Path(each.file))
        except Fault as fault:
            told, tone = str(fault), "fault"
        else:
            told, tone = f"{shown_name(each)} is removed for good.", "plain"
        self.list_battles()
        self.say(told, tone)

    def action_help(self) -> None:
        cells = (*INTRODUCTION, *place_cells(keymap_of(self.app), "trash", "library", "pane", "app"))
        self.app.push_screen(ReadingScreen("Help", cells))

    def action_leave(self) -> None:
        self.dismiss()
