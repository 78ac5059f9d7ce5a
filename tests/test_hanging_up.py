"""The terminal goes away: the program ends soon, by itself, and leaves neither process, nor lock, nor busy core."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from saves.battle import OpenBattle
from saves.library import copy_example, examples
from saves.verifying import verify
from tui.hanging_up import GRACE, HUNG_UP

ROOT = Path(__file__).parent.parent
SOON = 20.0
"""Seconds for the machine's sake; the program itself has three."""

WAYS = {
    "open": (("open", "{}"), b"Quit"),
    "watching": (("open", "{}", "--watch"), b"Quit"),
    "replay": (("replay", "{}"), b"Quit"),
    "home": ((), b"Quit"),
    "in lines": (("open", "{}", "--plain"), b"> "),
}


def seconds_of_processor(pid: int) -> float:
    """What a process has used of a core so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Uncontrolled:
    """The program at a terminal that does not control it, so that no SIGHUP tells of its end."""

    def __init__(self, arguments: Sequence[str], home: Path, until: bytes, term: str = "xterm-256color") -> None:
        self._line, theirs = pty.openpty()
        self.program = subprocess.Popen(
            [sys.executable, "-m", "tui.start", *arguments],
            cwd=ROOT,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": term, "HEADSDOWN_HOME": str(home)},
            start_new_session=True,
        )
        os.close(theirs)
        told = b""
        while until not in told:
            told += os.read(self._line, 65536)

    def hang_up(self) -> None:
        os.close(self._line)

    def close(self) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return copy_example(examples()[0], tmp_path)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads what a process used in /proc")
@pytest.mark.parametrize("way", WAYS)
def test_a_terminal_that_goes_away_takes_the_program_with_it(way: str, path: Path, tmp_path: Path) -> None:
    arguments, until = WAYS[way]
    opened = Uncontrolled([each.format(path) for each in arguments], tmp_path, until)
    try:
        used = seconds_of_processor(opened.program.pid)
        opened.hang_up()
        began = time.monotonic()
        while opened.program.poll() is None:
            assert time.monotonic() - began < SOON, "it is still there"
            spent = seconds_of_processor(opened.program.pid) - used if opened.program.poll() is None else 0
            assert spent < GRACE + 1, "it keeps a core busy"
            time.sleep(0.05)
    finally:
        opened.close()
    assert opened.program.returncode in (0, 3, HUNG_UP)  # 3 where it had something to say yet
    assert not path.with_name(f".{path.name}.writing").exists()
    assert verify(path).ok
    with OpenBattle.open(path) as battle:
        battle.undo()


def test_a_terminal_that_goes_away_while_nothing_is_read(path: Path, tmp_path: Path) -> None:
    """The program is stuck in what it wants to paint, and ends all the same."""
    opened = Uncontrolled(["open", str(path)], tmp_path, b"Quit")
    try:
        for _ in range(300):
            os.write(opened._line, b"?q")
            time.sleep(0.005)
        opened.hang_up()
        opened.program.wait(SOON)
    finally:
        opened.close()
    assert verify(path).ok
