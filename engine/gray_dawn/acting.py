"""Actions: what a combatant may do now, and what stands before it."""

from __future__ import annotations

from msgspec import Struct

from engine.gray_dawn.battle import Battle, Combatant
from engine.gray_dawn.covering_fire import why_not_enough
from engine.gray_dawn.crossing import Crossing, cross, judge_crossing, lanes_crossed, lanes_named
from engine.gray_dawn.events import Acted, PointsLaid, Reloaded, RoundsFired, StanceTaken
from engine.gray_dawn.happening import happen
from engine.gray_dawn.naming import in_action, weapon_of
from engine.gray_dawn.orders import Act, Action
from engine.gray_dawn.profiles import Weapon
from engine.gray_dawn.rounds import why_no_round
from engine.refusals import Option, Reason, Refusal, refuse_for
from engine.resolution import Choice, Rule, choose

ATTACKS = ("aimed_fire", "melee")
WORDS = {
    "aimed_fire": "aimed fire",
    "melee": "melee",
    "move": "moving",
    "emerge": "emerging",
    "cross": "crossing",
    "lean_out": "leaning out",
    "reload": "reloading",
    "other": "another action",
}
MOST_POINTS_ASKED = 10


class Deed(Struct, frozen=True):
    """An action that may be ordered, with the crossing before it, if any.

    `rounds` leave the magazine of `weapon`; `left` are the lanes that a move takes the combatant out of;
    `taken_out` and `points` are what the game master said beforehand.
    """

    combatant: str
    action: Action
    crossing: Crossing | None
    weapon: Weapon | None
    rounds: int
    target: str | None
    left: tuple[str, ...]
    taken_out: bool | None
    points: int | None


def leaves_cover(combatant: Combatant, action: str) -> bool:
    """Emerging, leaning out, and moving or crossing with a cover level of 1 or more (GD-8)."""
    return action in ("emerge", "lean_out") or (action in ("move", "cross") and combatant.cover >= 1)


def why_no_action(battle: Battle, combatant: Combatant, action: str, crosses: bool) -> tuple[Reason, ...]:
    """Every reason why a combatant may not take an action now; none, and it may (GD-1, GD-4, GD-7 to GD-9, GD-11).

    `crosses` tells that it leads through an open saturation lane, which makes a check of its own (GD-25).
    """
    found = list(why_no_round(battle, "an action"))
    name, words = combatant.name, WORDS[action]
    if combatant.covering:
        found.append(Reason("GD-11", f"{name} lays covering fire: it may do nothing else but change stance"))
    if combatant.suppressed and action in ATTACKS:
        found.append(Reason("GD-8", f"{name} is suppressed: its only attack left is covering fire"))
    if combatant.suppressed and leaves_cover(combatant, action):
        found.append(Reason("GD-8", f"{name} is suppressed and may not leave cover"))
    if combatant.stance == "full_cover" and action in ATTACKS:
        found.append(Reason("GD-9", f"{name} is in full cover: only covering fire is possible, not {words}"))
    if combatant.bracing and action in ("move", "emerge", "cross"):
        found.append(Reason("GD-9", f"{name} is bracing and stays where it is: no {words}"))
    if combatant.points and not combatant.checked and not crosses:
        found.append(Reason("GD-7", f"{name} carries {combatant.points} suppression points: the check comes first"))
    return tuple(found)


def judge_act(battle: Battle, order: Act) -> Deed:
    """An action with all that stands before it (GD-7 to GD-9, GD-11, GD-13, GD-20, GD-25). Raises Refusal."""
    combatant = in_action(battle, order.combatant)
    named = lanes_named(battle, order.lanes or ())
    lanes = lanes_crossed(battle, combatant, order.action, named)
    refuse_for(list(why_no_action(battle, combatant, order.action, bool(lanes))))
    weapon, target = judge_weapon(combatant, order), judge_aim(battle, combatant, order)
    rounds = (order.rounds or 0) if order.action == "aimed_fire" else 0
    if weapon:
        refuse_for(list(why_not_enough(combatant, weapon, rounds)))
    crossing = judge_crossing(battle, combatant, lanes, order.avoid)
    moves = order.action in ("move", "cross")
    left = tuple(dict.fromkeys(lane.name for lane in (*named, *lanes))) if moves else ()
    return Deed(combatant.id, order.action, crossing, weapon, rounds, target, left, order.taken_out, order.points)


def judge_weapon(combatant: Combatant, order: Act) -> Weapon | None:
    """The weapon reloaded or fired; rounds need one to leave (GD-20). Raises Refusal (`order`)."""
    if order.action not in ("reload", "aimed_fire"):
        return None
    if order.weapon is not None:
        return weapon_of(combatant, order.weapon)
    if order.action == "reload":
        raise Refusal("order", f"say which weapon {combatant.name} reloads")
    if order.rounds is not None:
        raise Refusal("order", f"say with which weapon {combatant.name} fires {order.rounds} rounds")
    return None


def judge_aim(battle: Battle, combatant: Combatant, order: Act) -> str | None:
    """Whom aimed fire is aimed at, if that is told; whoever is named must be there. Raises Refusal (`order`)."""
    if order.target is None:
        return None
    target = in_action(battle, order.target)
    if target.id == combatant.id:
        raise Refusal("order", f"{combatant.name} cannot be its own target")
    return target.id if order.action == "aimed_fire" else None


def act(battle: Battle, deed: Deed) -> Rule[Battle]:
    """The crossing first; then, if it goes through, the action and what comes of it (GD-9, GD-25, GD-26)."""
    if deed.crossing:
        battle = yield from cross(battle, deed.crossing, deed.action, deed.taken_out)
        if battle.combatants[deed.combatant].suppressed or battle.combatants[deed.combatant].out:
            return battle
    battle = yield from happen(Acted(deed.combatant, deed.action, deed.target, deed.left))
    if deed.action == "lean_out":
        return (yield from happen(StanceTaken(deed.combatant, "active")))
    if deed.action == "reload" and deed.weapon:
        return (yield from happen(Reloaded(deed.combatant, deed.weapon.name, deed.weapon.magazine)))
    if deed.weapon and deed.rounds:
        battle = yield from happen(RoundsFired(deed.combatant, deed.weapon.name, deed.rounds))
    return (yield from suppress_by_aim(battle, deed)) if deed.target else battle


def suppress_by_aim(battle: Battle, deed: Deed) -> Rule[Battle]:
    """Aimed fire lays the points of the switch, or those that the game master lays right after it (GD-13)."""
    target = battle.combatants[deed.target or ""]
    points = int(battle.switches["aimed_points"])
    if deed.points is not None:
        points = deed.points
    elif not points:
        points = yield from choose(points_of_aim(target))
    return (yield from happen(PointsLaid(target.id, points, "aimed fire"))) if points else battle


def points_of_aim(target: Combatant) -> Choice[int]:
    """The question how much an aimed attack suppresses, which is left open (GD-13)."""
    options = tuple(Option(points, str(points) if points else "none") for points in range(MOST_POINTS_ASKED + 1))
    question = f"How many suppression points does the aimed fire lay on {target.name}?"
    return Choice("points", target.id, "GD-13", question, lambda: options, 0)
