"""The library on the screen: many battles and none, damaged ones, and what others do to files meanwhile."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from saves import library, shelf
from saves.battle import OpenBattle
from saves.library import copy_example, examples
from tests.screen import message, press, screen_text, settled
from tests.test_taking_in import damage
from tui.app import HeadsdownApp
from tui.battle_list import ORDERS, BattleList, matches, size_words
from tui.battle_screen import BattleScreen
from tui.home_screen import HomeScreen
from tui.save_check import SaveCheck


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "library"
    monkeypatch.setenv("HEADSDOWN_HOME", str(folder))
    return folder


def said(app: HeadsdownApp) -> str:
    return message(app).replace("\n", " ")


def battle_of(app: HeadsdownApp) -> OpenBattle:
    assert isinstance(app.screen, BattleScreen)
    return app.screen.battle


async def test_an_empty_library_says_what_to_do(folder: Path) -> None:
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "No battle yet: n begins one, d shows one." in screen_text(app)
        bar = screen_text(app).splitlines()[-2:]
        assert all(word in "".join(bar) for word in ("n New battle", "d Demo", "t Take in a save"))
        assert "Rename" not in "".join(bar)
        for key, what in (("r", "Rename"), ("R", "Repair"), ("x", "Throw away")):
            await press(pilot, key)
            assert message(app) == f"{what}: select a battle first."
        await press(
            pilot, "enter", "s", "n", "slash", "x", "escape", "ctrl+f", "x", "enter", "full_stop", "T", "escape"
        )
        assert isinstance(app.screen, HomeScreen)
    assert not folder.exists()


@pytest.fixture
def many(folder: Path) -> list[str]:
    """A thousand battles."""
    content = {name: copy_example(name, folder).read_bytes() for name in examples()}
    for number in range(1000 - len(content)):
        name = examples()[number % len(content)]
        path = folder / f"{name} no {number:03}.battle.jsonl"
        path.write_bytes(content[name])
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    return sorted(path.name for path in folder.iterdir())


async def test_a_thousand_battles(many: list[str], folder: Path) -> None:
    """They are read aside, keys work meanwhile, and the shelf knows them the next time."""
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(120, 40)) as pilot:
        for _ in range(100):
            await pilot.pause(0.05)
            if message(app):
                break
        assert "Reading 1000 battles:" in message(app)
        await pilot.press("q")
        await pilot.pause()
    assert app.return_value == 0
    for _ in range(100):
        if shelf.read(folder):
            break
        await asyncio.sleep(0.05)
    assert shelf.read(folder), "what was read is kept although the player left"
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert " of 1000" in screen_text(app)
        await press(pilot, "slash", *"name:no-07", "enter")
        assert "10 of 1000 match name:no-07" in screen_text(app)
        await press(pilot, "slash", "escape", "s", "n", "G", "r", *"z", "enter")
        await settled(pilot)
        pane = app.screen.query_one(BattleList)
        assert pane.battle is not None
        assert Path(pane.battle.file).name.endswith("z.battle.jsonl")
        assert len(pane.every) == 1000
    assert len(shelf.read(folder)) >= 1000


async def test_a_damaged_battle_opens_as_far_as_it_is_sound(folder: Path) -> None:
    path = copy_example("gray-dawn", folder)
    content = damage(path, 30)
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "damaged" in screen_text(app)
        await press(pilot, "enter")
        shown = " ".join(screen_text(app).replace("│", " ").split())
        assert "entry 30 is damaged. If it is repaired:" in shown
        assert "lost; the first: entry 30 is damaged: 7 bytes that cannot be read." in shown
        await press(pilot, "o")
        battle = battle_of(app)
        assert (battle.read_only, len(battle.history.entries)) == (True, 29)
        assert "this is the battle up to entry 29" in said(app)
        assert "headsdown repair" in said(app)
        await press(pilot, "u")
        assert "You are watching" in message(app)
        await press(pilot, "q")
        assert message(app) == "Nothing was changed."
        await press(pilot, "enter", "r")
        assert "A new file, gray-dawn-repaired" in said(app)
        assert path.read_bytes() == content
        await press(pilot, "enter", "u")
        assert "Undone" in message(app)


async def test_a_torn_end_is_no_hindrance(folder: Path) -> None:
    path = copy_example("gray-dawn", folder)
    path.write_bytes(path.read_bytes()[:-40])
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter")
        assert not battle_of(app).read_only


@pytest.mark.parametrize("keys", [("enter",), ("x", "y"), ("R",), ("r", "x", "enter", "escape")])
async def test_a_file_that_vanished_meanwhile_is_one_sentence(folder: Path, keys: tuple[str, ...]) -> None:
    path, other = copy_example("gray-dawn", folder), copy_example("suppression-fire", folder)
    damage(path, 30)
    os.utime(other, (1, 1))
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        path.unlink()
        await press(pilot, *keys[:-1] if keys[-1] == "escape" else keys)
        assert "is not there" in " ".join(screen_text(app).split())
        await press(pilot, *keys[len(keys) - (keys[-1] == "escape") :])
        assert isinstance(app.screen, HomeScreen)
    assert app.bug is None


async def test_what_somebody_has_open_stays(folder: Path) -> None:
    path = copy_example("gray-dawn", folder)
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        with OpenBattle.open(path):
            await press(pilot, "x", "y")
            assert "is open elsewhere; leave it there first" in said(app)
            await press(pilot, "r", "x", "enter")
            assert "is open elsewhere" in " ".join(screen_text(app).split())
            await press(pilot, "escape", "enter")
            assert battle_of(app).path == path, "two may play"
            await press(pilot, "q")
        await press(pilot, "x", "y")
        assert "lies in the trash" in message(app)


async def test_a_folder_that_cannot_be_written(as_nobody: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that would write says why it cannot; battles open for reading."""
    monkeypatch.setenv("HEADSDOWN_HOME", str(as_nobody))
    copy_example("gray-dawn", as_nobody).chmod(0o644)
    os.seteuid(65534)
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for keys in (("d", "1"), ("x", "y")):
            await press(pilot, *keys)
            assert "cannot be written: Permission denied" in said(app), keys
        for keys in (("r", "x", "enter"), ("n", "down", *"A", "down", *"B", "enter")):
            await press(pilot, *keys)
            assert "Permission denied" in " ".join(screen_text(app).split()), keys
            await press(pilot, "escape")
        await press(pilot, "enter")
        assert battle_of(app).read_only
        assert "it is open for reading only" in said(app)
        await press(pilot, "q")
        await press(pilot, "ctrl+l", "l")
        assert "the theme holds until you leave, but cannot be kept" in " ".join(screen_text(app).split())
        await press(pilot, "escape")
        assert app.theme == "light"
    assert app.bug is None


