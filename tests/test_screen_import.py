"""The screens that bring an army list in: which file, what was read, what is asked; nothing is written before Enter."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from saves.battle import OpenBattle
from saves.creating import create
from tests.roster_files import F, S, stats, watch, xml
from tests.screen import assert_screen, message, press, screen_text, settled
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.home_screen import HomeScreen
from tui.import_screen import ImportScreen
from tui.roster_screen import RosterScreen

SIZES = ((80, 24), (120, 40))
NAME = "quay.battle.jsonl"


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A library with one battle, which is the current folder too, with two lists in it."""
    home = tmp_path / "lists"
    home.mkdir()
    monkeypatch.setenv("HEADSDOWN_HOME", str(home))
    monkeypatch.chdir(home)
    monkeypatch.setattr("saves.creating.uuid4", lambda: "the-quay")
    monkeypatch.setattr("saves.battle.now", lambda: 1_800_000_000_000)
    create(home / NAME, rules="suppression-fire", sides=("Red", "Blue"), seed="quay", name="The quay")
    (home / "watch.ros").write_bytes(xml(watch()))
    (home / "scouts.ros").write_bytes(xml(F([S("Scouts", "unit", inside=[S("Scout", "model", 5, [stats("Scout")])])])))
    return home


def units(folder: Path) -> list[str]:
    with OpenBattle.open(folder / NAME, read_only=True) as battle:
        return list(battle.history.state.units)


