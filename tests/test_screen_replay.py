"""The replay on the screen: bundled battles end to end, nothing written by looking, others who play on meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.entries import OrderEntry
from engine.entry_words import entry_title
from engine.history import History
from engine.roll_words import chance_text
from saves.battle import OpenBattle
from saves.library import copy_example, examples
from tests.headsdown_command import headsdown
from tests.screen import bar_keys, give, message, press, screen_text
from tests.test_replaying import forked, refolded
from tui.actions import REPLAY_ACTIONS
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.replay_screen import ReplayScreen

NOTE = {"type": "note", "text": "somebody plays on"}


def shown_tables(screen: ReplayScreen) -> tuple[object, object]:
    return screen._units._table, screen._tracker._table


def tables_of(history: History) -> tuple[object, object]:
    return history.rules.units(history.state), history.rules.tracker(history.state)


@pytest.mark.parametrize("keys", [(), ("U",)], ids=["what stands", "everything"])
@pytest.mark.parametrize("name", examples())
async def test_a_bundled_battle_end_to_end_both_ways(name: str, keys: tuple[str, ...], tmp_path: Path) -> None:
    """Each step shows what the engine had then, and the log its entry with the chance of each of its rolls."""
    with OpenBattle.open(copy_example(name, tmp_path), read_only=True) as battle:
        screen = ReplayScreen(battle)
        app = HeadsdownApp(lambda: screen)
        async with app.run_test(size=(120, 40)) as pilot:
            await press(pilot, *keys)
            line = screen._replay.line
            for key, stops in (("right", line[1:]), ("left", line[-2::-1])):
                for number in stops:
                    await press(pilot, key)
                    assert screen._replay.at == number
                    assert shown_tables(screen) == tables_of(refolded(battle.history, number))
                    assert f"replay {number} of {len(battle.history.entries)}" in screen_text(app)
                    entry = battle.history.entries[number - 1] if number else None
                    if isinstance(entry, OrderEntry) and len(entry.rolls) <= 4:
                        shown = screen_text(app).split(f" {number} ", 1)[1]
                        assert all(chance_text(row.chance) in shown for row in entry.rolls), number
        assert app.bug is None


async def test_looking_writes_nothing_and_holds_nothing_open_for_writing(tmp_path: Path) -> None:
    """Every key but those that say they write; on all of it the bytes, the time and the descriptors stay."""
    path = copy_example("suppression-fire", tmp_path)
    os.utime(path, (1_800_000_000, 1_800_000_000))
    path.chmod(0o444)
    before = path.read_bytes()
    with OpenBattle.open(path, read_only=True) as battle:
        app = HeadsdownApp(lambda: ReplayScreen(battle, 20))
        async with app.run_test(size=(80, 24)) as pilot:
            for action in REPLAY_ACTIONS:
                if action.changes or action.name in ("quit", "continue"):
                    continue
                for key in action.key_names:
                    await press(pilot, key)
                    assert not written_to(path), action.id
                    while app.screen is not app.screen_stack[0]:
                        await press(pilot, "escape")
        assert app.bug is None
    assert path.read_bytes() == before
    assert path.stat().st_mtime == 1_800_000_000
    assert os.listdir(tmp_path) == [path.name]


def written_to(path: Path) -> bool:
    """Whether this process has the file open for writing."""
    for fd in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{fd}") != str(path):
                continue
            flags = Path(f"/proc/self/fdinfo/{fd}").read_text().split("flags:")[1].split()[0]
        except OSError:
            continue
        if int(flags, 8) & os.O_ACCMODE != os.O_RDONLY:
            return True
    return False


async def test_a_note_opens_the_file_only_for_as_long_as_it_takes(tmp_path: Path) -> None:
    path = copy_example("gray-dawn", tmp_path)
    with OpenBattle.open(path, read_only=True) as battle:
        app = HeadsdownApp(lambda: ReplayScreen(battle, 12, name="Ann"))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "a", *"the turn", "enter")
            assert message(app) == "A note at entry 12."
            assert not written_to(path)
            assert "bookmark: the turn" in screen_text(app)
            assert "replay 12 of 43" in screen_text(app)
        assert [(mark.by, mark.at, mark.text) for mark in battle.history.bookmarks] == [("Ann", 12, "the turn")]


async def test_a_file_that_cannot_be_written_says_so_at_the_bookmark(as_nobody: Path) -> None:
    path = copy_example("gray-dawn", as_nobody)
    path.chmod(0o444)
    os.seteuid(65534)
    with OpenBattle.open(path, read_only=True) as battle:
        app = HeadsdownApp(lambda: ReplayScreen(battle, 12))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "m")
            assert "Permission denied" in message(app)
            await press(pilot, "right")
            assert "replay 13 of 42" in screen_text(app)


async def test_a_battle_that_grows_is_told_and_nobody_is_moved(tmp_path: Path) -> None:
    path = copy_example("suppression-fire", tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:31]))
    with OpenBattle.open(path, read_only=True) as battle, OpenBattle.open(path) as other:
        screen = ReplayScreen(battle, 20)
        app = HeadsdownApp(lambda: screen)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "3", "k", "k")
            cursor, tables = screen._log.entry, shown_tables(screen)
            for told in ("A new entry: > goes to the last one.",) * 2:
                give(other, NOTE)
                await pilot.pause(0.1)
                assert message(app) == told
                assert (screen._replay.at, screen._log.entry) == (20, cursor)
                assert shown_tables(screen) == tables
            other.undo()
            await pilot.pause(0.1)
            assert "replay 20 of 33" in screen_text(app)
            assert screen._replay.edge(1) == 31
            await press(pilot, "greater_than_sign")
            assert screen._replay.at == 31
            assert "note: somebody plays on" in message(app)
        assert app.bug is None


async def test_what_comes_is_hidden_from_growing_battles_too(tmp_path: Path) -> None:
    path = copy_example("suppression-fire", tmp_path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:31]))
    with OpenBattle.open(path, read_only=True) as battle, OpenBattle.open(path) as other:
        app = HeadsdownApp(lambda: ReplayScreen(battle, 20, hides=True))
        async with app.run_test(size=(80, 24)) as pilot:
            give(other, NOTE)
            await pilot.pause(0.1)
            assert message(app) == "There are new entries."
            assert "somebody plays on" not in screen_text(app)


async def test_a_file_that_went_back_under_a_replay(tmp_path: Path) -> None:
    path = copy_example("suppression-fire", tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    with OpenBattle.open(path, read_only=True) as battle:
        screen = ReplayScreen(battle, 40)
        app = HeadsdownApp(lambda: screen)
        async with app.run_test(size=(80, 24)) as pilot:
            path.write_bytes(b"".join(lines[:25]))
            await pilot.pause(0.2)
            assert "withdrawn" in message(app)
            assert screen._replay.at == 24
            await press(pilot, "left", "right", "greater_than_sign")
        assert app.bug is None


async def test_the_battle_below_shows_what_was_added_while_one_looked_back(tmp_path: Path) -> None:
    path = copy_example("suppression-fire", tmp_path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:31]))
    with OpenBattle.open(path) as battle, OpenBattle.open(path) as other:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "V")
            assert isinstance(app.screen, ReplayScreen)
            give(other, NOTE)
            await pilot.pause(0.15)
            assert message(app) == "A new entry: > goes to the last one."
            await press(pilot, "m", "q")
            assert isinstance(app.screen, BattleScreen)
            assert "note: somebody plays on" in screen_text(app)
            assert "bookmark at 30" in screen_text(app)
            await press(pilot, "u")
            assert battle.history.head == 30


# What comes


@pytest.mark.parametrize("name", examples())
async def test_without_spoilers_nothing_of_what_comes_is_on_the_screen(name: str, tmp_path: Path) -> None:
    """Neither how many entries there are, nor later ones by search, filter, number or bookmark."""
    with OpenBattle.open(copy_example(name, tmp_path)) as battle:
        every = len(battle.history.entries)
        at = battle.history.path(battle.history.head)[9]
        battle.bookmark(every, "the bitter end")
        app = HeadsdownApp(lambda: ReplayScreen(battle, at, hides=True))
        async with app.run_test(size=(120, 40)) as pilot:
            ways = (("b",), ("3", "G"), ("slash", *"wins", "enter"), ("slash", "escape"), ("ctrl+f", *"wins", "enter"))
            more = (("full_stop",), ("ctrl+g", *"900", "enter"), ("greater_than_sign",), ("L",), ("H",), ("c",), ("w",))
            for keys in (*ways, *more, ("colon",), ("question_mark",)):
                await press(pilot, *keys)
                await pilot.pause(0.05)
                shown = screen_text(app)
                assert "battle ends" not in shown
                assert "bitter" not in shown
                assert f"of {every}" not in shown, keys
                assert str(every) not in message(app) if app.screen is app.screen_stack[0] else True
                if app.screen is not app.screen_stack[0]:
                    await press(pilot, "escape")
            screen = app.screen_stack[0]
            assert isinstance(screen, ReplayScreen)
            assert screen._replay.at == at
            await press(pilot, "slash", "escape", "ctrl+f", "escape", "z", "greater_than_sign")
            assert screen._replay.at >= every
            assert entry_title(battle.history, battle.history.entries[every - 1])[:30] in screen_text(app)
        assert app.bug is None


# Keys


MOMENTS = [("suppression-fire", 0), ("suppression-fire", 20), ("suppression-fire", 57), ("gray-dawn", 26)]


@pytest.mark.parametrize("focus", ["1", "3"])
@pytest.mark.parametrize(("name", "at"), MOMENTS)
async def test_every_key_that_the_bar_names_does_something(name: str, at: int, focus: str, tmp_path: Path) -> None:
    tried = 0
    while True:
        with OpenBattle.open(copy_example(name, tmp_path / str(tried))) as battle:
            app = HeadsdownApp(lambda battle=battle: ReplayScreen(battle, at))  # type: ignore[misc]
            async with app.run_test(size=(160, 40)) as pilot:
                await press(pilot, focus)
                names, before = bar_keys(app), screen_text(app)
                if tried >= len(names):
                    break
                key = {"<": "less_than_sign", ">": "greater_than_sign", "^g": "ctrl+g"}.get(names[tried], names[tried])
                await press(pilot, key)
                assert not app.is_running or screen_text(app) != before, f"{key} did nothing"
        tried += 1
    assert tried >= 8


async def test_one_who_only_watches_sets_no_bookmark(tmp_path: Path) -> None:
    with OpenBattle.open(copy_example("gray-dawn", tmp_path), read_only=True) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle, watch=True))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "V")
            for key in ("m", "a", "M"):
                await press(pilot, key)
                assert "You are watching" in message(app)
                assert key not in bar_keys(app)
    assert len(battle.history.entries) == 42


async def test_a_branch_is_walked_to_its_end_and_left(tmp_path: Path) -> None:
    with forked(tmp_path) as battle:
        screen = ReplayScreen(battle, 23)
        app = HeadsdownApp(lambda: screen)
        async with app.run_test(size=(80, 24)) as pilot:
            assert "branch from 22" in screen_text(app)
            assert "another way" not in screen_text(app)
            await press(pilot, "right", "right")
            assert message(app) == "The end of this branch. B leaves it."
            assert screen._replay.at == 24
            await press(pilot, "B")
            assert "Back on the line of play. 22" in message(app)
            assert "branch" not in screen_text(app).splitlines()[0]
            assert screen._replay.step(1) == 27


async def test_the_log_goes_on_as_far_as_one_walks_in_a_long_battle(tmp_path: Path) -> None:
    """Only what is near is made into lines; walking on in the log and jumping bring what is further away."""
    from benchmarks import long_battles

    path = long_battles.write(tmp_path / "long.battle.jsonl", "suppression-fire", 2000)
    with OpenBattle.open(path, read_only=True) as battle:
        screen = ReplayScreen(battle, 1000)
        app = HeadsdownApp(lambda: screen)
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "3")
            for key, wanted in (("G", 2000), ("g", 1), ("G", 2000)):
                await press(pilot, key)
                assert screen._log.entry is not None
                assert abs(screen._log.entry - wanted) <= 1
                assert screen._log.line_count() < 3000
            await press(pilot, "ctrl+g", *"1200", "enter")
            assert (screen._replay.at, screen._log.entry) == (1200, 1200)
            for _ in range(90):
                await pilot.press("pageup")
            await press(pilot, "up")
            assert screen._log.entry is not None
            assert screen._log.entry < 1000
            await press(pilot, "enter")
            assert screen._replay.at == screen._log.entry
        assert app.bug is None


async def test_small_terminals_stack_the_panes_of_a_replay(tmp_path: Path) -> None:
    with OpenBattle.open(copy_example("gray-dawn", tmp_path), read_only=True) as battle:
        app = HeadsdownApp(lambda: ReplayScreen(battle, 20))
        async with app.run_test(size=(60, 20)) as pilot:
            for key, words in (("1", "Oduya"), ("2", "SUPPRESSED"), ("3", "round 1 ends")):
                await press(pilot, key)
                assert words in screen_text(app)


# The command line


def test_a_replay_needs_a_terminal_and_an_entry(tmp_path: Path) -> None:
    path = copy_example("gray-dawn", tmp_path)
    for command in (("replay", path), ("open", path, "--replay", "5"), ("replay", path, "--at", "900")):
        ran = headsdown(*command)
        assert (ran.status, ran.out) == (2, "")
        assert "needs a terminal" in ran.err
    assert headsdown("replay", path, "--at", "x").status == 2
    assert path.read_bytes().count(b"\n") == 43


def test_an_entry_that_is_not_there_is_refused_before_any_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tui.command_line import main
    from tui.commands import screens

    monkeypatch.setattr(screens, "at_a_terminal", lambda: True)
    path = copy_example("gray-dawn", tmp_path)
    for command in (["replay", str(path), "--at", "900"], ["open", str(path), "--replay", "900"]):
        assert main(command) == 1
        assert "there is no entry 900; the last one is 42" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["replay"], (0, False, "")),
        (["replay", "--at", "7", "--spoiler-free", "--as", "Ann"], (7, True, "Ann")),
        (["open", "--replay", "9"], (9, False, "")),
        (["open", "--replay"], (0, False, "")),
    ],
)
def test_the_command_line_opens_the_replay(
    command: list[str], expected: tuple[int, bool, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tui import app
    from tui.command_line import main
    from tui.commands import screens

    opened: list[tuple[int, bool, str]] = []

    def run(shown: HeadsdownApp) -> int:
        screen = shown._first()
        assert isinstance(screen, ReplayScreen)
        assert screen.battle.read_only
        opened.append((screen._replay.at, screen._hides, screen._by))
        return 0

    monkeypatch.setattr(screens, "at_a_terminal", lambda: True)
    monkeypatch.setattr(app, "run", run)
    first, *options = command
    assert main([first, str(copy_example("gray-dawn", tmp_path)), *options]) == 0
    assert opened == [expected]
