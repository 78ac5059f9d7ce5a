"""What a combatant brings to a roll: stats, skills and modifiers, and the dice that are added."""

from __future__ import annotations

from engine.exploding import Chain
from engine.gray_dawn.battle import Battle, Combatant

LIGHTNING_COST = 3


def chain_of(battle: Battle) -> Chain:
    """The d10 of every check: it explodes up, and down unless the table has switched that off (GD-1, GD-2)."""
    return Chain(sides=10, down=battle.switches["explode_down"] == "yes")


def blended(one: int, other: int) -> int:
    """The mean of two stats, rounded up (GD-3)."""
    return (one + other + 1) // 2


def haste(combatant: Combatant) -> int:
    """What a lightning strike costs on every roll of its round, as a modifier (GD-4)."""
    return -LIGHTNING_COST if combatant.lightning else 0


def defence_base(battle: Battle, combatant: Combatant) -> int:
    """Blended CL and MA, Dodge/Cover unless bracing, haste; with the switch REF instead of CL (GD-9, GD-15)."""
    profile = combatant.profile
    nerve = profile.ref if battle.switches["defence_stats"] == "ref_ma" else profile.cl
    dodge = 0 if combatant.bracing else profile.dodge
    return blended(nerve, profile.ma) + dodge + haste(combatant)


def avoiding_base(battle: Battle, combatant: Combatant, skill: str) -> int:
    """Dodge/Cover by the formula of defence, or REF with Athletics, as the mover chooses (GD-25)."""
    if skill == "dodge":
        return defence_base(battle, combatant)
    return combatant.profile.ref + combatant.profile.athletics + haste(combatant)


def awareness_base(combatant: Combatant) -> int:
    """INT and Awareness of one who looks out (GD-10)."""
    return combatant.profile.intelligence + combatant.profile.awareness + haste(combatant)


def stealth_base(combatant: Combatant) -> int:
    """REF and Stealth of one who sneaks up (GD-10)."""
    return combatant.profile.ref + combatant.profile.stealth + haste(combatant)
