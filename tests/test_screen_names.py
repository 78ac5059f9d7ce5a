"""Names that people type, in every pane and on every page, under both rule sets: shown as they are, and harmless."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from engine.wording import clean
from saves.battle import OpenBattle
from saves.creating import create
from tests.gray_dawn_battles import at, person
from tests.screen import give, press, screen_text
from tests.sf_battles import by, models, unit
from tui.app import HeadsdownApp
from tui.battle_screen import BattleScreen
from tui.dice_screen import DiceScreen
from tui.line_pane import GUTTER, Lines

NAMES = (
    "Big Mek [Legends]",
    "[/]",
    "[@click=app.quit]x[/]",
    "[red]Skitarii",
    "שומרי הסף",
    "حراس",
    "火の戦士団",
    "Zoë 🛡🔥",
    "$panel \\[b]",
    "a\x1b[31mb\x07\u202ec\ufe0f\u200bd",
    "{}%s%n",
)


def suppression_fire(path: Path, name: str) -> None:
    """Two units of that name suppress one another's like; its test and its casualties are through."""
    create(path, rules="suppression-fire", sides=("Orks", "Men"), seed="names", name=name)
    with OpenBattle.open(path) as battle:
        for side, ids in (("Orks", ("one", "two")), ("Men", ("three",))):
            for id_ in ids:
                profile = unit(id_, side, models("crew", 5, leadership=8), name=f"{name}"[:90])
                give(battle, {"type": "muster", "unit": profile})
        give(battle, {"type": "begin_turn", "side": "Orks"})
        give(battle, {"type": "phase", "to": "shooting"})
        give(battle, {"type": "declare", "target": "three", "by": [by("one", 12), by("two", 12)]})
        give(battle, {"type": "test", "target": "three", "dice": [1, 1]})
        give(battle, {"type": "note", "text": name})


def gray_dawn(path: Path, name: str) -> None:
    """Somebody of that name fires on one of that name, who takes the check."""
    create(path, rules="gray-dawn", sides=("Watch", "Visitors"), seed="names", name=name)
    with OpenBattle.open(path) as battle:
        for side, id_ in (("Watch", "one"), ("Visitors", "two")):
            give(battle, {"type": "muster", "combatant": person(id_, side, name=name[:90])})
        give(battle, {"type": "begin_round"})
        fire = {
            "type": "covering_fire",
            "shooter": "one",
            "weapon": "rifle",
            "mode": "burst",
            "targets": [at("two", 3)],
        }
        give(battle, fire)
        give(battle, {"type": "note", "text": name})


def shown_in(pane: Lines) -> str:
    """All lines of a pane, also those out of sight."""
    width = pane.size.width - GUTTER
    lines = [pane.line_runs(index, width) for index in range(pane.line_count())]
    assert all(sum(cell_len(text) for text, _ in runs) <= width for runs in lines)
    return "\n".join("".join(text for text, _ in runs) for runs in lines)


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
@pytest.mark.parametrize("battle_of", [suppression_fire, gray_dawn])
@pytest.mark.parametrize("size", [(80, 24), (240, 50)])
async def test_names_are_shown_as_they_are_in_every_pane(
    battle_of: Any, name: str, size: tuple[int, int], tmp_path: Path
) -> None:
    path = tmp_path / "names.battle.jsonl"
    battle_of(path, name)
    whole = clean(name)
    with OpenBattle.open(path) as battle:
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=size) as pilot:
            await press(pilot, "1")
            start = whole[:6].rstrip()
            for pane in ("units", "tracker", "log"):
                assert (whole if size[0] > 80 else start) in shown_in(app.screen.query_one(f"#{pane}", Lines)), pane
            await press(pilot, "end")
            for key in ("w", "H", "enter", "question_mark", "A", "slash", "space", "ctrl+f"):
                await press(pilot, key)
                shown = screen_text(app)
                assert all(char == "\n" or char.isprintable() for char in shown), key
                assert all(cell_len(line) <= size[0] for line in shown.splitlines()), key
                if key in "wHA":
                    assert start in shown, key
                await press(pilot, "escape")
            assert app.is_running


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
async def test_names_are_shown_as_they_are_where_dice_are_asked_for(name: str, tmp_path: Path) -> None:
    path = tmp_path / "names.battle.jsonl"
    suppression_fire(path, name)
    with OpenBattle.open(path) as battle:
        give(battle, {"type": "end_turn"})
        give(battle, {"type": "begin_turn", "side": "Men"})
        app = HeadsdownApp(lambda: BattleScreen(battle))
        async with app.run_test(size=(120, 40)) as pilot:
            await press(pilot, "end", "m", "enter")
            assert isinstance(app.screen, DiceScreen), screen_text(app)
            shown = screen_text(app)
            assert f"Dice: {clean(name)}" in shown
            assert all(char == "\n" or char.isprintable() for char in shown)
            await press(pilot, "escape", "escape")
            assert app.is_running
