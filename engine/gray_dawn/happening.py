"""Telling what happened, typed for this rule set: what comes back is a battle of Gray Dawn."""

from __future__ import annotations

from collections.abc import Callable

from engine import resolution
from engine.gray_dawn.battle import Battle
from engine.resolution import Event, Rule

happen: Callable[[Event], Rule[Battle]] = resolution.happen
