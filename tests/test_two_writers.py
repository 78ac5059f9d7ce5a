"""Several who have one battle open: they wait for each other, judge anew, and notice what others did to the file.

Groups 10, 16, 17 and 18 of the crash cases. The note of who is writing is the only file beside a battle.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.refusals import Refusal
from saves import journal
from saves.battle import OpenBattle
from saves.faults import Busy, Damaged, Unreadable
from saves.holder import note_path
from saves.store import Place
from saves.verifying import verify
from tests.small_rules import CountUp, Note, small_battle
from tests.small_saves import ENTRIES, append, entries_in, small_save

pytestmark = pytest.mark.usefixtures("counter")

ROOT = Path(__file__).parent.parent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return small_battle(tmp_path / "a.battle.jsonl")


# 10: taking turns


def test_threads_that_write_in_turn(path: Path) -> None:
    """Each with the battle open for itself."""
    numbers: list[int] = []

    def write(name: str) -> None:
        with OpenBattle.open(path) as battle:
            for turn in range(25):
                numbers.append(battle.give(Note(text=f"{name} {turn}")).n)

    threads = [threading.Thread(target=write, args=(name,)) for name in ("Ann", "Bob", "Cid")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 76))
    assert verify(path).ok


def test_a_second_writer_waits_for_one_append_and_judges_anew(path: Path) -> None:
    """Whoever comes second is refused by the state that the first one made, or finds a place behind it."""
    with OpenBattle.open(path) as first, OpenBattle.open(path) as second:
        first.give(CountUp(side="red", times=5, dice=(6,) * 10))
        second.refresh()
        append = first._store.append
        waiting = threading.Event()
        outcome: list[object] = []

        def order() -> None:
            waiting.set()
            try:
                outcome.append(second.give(CountUp(side="red")))
            except Refusal as refused:
                outcome.append(refused)

        def slow(record: bytes, after: Place, by: str = "") -> Place:
            fcntl.flock(first._store._fd, fcntl.LOCK_EX)  # type: ignore[attr-defined]
            other = threading.Thread(target=order)
            other.start()
            assert waiting.wait(5)
            try:
                return append(record, after, by)
            finally:
                threads.append(other)

        threads: list[threading.Thread] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(first._store, "append", slow)
            first.give(CountUp(side="red", times=5, dice=(6,) * 10))
        for thread in threads:
            thread.join(10)
        (refused,) = outcome
        assert isinstance(refused, Refusal)
        assert refused.clause == "CO-2"
        assert entries_in(path) == 2


def test_a_writer_that_ignores_the_lock_is_noticed(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        battle.give(Note(text="x"))
        with path.open("ab") as rogue:
            rogue.write(b"x")
        entry = battle.give(Note(text="y"))
        assert entry.n == 3
        with path.open("ab") as rogue:
            rogue.write(b"a whole line\n")
        with pytest.raises(Damaged):
            battle.give(Note(text="z"))


def test_a_forked_child_takes_turns_with_its_parent(path: Path) -> None:
    """Parent and child go on with one open battle: each has a lock of its own."""
    battle = OpenBattle.open(path)
    battle.give(Note(text="before"))
    child = os.fork()
    if child == 0:
        status = 1
        try:
            for turn in range(40):
                battle.give(Note(text=f"child {turn}"))
            status = 0
        finally:
            os._exit(status)
    for turn in range(40):
        battle.give(Note(text=f"parent {turn}"))
    assert os.waitpid(child, 0)[1] == 0
    battle.close()
    assert entries_in(path) == 81
    assert verify(path).ok


def test_the_lock_of_a_killed_writer_is_free_at_once(path: Path) -> None:
    program = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX); print(1, flush=True); input()"
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        holder.kill()
    assert append(path) == 1


@pytest.mark.parametrize("name", ["b.battle.jsonl", ".hidden"])
def test_a_second_name_of_the_same_file(path: Path, name: str) -> None:
    """A hard link is the same battle: one lock, one line of entries."""
    other = path.with_name(name)
    os.link(path, other)
    with OpenBattle.open(path) as one, OpenBattle.open(other) as two:
        assert [one.give(Note(text="x")).n, two.give(Note(text="y")).n, one.give(Note(text="z")).n] == [1, 2, 3]


# 16: readers


def test_a_reader_under_whom_the_end_is_cut_off(path: Path) -> None:
    """An entry seen before it was safe is gone after a power cut: the reader goes back and says so."""
    with OpenBattle.open(path, read_only=True) as reader, OpenBattle.open(path) as writer:
        writer.give(CountUp(side="red"))
        writer.give(CountUp(side="blue"))
        reader.refresh()
        os.truncate(path, path.stat().st_size - 30)
        assert reader.refresh() == ()
        assert reader.withdrawn
        assert (len(reader.history.entries), reader.history.head) == (1, 1)
        assert "half a line" in reader.warning
        with OpenBattle.open(path) as again:
            again.give(Note(text="on we go"))
        assert [entry.n for entry in reader.refresh()] == [2, 3]
        assert not reader.withdrawn
        assert (reader.warning, reader.problem) == ("", None)


def test_a_reader_of_a_file_that_was_moved_away(path: Path) -> None:
    """The file lives on under another name, and another one has its place: that is the battle now."""
    with OpenBattle.open(path, read_only=True) as reader:
        append(path, "one")
        assert len(reader.refresh()) == 1
        aside = path.with_name("aside")
        os.rename(path, aside)
        shutil.copy(aside, path)
        append(path, "two")
        for _ in range(journal.LOOKS):
            reader.refresh()
            if reader.withdrawn:
                break
        assert reader.withdrawn
        assert len(reader.history.entries) == 2
        append(path, "three")
        assert len(reader.refresh()) == 1


def test_a_reader_of_a_backup_that_was_put_back(path: Path) -> None:
    with OpenBattle.open(path) as writer, OpenBattle.open(path, read_only=True) as reader:
        for _ in range(3):
            writer.give(Note(text="x"))
        shutil.copy(path, path.with_name("backup"))
        writer.give(Note(text="y"))
        reader.refresh()
        os.replace(path.with_name("backup"), path)
        reader.refresh()
        assert reader.withdrawn
        assert len(reader.history.entries) == 3
        with pytest.raises(Unreadable, match="went back"):
            writer.give(Note(text="z"))


def test_a_reader_of_a_file_that_is_gone(path: Path) -> None:
    with OpenBattle.open(path, read_only=True) as reader:
        path.unlink()
        with pytest.raises(Unreadable, match="not there"):
            reader.refresh()


# Who is writing


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """The lock, held by this process through another descriptor."""
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        yield


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "LOCK_SECONDS", 0.03)


STOPPED = """
import os, sys
from engine import registered
registered.RULE_SETS["counter"] = "tests.small_rules"
from saves.battle import OpenBattle
from tests.small_rules import Note
def stop(fd):
    print(os.getpid(), flush=True)
    input()
