"""The mission: what a battle is about, in both rule sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.registered import RULE_SETS
from saves.battle import OpenBattle
from saves.creating import create
from saves.library import copy_example
from saves.verifying import verify
from tests.headsdown_command import Ran, headsdown
from tests.screen import give, screen_text
from tests.sf_battles import Game, blue, red
from tests.test_story_on_the_screen import press
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen


@pytest.fixture(params=tuple(RULE_SETS))
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An empty battle of each rule set."""
    made = tmp_path / "mission.battle.jsonl"
    create(made, rules=request.param, sides=("xcom", "aliens"), seed="mission")
    return made


def mission(text: str) -> dict[str, Any]:
    return {"type": "mission", "text": text}


def shown(path: Path) -> Any:
    """The mission as `show --json` has it."""
    return headsdown("show", path, "--json").json["mission"]


def played(path: Path, *orders: dict[str, Any]) -> Ran:
    return headsdown("play", path, "--orders", "-", "--json", stdin="\n".join(json.dumps(order) for order in orders))


def test_the_last_mission_stands(path: Path) -> None:
    """Null before the first, then the text; another takes its place, undo brings it back, empty takes it away."""
    assert shown(path) is None
    ran = played(path, mission("Hold the farm"), mission("  Hold the bridge "))
    assert ran.status == 0
    assert ran.lines[0]["events"] == [{"type": "mission_set", "text": "Hold the farm"}]
    assert shown(path) == "Hold the bridge"
    headsdown("undo", path)
    assert shown(path) == "Hold the farm"
    assert played(path, mission(" ")).status == 0
    assert shown(path) is None
    assert verify(path).ok


def test_it_is_printed_and_logged(path: Path) -> None:
    played(path, mission("Hold the [b]farm[/]"))
    assert "  Mission: Hold the [b]farm[/]" in headsdown("show", path).out.splitlines()
    assert "mission: Hold the [b]farm[/]" in headsdown("log", path).out
    played(path, mission(""))
    assert "Mission" not in headsdown("show", path).out
    assert "no mission any more" in headsdown("log", path).out


@pytest.mark.parametrize("order", [{"type": "mission"}, mission("x" * 2001), {"type": "mission", "text": 3}])
def test_a_mission_out_of_bounds_is_refused(path: Path, order: dict[str, Any]) -> None:
    """Two thousand characters are the most, as of a note."""
    ran = played(path, order)
    assert ran.status == 1
    assert ran.json["refused"]["clause"] == "order"
    assert played(path, mission("x" * 2000)).status == 0


def test_after_the_end_it_is_refused(path: Path) -> None:
    ran = played(path, {"type": "end_battle", "winner": None, "reason": "night"}, mission("Hold"))
    assert ran.status == 1
    assert "the battle is over" in ran.out
    assert shown(path) is None


@pytest.mark.parametrize("name", tuple(RULE_SETS))
def test_a_battle_from_before_there_were_missions_opens(name: str, tmp_path: Path) -> None:
    path = copy_example(name, tmp_path)
    assert b"mission" not in path.read_bytes()
    assert verify(path).ok
    assert shown(path) is None


def test_it_does_not_stand_between_a_test_and_its_reroll() -> None:
    """SF-16: no more than a note does; a score does."""
    game = Game(blue("squad"), red("mob"))
    game.to("blue", "shooting")
    game.declare("mob", "squad")
    game.test("mob", [6, 6])
    game.give("mission", text="Hold the farm")
    game.give("reroll_test", target="mob", reason="a banner", dice=[1, 1])
    assert game.suppression("mob")["test"] == "passed"


async def test_it_is_set_changed_and_taken_away_with_keys(path: Path) -> None:
    """The form begins with the mission there is; it stands above the units."""
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "O", "enter")
            assert "say what the mission is" in screen_text(app)
            await press(pilot, "Hold the farm", "enter")
            assert "Mission: Hold the farm" in screen_text(app)
            await press(pilot, "O")
            assert "> Mission             Hold the farm" in screen_text(app)
            await press(pilot, " and bridge", "enter")
            assert "Mission: Hold the farm and bridge" in screen_text(app)
            give(battle, mission("Run"))
            await press(pilot, "O", "down", "right", "enter")
            assert "Mission:" not in screen_text(app)
    assert shown(path) is None
