"""Firing lanes of automatic weapons: covering lanes on combatants, saturation lanes on a place."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

from msgspec import Struct

from engine.fields import length
from engine.gray_dawn.battle import Battle, Combatant, Lane, LaneFire
from engine.gray_dawn.covering_fire import is_spared, why_no_covering_fire, why_no_mode, why_not_enough
from engine.gray_dawn.events import Laid, LaneLaid
from engine.gray_dawn.happening import happen
from engine.gray_dawn.hits import lane_rounds, meet_fire
from engine.gray_dawn.naming import bystanders, in_action, weapon_of
from engine.gray_dawn.orders import LayLane
from engine.gray_dawn.profiles import Weapon
from engine.gray_dawn.ranges import why_out_of_reach
from engine.refusals import Reason, refuse_for
from engine.resolution import Rule

NARROWEST = Decimal(2)
STEP = Decimal("0.5")
ROUNDS_A_METRE = 5


class Strip(Struct, frozen=True):
    """A lane that may be laid: who fires what, width and range in metres, who is inside and near, who gets points."""

    lane: str
    kind: Literal["covering", "saturation"]
    shooter: str
    weapon: Weapon
    width: Decimal
    range: Decimal
    rounds: int
    inside: tuple[str, ...]
    near: tuple[str, ...]
    points: tuple[Laid, ...]


def widest(weapon: Weapon) -> Decimal:
    """A metre for each 5 of the rate of fire, in steps of half a metre; never less than 2 m (GD-21)."""
    return max(NARROWEST, weapon.rof * 2 // ROUNDS_A_METRE * STEP)


def why_not_so_wide(weapon: Weapon, width: Decimal) -> tuple[Reason, ...]:
    """From 2 m to a fifth of the rate of fire, in steps of half a metre (GD-21)."""
    most = widest(weapon)
    if not NARROWEST <= width <= most:
        allowed = f"{NARROWEST} to {length(most)} m" if most > NARROWEST else f"exactly {NARROWEST} m"
        return (Reason("GD-21", f"a lane of {weapon.name} is {allowed} wide, not {width} m"),)
    if width % STEP:
        return (Reason("GD-21", f"the width of a lane goes in steps of {STEP} m: {width} m is none"),)
    return ()


def why_not_so_many(weapon: Weapon, rounds: int) -> tuple[Reason, ...]:
    """No more rounds than the full rate of fire (GD-22)."""
    if rounds <= weapon.rof:
        return ()
    return (Reason("GD-22", f"{weapon.name} fires {weapon.rof} rounds into a lane at most, not {rounds}"),)


def why_other_kind(battle: Battle, order: LayLane) -> tuple[Reason, ...]:
    """A lane's name stands for one kind (GD-24)."""
    lane = battle.lanes.get(order.name)
    if lane is None or lane.kind == order.kind:
        return ()
    return (Reason("GD-24", f"{order.name} is a {lane.kind} lane this round: give this one another name"),)


def own_level(rounds: int, width: Decimal) -> int:
    """Rounds by width, rounded down, at least 1: 30 rounds in 2 m make 15 (GD-22)."""
    return max(1, rounds * 2 // int(width * 2))


def level_of(fires: Iterable[LaneFire]) -> int:
    """Rounds of all by their common width; where widths differ, the sum of each one's own level; of none 0 (GD-27)."""
    fires = tuple(fires)
    if len({fire.width for fire in fires}) == 1:
        return own_level(sum(fire.rounds for fire in fires), fires[0].width)
    return sum(own_level(fire.rounds, fire.width) for fire in fires)


def firing(battle: Battle, lane: Lane) -> tuple[LaneFire, ...]:
    """The fires whose shooters are still in action, in the order laid (GD-28)."""
    return tuple(fire for fire in lane.fires if not battle.combatants[fire.shooter].out)


def is_open(battle: Battle, lane: Lane) -> bool:
    """A saturation lane with a shooter in action; a covering lane is done with at once (GD-24, GD-28)."""
    return lane.kind == "saturation" and bool(firing(battle, lane))


def open_lanes_around(battle: Battle, combatant: str) -> tuple[Lane, ...]:
    """The open saturation lanes that a combatant stands inside of (GD-25)."""
    return tuple(lane for lane in battle.lanes.values() if combatant in lane.inside and is_open(battle, lane))


def judge_lane(battle: Battle, order: LayLane) -> Strip:
    """A lane of either kind counts as covering fire (GD-11 to GD-14, GD-20 to GD-24). Raises Refusal."""
    shooter = in_action(battle, order.shooter)
    weapon = weapon_of(shooter, order.weapon)
    inside = bystanders(battle, order.inside, shooter.id)
    near = bystanders(battle, order.near, shooter.id)
    width, distance, rounds = length(order.width), length(order.range), order.rounds or weapon.rof
    reasons = [
        *why_no_covering_fire(battle, shooter),
        *why_no_mode(shooter, weapon, "auto"),
        *why_not_so_wide(weapon, width),
        *why_not_so_many(weapon, rounds),
        *why_out_of_reach(shooter, weapon, distance),
        *why_other_kind(battle, order),
        *why_not_enough(shooter, weapon, rounds),
    ]
    refuse_for(reasons)
    points = points_laid(battle, shooter, order.kind, own_level(rounds, width), inside, near)
    return Strip(order.name, order.kind, shooter.id, weapon, width, distance, rounds, inside, near, points)


def points_laid(
    battle: Battle, shooter: Combatant, kind: str, level: int, inside: tuple[str, ...], near: tuple[str, ...]
) -> tuple[Laid, ...]:
    """A covering lane lays the level of its own fire on all inside and near, once; saturation none (GD-19, GD-23).

    Near is two spaces from the lane's edge. A second shooter's order lays the level of its own fire too (GD-27).
    """
    if kind == "saturation":
        return ()
    splashed = [name for name in near if name not in inside and not is_spared(battle, shooter, battle.combatants[name])]
    return tuple(Laid(name, level) for name in (*inside, *splashed))


def lay_lane(battle: Battle, strip: Strip) -> Rule[Battle]:
    """Everyone inside a covering lane defends once; a saturation lane waits for those who cross it (GD-23, GD-24)."""
    laid = LaneLaid(
        strip.lane, strip.kind, strip.shooter, strip.weapon, strip.width, strip.range, strip.rounds,
        strip.inside, strip.near, strip.points,
    )  # fmt: skip
    battle = yield from happen(laid)
    if strip.kind == "saturation":
        return battle
    for combatant in strip.inside:
        rounds = yield from lane_rounds(battle, combatant)
        battle = yield from meet_fire(battle, combatant, strip.weapon, rounds)
    return battle
