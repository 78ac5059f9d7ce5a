"""Range brackets: the listed range of a weapon is long."""

from __future__ import annotations

from decimal import Decimal

from engine.gray_dawn.battle import Combatant
from engine.gray_dawn.profiles import Weapon
from engine.refusals import Reason

BRACKETS = ("close", "medium", "long", "extreme")


def bracket(distance: Decimal, weapon: Weapon, bracing: bool = False) -> str:
    """Close to a quarter of the listed range, medium to half, long to all of it, else extreme (GD-5, GD-9, GD-13).

    One inch, hex or space is one metre. Bracing makes it one better, extreme no farther than twice the listed range.
    """
    listed = weapon.long_range
    at = next((n for n, part in enumerate((4, 2, 1)) if distance * part <= listed), 3)
    if bracing and distance <= 2 * listed:
        at = max(0, at - 1)
    return BRACKETS[at]


def why_out_of_reach(shooter: Combatant, weapon: Weapon, distance: Decimal) -> tuple[Reason, ...]:
    """Covering fire is effective out to long range, for a bracing shooter to twice that (GD-13)."""
    if bracket(distance, weapon, shooter.bracing) != "extreme":
        return ()
    reach = 2 * weapon.long_range if shooter.bracing else weapon.long_range
    message = f"{distance} m is extreme range for {weapon.name}: covering fire reaches {reach} m, only aimed fire"
    return (Reason("GD-13", f"{message} suppresses there"),)
