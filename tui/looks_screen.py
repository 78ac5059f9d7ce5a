"""Looks: the themes to choose from; the screen below shows the one under the cursor while one chooses."""

from __future__ import annotations

from collections.abc import Callable

from saves.faults import Fault
from tui.picker_screen import Pick, PickerScreen
from tui.settings import THEME_TITLES

NO_COLOURS = "NO_COLOR is set: all themes look the same here."


class LooksScreen(PickerScreen):
    """Shows the theme under the cursor; Enter keeps it, leaving brings back the one before."""

    def __init__(self, before: str, show: Callable[[str], None], keep: Callable[[str], None], colours: bool) -> None:
        """`show` shows a theme by name; `keep` also writes it down, and raises Fault where that cannot be.

        Without `colours` it is said that there are none to see.
        """
        picks = tuple(Pick(name, name[0], title) for name, title in THEME_TITLES.items())
        super().__init__("Looks", "" if colours else NO_COLOURS, picks, chosen=before)
        self._before = before
        self._show_theme = show
        self._keep = keep

    def on_lines_moved(self) -> None:
        if self._pane.pick is not None:
            self._show_theme(self._pane.pick.value)

    def _pick(self, pick: Pick) -> None:
        self._before = pick.value
        try:
            self._keep(pick.value)
        except Fault as fault:
            self.complain(str(fault), "fault")
            return
        self.dismiss(pick.value)

    def action_leave(self) -> None:
        self._show_theme(self._before)
        self.dismiss(None)
