"""Taking in a save from elsewhere: which file, what checking it came to, and what to do with a damaged one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from saves.faults import Fault, Unreadable
from saves.library import plain_name
from saves.taking_in import Checked, loss_words, losses, taken_in, taken_in_repaired, typed_path
from tui.library_screen import LibraryScreen
from tui.line_screen import LineScreen
from tui.picker_screen import Pick, PickerScreen
from tui.save_check import SaveCheck, paths_from

TITLE = "Take in a save"


class TakingIn:
    """One save on its way into a folder."""

    def __init__(self, screen: LibraryScreen, folder: Path, show: Callable[[Path, str], None]) -> None:
        """`show` shows the battle in the folder, with a sentence on how it came there."""
        self._screen = screen
        self._folder = folder
        self._show = show

    def ask(self, typed: str = "") -> None:
        """Ask for the path of a save."""
        question = "A battle's save file. It is checked and copied; the file itself stays where it is."
        line = LineScreen(TITLE, question, typed, _found, paths_from)
        self._screen.app.push_screen(line, self._check)

    def _check(self, typed: str | None) -> None:
        if typed is not None:
            self._screen.app.push_screen(SaveCheck(typed_path(typed), self._folder), self._checked)

    def _checked(self, found: Checked | Fault | None) -> None:
        if found is None:
            self._screen.say("Stopped: nothing was taken in.")
        elif isinstance(found, Fault):
            self._screen.say(str(found), "fault")
        elif found.there is not None:
            self._show(found.there, f"That battle is in the library already: {plain_name(found.there)}.")
        elif found.trouble:
            self._ask_about_trouble(found)
        else:
            self._put(found, "as")

    def _ask_about_trouble(self, save: Checked) -> None:
        picks = (
            Pick("repair", "r", "Take in a repaired copy"),
            Pick("as", "a", "Take it in as it is: it opens as far as it is sound"),
        )
        question = (
            f"Damaged: {save.trouble.replace(str(save.path), save.path.name)}. If it is repaired: {losses(save.path)}"
        )
        self._screen.app.push_screen(PickerScreen(TITLE, question, picks), lambda answer: self._put(save, answer))

    def _put(self, save: Checked, answer: str | None) -> None:
        with self._screen.faults_told():
            if answer == "repair":
                path, repair = taken_in_repaired(save, self._folder)
                self._show(path, f"Taken in, repaired: {loss_words(repair)}")
            elif answer == "as":
                path = taken_in(save, self._folder)
                how = "damaged as it is" if save.trouble else "whole, and its dice are right"
                self._show(path, f"Taken in: {how}.")
            else:
                self._screen.say("Nothing was taken in.")


def _found(typed: str) -> None:
    """Raise Unreadable where there is no file at what was typed."""
    path = typed_path(typed)
    if path.is_dir():
        raise Unreadable(f"{path} is a folder; go on to a file in it")
    if not os.path.lexists(path):
        raise Unreadable(f"{path} is not there")
