"""Covering fire: blind shots at a general location, semi-automatic or in bursts, and whom they suppress."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from engine.fields import length
from engine.gray_dawn.battle import Battle, Combatant
from engine.gray_dawn.events import Aimed, CoveringFireLaid, Laid, Missed
from engine.gray_dawn.happening import happen
from engine.gray_dawn.hits import stray_round, take_fire
from engine.gray_dawn.naming import bystanders, in_action, weapon_of
from engine.gray_dawn.orders import Aim, CoveringFire
from engine.gray_dawn.profiles import Weapon
from engine.gray_dawn.ranges import why_out_of_reach
from engine.gray_dawn.rounds import why_no_round
from engine.refusals import Reason, Refusal, refuse_for
from engine.resolution import Rule

BURST_ROUNDS = 3


class Barrage(Struct, frozen=True):
    """Covering fire that may be laid: rounds it takes, points by combatant, and each target with its count."""

    shooter: str
    weapon: Weapon
    mode: Literal["semi", "burst"]
    rounds: int
    targets: tuple[Aimed, ...]
    points: tuple[Laid, ...]


def why_no_covering_fire(battle: Battle, shooter: Combatant) -> tuple[Reason, ...]:
    """Every reason why a combatant may lay no covering fire now, whatever its weapon (GD-4, GD-11).

    Its initiative is none, nor are points it carries, being suppressed, or full cover (GD-7, GD-12, GD-14).
    """
    found = list(why_no_round(battle, "covering fire"))
    if shooter.covering:
        found.append(Reason("GD-11", f"{shooter.name} lays covering fire already: it takes the whole round"))
    if shooter.acted:
        found.append(Reason("GD-11", f"{shooter.name} has acted this round: covering fire takes the whole round"))
    return tuple(found)


def why_no_mode(shooter: Combatant, weapon: Weapon, mode: str) -> tuple[Reason, ...]:
    """Only modes that the weapon has: single shots, bursts, automatic fire (GD-16, GD-17, GD-21)."""
    if mode in weapon.modes:
        return ()
    clause = {"semi": "GD-16", "burst": "GD-17", "auto": "GD-21"}[mode]
    fire = {"semi": "semi-automatic fire", "burst": "bursts", "auto": "automatic fire"}[mode]
    return (Reason(clause, f"{weapon.name} of {shooter.name} has no {fire}"),)


def why_not_enough(shooter: Combatant, weapon: Weapon, rounds: int) -> tuple[Reason, ...]:
    """No more rounds than the magazine holds (GD-20)."""
    left = shooter.loaded[weapon.name]
    if rounds <= left:
        return ()
    held = f"{left} round{'' if left == 1 else 's'} left"
    return (Reason("GD-20", f"{weapon.name} of {shooter.name} has {held}, {rounds} are needed: reload first"),)


def why_too_many(battle: Battle, order: CoveringFire) -> tuple[Reason, ...]:
    """With the switch no more semi-automatic actions in one order than that, all targets together (GD-16)."""
    limit = battle.switches["max_firing_actions"]
    actions = sum(aim.count for aim in order.targets)
    if order.mode != "semi" or limit == "none" or actions <= int(limit):
        return ()
    return (Reason("GD-16", f"{actions} firing actions are ordered, {limit} are allowed"),)


def rounds_needed(weapon: Weapon, mode: str, count: int) -> int:
    """A firing action takes the weapon's full semi-automatic rate of fire, a burst three rounds (GD-16, GD-17)."""
    return count * (BURST_ROUNDS if mode == "burst" else weapon.semi_rof)


