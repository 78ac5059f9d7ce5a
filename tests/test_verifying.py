"""`verify` finds the first entry that is off, and says how."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from saves.battle import OpenBattle
from saves.chain import FIRST, SEAL, sealed
from saves.faults import NotABattle, Unreadable
from saves.verifying import Report, verify
from tests.small_rules import RULES, CountUp, Dare, played_battle

pytestmark = pytest.mark.usefixtures("counter")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Six entries, one of them typed at the table: entry 6."""
    path = played_battle(tmp_path / "a.battle.jsonl")
    with OpenBattle.open(path) as battle:
        battle.give(Dare(side="blue", dice=(3, 3, 4, 5, 1)))
    return path


def forged(path: Path, change: Callable[[bytes], bytes]) -> Report:
    """The report on the file with its text changed and sealed anew."""
    records = [line[:-SEAL] + b"}" for line in path.read_bytes().splitlines()]
    before = b"\n".join(records)
    after = change(before)
    assert after != before
    mark, lines = FIRST, b""
    for record in after.split(b"\n"):
        line, mark = sealed(record, mark)
        lines += line
    path.write_bytes(lines)
    return verify(path)


def test_a_sound_battle(path: Path) -> None:
    before = path.read_bytes()
    seen: list[int] = []
    report = verify(path, seen.append)
    assert (report.ok, report.entries, report.head, report.first_bad, report.kind) == (True, 6, 6, None, None)
    assert (report.rolls.app, report.rolls.table, report.rolls.checked) == (4, 2, 4)
    assert seen == [1, 2, 3, 4, 5, 6]
    assert path.read_bytes() == before


def test_what_was_taken_back_is_checked_too(path: Path) -> None:
    with OpenBattle.open(path) as battle:
        battle.give(CountUp(side="blue"))
        battle.undo()
    assert verify(path).rolls.app == 5


@pytest.mark.parametrize("entry", range(7))
def test_a_changed_byte(path: Path, entry: int) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    lines[entry] = lines[entry].replace(b"red", b"rad").replace(b'"of":3', b'"of":2').replace(b"note", b"nota")
    changed = b"".join(lines)
    if changed == path.read_bytes():
        changed = changed.replace(b'"side":"blue"', b'"side":"blux"', 1)
    path.write_bytes(changed)
    report = verify(path)
    assert not report.ok
    assert report.kind == "damaged"
    first = next(at for at, line in enumerate(lines) if line not in played_lines(path))
    assert report.first_bad == first
    assert report.entries == max(0, first - 1)


def played_lines(path: Path) -> set[bytes]:
    """The lines of the file that follow one another soundly."""
    sound: set[bytes] = set()
    mark = FIRST
    for line in path.read_bytes().splitlines(keepends=True):
        again, mark = sealed(line[: -SEAL - 1] + b"}", mark)
        if again != line:
            break
        sound.add(line)
    return sound


def test_half_a_line(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])
    report = verify(path)
    assert (report.ok, report.kind, report.first_bad, report.entries) == (False, "torn", 6, 5)


def test_other_faces_than_the_seed_gives(path: Path) -> None:
    report = forged(path, lambda text: text.replace(b'"dice":[6,5],"outcome":11', b'"dice":[6,4],"outcome":10'))
    assert (report.ok, report.kind, report.first_bad) == (False, "altered", 1)
    assert "seed" in report.message


def test_faces_said_to_be_typed(path: Path) -> None:
    """Typed faces are nobody's to check, but they count as such: the log shows it."""
    report = forged(
        path,
        lambda text: text.replace(b'"outcome":11,"source":"app"', b'"outcome":11,"source":"table"'),
    )
    assert report.ok
    assert (report.rolls.app, report.rolls.table) == (3, 3)


@pytest.mark.parametrize(
    ("old", "new", "entry"),
    [
        (b'"type":"counted","side":"blue","by":11', b'"type":"counted","side":"blue","by":12', 1),
        (b'"outcome":"failed"', b'"outcome":"passed"', 2),
        (b'"side":"red","passed":false', b'"side":"red","passed":true', 2),
        (b'"chance":[5,12]', b'"chance":[1,12]', 2),
        (b'"text":"a note with', b'"text":"another with', 3),
        (b'"order":{"type":"dare","side":"red"}', b'"order":{"type":"dare","side":"green"}', 2),
        (b'"key":"t1-all/red//count#1"', b'"key":"t1-all/red//count#7"', 5),
        (b'"dice":[4,5,1],"outcome":2', b'"dice":[4,5,9],"outcome":1', 6),
        (b'"dice":[4,5,1],"outcome":2', b'"dice":[4,5],"outcome":2', 6),
    ],
)
def test_a_record_that_the_rules_do_not_make(path: Path, old: bytes, new: bytes, entry: int) -> None:
    report = forged(path, lambda text: text.replace(old, new, 1))
    assert (report.ok, report.kind, report.first_bad) == (False, "altered", entry)


def test_another_seed(path: Path) -> None:
    report = forged(path, lambda text: text.replace(b'"seed":"3895', b'"seed":"3896'))
    assert (report.ok, report.kind, report.first_bad) == (False, "altered", 1)


def test_other_rules(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written by an older version of the rules that passed a dare on 9 or less."""
    monkeypatch.setattr(RULES, "version", 2)
    assert verify(path).ok
    report = forged(
        path,
        lambda text: (
            text.replace(b'"needed":7', b'"needed":9', 1)
            .replace(b'"outcome":"failed"', b'"outcome":"passed"')
            .replace(b'"passed":false', b'"passed":true')
        ),
    )
    assert (report.ok, report.kind, report.first_bad) == (False, "other_rules", 2)
    with OpenBattle.open(path) as battle:
        assert battle.history.state is not None


def test_the_earlier_of_two_faults_is_named(path: Path) -> None:
    forged(path, lambda text: text.replace(b'"chance":[5,12]', b'"chance":[1,12]'))
    path.write_bytes(path.read_bytes()[:-9])
    report = verify(path)
    assert (report.first_bad, report.kind) == (2, "altered")


def test_a_damaged_header(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"name":"Small"', b'"name":"Smell"'))
    report = verify(path)
    assert (report.ok, report.kind, report.first_bad, report.entries) == (False, "damaged", 0, 0)


def test_no_battle(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    with pytest.raises(NotABattle):
        verify(tmp_path / "text")
    with pytest.raises(Unreadable):
        verify(tmp_path)


@pytest.mark.parametrize("sides", [b"0", b"1", b"-6", b"65537", b"99999999"])
def test_dice_that_nobody_has_ever_seen(path: Path, sides: bytes) -> None:
    """No generator could roll them: it would look for a fair face for ever."""
    report = forged(path, lambda text: text.replace(b'"sides":6', b'"sides":' + sides, 1))
    assert (report.ok, report.kind, report.first_bad) == (False, "altered", 1)


def test_events_that_leave_a_state_which_no_rule_can_follow(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the rules stumble over there, it is the file's fault."""
    judge = RULES.judge

    def stumbling(battle: object, order: object) -> object:
        if isinstance(order, Dare):
            raise KeyError("nobody")
        return judge(battle, order)

    monkeypatch.setattr(RULES, "judge", stumbling)
    report = verify(path)
    assert (report.ok, report.kind, report.first_bad) == (False, "altered", 2)
    assert "KeyError" in report.message
