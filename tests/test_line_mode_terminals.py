"""The line mode at real terminals: no control sequence is ever written, lines can be edited, and it ends cleanly."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from saves.verifying import verify
from tests.line_mode import entries_in, script
from tests.test_line_mode_orders import made

ROOT = Path(__file__).parent.parent
PATIENCE = 20.0


class AtATerminal:
    """The program at a terminal of its own; what it writes is kept as bytes."""

    def __init__(self, path: Path, term: str, *options: str) -> None:
        self._ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": term, "HEADSDOWN_HOME": str(path.parent)}
        command = [sys.executable, "-m", "tui.start", "open", str(path), *options]
        self.program = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C and hanging up reach it
        )
        os.close(theirs)
        self.written = b""

    def read_until(self, wanted: bytes) -> bytes:
        """Wait for what is written next; gives all up to it."""
        deadline = time.monotonic() + PATIENCE
        while wanted not in self.written:
            assert time.monotonic() < deadline, self.written
            try:
                self.written += os.read(self._ours, 4096)
            except OSError:
                break
        head, found, self.written = self.written.partition(wanted)
        assert found, head
        return head + found

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def rest(self) -> bytes:
        """What is written until the program ends."""
        kept = self.written
        while True:
            try:
                more = os.read(self._ours, 4096)
            except OSError:
                break
            if not more:
                break
            kept += more
        return kept

    def hang_up(self) -> None:
        os.close(self._ours)
        self._ours = -1

    def close(self) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait(PATIENCE)
        if self._ours >= 0:
            os.close(self._ours)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return made(tmp_path, "suppression-fire")


@pytest.fixture(params=["dumb", "xterm", "xterm-256color", ""])
def terminal(path: Path, request: pytest.FixtureRequest) -> Iterator[AtATerminal]:
    opened = AtATerminal(path, request.param, "--plain")
    yield opened
    opened.close()


def test_no_control_sequence_is_ever_written(terminal: AtATerminal, path: Path) -> None:
    """Not by the program, not by the line editor, not at a question, and not for what names hold."""
    seen = terminal.read_until(b"> ")
    for line in ("muster dire avengers", "muster own", "", "Guests", ".", "show", "help", "dance", "undo", "log"):
        terminal.type(line + "\n")
        seen += terminal.read_until(b"> ")
    terminal.type("quit\n")
    seen += terminal.rest()
    assert terminal.program.wait(PATIENCE) == 0
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", seen)
    assert b"Entry 2: Eldar: muster Guests." in seen
    assert b"Saved. To go on: headsdown open" in seen
    assert entries_in(path) == 3


def test_a_dumb_terminal_gets_lines_by_itself(path: Path) -> None:
    opened = AtATerminal(path, "dumb")
    try:
        seen = opened.read_until(b"> ")
        assert b"this terminal shows no screens" in seen
        opened.type("note a\nquit\n")
        opened.rest()
        assert opened.program.wait(PATIENCE) == 0
    finally:
        opened.close()
    assert entries_in(path) == 1


def test_lines_are_edited_called_back_and_completed(path: Path) -> None:
    """Up brings the line before, ctrl+a its beginning, tab a verb or a name; nothing but text is written for it."""
    pytest.importorskip("readline")
    script(path, ["muster scouts"])
    opened = AtATerminal(path, "xterm", "--plain")
    try:
        seen = opened.read_until(b"> ")
        opened.type("note first\n")
        seen += opened.read_until(b"> ")
        opened.type("\x1b[A again\x01\x1b[C\x1b[C\x1b[C\x1b[C\n")
        seen += opened.read_until(b"note: first again.")
        seen += opened.read_until(b"> ")
        opened.type("hist\tsco\t\n")
        seen += opened.read_until(b"Entry 1: Eldar: muster Scouts")
        opened.type("mov\t\t\x15quit\n")
        seen += opened.rest()
        assert opened.program.wait(PATIENCE) == 0
    finally:
        opened.close()
    assert b"\x1b" not in seen
    assert b"\x07" not in seen


def test_ctrl_c_and_ctrl_d(path: Path) -> None:
    """Ctrl-C leaves a question and then says how to leave; Ctrl-D leaves."""
    for term in ("dumb", "xterm"):
        before = entries_in(path)
        opened = AtATerminal(path, term, "--plain")
        try:
            opened.read_until(b"> ")
            opened.type("muster own\n")
            opened.read_until(b"Name? Words.")
            opened.read_until(b"> ")
            opened.type("\x03")
            opened.read_until(b"Given up: nothing has happened.")
            opened.read_until(b"> ")
            opened.type("\x03")
            opened.read_until(b"To leave, type quit, or press Ctrl-D.")
            opened.read_until(b"> ")
            opened.type("\x04")
            assert b"Saved." in opened.rest()
            assert opened.program.wait(PATIENCE) == 0
        finally:
            opened.close()
        assert entries_in(path) == before


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, None])
@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_ended_from_outside_the_file_and_the_lock_are_sound(path: Path, term: str, how: signal.Signals | None) -> None:
    """None is the terminal that goes away."""
    opened = AtATerminal(path, term, "--plain")
    try:
        opened.read_until(b"> ")
        opened.type("note a\n")
        opened.read_until(b"Head 1:")
        opened.read_until(b"> ")
        if how is None:
            opened.hang_up()
        else:
            opened.program.send_signal(how)
        assert opened.program.wait(PATIENCE) in (0, 3)
    finally:
        opened.close()
    assert verify(path).ok
    assert script(path, "note b\n").status == 0
    assert entries_in(path) == 2


@pytest.mark.parametrize("words", [">&-", "<&-", ">/dev/full", "| head -1"])
def test_streams_that_are_closed_or_full(path: Path, words: str) -> None:
    """What was ordered stands, and there is no traceback."""
    if "full" in words and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    command = f"{sys.executable} -m tui.start open {path} --plain {words}"
    text = "note a\n" + "help\n" * 50
    ran = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, input=text, timeout=60)
    assert "Traceback" not in ran.stderr
    assert ran.stderr.count("\n") <= 1
    assert verify(path).ok
