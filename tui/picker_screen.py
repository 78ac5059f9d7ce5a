"""Pick one of some: the answer to a question the rules ask, what to order, or any action by its name."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from engine.wording import clean
from saves.cells import cut, fill
from tui.bars import KeyBar, MessageLine, TitleBar
from tui.columns import Run
from tui.dialog import Dialog
from tui.key_bindings import bindings
from tui.line_pane import GUTTER, Lines

KEY_WIDTH = 4


class Pick(Struct, frozen=True):
    """One thing to pick: its value, the key that picks it at once, the words, and why it cannot be picked, if so."""

    value: str
    key: str
    label: str
    forbidden: str = ""


class PickPane(Lines):
    """The things to pick from; the cursor may rest on those that cannot be picked, to read why."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("picker")

    def __init__(self, title: str, picks: tuple[Pick, ...]) -> None:
        super().__init__(title, id="picks", empty="Nothing has that name.")
        self.picks = picks
        self._words = max((cell_len(clean(pick.label)) for pick in picks), default=0)

    @property
    def pick(self) -> Pick | None:
        """What is under the cursor."""
        return self.picks[self.cursor] if 0 <= self.cursor < len(self.picks) else None

    def show_picks(self, picks: tuple[Pick, ...]) -> None:
        """Offer these instead."""
        self.picks = picks
        self.cursor = 0 if picks else -1
        self.lines_changed()

    def line_count(self) -> int:
        return len(self.picks)

    def line_runs(self, index: int, width: int) -> tuple[Run, ...]:
        pick = self.picks[index]
        key = fill(pick.key, KEY_WIDTH)
        label = clean(pick.label)
        if not pick.forbidden:
            return ((key, "mark"), (cut(label, width - KEY_WIDTH), "plain"))
        label = fill(label, min(self._words, max(10, width // 2)))
        return ((key, "dim"), (cut(f"{label}  - {clean(pick.forbidden)}", width - KEY_WIDTH), "dim"))

    def reason(self) -> str:
        """Why what is under the cursor cannot be picked, where its line has no room to say so."""
        pick = self.pick
        if pick is None or not pick.forbidden:
            return ""
        words = "".join(text for text, _ in self.line_runs(self.cursor, self.size.width - GUTTER))
        return "" if clean(pick.forbidden) in words else pick.forbidden

    def action_move(self, step: int) -> None:
        self.move_to(self.cursor + step, step)

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self))


class PickerScreen(Dialog[str | None]):
    """A question with some answers; gives the value picked, None where the player left.

    Keys pick at once; with `search` letters look for words in what is offered instead.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("picker")

    def __init__(
        self, title: str, question: str, picks: tuple[Pick, ...], search: bool = False, chosen: str = ""
    ) -> None:
        """The cursor begins on the value `chosen` where there is one."""
        super().__init__()
        self._chosen = chosen
        self._all = picks
        self._pane = PickPane("", picks)
        self._title = title
        self._question = question
        self._search = search
        self._typed = ""
        self._complaint = (-1, "", "")

    @property
    def awaits_answer(self) -> bool:
        """Whether somebody has to pick before an order goes on."""
        return True

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog picker"):
            yield TitleBar(id="title")
            yield MessageLine(id="question")
            yield self._pane
            yield MessageLine(id="reason")
            yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self.query_one(TitleBar).show_title(self._title)
        self._pane.styles.height = min(len(self._all), max(5, self.app.size.height - 9))
        self._pane.cursor = next((at for at, pick in enumerate(self._all) if self._chosen == pick.value), -1)
        if self._pane.cursor < 0:
            self._pane.cursor = next((at for at, pick in enumerate(self._all) if not pick.forbidden), 0)
        self._pane.focus()
        self._show()

    def on_resize(self) -> None:
        self._show()

    def on_lines_moved(self) -> None:
        self._show()

    def _show(self) -> None:
        question = f"{self._question} {self._typed}_" if self._search else self._question
        self.query_one("#question", MessageLine).say(question)
        self.query_one("#question").display = bool(question)
        at, text, tone = self._complaint
        said = (text, tone) if at == self._pane.cursor else (self._pane.reason(), "dim")
        self.query_one("#reason", MessageLine).say(*said)
        bar = self.query_one(KeyBar)
        keys = [(bar.named("picker.pick"), "pick"), (bar.named("picker.up", "picker.down"), "move")]
        keys += [("a-z", "search")] if self._search else []
        bar.show_keys(tuple(keys), ((bar.named("picker.leave"), "leave"),))

    def on_lines_chosen(self) -> None:
        if self._pane.pick is not None:
            self._pick(self._pane.pick)

    def on_key(self, event: events.Key) -> None:
        if self._search:
            self._look(event)
            return
        for index, pick in enumerate(self._all):
            if event.character and event.character == pick.key:
                event.stop()
                self._pane.move_to(index)
                self._pick(pick)
                return

    def _look(self, event: events.Key) -> None:
        if event.key == "backspace":
            self._typed = self._typed[:-1]
        elif event.is_printable and event.character:
            self._typed += event.character
        else:
            return
        event.stop()
        words = self._typed.casefold().split()
        found = (pick for pick in self._all if all(word in clean(pick.label).casefold() for word in words))
        self._pane.show_picks(tuple(found))
        self._show()

    def _pick(self, pick: Pick) -> None:
        if pick.forbidden:
            self.complain(pick.forbidden, "bad")
            return
        self.dismiss(pick.value)

    def complain(self, text: str, tone: str) -> None:
        """Say why what is under the cursor was not taken, for as long as the cursor stays there."""
        self._complaint = (self._pane.cursor, text, tone)
        self._show()

    def action_leave(self) -> None:
        self.dismiss(None)


def numbered(labels: tuple[str, ...]) -> tuple[Pick, ...]:
    """One pick for each label; its value is the label's place as a number, its key the digit, as far as digits go."""
    return tuple(Pick(str(at), str(at + 1) if at < 9 else "", label) for at, label in enumerate(labels))