async def opened(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys, and wait until a list that they open was read."""
    await press(pilot, *keys)
    for _ in range(200):
        if not any(worker.group == "read" and not worker.is_finished for worker in pilot.app.workers):
            break
        await pilot.pause(0.02)
    await settled(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_from_home_to_a_mustered_army(folder: Path, size: tuple[int, int]) -> None:
    app = HeadsdownApp(HomeScreen)
    name = f"{size[0]}x{size[1]}"
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        assert "Import" in screen_text(app)
        await press(pilot, "i")
        assert isinstance(app.screen, RosterScreen)
        assert_screen(app, f"import-file-{name}")
        await press(pilot, *"wa")
        assert_screen(app, f"import-file-typed-{name}")
        await opened(pilot, "enter")
        assert isinstance(app.screen, ImportScreen)
        assert "6 units, 27 models, 480 of 480" in " ".join(screen_text(app).split())
        assert_screen(app, f"import-{name}")
        await press(pilot, "ctrl+n")
        assert_screen(app, f"import-more-{name}")
        assert units(folder) == []
        await press(pilot, "enter")
        assert isinstance(app.screen, BattleScreen)
        assert_screen(app, f"import-done-{name}")
    assert units(folder) == ["launch", "captain", "escort", "crane-engine", "dock-levy", "harbour-squad"]


async def test_from_the_battle_and_from_the_form_that_musters(folder: Path) -> None:
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "enter", "I")
        assert isinstance(app.screen, RosterScreen)
        await press(pilot, "escape")
        assert isinstance(app.screen, BattleScreen)
        await press(pilot, "M")
        assert "import a list" in screen_text(app)
        await press(pilot, "ctrl+o")
        assert isinstance(app.screen, RosterScreen)
        await opened(pilot, *"sc", "enter")
        await press(pilot, "enter")
        assert isinstance(app.screen, BattleScreen)
        await press(pilot, "d", "ctrl+o")
    assert units(folder) == ["scouts"]


async def test_other_forms_have_no_list_to_import(folder: Path) -> None:
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "n", "ctrl+o")
        assert message(app) == "A list is imported from the form that musters."


async def test_questions_are_answered_and_the_unit_is_left_out(folder: Path) -> None:
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, "i", *"wa", "enter")
        screen = app.screen
        assert isinstance(screen, ImportScreen)
        await press(pilot, "right")  # the other side
        assert "< Blue >" in screen_text(app)
        await press(pilot, "tab", "right")  # without the first unit
        shown = " ".join(screen_text(app).split())
        assert "2 left out" in shown
        while screen._sheet.at[0] != "dock-levy.levy-musket.carried":
            await press(pilot, "tab")
        await press(pilot, "right")
        while screen._sheet.at[0] != "gun.levy-musket.family":
            await press(pilot, "tab")
        await press(pilot, *"shot", "enter")
    with OpenBattle.open(folder / NAME, read_only=True) as battle:
        state = battle.history.state
        assert set(state.units) == {"launch", "captain", "escort", "crane-engine", "dock-levy"}
        assert {unit.side for unit in state.units.values()} == {"Blue"}
        groups = state.units["dock-levy"].groups
        assert [(g.models, [w.gun_type for w in g.profile.weapons]) for g in groups] == [(9, []), (1, ["shot"])]


async def test_leaving_writes_nothing(folder: Path) -> None:
    before = (folder / NAME).read_bytes()
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, "i", *"wa", "enter")
        await press(pilot, "escape")
        assert isinstance(app.screen, BattleScreen)
    assert (folder / NAME).read_bytes() == before


@pytest.mark.parametrize("size", SIZES)
async def test_a_second_import_shows_the_difference(folder: Path, size: tuple[int, int]) -> None:
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=size) as pilot:
        await opened(pilot, "i", *"wa", "enter")
        await press(pilot, "enter")
        await opened(pilot, "I", *"wa", "enter")
        await press(pilot, "left", "right", "enter")
        assert message(app) == "Nothing in the list is new."
        await press(pilot, "escape")
        force = watch()
        force.selections[4].inside[0].number = 12
        (folder / "watch.ros").write_bytes(xml(force))
        await opened(pilot, "I", *"wa", "enter")
        assert_screen(app, f"import-again-{size[0]}x{size[1]}")
        shown = " ".join(screen_text(app).split())
        assert "Levy, models: 10, now 12" in shown
        await press(pilot, "enter")
    with OpenBattle.open(folder / NAME, read_only=True) as battle:
        assert battle.history.state.units["dock-levy"].models == 12
        assert len(battle.history.entries) == 2


async def test_a_file_that_is_no_list_is_said_to_be_none(folder: Path) -> None:
    (folder / "odd [red].ros").write_bytes(b"<html/>")
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, "i", *"odd", "enter")
        assert isinstance(app.screen, RosterScreen)
        told = "! odd [red].ros: this is a web page, not a roster; save the list as .ros or .rosz"
        assert " ".join(message(app).split()) == told
        await opened(pilot, "ctrl+u", *"gone.ros", "enter")
        assert message(app) == "! gone.ros is not there"
        await press(pilot, "ctrl+u")
        assert message(app) == ""
        assert "watch.ros" in screen_text(app)


async def test_a_path_is_completed_and_folders_are_gone_into(folder: Path) -> None:
    deep = folder.parent / "elsewhere" / "armies"
    deep.mkdir(parents=True)
    (deep / "far.ros").write_bytes(xml(watch()))
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "i", *"../el", "tab")
        assert "File: ../elsewhere/_" in screen_text(app)
        await press(pilot, "enter")
        assert "../elsewhere/armies/" in screen_text(app)
        await opened(pilot, "tab", "down", "up", "pagedown", "pageup", "enter")
        assert isinstance(app.screen, ImportScreen)
        await press(pilot, "escape", "I")
        assert "/elsewhere/armies/far.ros" in screen_text(app)  # found there before


async def test_reading_can_be_stopped_and_nothing_is_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that goes on until it is told to stop: the bar is seen, escape ends it."""
    before = (folder / NAME).read_bytes()
    ended = threading.Event()

    def endless(path: Path, progress: Any) -> Any:
        try:
            while True:
                progress(40, 100)
        finally:
            ended.set()

    monkeypatch.setattr("tui.roster_screen.read_list", endless)
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "i")
        await pilot.press(*"wa", "enter")
        while "Reading [" not in message(app):
            await pilot.pause(0.02)
        assert message(app) == "Reading [############..................] 40 %"
        assert "stop reading" in screen_text(app)
        await pilot.press("x", "enter", "tab")
        await pilot.press("escape")
        while "Stopped" not in message(app):
            await pilot.pause(0.02)
        assert message(app) == "Stopped: nothing was read and nothing has happened."
        assert ended.is_set()
        await press(pilot, "escape")
    assert (folder / NAME).read_bytes() == before


async def test_names_are_plain_text_on_the_screen(folder: Path) -> None:
    odd = S("[@click=app.quit]x[/] [/", "model", 1, [stats("[red]")], alias="\u202egnirts \x9b31m[b]")
    (folder / "odd.ros").write_bytes(xml(F([odd])))
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, "i", *"od", "enter")
        shown = screen_text(app)
        assert "gnirts 31m[b]" in shown
        assert "\u202e" not in shown
        await press(pilot, "enter")
        assert "gnirts 31m[b]" in screen_text(app)


async def test_an_empty_library_has_nothing_to_import_into(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path))
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "i")
        assert message(app) == "Begin a battle first, then import into it."


async def test_whoever_watches_imports_nothing(folder: Path) -> None:
    with OpenBattle.open(folder / NAME, read_only=True) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle, watch=True))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "I")
            assert message(app) == "! You are watching: nothing can be changed from here."