def judge_covering_fire(battle: Battle, order: CoveringFire) -> Barrage:
    """Covering fire at one or several targets, at any moment of a round (GD-11 to GD-20). Raises Refusal."""
    shooter = in_action(battle, order.shooter)
    weapon = weapon_of(shooter, order.weapon)
    judge_targets(battle, shooter, order.targets)
    points = points_laid(battle, shooter, order)
    rounds = rounds_needed(weapon, order.mode, sum(aim.count for aim in order.targets))
    reasons = [
        *why_no_covering_fire(battle, shooter),
        *why_no_mode(shooter, weapon, order.mode),
        *(reason for aim in order.targets for reason in why_out_of_reach(shooter, weapon, length(aim.range))),
        *why_too_many(battle, order),
        *why_not_enough(shooter, weapon, rounds),
    ]
    refuse_for(reasons)
    targets = tuple(Aimed(aim.target, aim.count, length(aim.range)) for aim in order.targets)
    return Barrage(shooter.id, weapon, order.mode, rounds, targets, points)


def judge_targets(battle: Battle, shooter: Combatant, targets: tuple[Aim, ...]) -> None:
    """Targets in action, each once, never the shooter (GD-18). Raises Refusal (`order`)."""
    named: list[str] = []
    for aim in targets:
        target = in_action(battle, aim.target)
        if target.id == shooter.id:
            raise Refusal("order", f"{shooter.name} cannot be its own target")
        if target.id in named:
            raise Refusal("order", f"{target.name} is named twice: give it all its actions or bursts at once")
        named.append(target.id)


def points_laid(battle: Battle, shooter: Combatant, order: CoveringFire) -> tuple[Laid, ...]:
    """One point for each action or burst, for the target and those next to it: once, the larger (GD-16 to GD-19)."""
    points = {aim.target: aim.count for aim in order.targets}
    for name, count in splashed(battle, shooter, order):
        if not is_spared(battle, shooter, battle.combatants[name]):
            points[name] = max(count, points.get(name, 0))
    return tuple(Laid(name, count) for name, count in points.items())


def splashed(battle: Battle, shooter: Combatant, order: CoveringFire) -> Iterator[tuple[str, int]]:
    """Who is next to a target, and the points laid there; those named are next to every target (GD-19)."""
    if order.adjacent is not None:
        most = max(aim.count for aim in order.targets)
        yield from ((name, most) for name in bystanders(battle, order.adjacent, shooter.id))
        return
    if any(combatant.position is None for combatant in battle.combatants.values()):
        return
    for aim in order.targets:
        target = battle.combatants[aim.target]
        for combatant in battle.combatants.values():
            if combatant.id not in (shooter.id, target.id) and not combatant.out and are_adjacent(target, combatant):
                yield combatant.id, aim.count


def are_adjacent(one: Combatant, other: Combatant) -> bool:
    """At most one space apart along both axes; diagonals count (GD-5, GD-19)."""
    if one.position is None or other.position is None:
        return False
    return all(abs(here - there) <= 1 for here, there in zip(one.position, other.position, strict=True))


def is_spared(battle: Battle, shooter: Combatant, bystander: Combatant) -> bool:
    """With the switch the shooter's own side gets no points for being near (GD-19)."""
    return battle.switches["splash_friends"] == "no" and bystander.side == shooter.side


def lay_covering_fire(battle: Battle, barrage: Barrage) -> Rule[Battle]:
    """The points land at once, then each target defends: once, or once a burst (GD-12, GD-15 to GD-18)."""
    laid = CoveringFireLaid(
        barrage.shooter, barrage.weapon.name, barrage.mode, barrage.rounds, barrage.targets, barrage.points
    )
    battle = yield from happen(laid)
    for aimed in barrage.targets:
        hit = False
        for _ in range(defences(barrage.mode, aimed.count)):
            if rounds := (yield from stray_round(battle, aimed.target)):
                battle = yield from take_fire(battle, aimed.target, barrage.weapon, rounds)
                hit = True
        if not hit:
            battle = yield from happen(Missed(aimed.target))
    return battle


def defences(mode: str, count: int) -> int:
    """The defence rolls of one target: one however many actions, but one for each burst (GD-16, GD-17)."""
    return count if mode == "burst" else 1
