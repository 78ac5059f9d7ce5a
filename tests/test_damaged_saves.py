"""`headsdown verify` and `headsdown repair` on a folder of saves that were damaged on purpose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from saves import restoring
from saves.battle import OpenBattle
from saves.chain import FIRST, sealed
from saves.repairing import repair
from tests.damaged_saves import EXAMPLE, DamagedSave, damaged_saves, make_folder, sound_save
from tests.headsdown_command import headsdown
from tests.small_rules import NAME, CountUp, Dare, Note, small_battle
from tests.small_saves import rechained

SAVES = damaged_saves()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_folder(tmp_path / "damaged")
    return tmp_path / "damaged"


def path_of(folder: Path, save: DamagedSave) -> Path:
    return folder / f"{save.name}.battle.jsonl"


@pytest.mark.parametrize("save", SAVES, ids=lambda save: save.name)
def test_verify_names_the_kind_and_the_entry(folder: Path, save: DamagedSave) -> None:
    path = path_of(folder, save)
    ran = headsdown("verify", path, "--json")
    assert ran.status == 3
    report = ran.json
    assert (report["ok"], report["kind"], report["first_bad"]) == (False, save.kind, save.first_bad)
    assert set(report) >= {"ok", "entries", "head", "first_bad", "kind", "rolls"}
    assert ran.err.startswith(f"headsdown: {path}")
    assert ran.err.endswith(f"[{save.kind}]\n")
    assert ran.err.count("\n") == 1
    words = headsdown("verify", path)
    assert f"entry {save.first_bad}" in words.out
    assert path.read_bytes() == save.content


@pytest.mark.parametrize("save", SAVES, ids=lambda save: save.name)
def test_repair_saves_what_is_sound(folder: Path, tmp_path: Path, save: DamagedSave) -> None:
    path, new = path_of(folder, save), tmp_path / "new.battle.jsonl"
    ran = headsdown("repair", path, "--output", new, "--json")
    assert path.read_bytes() == save.content
    if save.first_bad == 0 and save.kept is None:
        assert (ran.status, ran.out) == (3, "")
        assert ran.err.count("\n") == 1
        assert not new.exists()
        return
    assert (ran.status, ran.err) == (0, "")
    report = ran.json
    assert headsdown("verify", new, "--json").json["ok"]
    if save.kept is None:
        assert next(loss["entry"] for loss in report["lost"]) == save.first_bad
        return
    assert report["kept"] == save.kept
    assert tuple(loss["entry"] for loss in report["lost"] if loss["entry"] is not None) == save.lost
    if save.whole and save.name != "header-edited":
        assert new.read_bytes() == sound_save()


def test_the_list_marks_every_one_of_them(folder: Path) -> None:
    listed = headsdown("list", folder, "--json").json
    assert len(listed) == len(SAVES)
    unnoticed = {Path(each["file"]).name for each in listed if not each["damaged"]}
    assert unnoticed <= {"made-up-outcome.battle.jsonl"}, "only the rules can tell that one"


@pytest.mark.parametrize("save", SAVES, ids=lambda save: save.name)
def test_nothing_is_written_to_them(folder: Path, save: DamagedSave) -> None:
    """Only half a line is set aside by an order; whatever else is wrong has to be looked at by somebody."""
    path = path_of(folder, save)
    ran = headsdown("play", path, "--orders", "-", stdin='{"type":"note","text":"on"}')
    if save.kind == "torn" or save.name == "made-up-outcome":
        assert ran.status in (0, 1)
        return
    assert (ran.status, ran.out) == (3, "")
    assert path.read_bytes() == save.content


# repair, command and losses


def test_repair_says_what_was_lost_and_restored(folder: Path, tmp_path: Path) -> None:
    ran = headsdown("repair", folder / "one-bit.battle.jsonl", "--output", tmp_path / "a")
    assert ran.out.splitlines()[1:] == ["  restored: entry 20, in which one byte was wrong"]
    ran = headsdown("repair", folder / "half-a-line.battle.jsonl", "--output", tmp_path / "b")
    assert ran.out.splitlines()[1].startswith("  lost: entry 57: is damaged: ")
    ran = headsdown("repair", folder / "crlf.battle.jsonl", "--output", tmp_path / "c")
    assert ran.out.splitlines()[1:] == ["  line ends were put right, which had been changed to CR LF"]
    ran = headsdown("repair", EXAMPLE, "--output", tmp_path / "d")
    assert ran.out.splitlines()[1:] == [f"  nothing was wrong with {EXAMPLE}; this is a copy"]
    assert (tmp_path / "d").read_bytes() == sound_save()


def test_repair_never_overwrites(folder: Path, tmp_path: Path) -> None:
    path, mine = folder / "one-bit.battle.jsonl", tmp_path / "mine"
    mine.write_text("mine")
    (tmp_path / "dangling").symlink_to("nowhere")
    for output in (mine, path, tmp_path / "dangling", tmp_path):
        ran = headsdown("repair", path, "--output", output)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert mine.read_text() == "mine"
    assert headsdown("repair", tmp_path / "missing", "--output", tmp_path / "new").status == 3
    assert headsdown("repair", mine, "--output", tmp_path / "new").status == 3
    assert headsdown("repair", path).status == 2
    assert not (tmp_path / "new").exists()


@pytest.mark.usefixtures("counter")
def test_what_built_on_a_lost_entry_goes_with_it(tmp_path: Path) -> None:
    """Entries keep their numbers; in the place of a lost one stands a note of that, and undo finds its order."""
    path, new = small_battle(tmp_path / "a"), tmp_path / "b"
    with OpenBattle.open(path) as battle:
        battle.give(CountUp(side="red"))
        battle.give(Note(text="this line will be lost"))
        battle.give(CountUp(side="blue"))
        battle.give(Note(text="three"))
        battle.undo()
        battle.give(CountUp(side="red"))
        state = battle.history.state
    path.write_bytes(path.read_bytes().replace(b"this line will be lost", b"this line was all lost"))
    repaired = repair(path, new)
    assert (repaired.entries, repaired.kept) == (6, 5)
    assert [loss.entry for loss in repaired.lost] == [2]
    with OpenBattle.open(new) as battle:
        kinds = [type(entry).__name__ for entry in battle.history.entries]
        assert kinds == ["OrderEntry", "RecoveredEntry", "OrderEntry", "OrderEntry", "UndoEntry", "OrderEntry"]
        assert battle.history.path(battle.history.head) == (1, 3, 6)
        assert battle.history.state.counts == state.counts
        battle.undo()
    ran = headsdown("log", new, "--all")
    assert "lost: the entry that stood here was damaged" in ran.out


@pytest.mark.usefixtures("counter")
def test_a_lost_undo_is_made_up_for(tmp_path: Path) -> None:
    """The order after it tells where the head was."""
    path, new = small_battle(tmp_path / "a"), tmp_path / "b"
    with OpenBattle.open(path) as battle:
        battle.give(CountUp(side="red"))
        battle.give(CountUp(side="blue"))
        battle.undo(by="somebody who did this")
        battle.give(Note(text="x"))
        state = battle.history.state
    path.write_bytes(path.read_bytes().replace(b"somebody who did this", b"s###body who d## this"))
    assert [loss.entry for loss in repair(path, new).lost] == [3]
    with OpenBattle.open(new) as battle:
        assert battle.history.state == state
        assert battle.history.path(battle.history.head) == (1, 4)


@pytest.mark.usefixtures("counter")
def test_dice_that_a_lost_entry_would_have_counted(tmp_path: Path) -> None:
    """The number in the key of the second roll is wrong without the first: that order does not hold any more."""
    path, new = small_battle(tmp_path / "a"), tmp_path / "b"
    with OpenBattle.open(path) as battle:
        battle.give(CountUp(side="red"), by="somebody")
        battle.give(CountUp(side="red"), by="Ann")
        battle.give(CountUp(side="blue"), by="Ann")
        battle.give(Dare(side="blue"), by="Ann")
    path.write_bytes(path.read_bytes().replace(b"somebody", b"##me##dy"))
    repaired = repair(path, new)
    assert [loss.entry for loss in repaired.lost] == [1, 2]
    assert headsdown("verify", new).status == 0


@pytest.mark.usefixtures("counter")
def test_lines_of_another_battle_do_not_come_in(tmp_path: Path) -> None:
    path, other, new = small_battle(tmp_path / "a"), small_battle(tmp_path / "c", seed="other"), tmp_path / "b"
    for each in (path, other):
        with OpenBattle.open(each) as battle:
            for _ in range(3):
                battle.give(CountUp(side="red"))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]) + b"".join(other.read_bytes().splitlines(keepends=True)[2:]))
    repaired = repair(path, new)
    assert repaired.kept == 1
    assert headsdown("verify", new).status == 0


@pytest.mark.usefixtures("counter")
def test_fields_that_a_newer_version_added_are_kept(tmp_path: Path) -> None:
    """What is sound is copied as it was written, not as this version would write it."""
    path, new = small_battle(tmp_path / "a"), tmp_path / "b"
    with OpenBattle.open(path) as battle:
        battle.give(Note(text="one"))
        battle.give(Note(text="two"))
        battle.give(Note(text="three"))
    newer = rechained(
        path.read_bytes(), lambda records: [each.replace(b'"by":""', b'"by":"","wind":3') for each in records]
    )
    path.write_bytes(newer.replace(b'"text":"one"', b'"text":"#n#"'))
    assert repair(path, new).kept == 2
    assert b'"wind":3' in new.read_bytes().splitlines()[3]


@pytest.mark.usefixtures("counter")
def test_many_broken_lines_take_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many tries nothing is restored any more; sound lines are found all the same."""
    monkeypatch.setattr(restoring, "MOST_TRIES", 100_000)
    path, new = tmp_path / "a", tmp_path / "b"
    line, _ = sealed(b'{"k":"order","n":1,"by":"","t":0,"order":{}}', FIRST)
    path.write_bytes(small_battle(tmp_path / "c").read_bytes() + b"".join(b"%d" % n + line for n in range(1000)))
    repaired = repair(path, new)
    assert repaired.kept == 0
    assert len(repaired.lost) == 1000
    assert json.loads(new.read_bytes())["rules"] == NAME
