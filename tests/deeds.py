"""What each action of the table is seen to do: the tests of all of them are kept here by the action's id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from textual.pilot import Pilot

from saves.battle import OpenBattle

Deed: TypeAlias = Callable[[Pilot[Any], OpenBattle], Awaitable[None]]

DEEDS: dict[str, Deed] = {}
"""For each action what is pressed, and what has to be seen then."""


def deed(id: str) -> Callable[[Deed], Deed]:  # noqa: A002
    """Keep what follows as the test of the action of that id."""

    def kept(does: Deed) -> Deed:
        DEEDS[id] = does
        return does

    return kept


def on(pilot: Pilot[Any], kind: type[Any]) -> bool:
    """Whether the screen on top is of that kind."""
    return isinstance(pilot.app.screen, kind)
