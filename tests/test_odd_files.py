"""Clocks that are wrong, files in odd places and of odd sizes, and random play against a model.

Groups 12, 13, 14 and 20 of the crash cases.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import registered
from engine.refusals import Refusal
from saves.battle import OpenBattle
from saves.chain import FIRST, SEAL, sealed
from saves.faults import AlreadyThere, NotABattle
from saves.journal import Journal
from saves.library import battles
from saves.records import record_of
from saves.scan import scan
from saves.store import CLEAN, Place
from saves.verifying import verify
from tests.headsdown_command import headsdown
from tests.small_rules import NAME, CountUp, Note, small_battle
from tests.small_saves import ENTRIES, append, entries_in, line_ends, small_save

pytestmark = pytest.mark.usefixtures("counter")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return small_battle(tmp_path / "a.battle.jsonl")


# 12: clocks


@pytest.mark.parametrize("year", [1900, 1970, 1995, 2026, 9000])
def test_a_clock_that_is_wrong(path: Path, monkeypatch: pytest.MonkeyPatch, year: int) -> None:
    """Times are told, and nothing hangs on them: not the order of entries, not the state, not the dice."""
    append(path, "in our time")
    monkeypatch.setattr(time, "time_ns", lambda: (year - 1970) * 365 * 86_400 * 10**9)
    assert [append(path), append(path), append(path)] == [2, 3, 4]
    assert verify(path).ok
    ran = headsdown("log", path)
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize("seconds", [-(2**33), -1, 0, 2**33])
def test_a_file_with_an_odd_date_is_listed(path: Path, seconds: int) -> None:
    os.utime(path, (seconds, seconds))
    (shelved,) = battles(path.parent)
    assert not shelved.damaged
    for options in ([], ["--json"]):
        ran = headsdown("list", path.parent, *options)
        assert (ran.status, ran.err) == (0, "")


# 13: places


@pytest.mark.parametrize(
    "name", ["a\nb", "a\x1b[2Jb", "ü\u202eß", "'; rm -rf", "-", "--json", " ", "x" * 255, os.fsdecode(b"\xff\xfe")]
)
def test_odd_names(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    small_battle(path)
    assert append(path) == 1
    path.write_bytes(path.read_bytes() + b"{")
    assert append(path) == 3
    with OpenBattle.open(path, read_only=True) as battle:
        assert len(battle.history.entries) == 3
    ran = headsdown("verify", path)
    assert ran.status == 0
    assert "\x1b" not in ran.out + ran.err


def test_devices(tmp_path: Path) -> None:
    for device in ("/dev/null", "/dev/full", "/dev/zero"):
        for read_only in (True, False):
            with pytest.raises(NotABattle, match="device"):
                OpenBattle.open(device, read_only=read_only)
        with pytest.raises(AlreadyThere):
            small_battle(Path(device))


def test_a_file_that_is_read_only(as_nobody: Path) -> None:
    path = small_battle(as_nobody / "a.battle.jsonl")
    path.chmod(0o444)
    os.seteuid(65534)
    assert entries_in(path) == 0
    ran = headsdown("undo", path)
    assert (ran.status, ran.out) == (3, "")
    assert "cannot be written: Permission denied" in ran.err


def test_a_folder_that_takes_no_new_files(as_nobody: Path) -> None:
    """There may be no note of who is writing then, and no half line can be set aside; orders are given all the same."""
    path = small_battle(as_nobody / "a.battle.jsonl")
    path.chmod(0o666)
    os.seteuid(65534)
    assert append(path) == 1
    before = path.read_bytes()
    path.write_bytes(before + b"{")
    ran = headsdown("undo", path)
    assert (ran.status, ran.out) == (3, "")
    assert path.read_bytes() == before + b"{"


# 14: sizes


def test_beyond_four_gigabytes(tmp_path: Path) -> None:
    """A hole stands for what was read before: lines behind it are followed, appended and followed again."""
    path = tmp_path / "a.battle.jsonl"
    lines = small_save().splitlines(keepends=True)
    far = (5 << 30) + 17
    mark = bytes.fromhex(lines[1][-35:-3].decode())
    with path.open("wb") as file:
        file.write(lines[0])
        file.seek(far - len(lines[1]))
        file.write(lines[1])
    before = Place(1, mark, far)
    store = Journal(path)
    store._fd = os.open(path, os.O_RDWR | os.O_APPEND)
    try:
        assert store.follow(before) is None
        after = store.append(lines[2][: -SEAL - 1] + b"}", before)
        assert after.offset == far + len(lines[2])
        news = store.follow(before)
        assert news is not None
        assert (news.lines, news.condition, news.place) == ((lines[2][:-1],), CLEAN, after)
    finally:
        store.close()


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_a_million_entries(tmp_path: Path) -> None:
    path = tmp_path / "a.battle.jsonl"
    header, first = small_save().splitlines()[:2]
    line, mark = sealed(header[:-SEAL] + b"}", FIRST)
    with path.open("wb") as file:
        file.write(line)
        for number in range(1, 1_000_001):
            record = b'{"k":"order","n":%d,"by":"","t":0,"order":{"type":"note","text":"x"},"events":[]}' % number
            line, mark = sealed(record, mark)
            file.write(line)
    assert entries_in(path) == 1_000_000
    assert append(path) == 1_000_001
    assert first


# 20: random play against a model

MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("give"), st.sampled_from(["blue", "red"])),
        st.tuples(st.just("note"), st.text(max_size=20)),
        st.tuples(st.sampled_from(["undo", "redo", "reopen", "other"]), st.just("")),
        st.tuples(st.just("goto"), st.integers(0, 12).map(str)),
        st.tuples(st.just("cut"), st.integers(1, 300).map(str)),
    ),
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(moves=MOVES)
def test_random_play_against_a_model(moves: list[tuple[str, str]]) -> None:
    """Whatever people do, and wherever crashes cut the end off, a reader finds what was acknowledged and safe."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setitem(registered.RULE_SETS, NAME, "tests.small_rules")
        patch.setattr(time, "sleep", lambda seconds: None)
        for name in ("fsync", "fdatasync"):
            patch.setattr(os, name, lambda fd: None)
        path = small_battle(Path(folder) / "a.battle.jsonl")
        known: list[bytes] = []
        battle = OpenBattle.open(path)
        for move, detail in moves:
            if move in ("reopen", "cut"):
                battle.close()
                if move == "cut":
                    _crash_in_a_new_line(path, int(detail))
                battle = OpenBattle.open(path)
            elif move == "other":
                append(path, "somebody else")
            else:
                _play(battle, move, detail)
            with OpenBattle.open(path, read_only=True) as reader:
                found = [record_of(entry) for entry in reader.history.entries]
                assert found[: len(known)] == known
                known = found
                battle.refresh()
                assert battle.history.state == reader.history.state
                assert battle.head_mark == reader.head_mark
        battle.close()
        assert verify(path).kind in (None, "torn")


