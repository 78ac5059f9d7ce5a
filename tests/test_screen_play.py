"""A whole turn of a real battle, played from the keyboard: muster, suppress in crossfire, test, brave the fire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from saves.battle import OpenBattle
from saves.creating import create
from tests.screen import assert_screen, message, screen_text
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.dice_screen import DiceScreen
from tui.form_screen import FormScreen
from tui.line_pane import TablePane
from tui.picker_screen import PickerScreen

RULES = "suppression-fire"


@pytest.fixture
def battle(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> OpenBattle:
    monkeypatch.setattr("saves.creating.uuid4", lambda: "the-farm")
    monkeypatch.setattr("saves.battle.now", lambda: 1_800_000_000_000)
    create(tmp_path / "farm.battle.jsonl", rules=RULES, sides=("eldar", "marines"), seed="play", name="The farm")
    return OpenBattle.open(tmp_path / "farm.battle.jsonl")


class Player:
    """Presses keys and waits until what they set off is through."""

    def __init__(self, app: HeadsdownApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        for _ in range(2):
            await self.pilot.pause(0.02)

    async def select(self, unit: str) -> None:
        """Rest the cursor of the Units pane on a unit."""
        await self.press("1", "home")
        pane = self.app.screen.query_one("#units", TablePane)
        for _ in range(30):
            if pane.selected == unit:
                return
            await self.pilot.press("down")
        raise AssertionError(f"{unit} is not listed")

    async def muster(self, words: str, side: str = "eldar") -> None:
        await self.press("M", *words, "tab")
        form = self.app.screen
        assert isinstance(form, FormScreen)
        for _ in range(2):
            if side != next(field.value for field in form._sheet.form.fields if field.name == "side"):
                await self.press("right")
        await self.press("enter")

    @property
    def shown(self) -> dict[str, Any]:
        screen = self.app.screen
        assert isinstance(screen, BattleScreen), message(self.app)
        history = screen.battle.history
        return history.rules.show(history.state)


async def mustered(player: Player) -> None:
    """Two eldar units against scouts, in the shooting phase of the eldar."""
    await player.muster("dire avengers")
    await player.muster("guardians")
    await player.muster("scouts", "marines")
    await player.press("b")
    if isinstance(player.app.screen, FormScreen):
        await player.press("enter")
    await player.press("p")
    assert player.shown["phase"] == "shooting"


async def crossfire(player: Player) -> None:
    """Both eldar units suppress the scouts in one declaration."""
    await player.select("dire-avengers")
    await player.press("d")
    sheet = player.app.screen
    assert isinstance(sheet, FormScreen)
    while sheet._sheet.at != ("by", "guardians"):
        await player.press("down")
    await player.press("space")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_whole_turn(battle: OpenBattle, size: tuple[int, int]) -> None:
    app = HeadsdownApp(lambda: BattleScreen(battle))
    name = f"{size[0]}x{size[1]}"
    async with app.run_test(size=size) as pilot:
        player = Player(app, pilot)
        await mustered(player)
        await crossfire(player)
        assert_screen(app, f"crossfire-{name}")
        await player.press("enter")
        assert set(player.shown["suppressions"]["scouts"]["by"]) == {"dire-avengers", "guardians"}
        assert_screen(app, f"declared-{name}")

        await player.press("p")
        assert "SF-19" in message(app), "the phase cannot end while a test is due"
        await player.select("scouts")
        await player.press("t")
        if isinstance(app.screen, FormScreen):
            await player.press("enter")
        assert player.shown["suppressions"]["scouts"]["test"] in ("passed", "failed")
        await player.press("E", "b")
        if isinstance(app.screen, FormScreen):
            await player.press("enter")
        assert player.shown["side"] == "marines"
        assert_screen(app, f"under-fire-{name}")
        await player.press("w")
        assert_screen(app, f"why-{name}")
        await player.press("escape")


async def test_braving_the_fire_with_typed_dice(battle: OpenBattle) -> None:
    app = HeadsdownApp(lambda: BattleScreen(battle))
    async with app.run_test(size=(80, 24)) as pilot:
        player = Player(app, pilot)
        await mustered(player)
        await crossfire(player)
        await player.press("enter", "D")
        await player.select("scouts")
        await player.press("t")
        if isinstance(app.screen, FormScreen):
            await player.press("enter")
        assert isinstance(app.screen, DiceScreen)
        await player.press("1", "2", "enter")
        assert player.shown["suppressions"]["scouts"]["test"] == "passed"
        await player.press("E", "b")
        if isinstance(app.screen, FormScreen):
            await player.press("enter")
        await player.select("scouts")
        await player.press("m")
        if isinstance(app.screen, FormScreen):
            await player.press("enter")
        await player.press(*"3x6 2x1", "enter")
        assert_screen(app, "dice-of-wounds-80x24")
        await player.press("4", "4", "1", "enter")
        if isinstance(app.screen, PickerScreen):
            await player.press("1")
        await player.press("1", "1", "enter")
        if isinstance(app.screen, PickerScreen):
            await player.press("1")
        assert player.shown["units"]["scouts"]["models"] == 3
        assert player.shown["units"]["scouts"]["moved"]
        entry = battle.history.order(battle.history.head)
        assert {roll.source for roll in entry.rolls} == {"table"}


async def test_guns_that_may_not_are_dim_and_say_why(battle: OpenBattle) -> None:
    """A unit that has moved may not suppress with its rapid-fire guns."""
    app = HeadsdownApp(lambda: BattleScreen(battle))
    async with app.run_test(size=(80, 24)) as pilot:
        player = Player(app, pilot)
        await player.muster("tactical", "marines")
        await player.muster("guardians")
        await player.press("b")
        if isinstance(app.screen, FormScreen):
            await player.press("right", "enter")
        await player.select("tactical-squad")
        await player.press("m")
        if isinstance(app.screen, FormScreen):
            await player.press("enter")
        await player.press("p", "d")
        assert_screen(app, "refused-guns-80x24")
        assert "SF-7" in screen_text(app) or "SF-7" in message(app)


async def test_losses_sight_and_marks_by_hand(battle: OpenBattle) -> None:
    app = HeadsdownApp(lambda: BattleScreen(battle))
    async with app.run_test(size=(80, 24)) as pilot:
        player = Player(app, pilot)
        await mustered(player)
        await crossfire(player)
        await player.press("enter")
        await player.select("scouts")
        for key in ("c", "h", "l", "s"):
            await player.press(key)
            assert isinstance(app.screen, FormScreen), key
            await player.press("escape")
        await player.press("c")
        await player.press("enter")
        assert player.shown["units"]["scouts"]["models"] < 5 or isinstance(app.screen, FormScreen)
