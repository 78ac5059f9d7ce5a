"""Power cuts: of what was not flushed yet any sector may be there, be empty or hold something else.

Group 7 of the crash cases, as a model of every state a disk can be left in; `test_crash_file_systems.py` cuts the
power of real file systems. Assumed is that a device tears no sector that was safe before.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from saves import journal
from saves.battle import OpenBattle
from saves.faults import Damaged
from saves.scan import scan
from saves.store import AMBIGUOUS, CLEAN, TORN
from tests.small_rules import Note
from tests.small_saves import ENTRIES, append, entries_in, small_save

pytestmark = pytest.mark.usefixtures("counter")

SECTOR = 512
KINDS = ("new", "zero", "garbage")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(journal, "PAUSE_SECONDS", 0)
    for name in ("fsync", "fdatasync"):  # the disk is a model here
        monkeypatch.setattr(os, name, lambda fd: None)
    return tmp_path / "a.battle.jsonl"


def states(safe: bytes, line: bytes) -> Iterator[tuple[bytes, bool]]:
    """Every file that may be left when the power goes before `line` was flushed, and whether it holds garbage.

    What was safe is as it was. Each sector of the line is new, zeros or garbage, and the file ends after any number
    of its bytes: at every byte of the last sector, and at the ends of all sectors.
    """
    after = safe + line
    first, last = len(safe) // SECTOR, (len(after) - 1) // SECTOR
    noise = random.Random(7).randbytes(len(after) + SECTOR)
    sizes = {len(safe), *range(max(len(safe), last * SECTOR), len(after) + 1), len(after)}
    sizes |= {sector * SECTOR for sector in range(first + 1, last + 1)}
    for kinds in product(KINDS, repeat=last - first + 1):
        mixed = bytearray(after)
        for sector, kind in enumerate(kinds, first):
            start, end = max(sector * SECTOR, len(safe)), min((sector + 1) * SECTOR, len(after))
            if kind == "zero":
                mixed[start:end] = bytes(end - start)
            elif kind == "garbage":
                mixed[start:end] = noise[start:end]
        for size in sorted(sizes):
            yield bytes(mixed[:size]), "garbage" in kinds


def with_long_line(path: Path) -> tuple[bytes, bytes]:
    """A battle that was safe, and the line that was being written when the power went: over several sectors."""
    path.write_bytes(small_save())
    with OpenBattle.open(path) as battle:
        battle.give(Note(text="x" * 400))
    after = path.read_bytes()
    return small_save(), after[len(small_save()) :]


def check_state(path: Path, state: bytes, garbage: bool, safe: int) -> None:
    """Nothing that was safe is lost, everybody can read it, and unless there is garbage in it people can go on."""
    reading = scan(state)
    assert len(reading.lines) - 1 in (safe, safe + 1)
    assert reading.condition in ((CLEAN, TORN, AMBIGUOUS) if garbage else (CLEAN, TORN))
    path.write_bytes(state)
    found = entries_in(path)
    assert found in (safe, safe + 1)
    if reading.condition == AMBIGUOUS:
        with pytest.raises(Damaged):
            append(path)
        assert path.read_bytes() == state
    else:
        torn = reading.condition == TORN
        assert append(path) == found + 1 + torn
        assert entries_in(path) == found + 1 + torn
    for each in path.parent.glob("*.torn-*"):
        each.unlink()


def test_500_states_after_a_power_cut(path: Path) -> None:
    every = list(states(*with_long_line(path)))
    assert len(every) > 2000
    for state, garbage in random.Random(500).sample(every, 500):
        check_state(path, state, garbage, ENTRIES)


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_all_states_after_a_power_cut(path: Path) -> None:
    for state, garbage in states(*with_long_line(path)):
        check_state(path, state, garbage, ENTRIES)


def test_every_state_is_read_right(path: Path) -> None:
    """All of them, without the file system: whole lines as long as they prove each other."""
    safe, line = with_long_line(path)
    for state, garbage in states(safe, line):
        reading = scan(state)
        whole = state in (safe + line, (safe + line)[:-1])
        assert len(reading.lines) - 1 == ENTRIES + whole
        assert reading.condition in ((CLEAN, TORN, AMBIGUOUS) if garbage else (CLEAN, TORN))


def test_a_power_cut_while_a_torn_end_is_set_aside(path: Path) -> None:
    """Cut off or not, with the note about it there in part: the next one who writes ends with one battle."""
    torn = small_save()[-60:-30]
    path.write_bytes(small_save() + torn)
    append(path)
    after = path.read_bytes()
    note = after[len(small_save()) :].splitlines(keepends=True)[0]
    left = [small_save() + torn, *(state for state, garbage in states(small_save(), note) if not garbage)]
    for state in left:
        path.write_bytes(state)
        found = entries_in(path)
        assert found in (ENTRIES, ENTRIES + 1)
        assert append(path) >= ENTRIES + 1
        with OpenBattle.open(path) as battle:
            assert not battle.warning
            assert battle.history.head == len(battle.history.entries)
