"""One line to be typed in answer to a question: a name, a path."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from saves.faults import Fault
from tui.bars import Bar, KeyBar, MessageLine, TitleBar
from tui.dialog import Dialog
from tui.key_bindings import bindings
from tui.line_editor import LineEditor
from tui.shown_text import around_caret

LONGEST = 4096

MOST_OFFERS = 6
"""How many of the ways in which the line may go on are shown."""


class LineScreen(Dialog[str | None]):
    """Gives what was typed, None where the player left."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("line")
    AUTO_FOCUS = ""

    def __init__(
        self,
        title: str,
        question: str,
        text: str = "",
        accept: Callable[[str], None] = lambda text: None,
        offered: Callable[[str], tuple[str, ...]] = lambda text: (),
        *,
        most: int = LONGEST,
        digits: bool = False,
        fresh: bool = False,
    ) -> None:
        """`accept` does what is asked, or raises Fault: then the line stays, with the reason below it.

        `offered` gives what the whole line may become. At `most` so many characters can be typed, with `digits`
        nothing else; where the text is `fresh`, typing begins anew.
        """
        super().__init__()
        self._title = title
        self._question = question
        self._editor = LineEditor(text, most=most, fresh=fresh)
        self._digits = digits
        self._accept = accept
        self._offered = offered
        self._offers: tuple[str, ...] = ()
        self._at = -1

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog line"):
            yield TitleBar(id="title")
            yield MessageLine(id="question")
            yield Bar(id="typed")
            yield Bar(id="offers")
            yield MessageLine(id="message")
            yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self.query_one(TitleBar).show_title(self._title)
        self.query_one("#question", MessageLine).say(self._question)
        self._offers = self._offered(self._editor.text)
        self._show()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        typed = self.query_one("#typed", Bar)
        width = typed.size.width or self.app.size.width
        typed.set_lines((((around_caret(self._editor.text, self._editor.at, width), "strong"),),))
        offers = self._offers[max(0, self._at - MOST_OFFERS + 1) :][:MOST_OFFERS]
        at = min(self._at, MOST_OFFERS - 1)
        lines = tuple(((f"  {each}", "good" if place == at else "dim"),) for place, each in enumerate(offers))
        self.query_one("#offers", Bar).set_lines(lines)
        bar = self.query_one(KeyBar)
        keys = [(bar.named("line.keep"), "go on"), ("a-z", "type")]
        keys += [(bar.named("line.complete"), "complete")] if self._offers else []
        bar.show_keys(tuple(keys), ((bar.named("line.leave"), "leave"),))

    def _say(self, text: str, tone: str = "plain") -> None:
        self.query_one("#message", MessageLine).say(text, tone)

    def on_key(self, event: events.Key) -> None:
        if event.key == "backspace":
            self._editor.backspace()
        elif event.is_printable and event.character:
            self._insert(event.character)
        else:
            return
        event.stop()
        self._typed()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._insert(event.text)
        self._typed()

    def _insert(self, text: str) -> None:
        self._editor.insert("".join(filter(str.isdecimal, text)) if self._digits else text)

    def _typed(self) -> None:
        self._offers, self._at = self._offered(self._editor.text), -1
        self._say("")
        self._show()

    def action_move(self, step: int) -> None:
        self._editor.move(step)
        self._show()

    def action_clear(self) -> None:
        self._editor.clear()
        self._typed()

    def action_complete(self) -> None:
        """Put the next of what is offered in place of the line."""
        if not self._offers:
            return
        only = len(self._offers) == 1
        self._at = (self._at + 1) % len(self._offers)
        self._editor.clear()
        self._editor.insert(self._offers[self._at])
        if only:
            self._typed()
        else:
            self._show()

    def action_keep(self) -> None:
        try:
            self._accept(self._editor.text)
        except Fault as fault:
            self._say(str(fault), "fault")
            return
        self.dismiss(self._editor.text)

    def action_leave(self) -> None:
        self.dismiss(None)
