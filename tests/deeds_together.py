"""What the actions of a battle that several have open are seen to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from engine.entries import AnswerEntry, RequestEntry, UndoEntry
from saves.battle import OpenBattle
from saves.presence import Presence
from tests.deeds import deed, on
from tests.screen import give, message, place, press, screen_text
from tui.battle_screen import BattleScreen
from tui.picker_screen import PickerScreen


@deed("battle.newest")
async def _newest(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "3", "g")
    with OpenBattle.open(battle.path) as other:
        for name in ("Delta", "Echo"):
            give(other, place(name))
    await pilot.pause(0.2)
    assert "2 new entries below" in screen_text(pilot.app)
    assert message(pilot.app).endswith("(2 new entries: > goes there)")
    await press(pilot, "greater_than_sign")
    assert "new entries" not in screen_text(pilot.app).rpartition("\n")[0].replace(message(pilot.app), "")
    screen = pilot.app.screen
    assert isinstance(screen, BattleScreen)
    assert screen._log.entry == 5


@deed("battle.who")
async def _who(pilot: Pilot[Any], battle: OpenBattle) -> None:
    other = Presence(Path(battle.path), "Ben (south)", "south")
    other.enter()
    await press(pilot, "at")
    assert "Ben, for south, since" in screen_text(pilot.app)
    assert "somebody, for all sides, since" in screen_text(pilot.app)
    other.leave()
    await press(pilot, "escape", "at")
    assert "Ben" not in screen_text(pilot.app)


@deed("battle.answer")
async def _answer(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "ctrl+y")
    assert message(pilot.app) == "Nobody asks for anything."
    with OpenBattle.open(battle.path) as other:
        other.sit("north")
        other.ask(other.history.head - 1, by="Anna (north)")
    await pilot.pause(0.2)
    assert "north asks (^y answers): take back" in screen_text(pilot.app)
    await press(pilot, "ctrl+y")
    assert on(pilot, PickerScreen)
    await press(pilot, "y")
    kinds = [type(entry) for entry in battle.history.entries[-3:]]
    assert kinds == [RequestEntry, AnswerEntry, UndoEntry]


@deed("battle.seal")
async def _seal(pilot: Pilot[Any], battle: OpenBattle) -> None:
    await press(pilot, "asterisk")
    assert message(pilot.app) == "The dice of this battle are not sealed: that is chosen when a battle is made."