@pytest.mark.parametrize(
    ("typed", "why"),
    [("", "type the path"), ("/", "is a folder"), ("/nowhere/x.battle.jsonl", "is not there")],
)
async def test_no_save_there_is_said_where_it_is_typed(folder: Path, typed: str, why: str) -> None:
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "t", *typed, "enter")
        assert why in screen_text(app)
        assert f"{typed}_" in screen_text(app), "what was typed stays"


async def test_saves_that_are_no_battles_damaged_or_known(folder: Path, tmp_path: Path) -> None:
    save = copy_example("gray-dawn", tmp_path / "s")
    app = HeadsdownApp(HomeScreen)

    async def take_in(*more: str) -> str:
        await press(pilot, "t", *str(save), "enter", *more)
        return said(app)

    async with app.run_test(size=(80, 24)) as pilot:
        assert await take_in() == "Taken in: whole, and its dice are right."
        assert await take_in() == "That battle is in the library already: gray-dawn."
        damage(save, 30)
        assert await take_in("escape") == "Nothing was taken in."
        assert await take_in("a") == "Taken in: damaged as it is."
        damage(save, 31)
        assert "Taken in, repaired: " in await take_in("r")
        save.write_text("no battle\n")
        assert "is no battle" in await take_in()
    assert app.bug is None


async def test_a_search_that_is_half_typed_and_a_cursor_survive_a_listing(folder: Path) -> None:
    for name in examples():
        copy_example(name, folder)
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "slash", *"farm", "enter", "enter")
        assert battle_of(app).history.header.name == "The farm"
        await press(pilot, "q")
        assert f"1 of {len(examples())} match farm" in screen_text(app)


def test_what_a_search_means() -> None:
    folder = Path(str(library._example_folder()))
    farm = next(each for each in library.battles(folder) if each.name == "The farm")
    for text in ("", "farm", "FARM ended", "eldar imperium", "side:eld", "rules:supp name:farm", "suppression-fire"):
        assert matches(text, farm), text
    for text in ("landing", "side:watch", "rules:gray", "name:landing", "farm damaged"):
        assert not matches(text, farm), text


def test_sizes_are_told_short() -> None:
    assert [size_words(size) for size in (0, 999, 1000, 28_750, 999_400, 1_400_000)] == [
        "0 B", "999 B", "1 kB", "29 kB", "999 kB", "1.4 MB"
    ]  # fmt: skip
    assert {*ORDERS} == {"played", "name", "rules", "turn", "size"}


async def test_a_long_check_shows_how_far_it_is_and_is_stopped(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = copy_example("gray-dawn", tmp_path / "s")
    import time

    def slowly(path: Path, folder: Path, progress: Any) -> None:
        for entry in range(1, 10_000):
            progress(entry)
            time.sleep(0.01)

    monkeypatch.setattr("tui.save_check.checked", slowly)
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "t", *str(save))
        await pilot.press("enter")
        await pilot.pause(0.5)
        assert isinstance(app.screen, SaveCheck)
        assert "Checking gray-dawn.battle.jsonl: entry " in message(app)
        assert "entry 0 " not in message(app)
        await pilot.press("escape")
        await pilot.pause(0.3)
        assert message(app) == "Stopped: nothing was taken in."
    assert not folder.exists()
