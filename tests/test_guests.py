"""A guest (`open --guest`) has the battle and nothing else of the machine: no other file is read, made, or named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from saves.battle import OpenBattle
from saves.library import copy_example, examples
from tests.screen import message, screen_text, settled
from tui.actions import action_of, actions_of
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.battle_view import ABOUT_FILES, BattleView
from tui.form_screen import FormScreen
from tui.replay_screen import ReplayScreen
from tui.settings import read_settings

KEPT = "That is not for guests: it is about files of this machine."


@pytest.fixture(params=examples())
def battle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[OpenBattle]:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    with OpenBattle.open(copy_example(request.param, tmp_path)) as opened:
        yield opened


def test_no_action_about_files_is_forgotten() -> None:
    """Whatever in battle, replay and form speaks of files, lists or new battles is kept from guests."""
    spoken = ("file", "folder", "list", "new battle")
    for place in ("battle", "replay", "form"):
        for action in actions_of(place):
            if any(word in action.help.casefold() for word in spoken):
                assert action.name in ABOUT_FILES, action


@pytest.mark.parametrize(("place", "name"), [("battle", "import_list"), ("replay", "continue")])
async def test_neither_keys_nor_palette_reach_files(battle: OpenBattle, tmp_path: Path, place: str, name: str) -> None:
    first: BattleView = BattleScreen(battle) if place == "battle" else ReplayScreen(battle, 3)
    app = HeadsdownApp(lambda: first, read_settings(), guest=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press(*action_of(f"{place}.{name}").keys.split(",")[:1])
        await settled(pilot)
        assert app.screen is first
        assert message(app) == f"! {KEPT}"
        first.say("")
        first.action_act(name)
        assert message(app) == f"! {KEPT}"
    assert {each.name for each in tmp_path.iterdir()} - {f".{battle.path.name}.writing"} == {"home", battle.path.name}


async def test_the_muster_form_imports_no_lists(battle: OpenBattle) -> None:
    app = HeadsdownApp(lambda: BattleScreen(battle), read_settings(), guest=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("u", "u", "M")
        await settled(pilot)
        assert isinstance(app.screen, FormScreen)
        assert "import a list" not in screen_text(app)
        await pilot.press("ctrl+o")
        await settled(pilot)
        assert isinstance(app.screen, FormScreen)


async def test_a_theme_is_for_the_guest_alone(battle: OpenBattle, tmp_path: Path) -> None:
    """It holds while they are there; the settings of the machine stay as they are."""
    app = HeadsdownApp(lambda: BattleScreen(battle), read_settings(), guest=True)
    async with app.run_test(size=(80, 24)) as pilot:
        before = app.theme
        await pilot.press("ctrl+l", "down", "enter")
        await settled(pilot)
        assert app.theme != before
    assert not list((tmp_path / "home").iterdir())
