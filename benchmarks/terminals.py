"""A program in a pseudo-terminal, watched from outside: when it paints, and how soon after a key."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

WIDTH, HEIGHT = 80, 24
QUIET = 0.25
"""Seconds without output after which a screen has settled."""


class Terminal:
    """A program running in a pseudo-terminal of 80 by 24 cells."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start `python COMMAND...`; times count from here."""
        self._own, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self._start = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, *command], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
        )
        os.close(theirs)

    def until(self, words: bytes, seconds: float = 60) -> float:
        """Milliseconds from the start until `words` have come out; raises TimeoutError where they do not."""
        text, deadline = b"", time.perf_counter() + seconds
        while words not in text:
            if not select.select([self._own], [], [], max(0, deadline - time.perf_counter()))[0]:
                raise TimeoutError(f"the terminal never showed {words!r}")
            text += os.read(self._own, 1 << 16)
        return 1000 * (time.perf_counter() - self._start)

    def settle(self, quiet: float = QUIET) -> None:
        """Read on until nothing has come for so many seconds."""
        while select.select([self._own], [], [], quiet)[0]:
            os.read(self._own, 1 << 16)

    def after_key(self, key: bytes) -> float:
        """Milliseconds from a key to the first of what it changes on the screen."""
        pressed = time.perf_counter()
        os.write(self._own, key)
        if not select.select([self._own], [], [], 10)[0]:
            raise TimeoutError(f"the key {key!r} changed nothing")
        shown = 1000 * (time.perf_counter() - pressed)
        os.read(self._own, 1 << 16)
        return shown

    def memory(self) -> float:
        """What the program holds of memory, in MB."""
        with open(f"/proc/{self._process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._own)


@contextmanager
def terminal(*command: str) -> Iterator[Terminal]:
    """The program in a terminal; it is ended afterwards."""
    running = Terminal(command)
    try:
        yield running
    finally:
        running.end()
