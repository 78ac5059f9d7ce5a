"""The guest book: a line for everybody who comes, is turned away, and leaves."""

from __future__ import annotations

import os
import time
from pathlib import Path

from saves.faults import Unreadable
from tui.endings import tell

LONGEST = 200
"""The most characters of a fact: names and addresses come from strangers."""


class GuestBook:
    """Lines such as: 2026-11-30T19:03:12Z came name=Anna seat=Eldar key=SHA256:... address=192.0.2.7:50022."""

    def __init__(self, path: Path | None = None) -> None:
        """Written to the end of a file of its owner only, or to standard error. Raises Unreadable."""
        self._file = -1
        if path is None:
            return
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise Unreadable(f"{path} cannot be written: {error.strerror or error}") from None

    def write(self, what: str, **facts: object) -> None:
        """One line at once; a full disk or a closed stream stops nobody's battle."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        line = " ".join((stamp, what, *(f"{name}={shown(fact)}" for name, fact in facts.items())))
        if self._file < 0:
            tell(line)
            return
        try:
            os.write(self._file, line.encode("utf-8", "replace") + b"\n")
        except OSError as error:
            tell(f"headsdown serve: the guest book cannot be written: {error.strerror or error}")

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def shown(fact: object) -> str:
    """A fact as one word, in quotes where it has several, whatever is in it: a line is never more than one."""
    text = "".join(char if char.isprintable() else "?" for char in str(fact))[:LONGEST]
    plain = text and not any(char in ' "\\=' for char in text)
    return text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
