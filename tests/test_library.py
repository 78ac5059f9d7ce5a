"""The library: battles in a folder, bundled battles, armouries."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from saves.armoury import armoury
from saves.creating import create
from saves.faults import Unreadable
from saves.library import battles, copy_example, default_folder, examples, found, make_folder, open_example
from saves.verifying import verify
from tests.small_rules import NAME, played_battle, small_battle
from tui.moments import moment

pytestmark = pytest.mark.usefixtures("counter")


def test_the_battles_of_a_folder(tmp_path: Path) -> None:
    played_battle(tmp_path / "first.battle.jsonl")
    create(tmp_path / "second.battle.jsonl", rules=NAME, sides=("a", "b"))
    (tmp_path / "third.battle.jsonl").write_text("nothing like it")
    torn = small_battle(tmp_path / "fourth.battle.jsonl")
    torn.write_bytes(torn.read_bytes() + b"{")
    (tmp_path / "fifth.battle.jsonl").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    for age, name in enumerate(("fourth", "second", "first", "third", "fifth")):
        os.utime(tmp_path / f"{name}.battle.jsonl", (2_000_000_000 - age, 2_000_000_000 - age))
    shelved = battles(tmp_path)
    assert [each.name for each in shelved] == ["Small", "second", "Small", "third", "fifth"]
    assert [each.damaged for each in shelved] == [True, False, False, True, True]
    first = shelved[2]
    assert (first.file, first.rules, first.sides, first.turn, first.entries) == (
        str(tmp_path / "first.battle.jsonl"),
        NAME,
        ("blue", "red"),
        3,
        5,
    )
    assert first.changed == 2_000_000_000_000 - 2000
    assert (shelved[3].rules, shelved[3].entries) == (None, None)
    assert "no battle" in shelved[3].problem


def test_names_that_are_no_text(tmp_path: Path) -> None:
    small_battle(Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.battle.jsonl")))
    (each,) = battles(tmp_path)
    assert each.file.encode()


def test_folders_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unreadable, match="not there"):
        battles(tmp_path / "missing")
    (tmp_path / "file").write_text("")
    with pytest.raises(Unreadable, match="not a folder"):
        battles(tmp_path / "file")
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "library"))
    assert default_folder() == tmp_path / "library"
    assert battles() == ()


def test_the_library_is_among_the_users_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEADSDOWN_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_folder() == Path("/somewhere/headsdown/battles")


def test_bundled_battles_are_copied_under_a_free_name(bundled: Path, tmp_path: Path) -> None:
    assert examples() == ("lesson",)
    target = tmp_path / "new" / "library"
    copies = [copy_example("lesson", target) for _ in range(3)]
    assert [copy.name for copy in copies] == [
        "lesson.battle.jsonl",
        "lesson-2.battle.jsonl",
        "lesson-3.battle.jsonl",
    ]
    assert {copy.read_bytes() for copy in copies} == {(bundled / "lesson.battle.jsonl").read_bytes()}
    with open_example("lesson") as battle:
        assert (battle.read_only, len(battle.history.entries)) == (True, 5)
    with pytest.raises(Unreadable, match="there are: lesson"):
        copy_example("other", target)
    (tmp_path / "file").write_text("")
    with pytest.raises(Unreadable, match="cannot be written"):
        copy_example("lesson", tmp_path / "file" / "library")


def test_bundled_battles_are_sound() -> None:
    """Those that really come with the program are regression tests of the rules."""
    for name in examples():
        with open_example(name) as battle:
            report = verify(battle.path)
        assert report.ok, report.message
        assert report.rolls.app + report.rolls.table > 0


def test_armouries() -> None:
    tables = armoury("engine.suppression_fire/armoury.toml")
    assert tables["guns"]["boltgun"]["range"] == 24
    assert armoury("engine.suppression_fire/armoury.toml") is tables
    assert armoury("") == {}


def test_a_battle_of_the_library_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is there is meant; else a battle of the library; both with or without the suffix."""
    shelf, here = tmp_path / "shelf", tmp_path / "here"
    shelf.mkdir()
    here.mkdir()
    monkeypatch.setenv("HEADSDOWN_HOME", str(shelf))
    monkeypatch.chdir(here)
    for path in (shelf / "friday.battle.jsonl", shelf / "both.battle.jsonl", here / "both.battle.jsonl"):
        path.touch()
    assert found("friday") == found("friday.battle.jsonl") == str(shelf / "friday.battle.jsonl")
    assert found("both.battle.jsonl") == "both.battle.jsonl"
    assert found("both") == "both.battle.jsonl"
    assert found(str(here / "both")) == str(here / "both.battle.jsonl")
    assert found("./friday.battle.jsonl") == "./friday.battle.jsonl"
    assert found("nowhere") == "nowhere"


@pytest.mark.parametrize("milliseconds", [10**17, -(10**17), 10**30])
def test_a_date_that_no_calendar_has_is_some_day(milliseconds: int) -> None:
    assert moment(milliseconds) == "some day"


def test_a_home_that_nobody_has_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSDOWN_HOME", "~nobody-of-that-name/battles")
    with pytest.raises(Unreadable, match="there is no such user"):
        default_folder()


def test_a_file_is_no_folder_for_battles(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(Unreadable, match="is a file, not a folder"):
        make_folder(tmp_path / "taken")
    with pytest.raises(Unreadable):
        make_folder(tmp_path / "taken" / "below")
