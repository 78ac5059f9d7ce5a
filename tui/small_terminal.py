"""What is shown while the terminal is too small to show a battle: no key but quit acts on what cannot be seen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.widgets import Static

from tui.actions import action_of
from tui.dialog import Dialog
from tui.key_bindings import bindings
from tui.settings import keymap_of
from tui.sizes import LEAST


def too_small(size: Size) -> bool:
    """Whether a terminal of that size is too small."""
    return size.width < LEAST[0] or size.height < LEAST[1]


class SmallTerminal(Dialog[None]):
    """Lies over everything until the terminal is large enough again; what is below keeps what was typed."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("small")
    AUTO_FOCUS = ""

    @property
    def awaits_answer(self) -> bool:
        """An order below may ask for something; keys do not wait for it here, where it cannot be answered."""
        return True

    def compose(self) -> ComposeResult:
        quits = keymap_of(self.app).shown(action_of("small.quit"))
        yield Static(
            f"This terminal is too small.\nNeeded: {LEAST[0]} x {LEAST[1]}.\nMake it larger, or {quits} quits.",
            markup=False,
        )

    def on_resize(self) -> None:
        if self.is_current and not too_small(self.app.size):
            self.dismiss()
