"""Bytes that are not those that were written: every one is noticed, and what was safe is never cut off.

Groups 1 to 5 of the crash cases: cut, flipped, substituted, zeroed, doubled and moved text, and hostile JSON.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from saves import journal
from saves.battle import OpenBattle
from saves.chain import LONGEST, SEAL
from saves.faults import Damaged, NotABattle
from saves.scan import scan
from saves.store import AMBIGUOUS, CLEAN, DAMAGED, TORN
from tests.fuzzing import EXAMPLES
from tests.headsdown_command import headsdown
from tests.small_saves import ENTRIES, append, entries_in, line_ends, rechained, small_save

pytestmark = pytest.mark.usefixtures("counter")

HARMFUL = (AMBIGUOUS, DAMAGED)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(journal, "PAUSE_SECONDS", 0)
    return tmp_path / "a.battle.jsonl"


def refuses(path: Path) -> None:
    """Nobody writes to it, and nothing is cut off or set aside."""
    before = path.read_bytes()
    with pytest.raises((Damaged, NotABattle)):
        OpenBattle.open(path)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def with_byte(content: bytes, at: int, byte: int) -> bytes:
    return content[:at] + bytes([byte]) + content[at + 1 :]


def check_noticed(content: bytes, at: int, byte: int) -> None:
    """The lines before the byte are there, that line is not, and what stands there is no torn end to be cut off."""
    reading = scan(with_byte(content, at, byte))
    before = sum(end <= at for end in line_ends(content))
    # A byte in place of a line feed leaves the line before it in doubt as well.
    assert len(reading.lines) == before, (at, byte)
    assert reading.condition in HARMFUL, (at, byte)


# 2


def test_every_bit(path: Path) -> None:
    content = small_save()
    for at in range(len(content)):
        for bit in range(8):
            check_noticed(content, at, content[at] ^ 1 << bit)


def test_2000_substitutions_on_disk(path: Path) -> None:
    content, chance = small_save(), random.Random(20)
    for _ in range(2000):
        at = chance.randrange(len(content))
        path.write_bytes(with_byte(content, at, (content[at] + chance.randrange(1, 256)) % 256))
        with pytest.raises((Damaged, NotABattle)):
            OpenBattle.open(path)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.thorough
def test_every_byte_by_every_other() -> None:
    content = small_save()
    for at in range(len(content)):
        for byte in range(256):
            if byte != content[at]:
                check_noticed(content, at, byte)


def test_every_bit_of_the_header(path: Path) -> None:
    """A header that is damaged is never taken for another one."""
    content = small_save()
    for at in range(line_ends(content)[0]):
        path.write_bytes(with_byte(content, at, content[at] ^ 1))
        with pytest.raises((Damaged, NotABattle)):
            OpenBattle.open(path, read_only=True)


# 3


@pytest.mark.parametrize("zeros", [1, 2, 7, 8, 9, 511, 512, 4095, 4096])
def test_zeros_at_the_end(path: Path, zeros: int) -> None:
    path.write_bytes(small_save() + bytes(zeros))
    assert entries_in(path) == ENTRIES
    assert append(path) == ENTRIES + 2
    (kept,) = path.parent.glob("*.torn-*")
    assert kept.read_bytes() == bytes(zeros)


def test_more_zeros_than_a_crash_leaves(path: Path) -> None:
    path.write_bytes(small_save() + bytes(3 * LONGEST))
    assert entries_in(path) == ENTRIES
    refuses(path)


def test_a_hole_in_the_middle(path: Path) -> None:
    content = small_save()
    start = line_ends(content)[2] - 10
    with path.open("wb") as file:
        file.write(content[:start])
        file.seek(4096, 1)
        file.write(content[start:])
    assert entries_in(path) == 1
    refuses(path)


def test_five_gigabytes_of_hole_behind_a_battle_are_not_read(path: Path) -> None:
    """Only as much of it is looked at as could be half a line."""
    path.write_bytes(small_save())
    with path.open("r+b") as file:
        file.truncate(5 << 30)
    with OpenBattle.open(path, read_only=True) as battle:
        assert len(battle.history.entries) == ENTRIES
        assert battle.problem is not None
        assert battle.problem.kind == "damaged"
    with pytest.raises(Damaged):
        OpenBattle.open(path)


# 4


@pytest.mark.parametrize("lines", [1, 2, 3])
def test_the_last_lines_again(path: Path, lines: int) -> None:
    content = small_save()
    path.write_bytes(content + b"".join(content.splitlines(keepends=True)[-lines:]))
    assert entries_in(path) == ENTRIES
    refuses(path)


def test_half_a_line_again(path: Path) -> None:
    """Half a line that stood there before looks as a crash leaves it, and is set aside like that."""
    content = small_save()
    path.write_bytes(content + content.splitlines()[-1][:60])
    assert append(path) == ENTRIES + 2


# 5


@pytest.mark.parametrize(
    ("tail", "condition"),
    [
        (b"garbage", TORN),
        (b"garbage\n", AMBIGUOUS),
        (b"\xff\xfe\xfd", TORN),
        (b"\r\n", AMBIGUOUS),
        (b"\n", AMBIGUOUS),
        (b"{}\n{}\n", AMBIGUOUS),
        (b"x" * (LONGEST + 1), AMBIGUOUS),
        (b"x" * LONGEST + b"\n", AMBIGUOUS),
    ],
    ids=range(8),
)
def test_garbage_behind(path: Path, tail: bytes, condition: str) -> None:
    path.write_bytes(small_save() + tail)
    assert scan(path.read_bytes()).condition == condition
    assert entries_in(path) == ENTRIES
    if condition == AMBIGUOUS:
        refuses(path)
    else:
        assert append(path) == ENTRIES + 2


def test_another_encoding(path: Path) -> None:
    """Latin-1 instead of UTF-8, as an editor may save it."""
    path.write_bytes(small_save().decode().encode("latin-1"))
    assert entries_in(path) == 2
    refuses(path)


NOTE = b'{"k":"order","n":6,"by":"","t":0,"order":{"type":"note","text":"x"},"events":[{"type":"noted","text":"x"}]}'

HOSTILE: dict[str, bytes] = {
    "same field twice": NOTE.replace(b'"by":""', b'"by":"Ann","by":"Bob"'),
    "same field twice, written otherwise": NOTE.replace(b'"by":""', b'"by":"Ann","\\u0062y":"Bob"'),
    "same field of the order twice": NOTE.replace(b'"text":"x"}', b'"text":"x","text":"y"}', 1),
    "same field of an event twice": NOTE.replace(b'"text":"x"}]', b'"text":"y","text":"x"}]'),
    "same unknown field twice": NOTE.replace(b'"by":""', b'"by":"","z":[{"a":1,"a":2}]'),
    "hash within the record": NOTE.replace(b'"by":""', b'"by":"","h":"00"'),
    "kind twice": NOTE.replace(b'"n":6', b'"k":"undo","n":6'),
    "huge whole number": NOTE.replace(b'"t":0', b'"t":' + b"9" * 5000),
    "number beyond 64 bits": NOTE.replace(b'"t":0', b'"t":99999999999999999999999'),
    "huge exponent": NOTE.replace(b'"t":0', b'"t":1e999999999'),
    "fraction": NOTE.replace(b'"t":0', b'"t":0.5'),
    "NaN": NOTE.replace(b'"t":0', b'"t":NaN'),
    "Infinity": NOTE.replace(b'"t":0', b'"t":-Infinity'),
    "lone surrogate": NOTE.replace(b'"by":""', b'"by":"\\ud800"'),
    "surrogate in UTF-8": NOTE.replace(b'"by":""', b'"by":"\xed\xa0\x80"'),
    "overlong UTF-8": NOTE.replace(b'"by":""', b'"by":"\xc0\xaf"'),
    "NUL": NOTE.replace(b'"by":""', b'"by":"\0"'),
    "control character": NOTE.replace(b'"by":""', b'"by":"\x1b[2J"'),
    "deep": NOTE.replace(b'"by":""', b'"by":' + b"[" * 400_000 + b"]" * 400_000),
    "deep objects": NOTE.replace(b'"by":""', b'"z":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
    "null": NOTE.replace(b'"by":""', b'"by":null'),
    "no number": NOTE.replace(b'"n":6,', b""),
    "negative number": NOTE.replace(b'"n":6', b'"n":-6'),
    "number as text": NOTE.replace(b'"n":6', b'"n":"6"'),
    "rolls that are no list": NOTE.replace(b'"events"', b'"rolls":{},"events"'),
    "roll that is impossible": NOTE.replace(b'"events"', b'"rolls":[{"purpose":"x"}],"events"'),
    "events that are null": NOTE.replace(b'"events":[', b'"events":null,"z":['),
    "a list": b'[{"k":"order"}}',
    "two objects": b"{} {}",
}


@pytest.mark.parametrize("record", HOSTILE.values(), ids=HOSTILE)
def test_hostile_json(path: Path, record: bytes) -> None:
    """A record whose seal is right, written by somebody who means harm: all before it is shown, nothing is added."""
    path.write_bytes(rechained(small_save(), lambda records: [*records, record]))
    with OpenBattle.open(path, read_only=True) as battle:
        assert len(battle.history.entries) == ENTRIES
        assert battle.problem is not None
        assert (battle.problem.entry, battle.problem.kind) == (ENTRIES + 1, "altered")
        assert len(battle.warning) < 500
    refuses(path)


def test_the_harmless_twin_of_the_hostile_ones_is_taken(path: Path) -> None:
    path.write_bytes(rechained(small_save(), lambda records: [*records, NOTE]))
    assert entries_in(path) == ENTRIES + 1
    assert append(path) == ENTRIES + 2


def test_an_unknown_field_of_an_entry_is_passed_over(path: Path) -> None:
    """Later versions may tell more of an entry than this one reads."""
    more = NOTE.replace(b'"by":""', b'"by":"","weather":{"wind":[1,2.5,null]},"n2":' + b"9" * 5000)
    path.write_bytes(rechained(small_save(), lambda records: [*records, more]))
    assert entries_in(path) == ENTRIES + 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"name":"Small"', b'"name":"Small","name":"Tall"'),
        (b'"mode":"app"', b'"mode":"app","mode":"table"'),
        (b'"seed":"', b'"seed":"0'),
        (b'"v":1', b'"v":1e3'),
        (b'"v":1', b'"v":' + b"1" * 5000),
        (b'"name":"Small"', b'"name":"\\ud800"'),
        (b'"name":"Small"', b'"name":' + b"[" * 300_000 + b"]" * 300_000),
        (b'"switches":{', b'"switches":{"pace":1,'),
    ],
    ids=range(8),
)
def test_a_hostile_header(path: Path, old: bytes, new: bytes) -> None:
    change: Callable[[list[bytes]], list[bytes]] = lambda records: [records[0].replace(old, new), *records[1:]]  # noqa: E731
    path.write_bytes(rechained(small_save(), change))
    with pytest.raises(Damaged, match="header"):
        OpenBattle.open(path, read_only=True)
    refuses(path)


def test_many_seals_in_half_a_line_take_no_time(path: Path) -> None:
    """Text that looks like the end of a line a hundred thousand times over."""
    tail = b',"h":"' * 170_000
    path.write_bytes(small_save() + tail)
    assert scan(path.read_bytes()).condition == TORN
    assert append(path) == ENTRIES + 2


def test_the_missing_line_feed(path: Path) -> None:
    """A whole last line without its line feed counts, and the next writer puts the line feed there."""
    content = small_save()
    path.write_bytes(content[:-1])
    assert scan(content[:-1]).condition == CLEAN
    assert append(path) == ENTRIES + 1
    assert path.read_bytes().startswith(content)


# What the fuzz found


@pytest.mark.parametrize(
    ("example", "event", "field"),
    [("gray-dawn", b'"type":"checked"', b'"stance":"'), ("suppression-fire", b'"type":"declared"', b'"target":"')],
    ids=["a stance there is not", "a target there is not"],
)
def test_events_that_could_be_folded_but_not_told(path: Path, example: str, event: bytes, field: bytes) -> None:
    """Such an entry is not taken in, so that neither the log nor the rules stumble over it later."""
    content = (EXAMPLES / f"{example}.battle.jsonl").read_bytes()
    at, line = next(
        (at, line)
        for at, line in enumerate(content.splitlines())
        if event in line and field in line.partition(b'"events":')[2]
    )
    start, events, end = line[:-SEAL].partition(b'"events":')
    record = start + events + end.replace(field, field + b"x", 1) + b"}"
    path.write_bytes(rechained(content, lambda records: [*records[:at], record, *records[at + 1 :]]))
    with OpenBattle.open(path, read_only=True) as battle:
        assert battle.problem is not None
        assert (battle.problem.entry, battle.problem.kind) == (at, "altered")
    assert headsdown("log", path, "--all").status == 3
