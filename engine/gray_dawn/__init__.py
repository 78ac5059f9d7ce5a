"""Gray Dawn: single combatants, exploding D10, suppression points, covering fire and firing lanes."""

from engine.gray_dawn.rules import GrayDawn

RULES = GrayDawn()

__all__ = ["RULES"]
