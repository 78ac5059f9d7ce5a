"""The file of a battle: what is sound, what a crash leaves, what was damaged; creating, appending and locking."""

from __future__ import annotations

import errno
import fcntl
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine import registered
from engine.entries import RecoveredEntry
from saves import journal
from saves.battle import OpenBattle
from saves.chain import FIRST, LONGEST, SEAL, sealed
from saves.faults import AlreadyThere, Busy, Damaged, Fault, NotABattle, Unreadable
from saves.scan import scan
from saves.store import AMBIGUOUS, CLEAN, DAMAGED, TORN
from tests.small_rules import NAME, CountUp, Note, played_battle, small_battle

pytestmark = pytest.mark.usefixtures("counter")

ENTRIES = 5


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a small battle with ENTRIES entries."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registered.RULE_SETS, NAME, "tests.small_rules")
        return played_battle(tmp_path_factory.mktemp("content") / "a.battle.jsonl").read_bytes()


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(journal, "PAUSE_SECONDS", 0)
    return tmp_path / "a.battle.jsonl"


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def read(path: Path) -> OpenBattle:
    return OpenBattle.open(path, read_only=True)


def append(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        battle.give(Note(text="later"))


def rechained(content: bytes, change: Callable[[list[bytes]], list[bytes]]) -> bytes:
    """The file with its records changed and sealed anew, as somebody would who knows how."""
    records = change([line[:-SEAL] + b"}" for line in content.splitlines()])
    mark, lines = FIRST, b""
    for record in records:
        line, mark = sealed(record, mark)
        lines += line
    return lines


# The layout


def test_a_line_ends_in_its_seal(content: bytes) -> None:
    mark = sha256(b"headsdown-battle/1").digest()[:16]
    for line in content.splitlines():
        record = line[:-40] + b"}"
        mark = sha256(mark + record).digest()[:16]
        assert line[-40:] == b',"h":"' + mark.hex().encode() + b'"}'
    assert content.startswith(b'{"format":"headsdown-battle","v":1,"min_reader":1,')


def test_the_same_battle_is_the_same_text(content: bytes) -> None:
    assert scan(content).condition == CLEAN
    assert b'"step":2.50' in content
    assert rechained(content, lambda records: records) == content


# Crashes


def test_cut_at_every_byte(path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read as many whole lines as there are, go on after them, and keep what was cut in a file beside it."""
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, lambda fd: None)
    ends = [at + 1 for at, byte in enumerate(content) if byte == 0x0A]
    for size in range(len(content)):
        written(path, content[:size])
        whole = sum(end <= size + 1 for end in ends) - 1
        if whole < 0:
            with pytest.raises((NotABattle, Damaged)):
                read(path)
            continue
        with read(path) as battle:
            assert len(battle.history.entries) == whole
            torn = size not in ends and size + 1 not in ends
            assert bool(battle.warning) == torn
            assert path.read_bytes() == content[:size]
        append(path)
        with read(path) as battle:
            entries = battle.history.entries
            assert len(entries) == whole + 1 + torn
            assert isinstance(entries[whole], RecoveredEntry) == torn
            assert not battle.warning
        for kept in path.parent.glob("*.torn-*"):
            start = max(end for end in ends if end <= size)
            assert kept.read_bytes() == content[start:size]
            assert kept.name == f"{path.name}.torn-{start}-{sha256(content[start:size]).hexdigest()[:8]}"
            kept.unlink()
            torn = False
        assert not torn


def test_a_line_that_is_just_being_written_is_no_crash(
    path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(path, content[:-30])
    monkeypatch.setattr(time, "sleep", lambda seconds: path.write_bytes(content))
    with read(path) as battle:
        assert (len(battle.history.entries), battle.warning) == (ENTRIES, "")


@pytest.mark.parametrize("zeros", [8, 100, 4096])
def test_zeros_at_the_end_are_torn(path: Path, content: bytes, zeros: int) -> None:
    written(path, content + bytes(zeros))
    with read(path) as battle:
        assert len(battle.history.entries) == ENTRIES
    append(path)
    with read(path) as battle:
        assert len(battle.history.entries) == ENTRIES + 2


def test_zeros_within_the_last_line_are_torn(path: Path, content: bytes) -> None:
    written(path, content[:-100] + bytes(50) + content[-50:])
    append(path)
    with read(path) as battle:
        assert len(battle.history.entries) == ENTRIES + 1


def test_zeros_over_a_seal_before_a_sound_line_are_damage(content: bytes) -> None:
    end = content.rfind(b"\n", 0, len(content) - 1)
    assert scan(content[: end - 20] + bytes(10) + content[end - 10 :]).condition == DAMAGED


def test_a_single_zero_is_no_crash(path: Path, content: bytes) -> None:
    refuses(written(path, content[:-60] + b"\0" + content[-59:]), content_unchanged=True)


# Damage


def refuses(path: Path, *, content_unchanged: bool = True) -> None:
    before = path.read_bytes()
    with pytest.raises((Damaged, NotABattle)):
        OpenBattle.open(path)
    assert (path.read_bytes() == before) is content_unchanged
    assert not list(path.parent.glob("*.torn-*"))


def test_every_substitution_is_noticed_and_none_is_cut_off(path: Path, content: bytes) -> None:
    chance = random.Random(7)
    for _ in range(600):
        at = chance.randrange(len(content))
        byte = bytes([chance.choice([b for b in (0, 10, 13, 32, 34, 48, 125, 255) if b != content[at]])])
        refuses(written(path, content[:at] + byte + content[at + 1 :]))


def test_every_bit_of_the_last_lines_end(path: Path, content: bytes) -> None:
    for at in range(len(content) - 45, len(content)):
        for bit in range(8):
            byte = bytes([content[at] ^ 1 << bit])
            refuses(written(path, content[:at] + byte + content[at + 1 :]))


LINES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "last line twice": lambda lines: [*lines, lines[-1]],
    "last lines twice": lambda lines: [*lines, *lines[-2:]],
    "swapped": lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]],
    "one gone": lambda lines: [*lines[:3], *lines[4:]],
    "one more": lambda lines: [*lines[:3], b'{"k":"undo"}', *lines[3:]],
    "header twice": lambda lines: [lines[0], *lines],
    "no header": lambda lines: lines[1:],
    "garbage after": lambda lines: [*lines, b"\xff\xfegarbage"],
    "too long": lambda lines: [*lines, b"x" * (LONGEST + 2)],
    "empty line": lambda lines: [*lines[:2], b"", *lines[2:]],
}


@pytest.mark.parametrize("change", LINES.values(), ids=LINES)
def test_lines_out_of_place(path: Path, content: bytes, change: Callable[[list[bytes]], list[bytes]]) -> None:
    refuses(written(path, b"".join(line + b"\n" for line in change(content.splitlines()))))


def test_a_line_of_another_battle(path: Path, content: bytes) -> None:
    other = small_battle(path.with_name("b.battle.jsonl"), seed="other")
    append(other)
    refuses(written(path, content + other.read_bytes().splitlines(keepends=True)[1]))


def test_a_damaged_battle_can_be_read_up_to_there(path: Path, content: bytes) -> None:
    at = content.index(b"ml\xc3\xa4")
    with read(written(path, content[:at] + b"x" + content[at + 1 :])) as battle:
        assert len(battle.history.entries) == 2
        assert battle.problem is not None
        assert (battle.problem.entry, battle.problem.kind) == (3, "damaged")
        assert "entry 3 is damaged" in battle.warning
        assert battle.refresh() == ()
        with pytest.raises(Unreadable):
            battle.give(Note(text="x"))


def test_conditions(content: bytes) -> None:
    assert scan(content[:-1]).condition == CLEAN
    assert scan(content[:-2]).condition == TORN
    assert scan(content[:-3] + content[-2:]).condition == AMBIGUOUS
    assert scan(content[:-1] + b"x").condition == AMBIGUOUS
    assert scan(content[:-1] + b"xx").condition == AMBIGUOUS
    assert scan(content + b"x" * LONGEST).condition == TORN
    assert scan(content + b"x" * (LONGEST + 1)).condition == AMBIGUOUS


# Files that are something else


@pytest.mark.parametrize(
    "text",
    [b"", b"\n", b"{}\n", b"hello\n", b"\x00" * 100, b"[" * 100_000, b'{"format":"other"}\n', b"\xff\xd8\xff\xe0" * 50],
    ids=["empty", "line feed", "object", "text", "zeros", "nested", "other", "picture"],
)
def test_not_a_battle(path: Path, text: bytes) -> None:
    written(path, text)
    with pytest.raises(NotABattle, match=r"a\.battle\.jsonl"):
        read(path)
    refuses(path)


def test_changed_line_ends_are_named(path: Path, content: bytes) -> None:
    with pytest.raises(Damaged, match="line ends"):
        read(written(path, content.replace(b"\n", b"\r\n")))


def test_byte_order_mark(path: Path, content: bytes) -> None:
    with pytest.raises(Damaged, match="begins with a byte order mark"):
        read(written(path, b"\xef\xbb\xbf" + content))


def test_a_large_file_that_is_no_battle_is_not_read_whole(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5 << 30)
    with pytest.raises(NotABattle):
        read(path)


@pytest.mark.parametrize("read_only", [True, False])
def test_no_file(tmp_path: Path, path: Path, read_only: bool) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name, says in [
        (".", "folder"),
        ("missing", "not there"),
        ("pipe", "pipe"),
        ("dangling", "not there" if read_only else "link"),
        ("loop", "link"),
        ("x" * 300, "too long"),
        ("a\0b", "null"),
    ]:
        with pytest.raises((NotABattle, Unreadable), match=says):
            OpenBattle.open(tmp_path / name, read_only=read_only)


def test_links_may_be_read_but_not_written(path: Path, content: bytes) -> None:
    link = path.with_name("link")
    link.symlink_to(written(path, content))
    with read(link) as battle:
        assert len(battle.history.entries) == ENTRIES
    with pytest.raises(Unreadable, match="link"):
        OpenBattle.open(link)


def test_no_permission(as_nobody: Path, content: bytes) -> None:
    path = written(as_nobody / "a.battle.jsonl", content)
    path.chmod(0o600)
    os.seteuid(65534)
    with pytest.raises(Unreadable, match="Permission denied"):
        read(path)
    os.seteuid(0)
    path.chmod(0o644)
    os.seteuid(65534)
    with read(path) as battle:
        assert len(battle.history.entries) == ENTRIES
    with pytest.raises(Unreadable, match="cannot be written"):
        OpenBattle.open(path)
    with pytest.raises(Unreadable, match="cannot be written"):
        small_battle(as_nobody / "b.battle.jsonl")
    os.seteuid(0)
    assert os.listdir(as_nobody) == ["a.battle.jsonl"]


# Other versions, and files sealed anew


def test_a_newer_format(path: Path, content: bytes) -> None:
    newer = rechained(content, lambda records: [records[0].replace(b'"min_reader":1', b'"min_reader":2'), *records[1:]])
    with pytest.raises(Damaged, match="newer") as fault:
        read(written(path, newer))
    assert fault.value.kind == "newer"
    refuses(path)


@pytest.mark.parametrize("field", [b'"v":1', b'"rules_version":1'])
def test_a_newer_version_that_may_be_read(path: Path, content: bytes, field: bytes) -> None:
    newer = rechained(content, lambda records: [records[0].replace(field, field[:-1] + b"2"), *records[1:]])
    with read(written(path, newer)) as battle:
        assert len(battle.history.entries) == ENTRIES
        assert "newer" in battle.warning
    refuses(path)


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (b'{"k":"parley","n":6,"by":"","t":0}', "newer"),
        (b'{"k":"order","n":6,"by":"","t":0,"order":{"type":"shout"},"events":[]}', "newer"),
        (b'{"k":"order","n":6,"by":"","t":0,"order":{"type":"note","text":"","loud":true},"events":[]}', "newer"),
        (
            b'{"k":"order","n":6,"by":"","t":0,"order":{"type":"note","text":""},"events":[{"type":"shouted"}]}',
            "newer",
        ),
        (b'{"k":"order","n":6,"by":"","t":0,"order":{"type":"note"},"events":[]}', "altered"),
        (b'{"k":"order","n":6,"by":"","t":0,"order":{"type":"note","text":7},"events":[]}', "altered"),
        (b'{"k":"order","n":7,"by":"","t":0,"order":{"type":"note","text":""},"events":[]}', "altered"),
        (b'{"k":"order","n":6,"by":"","t":0,"order":{"type":"note","text":""},"events":[],"p":1}', "altered"),
        (b'{"k":"undo","n":6,"by":"","t":0,"of":1,"to":0}', "altered"),
        (b'{"k":"redo","n":6,"by":"","t":0,"to":1}', "altered"),
        (b'{"k":"goto","n":6,"by":"","t":0,"to":4}', "altered"),
        (b'{"k":"undo","n":123456789012345678901234567890,"by":"","t":0,"of":1,"to":0}', "altered"),
        (b'{"k":"undo","n":NaN,"by":"","t":0,"of":1,"to":0}', "altered"),
        (b'{"k":"undo"', "altered"),
        (b'{"k":"undo","x":' + b"[" * 5000 + b"]" * 5000 + b"}", "altered"),
        (b'{"k":"undo","n":6,"by":"\xff","t":0,"of":5,"to":2}', "altered"),
        (
            b'{"k":"order","n":6,"by":"","t":0,"order":{"type":"note","text":""},'
            b'"events":[{"type":"counted","side":"green","by":1}]}',
            "altered",
        ),
    ],
    ids=range(17),
)
def test_a_sealed_line_that_is_no_entry(path: Path, content: bytes, record: bytes, kind: str) -> None:
    """The seal is right, so no disk did this: everything before is shown, nothing may be added."""
    record = record if record.endswith(b"}") else record + b"}"
    with read(written(path, rechained(content, lambda records: [*records, record]))) as battle:
        assert len(battle.history.entries) == ENTRIES
        assert battle.problem is not None
        assert (battle.problem.entry, battle.problem.kind) == (ENTRIES + 1, kind)
    refuses(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"rules":"counter"', b'"rules":"chess"'),
        (b"sha256-key/1", b"sha256-key/2"),
        (b'"sides":["blue","red"]', b'"sides":"blue"'),
        (b'"format":"headsdown-battle"', b'"format":"headsdown-battles"'),
    ],
)
def test_a_header_that_makes_no_battle(path: Path, content: bytes, old: bytes, new: bytes) -> None:
    assert old in content
    changed = rechained(content, lambda records: [records[0].replace(old, new), *records[1:]])
    with pytest.raises((Damaged, NotABattle)):
        read(written(path, changed))
    refuses(path)


# Creating


def test_create_never_overwrites(path: Path, content: bytes) -> None:
    written(path, content)
    with pytest.raises(AlreadyThere, match="exists"):
        small_battle(path)
    assert path.read_bytes() == content
    dangling = path.with_name("dangling")
    dangling.symlink_to("nowhere")
    with pytest.raises(AlreadyThere):
        small_battle(dangling)
    assert sorted(os.listdir(path.parent)) == [path.name, "dangling"]


CALLS = ("open", "write", "fsync", "link", "unlink", "close")


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("dying", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt()])
def test_create_is_whole_or_not_at_all(
    path: Path, monkeypatch: pytest.MonkeyPatch, name: str, turn: int, dying: BaseException
) -> None:
    calls = 0
    real = getattr(os, name)

    def call(*args: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == turn:
            raise dying
        return real(*args, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, name, call)
        try:
            small_battle(path)
        except (Unreadable, KeyboardInterrupt):
            assert calls >= turn
        else:
            # A file that is safe is there, whatever the system says of a draft that was to go.
            assert calls < turn or name in ("unlink", "close")
    if path.exists():
        with read(path) as battle:
            assert battle.history.entries == []
    else:
        small_battle(path)


def test_a_name_taken_while_we_write_is_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.link

    def link(draft: Path, to: Path) -> None:
        path.write_text("mine")
        real(draft, to)

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(AlreadyThere):
        small_battle(path)
    assert os.listdir(path.parent) == [path.name]
    assert path.read_text() == "mine"


def test_create_where_there_are_no_links(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(draft: Path, to: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    small_battle(path)
    assert os.listdir(path.parent) == [path.name]
    with read(path) as battle:
        assert battle.history.header.name == "Small"
    with pytest.raises(AlreadyThere):
        small_battle(path)


def test_create_without_a_folder(path: Path) -> None:
    with pytest.raises(Unreadable, match="no folder"):
        small_battle(path.parent / "missing" / path.name)


# Appending


class Watched:
    """Counts writes and flushes, and lets the first of one of them fail."""

    def __init__(self, patch: pytest.MonkeyPatch, failing: str, error: OSError | None, short: bool = False) -> None:
        self.writes = self.flushes = 0
        self.failing, self.error, self.short = failing, error, short
        self._write, self._flush = os.write, os.fdatasync
        patch.setattr(os, "write", self.write)
        patch.setattr(os, "fdatasync", self.flush)
        patch.setattr(os, "fsync", self.flush)

    def write(self, fd: int, data: bytes) -> int:
        self.writes += 1
        if self.failing == "write" and self.error:
            raise self.error
        return self._write(fd, data[: len(data) // 2] if self.short else data)

    def flush(self, fd: int) -> None:
        self.flushes += 1
        if self.failing == "flush" and self.error:
            raise self.error
        self._flush(fd)


def test_an_append_is_one_write_and_one_flush(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_battle(path)
    with OpenBattle.open(path) as battle, monkeypatch.context() as patch:
        watched = Watched(patch, "", None)
        battle.give(Note(text="x"))
        assert (watched.writes, watched.flushes) == (1, 1)


@pytest.mark.parametrize(
    ("failing", "error", "short"),
    [
        ("write", OSError(errno.EIO, "Input/output error"), False),
        ("write", OSError(errno.ENOSPC, "No space left on device"), False),
        ("flush", OSError(errno.EIO, "Input/output error"), False),
        ("", None, True),
    ],
    ids=["write EIO", "write ENOSPC", "flush EIO", "short write"],
)
def test_a_failed_append_is_not_acknowledged(
    path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch, failing: str, error: OSError | None, short: bool
) -> None:
    written(path, content)
    with OpenBattle.open(path) as battle:
        head, state = battle.head_mark, battle.history.state
        with monkeypatch.context() as patch:
            watched = Watched(patch, failing, error, short)
            with pytest.raises(Unreadable, match=r"a\.battle\.jsonl cannot be written"):
                battle.give(CountUp(side="red"))
            assert watched.writes == 1
            flushes = watched.flushes
            with pytest.raises(Unreadable, match="open the battle again"):
                battle.give(CountUp(side="red"))
            assert (watched.writes, watched.flushes) == (1, flushes)
            assert flushes <= 1
        assert (battle.head_mark, battle.history.state) == (head, state)
        with pytest.raises(Unreadable, match="open the battle again"):
            battle.undo()
    assert path.read_bytes() == content
    append(path)


def test_too_large_an_entry(path: Path) -> None:
    small_battle(path)
    with OpenBattle.open(path) as battle, pytest.raises(Fault, match="too large"):
        battle.give(Note(text="x"), by="y" * LONGEST)
    with read(path) as battle:
        assert battle.history.entries == []


# Others


def test_the_lock_held_elsewhere(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "LOCK_SECONDS", 0.05)
    small_battle(path)
    with path.open("rb") as other, OpenBattle.open(path) as battle:
        fcntl.flock(other, fcntl.LOCK_EX)
        before = path.read_bytes()
        with pytest.raises(Busy, match="somebody else"):
            battle.give(Note(text="x"))
        assert path.read_bytes() == before
        assert battle.refresh() == ()
        fcntl.flock(other, fcntl.LOCK_UN)
        battle.give(Note(text="x"))


def test_nothing_holds_the_lock_between_appends(path: Path) -> None:
    small_battle(path)
    with OpenBattle.open(path) as battle, path.open("rb") as other:
        battle.give(Note(text="x"))
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


WRITER = """
import sys
from engine import registered
from saves.battle import OpenBattle
registered.RULE_SETS["counter"] = "tests.small_rules"
from tests.small_rules import Note
with OpenBattle.open(sys.argv[1]) as battle:
    for turn in range(40):
        print(battle.give(Note(text=f"{sys.argv[2]} {turn}"), by=sys.argv[2]).n, flush=True)
"""


def test_processes_that_write_in_turn(path: Path) -> None:
    """Three processes append as fast as they can: every acknowledged entry is there, under its number."""
    small_battle(path)
    root = Path(__file__).parent.parent
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, path, name], cwd=root, stdout=subprocess.PIPE, text=True)
        for name in ("Ann", "Bob", "Cid")
    ]
    answers = [writer.communicate(timeout=60)[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    with read(path) as battle:
        assert not battle.warning
        assert len(battle.history.entries) == 120
        for name, numbers in zip(("Ann", "Bob", "Cid"), answers, strict=True):
            assert [battle.history.entries[int(n) - 1].by for n in numbers] == [name] * 40


def test_a_writer_that_is_killed_loses_nothing_acknowledged(path: Path) -> None:
    small_battle(path)
    root = Path(__file__).parent.parent
    for _ in range(5):
        command = [sys.executable, "-c", WRITER.replace("range(40)", "range(10**6)"), str(path), "Ann"]
        with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            acknowledged = [int(writer.stdout.readline()) for _ in range(20)]
            writer.kill()
            acknowledged += [int(line) for line in writer.stdout.read().splitlines()]
        with read(path) as battle:
            assert len(battle.history.entries) >= acknowledged[-1]
            assert all(battle.history.is_order(n) for n in acknowledged)
