"""Shrapnel: guns strong enough to burst what the target hides behind."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from engine.resolution import Rule, roll
from engine.rolls import Total
from engine.suppression_fire.battle import Battle, Fire, Unit
from engine.suppression_fire.suppressing import leading_gun_types, leading_shots
from engine.suppression_fire.wounds import Harm, Sharing, majority_toughness, suffer_wounds


class Bursts(Struct, frozen=True):
    """How many D3 of wounds fall, and the AP that counts against armour (None: all armour saves hold)."""

    count: int
    ap: int | None


NO_BURSTS = Bursts(0, None)


def bursts_on(battle: Battle, unit: Unit, fires: Collection[Fire]) -> Bursts:
    """The shrapnel that falls on a unit before its test (SF-29, SF-30)."""
    scope = battle.switches["shrapnel"]
    if scope == "off" or unit.is_vehicle or not unit.models:
        return NO_BURSTS
    enough = 2 * majority_toughness(unit)
    strong = [fire for fire in fires if any(line.models and line.gun.strength >= enough for line in fire.firing)]
    count = len(strong) if scope == "per_unit" else min(1, len(strong))
    if scope == "majority_gun" and not _majority_is_strong(fires, enough):
        count = 0
    return Bursts(count, best_ap(strong, enough) if battle.switches["shrapnel_armour"] == "by_ap" else None)


def _majority_is_strong(fires: Collection[Fire], enough: int) -> bool:
    """Whether the profile of SF-23 is strong enough; in a tie, whether every tied one is (SF-29)."""
    tied = [shot for gun_type in leading_gun_types(fires) for shot in leading_shots(fires, gun_type)]
    return bool(tied) and all(shot.strength >= enough for shot in tied)


def best_ap(fires: Collection[Fire], enough: int) -> int | None:
    """The best AP of the guns strong enough, None where none has any (SF-30)."""
    aps = [
        line.gun.ap
        for fire in fires
        for line in fire.firing
        if line.models and line.gun.strength >= enough and line.gun.ap is not None
    ]
    return min(aps, default=None)


def burst(battle: Battle, unit_id: str, bursts: Bursts, sharing: Sharing) -> Rule[Battle]:
    """D3 wounds for each burst, saved like wounds but with no cover and no instant death (SF-29, SF-30)."""
    if not bursts.count:
        return battle
    wounds = yield from roll(Total("shrapnel", unit_id, count=bursts.count, sides=3))
    harm = Harm(strength=0, ap=bursts.ap, shrapnel=True)
    return (yield from suffer_wounds(battle, unit_id, wounds, harm, sharing))