with OpenBattle.open(sys.argv[1]) as battle:
    os.fdatasync = stop
    battle.give(Note(text="x"), by="Ann (blue)")
"""


@pytest.mark.usefixtures("_impatient")
def test_who_holds_the_lock_is_named(path: Path) -> None:
    """A writer whose disk does not answer: name, process, host, and since when."""
    command = [sys.executable, "-c", STOPPED, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        pid = int(holder.stdout.readline())
        words = rf"being written by Ann \(blue\) \(process {pid} on {socket.gethostname()}, since \d\d:\d\d:\d\d\)"
        with pytest.raises(Busy, match=words):
            append(path)
        holder.communicate("\n", timeout=30)
    assert append(path) == 2
    assert not note_path(path).exists()


@pytest.mark.usefixtures("_impatient")
def test_another_program_that_holds_the_lock_is_named_where_the_system_tells(path: Path) -> None:
    with locked(path), pytest.raises(Busy, match="being written by somebody else") as busy:
        append(path)
    if Path("/proc/locks").exists():
        assert f"process {os.getpid()}" in str(busy.value)


NOTES = {
    "empty": b"",
    "no JSON": b"hello",
    "deep": b"[" * 512,
    "not UTF-8": b'{"pid":1,"host":"\xff","by":"","since":0}',
    "huge": b"x" * 100_000,
    "negative": b'{"pid":-1,"host":"h","by":"","since":-1}',
    "huge numbers": b'{"pid":99999999999999999999,"host":"h","by":"","since":99999999999999999999}',
    "a dead process": json.dumps({"pid": 2**22 + 1, "host": socket.gethostname(), "by": "", "since": 0}).encode(),
}


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("note", NOTES.values(), ids=NOTES)
def test_a_note_that_says_nothing(path: Path, note: bytes) -> None:
    """What stands in the note, or is left of it, is nothing to rely on and in nobody's way."""
    note_path(path).write_bytes(note)
    with locked(path), pytest.raises(Busy, match="somebody else"):
        append(path)
    assert append(path) == 1


