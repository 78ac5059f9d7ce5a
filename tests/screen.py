"""Reading screens in tests: the battle of lanterns on disk, and what a screen shows as plain text."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console
from textual.app import App

from engine import registered
from engine.orders import read_order
from saves.battle import OpenBattle, create
from tests import small_screen_rules

SCREENS = Path(__file__).parent / "screens"


def lanterns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the lantern rules known to the program for one test."""
    monkeypatch.setitem(registered.RULE_SETS, "lanterns", small_screen_rules.__name__)


def lantern_battle(folder: Path, orders: Sequence[dict[str, Any]] = (), dice: str = "app") -> OpenBattle:
    """A battle of lanterns in a folder, with some orders given."""
    path = folder / "night.battle.jsonl"
    create(path, rules="lanterns", sides=("north", "south"), seed="lantern", dice=dice, name="The long night")
    battle = OpenBattle.open(path)
    for order in orders:
        battle.give(read_order(battle.history.rules, msgspec.json.encode(order)))
    return battle


def place(name: str, side: str = "north", oil: int = 7) -> dict[str, Any]:
    """The order that places a lantern."""
    return {"type": "place", "name": name, "side": side, "oil": oil}


def screen_text(app: App[Any]) -> str:
    """What the app shows, as lines of text without styles and without spaces at their ends."""
    width, height = app.size
    console = Console(
        width=width,
        height=height,
        file=StringIO(),
        force_terminal=True,
        color_system="truecolor",
        record=True,
        legacy_windows=False,
        safe_box=False,
    )
    console.print(app.screen._compositor.render_update(full=True, simplify=True))
    lines = console.export_text(styles=False).splitlines()
    return "\n".join(line.rstrip() for line in lines[:height])


def assert_screen(app: App[Any], name: str) -> None:
    """Compare with the screen kept under that name; one that is not kept yet is written down and fails."""
    shown = screen_text(app) + "\n"
    kept = SCREENS / f"{name}.txt"
    if not kept.exists():
        kept.write_text(shown, encoding="utf-8")
        pytest.fail(f"there was no screen {name}: written down, look at it")
    assert shown == kept.read_text(encoding="utf-8")
