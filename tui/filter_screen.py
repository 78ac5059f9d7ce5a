"""One line at the bottom that says what the Dice log is to be filtered by, while the log is seen to follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from tui.bars import Bar
from tui.line_editor import LineEditor


class FilterScreen(ModalScreen[None]):
    """Type to filter; Enter keeps the filter, Escape takes it away."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "keep", "Keep", id="filter.keep"),
        Binding("escape", "clear", "Clear", id="filter.clear"),
    ]
    AUTO_FOCUS = ""

    def __init__(self, text: str, changed: Callable[[str], None]) -> None:
        super().__init__()
        self._editor = LineEditor(text, most=80)
        self._changed = changed

    def compose(self) -> ComposeResult:
        yield Bar(id="filter")

    def on_mount(self) -> None:
        self._show()

    def on_key(self, event: events.Key) -> None:
        if event.key == "backspace":
            self._editor.backspace()
        elif event.is_printable and event.character:
            self._editor.insert(event.character)
        else:
            return
        event.stop()
        self._show()
        self._changed(self._editor.text)

    def _show(self) -> None:
        keys = (("  enter", "key"), (" keep ", "plain"), (" esc", "key"), (" show all", "plain"))
        self.query_one(Bar).set_lines(((("/", "key"), (f"{self._editor.text}_", "strong"), *keys),))

    def action_keep(self) -> None:
        self.dismiss()

    def action_clear(self) -> None:
        self._changed("")
        self.dismiss()
