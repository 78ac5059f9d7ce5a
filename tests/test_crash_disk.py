"""Disks that are full or broken, and deaths at every point: what was acknowledged stands, the rest never did any harm.

Groups 6, 8, 9, 11 and 19 of the crash cases, by calls that fail; real full file systems are in
`test_crash_file_systems.py`, killed processes in `test_crash_kills.py`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.entries import OrderEntry, RecoveredEntry
from saves import journal
from saves.battle import OpenBattle
from saves.faults import Fault, Unreadable
from saves.repairing import repair
from saves.verifying import verify
from tests.failing_calls import BROKEN, FULL, OVER_QUOTA, TOO_LARGE, Died, failing
from tests.small_rules import CountUp, Note, small_battle
from tests.small_saves import ENTRIES, append, entries_in, small_save

pytestmark = pytest.mark.usefixtures("counter")

ROOT = Path(__file__).parent.parent

ERRORS = [BROKEN, FULL, OVER_QUOTA, TOO_LARGE]
FATAL = [Died(), KeyboardInterrupt()]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(journal, "PAUSE_SECONDS", 0)
    path = tmp_path / "a.battle.jsonl"
    path.write_bytes(small_save())
    return path


def at_every_call(
    do: Callable[[], object], error: BaseException, check: Callable[[int, bool], None], *, after: bool
) -> int:
    """Do something again and again, each time with the next call failing, until none is left to fail.

    `check` is told the turn and whether it was done in spite of that. Gives the number of calls there were.
    """
    turn = 0
    while True:
        turn += 1
        with failing(turn, error, after=after) as calls:
            try:
                do()
                done = True
            except (Fault, Died, KeyboardInterrupt):
                done = False
        check(turn, done)
        if len(calls.made) < turn:
            return turn - 1


# Appending


@pytest.mark.parametrize("error", [*ERRORS, *FATAL], ids=repr)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_an_append_that_fails_at_any_call(path: Path, error: BaseException, after: bool) -> None:
    """What was acknowledged is there; what was not is there whole or not at all; the next order finds its place."""
    known = ENTRIES

    def check(turn: int, done: bool) -> None:
        nonlocal known
        found = entries_in(path)
        assert found == known + 1 if done else found in (known, known + 1), turn
        assert verify(path).ok
        known = append(path, f"after {turn}")
        assert known == found + 1

    assert at_every_call(lambda: append(path, "x"), error, check, after=after) > 4
    assert not list(path.parent.glob("*.torn-*"))


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("from_then_on", [False, True], ids=["once", "ever after"])
def test_no_second_flush_after_one_that_failed(path: Path, error: OSError, from_then_on: bool) -> None:
    """Once a flush has failed a second one that succeeds proves nothing: nothing more is flushed or acknowledged."""
    with OpenBattle.open(path) as battle:
        head, state = battle.head_mark, battle.history.state
        with failing(1, error, ("fdatasync", "fsync"), from_then_on=from_then_on) as calls:
            for order in (CountUp(side="red"), CountUp(side="red")):
                with pytest.raises(Unreadable):
                    battle.give(order)
            with pytest.raises(Unreadable, match="open the battle again"):
                battle.undo()
            assert len(calls.flushed) == 1
        assert (battle.head_mark, battle.history.state) == (head, state)
    assert path.read_bytes() == small_save()
    assert append(path) == ENTRIES + 1


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_a_write_that_cannot_be_taken_back_either(path: Path, error: OSError) -> None:
    """Half a line stays; it is told apart from what was there, and set aside by the next who can write."""
    with OpenBattle.open(path) as battle, pytest.MonkeyPatch.context() as patch:
        write = os.write
        patch.setattr(os, "write", lambda fd, data: write(fd, data[: len(data) // 2]))
        with failing(1, error, ("ftruncate",)), pytest.raises(Unreadable, match="cannot be written: the disk is full"):
            battle.give(Note(text="half of this is written"))
    assert path.stat().st_size > len(small_save())
    assert entries_in(path) == ENTRIES
    assert append(path) == ENTRIES + 2


def test_a_read_that_fails(path: Path) -> None:
    with failing(1, BROKEN, ("pread",), from_then_on=True), pytest.raises(Unreadable, match="cannot be read"):
        OpenBattle.open(path)
    with OpenBattle.open(path) as one, OpenBattle.open(path) as other:
        other.give(Note(text="x"))
        with failing(1, BROKEN, ("pread",)), pytest.raises(Unreadable, match="cannot be read"):
            one.refresh()
        assert len(one.refresh()) == 1


def test_space_that_comes_back(path: Path) -> None:
    with OpenBattle.open(path) as battle, failing(1, FULL, ("write",)), pytest.raises(Unreadable, match="No space"):
        battle.give(Note(text="x"))
    assert append(path) == ENTRIES + 1


# Setting a torn end aside


@pytest.mark.parametrize("error", [BROKEN, FULL, *FATAL], ids=repr)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_setting_aside_fails_at_any_call(path: Path, error: BaseException, after: bool) -> None:
    """Whichever call fails, nothing half is left beside the battle, and the next writer ends where others would."""
    torn = small_save()[-40:-25]

    def begin() -> None:
        for each in path.parent.iterdir():
            each.unlink()
        path.write_bytes(small_save() + torn)

    def check(turn: int, done: bool) -> None:
        kept = list(path.parent.glob("*.torn-*"))
        assert all(each.read_bytes() == torn for each in kept), turn
        if not done and isinstance(error, OSError) and not after and path.read_bytes().endswith(torn):
            assert not kept, "what is still in the file needs no copy"
        assert entries_in(path) - ENTRIES in ((2,) if done else (0, 1, 2)), turn
        number = append(path)
        with OpenBattle.open(path, read_only=True) as battle:
            kinds = [type(entry) for entry in battle.history.entries[ENTRIES:]]
            assert not battle.warning
        assert kinds[-1] is OrderEntry
        assert kinds.count(RecoveredEntry) == 1 or not done, turn
        assert len(kinds) == number - ENTRIES
        if RecoveredEntry in kinds:
            assert len(list(path.parent.glob("*.torn-*"))) == 1, turn
        begin()

    begin()
    assert at_every_call(lambda: append(path), error, check, after=after) > 10


def test_a_torn_end_that_something_stands_in_the_way_of(path: Path) -> None:
    """A file of that very name with something else in it is left alone, and so is the battle."""
    path.write_bytes(small_save() + b"{")
    append(path)
    (kept,) = path.parent.glob("*.torn-*")
    kept.write_bytes(b"mine")
    path.write_bytes(small_save() + b"{")
    with pytest.raises(Unreadable, match="in the way"):
        append(path)
    assert kept.read_bytes() == b"mine"
    assert path.read_bytes() == small_save() + b"{"


def test_a_torn_end_of_a_battle_with_the_longest_of_names(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 242 + ".battle.jsonl")
    path.write_bytes(small_save() + b"{")
    assert append(path) == ENTRIES + 2
    assert len(list(tmp_path.glob("*.torn-*"))) == 1


# Creating and repairing


@pytest.mark.parametrize("error", [BROKEN, FULL, *FATAL], ids=repr)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_creating_fails_at_any_call(tmp_path: Path, error: BaseException, after: bool) -> None:
    """There is no file, or a whole one; and nothing else unless the process died."""
    path = tmp_path / "new.battle.jsonl"

    def check(turn: int, done: bool) -> None:
        if path.exists():
            assert entries_in(path) == 0, turn
            path.unlink()
        else:
            assert not done
        left = list(tmp_path.iterdir())
        if isinstance(error, OSError) and not after:
            assert len(left) <= 1, "a draft stays only where it cannot be removed"
        for each in left:
            each.unlink()

    assert at_every_call(lambda: small_battle(path), error, check, after=after) > 6


@pytest.mark.parametrize("error", [BROKEN, *FATAL], ids=repr)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_repairing_fails_at_any_call(path: Path, error: BaseException, after: bool) -> None:
    lines = small_save().splitlines(keepends=True)
    damaged = b"".join((lines[0].replace(b"Small", b"Smell"), *lines[1:3], b"half a li\n", *lines[4:]))
    path.write_bytes(damaged)
    output = path.with_name("new.battle.jsonl")

    def check(turn: int, done: bool) -> None:
        assert path.read_bytes() == damaged
        if output.exists():
            assert verify(output).ok
            output.unlink()
        else:
            assert not done, turn
        for each in path.parent.glob(".headsdown-*"):
            each.unlink()

    assert at_every_call(lambda: repair(path, output), error, check, after=after) > 6


# Signals

INTERRUPTED = """
import os, signal, sys
from engine import registered
registered.RULE_SETS["counter"] = "tests.small_rules"
from saves.battle import OpenBattle
from tests.small_rules import Note
flush = os.fdatasync
def between(fd):
    os.kill(os.getpid(), getattr(signal, sys.argv[2]))
    flush(fd)
with OpenBattle.open(sys.argv[1]) as battle:
    battle.give(Note(text="safe"))
    print("safe", flush=True)
    os.fdatasync = between
    battle.give(Note(text="between write and flush"))
    print("not reached", flush=True)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGKILL", "SIGHUP"])
def test_a_signal_between_write_and_flush(path: Path, name: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, path, name], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert ran.stdout == "safe\n"
    assert ran.returncode != 0
    assert entries_in(path) in (ENTRIES + 1, ENTRIES + 2)
    assert append(path) > ENTRIES + 1


def test_signals_that_are_handled_disturb_no_write(path: Path) -> None:
    """A timer that goes off all the time: calls that it interrupts are taken up again."""
    went_off = 0

    def goes_off(number: int, frame: object) -> None:
        nonlocal went_off
        went_off += 1

    before = signal.signal(signal.SIGALRM, goes_off)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
        with OpenBattle.open(path) as battle:
            for number in range(1, 61):
                assert battle.give(Note(text=f"{number}" * 200)).n == ENTRIES + number
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert went_off > 10
    assert entries_in(path) == ENTRIES + 60
    assert verify(path).ok
