"""Programs at a terminal of their own, typed to as by hand."""

from __future__ import annotations

import os
import pty
import select
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path


class Terminal:
    """A program at a terminal of `size` (lines, columns)."""

    def __init__(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str], size: tuple[int, int] = (24, 80)
    ) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(folder)
                os.execvpe(command[0], list(command), dict(environment))
            finally:
                os._exit(127)
        termios.tcsetwinsize(self.fd, size)
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def until(self, wanted: str, seconds: float = 60) -> str:
        """What is shown up to some text; raises AssertionError where it does not come."""
        until = time.monotonic() + seconds
        while wanted not in self.shown:
            if not select.select([self.fd], [], [], max(0.0, until - time.monotonic()))[0]:
                raise AssertionError(f"{wanted} did not come: {self.shown[-2000:]!r}")
            self.shown += os.read(self.fd, 65536).decode(errors="replace")
        before, _, self.shown = self.shown.partition(wanted)
        return before

    def hang_up(self) -> None:
        """Take the terminal away and wait for the program to end."""
        os.close(self.fd)
        os.waitpid(self.pid, 0)

    def ended(self) -> int:
        """The exit status, once the program has ended; what it still shows is read meanwhile."""
        try:
            while os.read(self.fd, 65536):
                pass
        except OSError:
            pass
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