def _crash_in_a_new_line(path: Path, size: int) -> None:
    line, _ = sealed(b'{"k":"order","n":1,"by":"","t":0,"order":{"type":"note","text":"' + b"x" * 400 + b'"}}', FIRST)
    path.write_bytes(path.read_bytes() + line[:size])


def _play(battle: OpenBattle, move: str, detail: str) -> None:
    with suppress(Refusal):
        if move == "give":
            battle.give(CountUp(side=detail))
        elif move == "note":
            battle.give(Note(text=detail))
        elif move == "goto":
            battle.goto(int(detail))
        else:
            getattr(battle, move)()


@pytest.mark.parametrize("step", [13])
def test_reopened_after_every_few_bytes(tmp_path: Path, step: int) -> None:
    """The file as it grows, byte by byte: a reader that follows it finds each entry when its line is whole."""
    content, path = small_save(), tmp_path / "a.battle.jsonl"
    ends = line_ends(content)
    path.write_bytes(content[: ends[0]])
    with OpenBattle.open(path, read_only=True) as reader:
        for size in [*range(ends[0], len(content), step), len(content)]:
            path.write_bytes(content[:size])
            reader.refresh()
            whole = sum(end <= size + 1 for end in ends) - 1
            assert len(reader.history.entries) == whole
            assert entries_in(path) == whole
        assert len(reader.history.entries) == ENTRIES
    assert sha256(path.read_bytes()).digest() == sha256(content).digest()
    assert scan(content).condition == CLEAN
