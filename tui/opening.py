"""What a screen asks the app to open: screens do not know of each other."""

from __future__ import annotations

from textual.message import Message
from textual.screen import Screen

from saves.battle import OpenBattle


class ReplayWanted(Message):
    """The replay of a battle that is open, at the moment after an entry."""

    def __init__(self, battle: OpenBattle, at: int, name: str, watch: bool) -> None:
        super().__init__()
        self.battle = battle
        self.at = at
        self.name = name
        self.watch = watch


class BattleWanted(Message):
    """Another battle, open already, which the app closes when it is left."""

    def __init__(self, battle: OpenBattle, name: str) -> None:
        super().__init__()
        self.battle = battle
        self.name = name


def leave(screen: Screen[None]) -> None:
    """Close a screen and show what was there before it; the app ends with the screen that it began with."""
    if screen.app.screen_stack[0] is screen:
        screen.app.exit(0)
    else:
        screen.dismiss()
