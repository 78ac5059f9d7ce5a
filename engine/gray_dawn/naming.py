"""Finding what an order names; what is not there is refused with the clause `order`."""

from __future__ import annotations

from collections.abc import Iterable

from engine.gray_dawn.battle import Battle, Combatant
from engine.gray_dawn.profiles import Weapon
from engine.refusals import Refusal


def listed(battle: Battle, combatant_id: str) -> Combatant:
    """The combatant of that id, out of action or not; raises Refusal (`order`) for one that is unknown."""
    combatant = battle.combatants.get(combatant_id)
    if combatant is None:
        raise Refusal("order", f"there is no combatant {combatant_id} in this battle")
    return combatant


def in_action(battle: Battle, combatant_id: str) -> Combatant:
    """The combatant of that id; raises Refusal (`order`) for one that is unknown or out of action."""
    combatant = listed(battle, combatant_id)
    if combatant.out:
        raise Refusal("order", f"{combatant.name} is out of action")
    return combatant


def bystanders(battle: Battle, ids: Iterable[str], shooter: str) -> tuple[str, ...]:
    """Those listed, each once; the shooter and those out of action are passed over. Raises Refusal (`order`)."""
    crowd = {name: listed(battle, name) for name in ids}
    return tuple(name for name, combatant in crowd.items() if not combatant.out and name != shooter)


def weapon_of(combatant: Combatant, name: str) -> Weapon:
    """The weapon of that name; raises Refusal (`order`) where the combatant has none."""
    weapon = combatant.profile.weapon(name)
    if weapon is None:
        known = ", ".join(weapon.name for weapon in combatant.profile.weapons) or "none"
        raise Refusal("order", f"{combatant.name} has no weapon {name}; it has {known}")
    return weapon
