"""The program on a real terminal: what goes over the line, how it ends, and what it leaves behind."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

import pytest

from saves.library import copy_example, examples

COLOUR = re.compile(rb"\x1b\[[0-9;]*(?:38|48);[25];")
LEFT = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1003l", b"\x1b[?2004l")
"""What gives the terminal back: its own screen, the cursor, no mouse reports, no bracketed paste."""


class Terminal:
    """`headsdown open` on a terminal of 80 by 24."""

    def __init__(self, path: Path, home: Path, **environment: str) -> None:
        self.pid, self.line = pty.fork()
        if not self.pid:
            kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
            program = "import sys; from tui.command_line import main; sys.exit(main(sys.argv[1:]))"
            arguments = [sys.executable, "-c", program, "open", str(path)]
            kept |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "HEADSDOWN_HOME": str(home), **environment}
            os.execve(sys.executable, arguments, kept)
        fcntl.ioctl(self.line, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def read(self, until: bytes = b"", quiet: float = 0.4, patience: float = 20.0) -> bytes:
        """What comes until it contains `until` and then nothing more comes for a while."""
        out = b""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            ready, _, _ = select.select([self.line], [], [], quiet)
            if not ready:
                if out and until in out:
                    break
                continue
            try:
                out += os.read(self.line, 65536)
            except OSError:
                break
        return out

    def press(self, key: bytes, until: bytes = b"") -> bytes:
        os.write(self.line, key)
        return self.read(until)

    def status(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@pytest.fixture
def battle(tmp_path: Path) -> Path:
    return copy_example(examples()[0], tmp_path)


def test_few_bytes_go_over_the_line(battle: Path, tmp_path: Path) -> None:
    terminal = Terminal(battle, tmp_path)
    assert len(terminal.read(b"Quit")) < 25_000
    terminal.press(b"3")
    terminal.press(b"k")
    assert len(terminal.press(b"k")) < 600, "one line up in the log"
    assert len(terminal.press(b"\t")) < 8_000, "the next pane"
    out = terminal.press(b"q", b"headsdown open")
    assert all(code in out for code in LEFT)
    assert f"Saved. To go on: headsdown open {battle}".encode() in out
    assert terminal.status() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_asked_to_end_it_leaves_a_clean_terminal(battle: Path, tmp_path: Path, number: signal.Signals) -> None:
    terminal = Terminal(battle, tmp_path)
    terminal.read(b"Quit")
    os.kill(terminal.pid, number)
    out = terminal.read(LEFT[0])
    assert all(code in out for code in LEFT)
    assert terminal.status() == 0


def test_without_colours_none_are_sent(battle: Path, tmp_path: Path) -> None:
    terminal = Terminal(battle, tmp_path, NO_COLOR="1")
    out = terminal.read(b"Quit") + terminal.press(b"\t") + terminal.press(b"?")
    assert not COLOUR.search(out)
    terminal.press(b"q")
    terminal.press(b"q", b"headsdown open")
    assert terminal.status() == 0
