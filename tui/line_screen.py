"""One line to be typed below the panes: a number to go to, a note, a name."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType

from engine.wording import clean
from tui.bars import Bar, KeyBar
from tui.dialog import Dialog
from tui.key_bindings import bindings
from tui.line_editor import LineEditor


class LineScreen(Dialog[str | None]):
    """Gives the line as typed, which may be empty; None where the player left."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("line")
    AUTO_FOCUS = ""

    def __init__(self, mark: str, does: str, text: str = "", *, most: int = 200, digits: bool = False) -> None:
        """`mark` stands before the line, `does` is what Enter does; with `digits` nothing else can be typed."""
        super().__init__()
        self._mark = mark
        self._does = does
        self._digits = digits
        self._editor = LineEditor(text, most=most, fresh=bool(text))

    def compose(self) -> ComposeResult:
        yield Bar(id="filter")
        yield KeyBar(id="offers")

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()

    def on_key(self, event: events.Key) -> None:
        if event.key == "backspace":
            self._editor.backspace()
        elif event.is_printable and event.character:
            self._insert(event.character)
        else:
            return
        event.stop()
        self._show()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._insert(event.text)
        self._show()

    def _insert(self, text: str) -> None:
        self._editor.insert("".join(filter(str.isdecimal, text)) if self._digits else text)

    def _show(self) -> None:
        room = max(8, self.app.size.width - len(self._mark) - 3)
        text = clean(self._editor.text)[-room:]
        self.query_one("#filter", Bar).set_lines((((f"{self._mark} ", "key"), (f"{text}_", "strong")),))
        bar = self.query_one("#offers", KeyBar)
        keys = ((bar.named("line.done"), self._does), (bar.named("line.clear"), "empty"))
        bar.show_keys(keys, ((bar.named("line.leave"), "leave"),))

    def action_clear(self) -> None:
        self._editor.clear()
        self._show()

    def action_done(self) -> None:
        self.dismiss(self._editor.text)

    def action_leave(self) -> None:
        self.dismiss(None)
