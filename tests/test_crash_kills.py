"""Writers that are killed without warning, again and again: every entry that was acknowledged is there.

Group 6 of the crash cases. An entry is acknowledged when its number has come through a pipe.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from saves.battle import OpenBattle
from saves.holder import note_path
from saves.verifying import verify
from tests.small_rules import small_battle
from tests.small_saves import append

pytestmark = pytest.mark.usefixtures("counter")

ROOT = Path(__file__).parent.parent

WRITER = """
import os, sys
from engine import registered
registered.RULE_SETS["counter"] = "tests.small_rules"
from saves import journal
from saves.battle import OpenBattle
from tests.small_rules import Note
journal.LOCK_SECONDS = 240  # two that write large records without a pause leave a third little room
with OpenBattle.open(sys.argv[1]) as battle:
    while True:
        entry = battle.give(Note(text=sys.argv[2] * 10), by=sys.argv[2] + "y" * int(sys.argv[3]))
        os.write(1, b"%d\\n" % entry.n)
"""

WRITERS = 3


def killed_writers(path: Path, size: int, seconds: float) -> list[list[int]]:
    """Let some writers loose on one battle, kill all of them at some moment; the numbers acknowledged to each."""
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [
        # Unbuffered: what is read ahead into a buffer here would be missing, in the middle of a number, from the rest.
        subprocess.Popen(
            [*command, name, str(size)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        for name in "ABC"[:WRITERS]
    ]
    first = []
    for writer in writers:
        assert writer.stdout is not None
        first.append(int(writer.stdout.readline() or writer.communicate()[1]))
    time.sleep(seconds)
    for writer in writers:
        writer.kill()
    rest = [writer.communicate(timeout=60)[0] for writer in writers]
    # The last number may be cut short where the pipe was; what was said before it was said.
    return [[one, *map(int, more.split(b"\n")[:-1])] for one, more in zip(first, rest, strict=True)]


def check_kills(path: Path, kills: int, size: int, seed: int) -> int:
    """Kill that many writers; gives how many entries were acknowledged in all."""
    chance = random.Random(seed)
    small_battle(path)
    acknowledged: set[int] = set()
    for _ in range(kills // WRITERS):
        for numbers in killed_writers(path, size, chance.random() * 0.05):
            assert not acknowledged & set(numbers), "a number was given twice"
            acknowledged |= set(numbers)
        with OpenBattle.open(path, read_only=True) as battle:
            assert len(battle.history.entries) >= max(acknowledged)
            assert all(battle.history.is_order(number) for number in acknowledged)
    append(path)
    assert verify(path).ok
    assert not note_path(path).exists()
    return len(acknowledged)


@pytest.mark.timeout(600)
def test_30_kills(tmp_path: Path) -> None:
    assert check_kills(tmp_path / "a.battle.jsonl", 24, 0, seed=1) > 24
    assert check_kills(tmp_path / "b.battle.jsonl", 6, 300_000, seed=2) >= 6


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("size", "battles", "kills"), [(0, 4, 75), (5_000, 4, 75), (500_000, 10, 6)])
def test_600_kills(tmp_path: Path, size: int, battles: int, kills: int) -> None:
    """Large records fill hundreds of megabytes in no time: each battle is short, and gone before the next."""
    for number in range(battles):
        path = tmp_path / f"{number}.battle.jsonl"
        assert check_kills(path, kills, size, seed=1000 * size + number) >= kills
        path.unlink()