@pytest.mark.usefixtures("_impatient")
def test_a_holder_on_another_host(path: Path) -> None:
    holder = {"pid": 4711, "host": "lagos", "by": "Bob", "since": 1_764_500_000_000}
    note_path(path).write_bytes(json.dumps(holder).encode().ljust(511) + b"\n")
    with locked(path), pytest.raises(Busy, match=r"by Bob \(process 4711 on lagos, since 2025-11-30"):
        append(path)


@pytest.mark.parametrize("kind", ["link to a battle", "second name of a battle", "pipe", "folder", "link to nowhere"])
def test_something_else_in_the_place_of_the_note_is_left_alone(path: Path, kind: str) -> None:
    """Above all it is never written to: it may be another battle."""
    other = path.with_name("other.battle.jsonl")
    other.write_bytes(small_save())
    note = note_path(path)
    if kind == "link to a battle":
        note.symlink_to(other)
    elif kind == "second name of a battle":
        os.link(other, note)
    elif kind == "pipe":
        os.mkfifo(note)
    elif kind == "folder":
        note.mkdir()
    else:
        note.symlink_to("nowhere")
    assert append(path) == 1
    assert other.read_bytes() == small_save()
    assert entries_in(other) == ENTRIES
    assert sorted(os.listdir(path.parent)) == sorted([note.name, path.name, other.name])


def test_the_note_is_gone_when_nobody_writes_any_more(path: Path) -> None:
    with OpenBattle.open(path) as one, OpenBattle.open(path) as two:
        assert not note_path(path).exists()
        one.give(Note(text="x"))
        two.give(Note(text="y"))
        assert note_path(path).read_bytes().strip() == b""
        one.close()
        two.give(Note(text="z"))
    assert [each.name for each in path.parent.iterdir()] == [path.name]


# 18: descriptors


def test_no_descriptor_is_left_open(path: Path, tmp_path: Path) -> None:
    """Opened, written, refused, damaged: all is closed again."""
    (tmp_path / "damaged").write_bytes(small_save()[:1200] + b"x" + small_save()[1201:])
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else pytest.skip("no /proc here")
    for turn in range(20):
        append(path)
        with pytest.raises(Damaged):
            OpenBattle.open(tmp_path / "damaged")
        with pytest.raises(Unreadable):
            OpenBattle.open(tmp_path / "missing")
        entries_in(path)
        small_battle(tmp_path / f"{turn}")
    assert len(os.listdir("/proc/self/fd")) == before


def test_programs_that_are_started_inherit_no_descriptor(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        battle.give(Note(text="x"))
        program = (
            "import os; print([os.readlink(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd') if int(n) > 2])"
        )
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, close_fds=False)
        assert str(path) not in ran.stdout
