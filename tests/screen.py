"""Reading screens in tests: the battle of lanterns on disk, and what a screen shows as plain text."""

from __future__ import annotations

import os
import time
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console
from textual.app import App
from textual.pilot import Pilot

from engine import registered
from engine.orders import read_order
from saves.battle import OpenBattle
from saves.creating import create
from tests import small_screen_rules
from tui.bars import KeyBar, MessageLine

LONG_NIGHT = "The long night"
SCREENS = Path(__file__).parent / "screens"


def lantern_battle(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *orders: dict[str, Any], dice: str = "app", name: str = LONG_NIGHT
) -> OpenBattle:
    """A battle of lanterns in a folder, with some orders given; the same bytes in every run."""
    monkeypatch.setitem(registered.RULE_SETS, "lanterns", small_screen_rules.__name__)
    monkeypatch.setattr("saves.creating.uuid4", lambda: "the-night")
    monkeypatch.setattr("saves.battle.now", lambda: 1_800_000_000_000)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    path = folder / "night.battle.jsonl"
    create(path, rules="lanterns", sides=("north", "south"), seed="lantern", dice=dice, name=name)
    battle = OpenBattle.open(path)
    for order in orders:
        give(battle, order)
    return battle


def give(battle: OpenBattle, order: dict[str, Any]) -> None:
    """Give an order as the contract writes it."""
    battle.give(read_order(battle.history.rules, msgspec.json.encode(order)))


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
    """Compare with the screen kept under that name in tests/screens.

    With WRITE_SCREENS=1 in the environment screens are written down instead: then look at them.
    """
    shown = screen_text(app) + "\n"
    kept = SCREENS / f"{name}.txt"
    if os.environ.get("WRITE_SCREENS") == "1":
        kept.write_text(shown, encoding="utf-8")
        return
    assert shown == kept.read_text(encoding="utf-8")


def bar_keys(app: App[Any]) -> list[str]:
    """The keys that the key bar names, as Textual calls them."""
    bar = app.screen.query_one(KeyBar)
    named = [text.strip() for line in bar._lines for text, tone in line if tone == "key"]
    return [KEYS.get(key, key) for key in named]


KEYS = {"?": "question_mark", "/": "slash", ":": "colon", "^r": "ctrl+r", "^t": "ctrl+t"}


def message(app: App[Any]) -> str:
    """What the message line of the screen on top says."""
    return app.screen.query_one("#message", MessageLine).text


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys one after another, as Textual names them, each when what the one before it began is through."""
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until orders that were given are on disk and shown; the follower of the file never ends."""
    await pilot.pause()
    await keys_through(pilot)
    while any(worker.group != "follow" and not worker.is_finished for worker in pilot.app.workers):
        before = pilot.app.screen
        await pilot.pause(0.01)
        if pilot.app.screen is before and getattr(before, "awaits_answer", False):
            break
    await pilot.pause()


async def keys_through(pilot: Pilot[Any]) -> None:
    """Wait until all keys that were pressed have been acted on."""
    while pilot.app.is_running and getattr(pilot.app, "busy", False):
        await pilot.pause(0.005)
