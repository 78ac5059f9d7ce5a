"""Telling what happened, typed for this rule set: what comes back is a battle of Suppression Fire."""

from __future__ import annotations

from collections.abc import Callable

from engine import resolution
from engine.resolution import Event, Rule
from engine.suppression_fire.battle import Battle

happen: Callable[[Event], Rule[Battle]] = resolution.happen
