"""The line mode in tests: scripts through the command line, and somebody who types, line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from saves.battle import OpenBattle
from tests.headsdown_command import Ran, headsdown
from tui.line_mode.session import Session
from tui.line_mode.talk import Talk


def script(path: Path, lines: Iterable[str] | str, *options: str) -> Ran:
    """Open a battle in lines and read these."""
    text = lines if isinstance(lines, str) else "\n".join(lines) + "\n"
    return headsdown("open", path, "--plain", *options, stdin=text)


def state_of(path: Path) -> Any:
    """The battle as it stands on disk."""
    with OpenBattle.open(path, read_only=True) as battle:
        return battle.history.state


def entries_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") - 1


class Typist(Talk):
    """Somebody who types these lines by hand; `told` is all that was said. A callable is done before its line."""

    def __init__(self, lines: Iterable[str | Callable[[], object] | type[BaseException]]) -> None:
        super().__init__()
        self._lines = iter(lines)
        self.told: list[str] = []

    def tell(self, *lines: str) -> None:
        self.told.extend(lines)

    def _read(self) -> str | None:
        for line in self._lines:
            if isinstance(line, str):
                return line
            if isinstance(line, type):
                raise line
            line()
        return None


def typed(path: Path, *lines: str | Callable[[], object] | type[BaseException], by: str = "") -> list[str]:
    """What is said to somebody who types these lines."""
    talk = Typist(lines)
    with OpenBattle.open(path) as battle:
        assert Session(battle, talk, name=by).run() == 0
    return talk.told
