"""The home screen: the library, a new battle in three answers, demo, and the way back."""

from __future__ import annotations

import os
import time
from datetime import date
from pathlib import Path

import pytest

from engine.registered import RULE_SETS
from saves.battle import OpenBattle
from saves.library import battles
from tests.screen import lantern_battle, message, place, screen_text
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.endings import how_to_open
from tui.home_screen import HomeScreen
from tui.new_battle_screen import file_name, new_battle_form


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A library with a battle of lanterns, last played at a moment that never changes."""
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    lantern_battle(monkeypatch, tmp_path, place("Alpha")).close()
    os.utime(tmp_path / "night.battle.jsonl", (1_800_000_000, 1_800_000_000))
    return tmp_path


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20)])
async def test_the_library(folder: Path, size: tuple[int, int]) -> None:
    (folder / "broken.battle.jsonl").write_text("{}\n")
    os.utime(folder / "broken.battle.jsonl", (1_700_000_000, 1_700_000_000))
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        shown = screen_text(app)
        assert "night" in shown
        assert "Lanterns · north - south · turn 1 · 1 entry" in shown
        assert "!broken" in shown
        assert "damaged" in shown
        await pilot.press("down", "enter")
        await pilot.pause()
        assert "is no battle" in screen_text(app)
        assert message(app).startswith("! ")


async def test_a_battle_opens_and_leads_back(folder: Path) -> None:
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, BattleScreen)
        await pilot.press("i")
        await pilot.pause(0.05)
        await pilot.press("q")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        assert message(app) == "Saved."
        await pilot.press("q")
        await pilot.pause()
    assert app.return_value == 0
    assert len(OpenBattle.open(folder / "night.battle.jsonl").history.entries) == 2


async def test_a_new_battle_in_three_answers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(RULE_SETS, "lanterns")
    monkeypatch.setitem(RULE_SETS, "lanterns", "tests.small_screen_rules")
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        for _ in range(len(RULE_SETS)):
            if "< Lanterns >" not in screen_text(app):
                await pilot.press("right")
                await pilot.pause()
        assert "calm  (Does the wind blow? LN-1)" in screen_text(app)
        await pilot.press("tab", "enter")
        await pilot.pause()
        assert message(app) == "Refused: Lanterns is fought by 2 sides, not 0"
        await pilot.press(*"Red Elves", "tab", *"Blue?", "tab", "right", "enter")
        await pilot.pause()
        assert isinstance(app.screen, BattleScreen)
        header = app.screen.battle.history.header
        assert (header.rules, header.sides, header.dice.mode) == ("lanterns", ("Red Elves", "Blue?"), "table")
        assert app.screen.battle.path.name == f"red-elves-blue-{date.today().isoformat()}.battle.jsonl"
        await pilot.press("q")
        await pilot.pause()
        assert len(battles()) == 2


async def test_help_and_the_empty_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path / "nothing"))
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "down")
        assert "No battle yet" in screen_text(app)
        await pilot.press("question_mark")
        await pilot.pause()
        assert "New battle: A new battle: rules, sides, dice." in screen_text(app)
        await pilot.press("escape", "d")
        await pilot.pause()
        assert "1   gray-dawn" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause(0.1)
        assert isinstance(app.screen, BattleScreen)


def test_every_rule_set_can_be_begun_from_the_form() -> None:
    for name in RULE_SETS:
        form = new_battle_form({"rules": name})
        assert [field.name for field in form.fields][:3] == ["rules", "side_1", "side_2"]
        assert any(field.name == "dice" for field in form.fields)


def test_files_are_named_after_the_sides_and_the_day() -> None:
    day = date(2026, 12, 1)
    assert file_name(("Eldar", "Space Marines"), day, 1) == "eldar-space-marines-2026-12-01.battle.jsonl"
    assert file_name(("火", "../x"), day, 2) == "side-x-2026-12-01-2.battle.jsonl"


def test_the_way_back_is_one_line_that_can_be_copied() -> None:
    assert how_to_open(Path("/a b/c.battle.jsonl")) == "Saved. To go on: headsdown open '/a b/c.battle.jsonl'"
