"""Which army list: a path typed with completion, or one of those found; then it is read, with a bar and a way out."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from engine.army_list import ArmyList
from engine.odds import Cancelled
from engine.wording import clean
from saves.cells import cut
from saves.faults import Fault
from saves.rosters.found_before import completed, offered, remember
from saves.rosters.reading import read_list
from tui.bars import Bar, KeyBar, MessageLine, TitleBar
from tui.columns import Run
from tui.dialog import Dialog
from tui.key_bindings import bindings
from tui.line_editor import LineEditor
from tui.line_pane import GUTTER, Lines

LONGEST_PATH = 1000
LOOK_SECONDS = 0.05
BAR_CELLS = 30


class WayPane(Lines):
    """The lists and folders that the path may lead to."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("roster")

    def __init__(self) -> None:
        super().__init__("", id="ways", empty="No army list here: type a path, tab completes.")
        self.ways: tuple[str, ...] = ()

    @property
    def way(self) -> str:
        """The one under the cursor, empty where there is none."""
        return self.ways[self.cursor] if 0 <= self.cursor < len(self.ways) else ""

    def show_ways(self, ways: tuple[str, ...]) -> None:
        """Offer these instead."""
        self.ways = ways
        self.cursor = 0 if ways else -1
        self.lines_changed()

    def line_count(self) -> int:
        return len(self.ways)

    def line_runs(self, index: int, width: int) -> tuple[Run, ...]:
        return ((_cut_left(clean(self.ways[index]), width), "plain"),)

    def action_move(self, step: int) -> None:
        self.move_to(self.cursor + step, step)


def _cut_left(text: str, width: int) -> str:
    """The end of a path that is too long for its line: the name of the file counts."""
    return text if cut(text, width - GUTTER) == text else f"...{text[-max(8, width - GUTTER - 3) :]}"


class RosterScreen(Dialog[ArmyList | None]):
    """Gives the list that was read, None where the player left."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("roster")

    def __init__(self) -> None:
        super().__init__()
        self._pane = WayPane()
        self._editor = LineEditor("", most=LONGEST_PATH)
        self._reading = False
        self._stopped = False
        self._through = (0, 1)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog page"):
            yield TitleBar(id="title")
            yield Bar(id="path")
            yield self._pane
            yield MessageLine(id="message")
            yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self.query_one(TitleBar).show_title("Import an army list")
        self._pane.styles.height = max(5, min(14, self.app.size.height - 10))
        self._pane.show_ways(_lists())
        self._pane.focus()
        self._show()

    def on_resize(self) -> None:
        self._show()

    def on_unmount(self) -> None:
        self._stopped = True

    def _show(self) -> None:
        width = max(10, self.query_one("#path").size.width - 10)
        shown = _cut_left(f"{self._editor.text}_", width)
        self.query_one("#path", Bar).set_lines(((("File: ", "key"), (shown, "strong")),))
        bar = self.query_one(KeyBar)
        if self._reading:
            bar.show_keys((), ((bar.named("roster.leave"), "stop reading"),))
            return
        keys = (
            (bar.named("roster.open"), "open"),
            ("a-z", "type a path"),
            (bar.named("roster.complete"), "complete"),
            (bar.named("roster.up", "roster.down"), "choose"),
        )
        bar.show_keys(keys, ((bar.named("roster.leave"), "leave"),))

    def _say(self, text: str, tone: str = "plain") -> None:
        self.query_one("#message", MessageLine).say(text, tone)

    # The path

    def on_key(self, event: events.Key) -> None:
        if self._reading:
            return
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
        if not self._reading:
            self._editor.insert(event.text.strip().strip("'\""))
            self._typed()

    def _typed(self) -> None:
        self._say("")
        self._pane.show_ways(completed(self._editor.text)[1] if self._editor.text else _lists())
        self._show()

    def _become(self, text: str) -> None:
        self._editor.clear()
        self._editor.insert(text)
        self._typed()

    def action_complete(self) -> None:
        """As far as only one way leads, else to the one under the cursor."""
        if self._reading:
            return
        further, _ = completed(self._editor.text) if self._editor.text else ("", ())
        self._become(further if further != self._editor.text else self._pane.way or further)

    def action_clear(self) -> None:
        if not self._reading:
            self._become("")

    def action_move(self, step: int) -> None:
        self._pane.action_move(step)

    def on_lines_chosen(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """Read the file that was typed, else the one under the cursor; a folder is gone into."""
        if self._reading:
            return
        typed = Path(self._editor.text).expanduser() if self._editor.text else None
        way = str(typed) if typed is not None and typed.is_file() else self._pane.way or self._editor.text
        if way.endswith("/"):
            self._become(way)
        elif way:
            self._reading, self._stopped, self._through = True, False, (0, 1)
            self._show()
            self.run_worker(self._read(Path(way).expanduser()), group="read", exclusive=True)
        else:
            self._say("Type the path of an army list.")

    # Reading

    def _progress(self, done: int, of: int) -> None:
        """Called from the thread that reads: how far it is; raises Cancelled where nobody waits any more."""
        self._through = (done, max(1, of))
        if self._stopped:
            raise Cancelled

    async def _read(self, path: Path) -> None:
        task = asyncio.create_task(asyncio.to_thread(read_list, path, self._progress))
        while not task.done():
            await asyncio.wait((task,), timeout=LOOK_SECONDS)
            if not task.done() and self.is_attached:
                self._say(self._bar())
        self._reading = False
        try:
            army = task.result()
        except Cancelled:
            if self.is_attached:
                self._say("Stopped: nothing was read and nothing has happened.")
                self._show()
        except Fault as fault:
            self._say(str(fault), "fault")
            self._show()
        else:
            remember(path)
            self.dismiss(army)

    def _bar(self) -> str:
        done, of = self._through
        cells = BAR_CELLS * min(done, of) // of
        return f"Reading [{'#' * cells}{'.' * (BAR_CELLS - cells)}] {100 * min(done, of) // of} %"

    def action_leave(self) -> None:
        if self._reading:
            self._stopped = True
        else:
            self.dismiss(None)


def _lists() -> tuple[str, ...]:
    """The lists in the current folder, and where lists were found before."""
    here = Path.cwd()
    return tuple(str(path.relative_to(here)) if path.is_relative_to(here) else str(path) for path in offered())
