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


PROGRAM = "import sys; from tui.command_line import main; sys.exit(main(sys.argv[1:]))"

ONE_CELL = (
    """
from engine.ruleset import Cell, Row, Table
from msgspec.structs import replace
from tui.battle_screen import BattleScreen

def change_one_cell(screen):
    table = screen._units._table
    row = next(row for row in table.rows if not row.heading)
    changed = replace(row, cells=(Cell("99"), *row.cells[1:]))
    screen._units.show_table(replace(table, rows=tuple(changed if each is row else each for each in table.rows)))

BattleScreen._do_rulebook = change_one_cell
"""
    + PROGRAM
)
"""The program with a key, ctrl+t, that changes one cell of the Units pane as an order would, and nothing else."""


SSH = "192.0.2.7 50022 192.0.2.1 22"
"""SSH_CONNECTION as sshd sets it."""


class Terminal:
    """`headsdown open`, or another command, on a terminal of 80 by 24."""

    def __init__(
        self, path: Path, home: Path, program: str = PROGRAM, command: str = "open", **environment: str
    ) -> None:
        self.pid, self.line = pty.fork()
        if not self.pid:
            kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
            arguments = [sys.executable, "-c", program, command, str(path)]
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


START, MOVE, CELL, PANE, SCROLL = 25_000, 400, 250, 8_000, 2_500
"""The most bytes that a start, a cursor's step, a changed cell, another pane and a scrolled pane may cost at 80x24.

The first four are the budget of screens over SSH; a step that scrolls paints a pane and is counted apart.
"""


@pytest.mark.parametrize("rules", examples())
def test_few_bytes_go_over_the_line(rules: str, tmp_path: Path) -> None:
    terminal = Terminal(copy_example(rules, tmp_path), tmp_path, SSH_CONNECTION=SSH)
    assert len(terminal.read(b"Quit")) < START
    assert terminal.read(quiet=0.1, patience=1.0) == b"", "nothing moves by itself"
    for key in (b"j", b"j", b"k", b"j", b"\x1b[A", b"\x1b[B"):
        assert 0 < len(terminal.press(key)) < MOVE, "a step in Units"
    for pane in (b"2", b"1", b"3", b"\t", b"\t", b"\t"):
        assert 0 < len(terminal.press(pane)) < PANE, "another pane"
    terminal.press(b"k")
    for _ in range(6):
        assert 0 < len(terminal.press(b"k")) < MOVE, "a step in the log"
    terminal.press(b"g")
    assert 0 < len(terminal.press(b"\x1b[6~")) < SCROLL, "a page of the log"
    terminal.press(b"q", b"headsdown open")
    assert terminal.status() == 0


@pytest.mark.parametrize("rules", examples())
def test_a_changed_cell_costs_little(rules: str, tmp_path: Path) -> None:
    terminal = Terminal(copy_example(rules, tmp_path), tmp_path, ONE_CELL, SSH_CONNECTION=SSH)
    terminal.read(b"Quit")
    terminal.press(b"j")
    out = terminal.press(b"\x14")
    assert b"99" in out
    assert len(out) < CELL
    terminal.press(b"q")
    assert terminal.status() == 0


STEP = SCROLL + PANE
"""The most bytes of a step through a replay: the log scrolls, and the units that it changes are painted."""


@pytest.mark.parametrize("rules", examples())
def test_few_bytes_of_a_replay_go_over_the_line(rules: str, tmp_path: Path) -> None:
    terminal = Terminal(copy_example(rules, tmp_path), tmp_path, command="replay", SSH_CONNECTION=SSH)
    assert len(terminal.read(b"Quit")) < START
    assert terminal.read(quiet=0.1, patience=1.0) == b"", "nothing moves by itself"
    for _ in range(8):
        assert 0 < len(terminal.press(b"\x1b[C")) < STEP, "a step onwards"
    for pane in (b"1", b"2", b"1", b"3", b"\t", b"\t", b"\t"):
        assert 0 < len(terminal.press(pane)) < PANE, "another pane"
    terminal.press(b"1")
    for key in (b"j", b"j", b"k", b"\x1b[A", b"\x1b[B"):
        assert 0 < len(terminal.press(key)) < MOVE, "a step in Units"
    assert 0 < len(terminal.press(b"\x1b[D")) < STEP, "a step back"
    terminal.press(b"q", b"\x1b[?1049l")
    assert terminal.status() == 0


@pytest.mark.parametrize("command", ["open", "replay"])
def test_over_ssh_the_terminal_is_left_as_simple_as_can_be(command: str, battle: Path, tmp_path: Path) -> None:
    """No other keyboard protocol, which a dropped line would leave switched on; elsewhere it may be asked for."""
    for environment, asked in (({"SSH_CONNECTION": SSH}, False), ({}, True)):
        terminal = Terminal(battle, tmp_path, command=command, **environment)
        out = terminal.read(b"Quit")
        assert bool(re.search(rb"\x1b\[>[0-9;]*u", out)) is asked
        terminal.press(b"q", b"\x1b[?1049l")
        assert terminal.status() == 0


def test_start_play_resize_and_quit(battle: Path, tmp_path: Path) -> None:
    """On a real terminal: an order is given, the window changes, and the terminal is left as it was found."""
    terminal = Terminal(battle, tmp_path)
    terminal.read(b"Quit")
    before = battle.read_bytes()
    terminal.press(b"u", b"Undone")
    assert len(battle.read_bytes().splitlines()) == len(before.splitlines()) + 1
    for columns, lines in ((120, 40), (60, 20), (30, 5), (500, 200), (80, 24)):
        fcntl.ioctl(terminal.line, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.kill(terminal.pid, signal.SIGWINCH)
        out = terminal.read(b"\x1b[")
        assert (b"too small" in out) == (columns < 60), (columns, lines)
    terminal.press(b"\x12", b"Brought back")
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
