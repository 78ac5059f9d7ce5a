"""Keys that arrive together: nothing overtakes, nothing is lost, and no dialog answers twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.keys import key_to_character
from textual.pilot import Pilot

from engine.entries import OrderEntry
from saves.battle import OpenBattle
from saves.creating import create
from saves.library import battles, copy_example
from tests.screen import give, lantern_battle, message, place, screen_text, settled
from tests.test_screen_names import suppression_fire
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.home_screen import HomeScreen
from tui.line_pane import Lines
from tui.type_ahead import MOST


async def burst(pilot: Pilot[Any], *keys: str) -> None:
    """All these keys in one read of the terminal."""
    driver = pilot.app._driver
    assert driver is not None
    for key in keys:
        driver.send_message(events.Key(key, key if len(key) == 1 else key_to_character(key)))
    await settled(pilot)
    await pilot.pause(0.05)
    await settled(pilot)


async def test_letters_never_overtake_the_keys_around_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new battle in one burst: both names in their fields, and it is open."""
    monkeypatch.setenv("HEADSDOWN_HOME", str(tmp_path))
    app = HeadsdownApp(HomeScreen)
    async with app.run_test(size=(120, 40)) as pilot:
        await burst(pilot, "n", "down", *"Red", "down", *"Blue", "down", "enter")
        assert isinstance(app.screen, BattleScreen)
    assert [each.sides for each in battles()] == [("Red", "Blue")]


async def test_a_whole_setting_up_in_one_burst(tmp_path: Path) -> None:
    path = tmp_path / "burst.battle.jsonl"
    create(path, rules="suppression-fire", sides=("A", "B"), seed="burst")
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            keys = (
                "M",
                *"guardsm",
                "down",
                "right",
                "down",
                *"Fox",
                "enter",
                "b",
                "enter",
                "p",
                "n",
                *"hello",
                "enter",
            )
            await burst(pilot, *keys)
            assert app.screen.query_one("#units", Lines).has_focus
        orders = [entry.order for entry in battle.history.entries if isinstance(entry, OrderEntry)]
        assert [type(order).__name__ for order in orders] == ["Muster", "BeginTurn", "Phase", "Note"]
        assert (orders[0].unit.name, orders[0].unit.side, orders[3].text) == ("Fox", "B", "hello")


async def test_typed_dice_in_one_burst_go_to_their_own_throws(tmp_path: Path) -> None:
    """Moving under fire: hits, then wounds, as they are asked for one after the other."""
    path = tmp_path / "dice.battle.jsonl"
    suppression_fire(path, "Boyz")
    with OpenBattle.open(path) as battle:
        give(battle, {"type": "end_turn"})
        give(battle, {"type": "begin_turn", "side": "Men"})
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await burst(pilot, "end", "m", "enter", *"66111", "enter", *"12", "enter")
        entry = battle.history.order(battle.history.head)
        assert [roll.dice for roll in entry.rolls][:2] == [(6, 6, 1, 1, 1), (1, 2)]


@pytest.mark.parametrize(
    "keys",
    [
        ("space", "z", "z", "9"),
        ("space", "a", "a", "a"),
        ("space", "escape", "escape"),
        ("enter", "enter", "enter"),
        ("enter", "t", "t"),
        ("colon", *"note", "enter", "enter"),
        ("colon", "escape", "escape"),
        ("w", "q", "w", "escape", "escape"),
        ("slash", "enter", "enter", "escape"),
        ("ctrl+f", "escape", "escape"),
        ("question_mark", "question_mark", "escape"),
        ("M", "escape", "escape", "escape"),
    ],
)
async def test_no_dialog_answers_twice(keys: tuple[str, ...], tmp_path: Path) -> None:
    """The battle is still there afterwards, and plays on."""
    with OpenBattle.open(copy_example("suppression-fire", tmp_path)) as battle:
        battle.goto(14)
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await burst(pilot, *keys)
            await burst(pilot, "escape", "escape", "escape")
            assert isinstance(app.screen, BattleScreen)
            assert "Dice log" in screen_text(app)
            await burst(pilot, "u")
            assert message(app).startswith("Undone")
        assert app.bug is None


async def test_jumping_in_one_burst(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    battle = lantern_battle(monkeypatch, tmp_path, place("Alpha"), place("Beta"))
    app = HeadsdownApp(lambda: BattleScreen(battle))
    async with app.run_test(size=(80, 24)) as pilot:
        await burst(pilot, "space", "s")
        assert isinstance(app.screen, BattleScreen)
        assert app.screen.selected == "beta"


async def test_escape_and_a_key_at_once_are_two_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Terminals send Escape and a letter in one read as alt and the letter."""
    battle = lantern_battle(monkeypatch, tmp_path, place("Alpha"))
    app = HeadsdownApp(lambda: BattleScreen(battle))
    async with app.run_test(size=(80, 24)) as pilot:
        await burst(pilot, "p", *"Lam")
        await burst(pilot, "alt+w")
        assert "Why: Alpha" in screen_text(app)
        await burst(pilot, "alt+question_mark")
        assert "Every unit by side" in screen_text(app)


async def test_pasted_text_keeps_its_place_among_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    battle = lantern_battle(monkeypatch, tmp_path, place("Alpha"))
    app = HeadsdownApp(lambda: BattleScreen(battle))
    async with app.run_test(size=(80, 24)) as pilot:
        driver = app._driver
        assert driver is not None
        await burst(pilot, "p")
        for typed in (events.Key("a", "a"), events.Paste("bc\nd"), events.Key("e", "e"), events.Key("enter", "\r")):
            driver.send_message(typed)
        await settled(pilot)
    assert battle.history.state.lanterns[-1].name == "abc de"


async def test_more_keys_than_anybody_types_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood neither grows the program nor keeps it busy for ever; the key that comes after it counts again."""
    with lantern_battle(monkeypatch, tmp_path, place("Argand"), place("Davy")) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            for _ in range(10 * MOST):
                app._type_ahead.add(events.Key("j", "j"))
            assert app._type_ahead._waiting.qsize() == MOST
            for _ in range(MOST - 1):
                app._type_ahead._waiting.get_nowait()
            await settled(pilot)
            await pilot.press("D")
            assert "typed dice" in screen_text(app)
