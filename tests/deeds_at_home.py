"""What the actions of the home screen, the trash and their dialogs are seen to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from saves.battle import OpenBattle
from saves.library import battles, copy_example, default_folder
from saves.moving import thrown_away
from tests.deeds import deed, on
from tests.screen import message, press, screen_text
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.home_screen import HomeScreen
from tui.line_screen import LineScreen
from tui.looks_screen import LooksScreen
from tui.new_battle_screen import NewBattleScreen
from tui.picker_screen import PickerScreen
from tui.replay_screen import ReplayScreen
from tui.save_check import SaveCheck
from tui.trash_screen import TrashScreen


async def at_home(pilot: Pilot[Any], *names: str) -> Path:
    """Go to the home screen, with copies of these bundled battles in the library; gives that."""
    folder = default_folder()
    for name in names:
        copy_example(name, folder)
    await pilot.app.push_screen(HomeScreen())
    await pilot.pause()
    return folder


def files(folder: Path) -> list[str]:
    return sorted(path.name.removesuffix(".battle.jsonl") for path in folder.glob("*.battle.jsonl"))


def chosen(pilot: Pilot[Any]) -> str:
    """The file of the battle under the cursor."""
    screen = pilot.app.screen
    assert isinstance(screen, HomeScreen | TrashScreen)
    assert screen._pane.battle is not None
    return Path(screen._pane.battle.file).name.removesuffix(".battle.jsonl")


@deed("app.looks")
async def _looks(pilot: Pilot[Any], battle: OpenBattle) -> None:
    app = pilot.app
    assert isinstance(app, HeadsdownApp)
    for key in ("ctrl+l", "f2"):
        await press(pilot, key, "down")
        assert on(pilot, LooksScreen)
        assert app.theme == "light", "shown while one chooses"
        await press(pilot, "escape")
        assert app.theme == "dark"
    await press(pilot, "colon", *"looks", "enter", "h")
    assert on(pilot, BattleScreen)
    assert app.theme == "high-contrast"
    assert app.settings.path.read_text() == 'theme = "high-contrast"\n'


@deed("home.new")
async def _home_new(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await at_home(pilot)
    await press(pilot, "n")
    assert on(pilot, NewBattleScreen)


@deed("home.demo")
async def _home_demo(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await at_home(pilot)
    await press(pilot, "d", "1")
    assert on(pilot, BattleScreen)


@deed("home.help")
async def _home_help(pilot: Pilot[Any], battle: OpenBattle) -> None:
    for key in ("question_mark", "f1"):
        await at_home(pilot)
        await press(pilot, key)
        assert "the one played last on top" in screen_text(pilot.app)
        await press(pilot, "escape")


@deed("home.quit")
async def _home_quit(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await at_home(pilot)
    await press(pilot, "q")
    assert not pilot.app.is_running


@deed("home.take_in")
async def _home_take_in(pilot: Pilot[Any], battle: OpenBattle) -> None:
    folder = await at_home(pilot)
    await press(pilot, "t", *str(battle.path), "enter")
    assert on(pilot, HomeScreen)
    assert files(folder) == ["night"] == [chosen(pilot)]
    assert message(pilot.app) == "Taken in: whole, and its dice are right."
    assert (folder / battle.path.name).read_bytes() == battle.path.read_bytes()


@deed("home.rename")
async def _home_rename(pilot: Pilot[Any], battle: OpenBattle) -> None:
    folder = await at_home(pilot, "gray-dawn")
    await press(pilot, "r", "ctrl+u", *"Friday night", "enter")
    assert files(folder) == ["Friday night"] == [chosen(pilot)]
    assert "Friday night (The" in screen_text(pilot.app)


@deed("home.replay")
async def _home_replay(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await at_home(pilot)
    await press(pilot, "V")
    assert message(pilot.app) == "Replay: select a battle first."
    folder = await at_home(pilot, "gray-dawn")
    before = (folder / "gray-dawn.battle.jsonl").read_bytes()
    await press(pilot, "V")
    assert on(pilot, ReplayScreen)
    await press(pilot, "q")
    assert on(pilot, HomeScreen)
    assert message(pilot.app) == "Nothing was changed."
    assert (folder / "gray-dawn.battle.jsonl").read_bytes() == before


@deed("home.repair")
async def _home_repair(pilot: Pilot[Any], battle: OpenBattle) -> None:
    folder = await at_home(pilot, "gray-dawn")
    await press(pilot, "R")
    assert message(pilot.app) == "This battle is sound: there is nothing to repair."
    lines = (folder / "gray-dawn.battle.jsonl").read_bytes().splitlines(keepends=True)
    damaged = b"".join([*lines[:40], b"x\n", *lines[41:]])
    (folder / "gray-dawn.battle.jsonl").write_bytes(damaged)
    await at_home(pilot)
    await press(pilot, "R")
    assert files(folder) == ["gray-dawn", "gray-dawn-repaired"]
    assert chosen(pilot) == "gray-dawn-repaired"
    assert "40 entries are saved, 2 lost; the first: entry 40 is damaged" in message(pilot.app).replace("\n", " ")
    assert (folder / "gray-dawn.battle.jsonl").read_bytes() == damaged


@deed("home.trash")
async def _home_trash(pilot: Pilot[Any], battle: OpenBattle) -> None:
    folder = await at_home(pilot, "gray-dawn", "suppression-fire")
    for key, left in (("x", 1), ("delete", 0)):
        await press(pilot, key, "n")
        assert len(files(folder)) == left + 1
        await press(pilot, key, "y")
        assert len(files(folder)) == left
        assert "lies in the trash: T shows it." in message(pilot.app)
    assert files(folder / "trash") == ["gray-dawn", "suppression-fire"]
    await press(pilot, "x")
    assert message(pilot.app) == "Throw away: select a battle first."


async def _in_trash(pilot: Pilot[Any]) -> Path:
    path = copy_example("gray-dawn", default_folder())
    thrown_away(path)
    folder = await at_home(pilot)
    await press(pilot, "T")
    assert on(pilot, TrashScreen)
    return folder


@deed("home.show_trash")
async def _home_show_trash(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _in_trash(pilot)
    assert chosen(pilot) == "gray-dawn"


@deed("library.filter")
async def _library_filter(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await at_home(pilot, "gray-dawn", "suppression-fire")
    for text in ("landing", "VISITORS", "gray", "side:wat", "rules:gray-dawn", "name:the-l", "side:vis rules:dawn"):
        await press(pilot, "slash", *text, "enter")
        shown = screen_text(pilot.app)
        assert "The landing" in shown, text
        assert "The farm" not in shown, text
        assert f"1 of 2 match {text}" in shown
        await press(pilot, "slash", "escape")
        assert "The farm" in screen_text(pilot.app)
    await press(pilot, "slash", *"si", "tab", *"im", "tab", "enter")
    assert "1 of 2 match side:imperium" in screen_text(pilot.app)


@deed("library.find")
async def _library_find(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await at_home(pilot, "gray-dawn", "suppression-fire")
    for word in ("farm", "landing", "farm"):
        await press(pilot, "ctrl+f", *["backspace"] * 9, *word, "enter")
        assert chosen(pilot) == {"farm": "suppression-fire", "landing": "gray-dawn"}[word]


def _finds(name: str, key: str, expected: list[str]) -> None:
    @deed(f"library.{name}")
    async def _find_on(pilot: Pilot[Any], battle: OpenBattle) -> None:
        await at_home(pilot, "gray-dawn", "gray-dawn", "gray-dawn", "suppression-fire")
        await press(pilot, key)
        assert message(pilot.app) == "Nothing is searched for: ^f finds."
        await press(pilot, "s", "n", "g", "ctrl+f", *"landing", "enter")
        seen = [chosen(pilot)]
        for _ in range(3):
            await press(pilot, key)
            seen.append(chosen(pilot))
        assert seen == expected


_finds("find_next", "full_stop", ["gray-dawn", "gray-dawn-2", "gray-dawn-3", "gray-dawn"])
_finds("find_before", "comma", ["gray-dawn", "gray-dawn-3", "gray-dawn-2", "gray-dawn"])


@deed("library.sort")
async def _library_sort(pilot: Pilot[Any], battle: OpenBattle) -> None:
    folder = await at_home(pilot, "gray-dawn", "suppression-fire")
    (folder / "Zulu.battle.jsonl").write_bytes(battle.path.read_bytes())
    await at_home(pilot)
    seen: dict[tuple[int, str], list[str]] = {}
    for keys in (("n",), ("n",), ("s",), ("t",), ("r",), ("p",)):
        await press(pilot, "s", *keys, "g")
        order = []
        for _ in range(3):
            order.append(chosen(pilot))
            await press(pilot, "down")
        seen[len(seen), keys[0]] = order
    sizes = {path.name: path.stat().st_size for path in folder.glob("*.battle.jsonl")}
    by_size = sorted(sizes, key=lambda name: -sizes[name])
    assert seen[0, "n"] == ["suppression-fire", "gray-dawn", "Zulu"], "The farm, The landing, Zulu"
    assert seen[1, "n"] == [*reversed(seen[0, "n"])], "the same once more turns it round"
    assert seen[2, "s"] == [name.removesuffix(".battle.jsonl") for name in by_size]
    assert seen[4, "r"] == ["gray-dawn", "Zulu", "suppression-fire"], "Gray Dawn, Lanterns, Suppression Fire"
    assert seen[5, "p"][0] == "Zulu", "played last"


@deed("library.palette")
async def _library_palette(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await at_home(pilot, "gray-dawn")
    for key in ("colon", "ctrl+p"):
        await press(pilot, key)
        assert on(pilot, PickerScreen)
        assert "All actions" in screen_text(pilot.app)
        await press(pilot, "escape")
    await press(pilot, "colon", *"throw", "enter")
    assert "Move The landing into the trash?" in screen_text(pilot.app)
    await press(pilot, "escape", "colon", *"looks", "enter")
    assert on(pilot, LooksScreen)


@deed("trash.take_back")
async def _trash_take_back(pilot: Pilot[Any], battle: OpenBattle) -> None:
    for key in ("b", "enter"):
        folder = await _in_trash(pilot)
        await press(pilot, key)
        assert "is back among the battles" in message(pilot.app)
        assert files(folder / "trash") == []
        await press(pilot, "escape")
    assert files(folder) == ["gray-dawn", "gray-dawn-2"], "nothing is overwritten"
    await press(pilot, "T", "b")
    assert message(pilot.app) == "The trash is empty."


@deed("trash.remove")
async def _trash_remove(pilot: Pilot[Any], battle: OpenBattle) -> None:
    for key in ("x", "delete"):
        folder = await _in_trash(pilot)
        await press(pilot, key, "enter")
        assert message(pilot.app) == "The landing stays in the trash."
        assert files(folder / "trash") == ["gray-dawn"]
        await press(pilot, key, "y")
        assert message(pilot.app) == "The landing is removed for good."
        assert files(folder / "trash") == []
        await press(pilot, "escape")


@deed("trash.help")
async def _trash_help(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _in_trash(pilot)
    for key in ("question_mark", "f1"):
        await press(pilot, key)
        assert "nothing brings back what was removed" in screen_text(pilot.app)
        await press(pilot, "escape")


@deed("trash.leave")
async def _trash_leave(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _in_trash(pilot)
    for key in ("escape", "q"):
        await press(pilot, key)
        assert on(pilot, HomeScreen)
        await press(pilot, "T")


async def _line(pilot: Pilot[Any]) -> None:
    """A line with `gray-dawn` on it."""
    await at_home(pilot, "gray-dawn")
    await press(pilot, "r")
    assert on(pilot, LineScreen)
    assert "gray-dawn_" in screen_text(pilot.app)


@deed("line.keep")
async def _line_keep(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _line(pilot)
    await press(pilot, *"-2", "enter")
    assert files(default_folder()) == ["gray-dawn-2"]


@deed("line.leave")
async def _line_leave(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _line(pilot)
    await press(pilot, *"-2", "escape")
    assert on(pilot, HomeScreen)
    assert files(default_folder()) == ["gray-dawn"]


@deed("line.complete")
async def _line_complete(pilot: Pilot[Any], battle: OpenBattle) -> None:
    folder = battle.path.parent / "saves of friends"
    folder.mkdir()
    copy_example("gray-dawn", folder)
    await at_home(pilot)
    await press(pilot, "t", *f"{battle.path.parent}/sav", "tab", "tab", "enter")
    assert files(default_folder()) == ["gray-dawn"]


@deed("line.clear")
async def _line_clear(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _line(pilot)
    await press(pilot, "ctrl+u", "x")
    assert " x_" in screen_text(pilot.app)


@deed("line.left")
async def _line_left(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _line(pilot)
    await press(pilot, "left", "x")
    assert "gray-dawx_n" in screen_text(pilot.app)


@deed("line.right")
async def _line_right(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await _line(pilot)
    await press(pilot, "left", "left", "right", "x")
    assert "gray-dawx_n" in screen_text(pilot.app)


@deed("check.stop")
async def _check_stop(pilot: Pilot[Any], battle: OpenBattle) -> None:
    for key in ("escape", "q"):
        folder = await at_home(pilot)
        check = SaveCheck(battle.path, folder)
        check._stopped = True
        screen = pilot.app.screen
        assert isinstance(screen, HomeScreen)
        answers: list[object] = []
        pilot.app.push_screen(check, answers.append)
        await pilot.pause()
        await press(pilot, key)
        assert answers == [None]
        assert on(pilot, HomeScreen)
        assert not battles()
