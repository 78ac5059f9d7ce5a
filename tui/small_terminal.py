"""What is shown while the terminal is too small to show a battle: no key but quit acts on what cannot be seen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

LEAST = Size(60, 20)


def too_small(size: Size) -> bool:
    """Whether a terminal of that size is too small."""
    return size.width < LEAST.width or size.height < LEAST.height


class SmallTerminal(ModalScreen[None]):
    """Lies over everything until the terminal is large enough again; what is below keeps what was typed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.leave", "Quit", id="small.quit")]
    AUTO_FOCUS = ""

    def compose(self) -> ComposeResult:
        yield Static(
            f"This terminal is too small.\nNeeded: {LEAST.width} x {LEAST.height}.\nMake it larger, or q quits.",
            markup=False,
        )

    def on_resize(self) -> None:
        if self.is_current and not too_small(self.app.size):
            self.dismiss()
