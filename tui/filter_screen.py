"""What the Dice log is filtered by or searched for, typed on a line below it, while the log is seen to follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType

from tui.bars import Bar, KeyBar
from tui.columns import Run
from tui.dialog import Dialog
from tui.key_bindings import bindings
from tui.line_editor import LineEditor

LONGEST = 80


class FilterScreen(Dialog[None]):
    """Type to filter or to find. Names of units, rolls and sides are offered and completed."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("filter")
    AUTO_FOCUS = ""

    def __init__(
        self,
        mark: str,
        text: str,
        changed: Callable[[str], None],
        offered: Callable[[str], tuple[str, ...]],
        words: tuple[str, str],
    ) -> None:
        """`mark` stands before the line; `offered` tells what a word may become; `words` what the two ways out do."""
        super().__init__()
        self._mark = mark
        self._editor = LineEditor(text, most=LONGEST)
        self._changed = changed
        self._offered = offered
        self._words = words
        self._offers: tuple[str, ...] = offered(self._word)
        self._at = -1

    def compose(self) -> ComposeResult:
        yield Bar(id="filter")
        yield KeyBar(id="offers")

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self._show()

    @property
    def _word(self) -> str:
        """The word that is being typed."""
        return self._editor.text.rpartition(" ")[2]

    def on_key(self, event: events.Key) -> None:
        if event.key == "backspace":
            self._editor.backspace()
        elif event.is_printable and event.character:
            self._editor.insert(event.character)
        else:
            return
        event.stop()
        self._typed()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._editor.insert(event.text)
        self._typed()

    def _typed(self) -> None:
        self._offers, self._at = self._offered(self._word), -1
        self._show()
        self._changed(self._editor.text)

    def action_complete(self) -> None:
        """Put the next of what is offered in place of the word."""
        if not self._offers:
            return
        self._at = (self._at + 1) % len(self._offers)
        before = self._editor.text[: len(self._editor.text) - len(self._word)]
        self._editor.clear()
        self._editor.insert(before + self._offers[self._at])
        if len(self._offers) == 1:
            self._typed()
        else:
            self._show()
            self._changed(self._editor.text)

    def _show(self) -> None:
        bar = self.query_one("#offers", KeyBar)
        keep, leave = self._words
        line: list[Run] = [(f"{self._mark} ", "key"), (f"{self._editor.text}_", "strong")]
        for at, offer in enumerate(self._offers):
            line.append((f"  {offer}", "good" if at == self._at else "dim"))
        self.query_one("#filter", Bar).set_lines((tuple(line),))
        keys = [(bar.named("filter.keep"), keep)]
        if self._offers:
            keys.append((bar.named("filter.complete"), "complete"))
        bar.show_keys(tuple(keys), ((bar.named("filter.clear"), leave),))

    def action_keep(self) -> None:
        self.dismiss()

    def action_clear(self) -> None:
        self._changed("")
        self.dismiss()
