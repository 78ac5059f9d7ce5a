"""Telling when a suppressor stops being effective, and when it is effective again."""

from __future__ import annotations

from engine.resolution import Rule
from engine.suppression_fire.battle import Battle
from engine.suppression_fire.events import Lapsed, Resumed
from engine.suppression_fire.happening import happen
from engine.suppression_fire.suppressing import why_not


def tell_lapses(before: Battle, battle: Battle) -> Rule[Battle]:
    """A lapse says why (SF-32). `before` is the battle as it was before the order."""
    for target, suppression in battle.suppressions.items():
        earlier = before.suppressions.get(target)
        for fire in suppression.by:
            declared = earlier.fire_of(fire.unit) if earlier else None
            was = why_not(before, declared) if declared else ""
            now = why_not(battle, fire)
            if now and not was:
                battle = yield from happen(Lapsed(fire.unit, target, now))
            elif was and not now:
                battle = yield from happen(Resumed(fire.unit, target))
    return battle
