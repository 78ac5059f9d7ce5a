"""The game master's hand: points, wounds and corrections."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.gray_dawn.battle import Battle, Combatant
from engine.gray_dawn.events import PointsLaid, SetRight, TakenOut, WoundsEntered
from engine.gray_dawn.happening import happen
from engine.gray_dawn.naming import in_action, listed, weapon_of
from engine.gray_dawn.orders import LayPoints, SetByHand, Wound
from engine.refusals import Refusal
from engine.resolution import Rule
from engine.scorekeeping import Entered


class Injury(Struct, frozen=True):
    """Wounds entered by hand, and whether they take the combatant out of action."""

    combatant: str
    wounds: int
    out: bool


def judge_points(battle: Battle, order: LayPoints) -> Entered:
    """Suppression points that the game master lays (GD-13). Raises Refusal (`order`)."""
    return Entered(PointsLaid(in_action(battle, order.combatant).id, order.points, order.reason))


def judge_wound(battle: Battle, order: Wound) -> Injury:
    """Wounds entered by hand; who is out of action the game master says (GD-30). Raises Refusal (`order`)."""
    combatant = listed(battle, order.combatant)
    if not order.points and not order.out:
        raise Refusal("order", f"say how many wounds {combatant.name} takes, or that it is out of action")
    return Injury(combatant.id, order.points, order.out and not combatant.out)


def wound(battle: Battle, injury: Injury) -> Rule[Battle]:
    """Wounds add up; one taken out fires no lane any more (GD-28, GD-30)."""
    if injury.wounds:
        battle = yield from happen(WoundsEntered(injury.combatant, injury.wounds))
    if injury.out:
        battle = yield from happen(TakenOut(injury.combatant))
    return battle


def judge_set(battle: Battle, order: SetByHand) -> Entered:
    """Anything set right by hand, with a reason. Raises Refusal (`order`)."""
    combatant = listed(battle, order.combatant)
    told = (order.initiative, order.points, order.wounds, order.out, order.loaded)
    if all(value is None for value in told):
        raise Refusal("order", "say what is set: initiative, points, wounds, out or loaded")
    judge_loads(combatant, order.loaded or {})
    return Entered(SetRight(combatant.id, order.reason, *told))


def judge_loads(combatant: Combatant, loaded: Mapping[str, int]) -> None:
    """No magazine holds more than it can. Raises Refusal (`order`)."""
    for name, rounds in loaded.items():
        weapon = weapon_of(combatant, name)
        if rounds > weapon.magazine:
            raise Refusal("order", f"{name} of {combatant.name} holds {weapon.magazine} rounds, not {rounds}")
