"""Who has a battle open: told while they are there, gone with them however they end, never in anybody's way."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from saves import presence
from saves.battle import OpenBattle
from saves.presence import Presence, who_is_there
from tests.small_rules import Note, small_battle

pytestmark = pytest.mark.usefixtures("counter")

ROOT = Path(__file__).parent.parent


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(presence, "FOLDER", tmp_path / "here")
    return small_battle(tmp_path / "a.battle.jsonl")


def names(path: Path) -> list[tuple[str, str]]:
    return [(here.name, here.seat) for here in who_is_there(path)]


def test_those_who_are_there_are_told_until_they_leave(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((3000, 1000, 2000))
    monkeypatch.setattr(presence, "now", lambda: next(times))
    there = [Presence(path, name, seat) for name, seat in (("Cid", "spectator"), ("Ann", "red"), ("Bob", "blue"))]
    assert names(path) == []
    for each in there:
        each.enter()
    assert names(path) == [("Ann", "red"), ("Bob", "blue"), ("Cid", "spectator")]
    there[1].leave()
    there[1].leave()
    assert names(path) == [("Bob", "blue"), ("Cid", "spectator")]
    for each in there:
        each.leave()
    assert names(path) == []
    assert list(presence.FOLDER.iterdir()) == []


def test_a_second_name_of_the_battle_is_the_same_battle_and_another_battle_is_not(path: Path, tmp_path: Path) -> None:
    other = small_battle(tmp_path / "b.battle.jsonl")
    (tmp_path / "link").symlink_to(path)
    here = Presence(path, "Ann", "red")
    here.enter()
    assert names(tmp_path / "link") == [("Ann", "red")]
    assert names(other) == []
    assert names(tmp_path / "none") == []
    here.leave()


def test_who_was_killed_is_gone_at_once_and_nothing_is_left_behind(path: Path) -> None:
    program = (
        "import sys, time\nfrom pathlib import Path\nfrom saves import presence\n"
        f"presence.FOLDER = Path({str(presence.FOLDER)!r})\n"
        f"presence.Presence(Path({str(path)!r}), 'Ann', 'red').enter()\n"
        "print('there', flush=True)\ntime.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"there\n"
        assert names(path) == [("Ann", "red")]
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    assert names(path) == []
    assert list(presence.FOLDER.iterdir()) == [], "the next who looks takes it away"


def test_what_was_left_behind_about_other_battles_goes_too(path: Path) -> None:
    presence.FOLDER.mkdir()
    (presence.FOLDER / "1-2-3-4-0").write_text('{"name":"Old","seat":"red","since":1}')
    here = Presence(path, "Ann", "red")
    here.enter()
    assert len(list(presence.FOLDER.iterdir())) == 1
    here.leave()


@pytest.mark.parametrize("text", ["", "nonsense", '{"name":"x"}', "[" * 900, '{"name":"x","seat":"y","since":-1}'])
def test_a_file_that_makes_no_sense_tells_of_nobody(text: str, path: Path) -> None:
    presence.FOLDER.mkdir()
    found = path.stat()
    strange = presence.FOLDER / f"{found.st_dev:x}-{found.st_ino:x}-1-2-0"
    strange.write_text(text)
    with strange.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert names(path) == []
    fifo = presence.FOLDER / f"{found.st_dev:x}-{found.st_ino:x}-1-2-1"
    os.mkfifo(fifo)
    assert names(path) == []


def test_without_a_folder_nobody_is_told_of_and_nothing_is_in_the_way(path: Path) -> None:
    presence.FOLDER.write_text("not a folder")
    here = Presence(path, "Ann", "red")
    here.enter()
    assert names(path) == []
    here.leave()
    assert presence.FOLDER.read_text() == "not a folder"


def test_the_battles_file_and_lock_are_never_touched(path: Path) -> None:
    before = path.read_bytes()
    with path.open("rb") as battle:
        fcntl.flock(battle, fcntl.LOCK_EX)
        here = Presence(path, "Ann", "red")
        here.enter()
        assert names(path) == [("Ann", "red")]
    here.leave()
    assert path.read_bytes() == before
    assert sorted(each.name for each in path.parent.iterdir() if each.is_file()) == [path.name]
    with OpenBattle.open(path) as open_battle:
        open_battle.give(Note(text="orders go on"))
