"""A save file from elsewhere is checked entry by entry; that may take a while, and can be stopped."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from saves.faults import Fault, Stopped
from saves.library import SUFFIX
from saves.taking_in import Checked, checked
from tui.bars import KeyBar, MessageLine, TitleBar
from tui.dialog import Dialog
from tui.key_bindings import bindings

MOST_PATHS = 200
"""How many paths are looked at for completion."""


class SaveCheck(Dialog[Checked | Fault | None]):
    """Gives what was found out about the file, or the fault of one that cannot be used; None where it was stopped."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("check")
    AUTO_FOCUS = ""

    def __init__(self, path: Path, folder: Path) -> None:
        super().__init__()
        self._path = path
        self._folder = folder
        self._stopped = False
        self._entry = 0

    @property
    def awaits_answer(self) -> bool:
        """Keys that come meanwhile do not wait for the end of it."""
        return True

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog line"):
            yield TitleBar(id="title")
            yield MessageLine(id="message")
            yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self.query_one(TitleBar).show_title("Take in a save")
        self._show()
        self.set_interval(0.1, self._show)
        self.run_worker(self._check(), group="check")

    def _show(self) -> None:
        self.query_one("#message", MessageLine).say(f"Checking {self._path.name}: entry {self._entry} ...")
        bar = self.query_one(KeyBar)
        bar.show_keys((), ((bar.named("check.stop"), "stop"),))

    def on_resize(self) -> None:
        self._show()

    def _progress(self, entry: int) -> None:
        self._entry = entry
        if self._stopped:
            raise Stopped

    async def _check(self) -> None:
        try:
            found: Checked | Fault = await asyncio.to_thread(checked, self._path, self._folder, self._progress)
        except Stopped:
            return
        except Fault as fault:
            found = fault
        self.dismiss(found)

    def on_unmount(self) -> None:
        self._stopped = True

    def action_stop(self) -> None:
        self._stopped = True
        self.dismiss(None)


def paths_from(text: str) -> tuple[str, ...]:
    """The folders and saves that a path that is being typed may become."""
    start, _, name = os.path.expanduser(text).rpartition("/")
    typed = text[: len(text) - len(name)]
    try:
        with os.scandir(f"{start}/" if "/" in text else ".") as entries:
            found = sorted((entry.name, entry.is_dir()) for entry in entries if entry.name.startswith(name))
    except OSError:
        return ()
    fitting = [(each, is_dir) for each, is_dir in found if name.startswith(".") or not each.startswith(".")]
    saves = [f"{typed}{each}" for each, is_dir in fitting if not is_dir and each.endswith((SUFFIX, ".jsonl"))]
    folders = [f"{typed}{each}/" for each, is_dir in fitting if is_dir]
    return tuple([*saves, *folders][:MOST_PATHS])
