"""Defence against unaimed fire, the burst table, and what a round does where it hits."""

from __future__ import annotations

from msgspec import Struct

from engine.exploding import ExplodingCheck
from engine.gray_dawn.battle import Battle, Combatant
from engine.gray_dawn.events import Missed, Struck, Wounded
from engine.gray_dawn.happening import happen
from engine.gray_dawn.profiles import Weapon
from engine.gray_dawn.skills import chain_of, defence_base
from engine.resolution import Rule, roll
from engine.rolls import TableLine, Total

BURST_TABLE = (1, 1, 1, 2, 2, 3)
PLAIN_D6 = (1, 2, 3, 4, 5, 6)

LOCATIONS = (
    "head", "torso", "torso", "torso", "right arm", "left arm", "right leg", "right leg", "left leg", "left leg",
)  # fmt: skip
"""Where a round hits, by the face of a d10 from 1 to 10 (GD-30)."""

COVER_SP = 4
"""What each cover level adds to the armour of a covered area (GD-30)."""


class DamageRoll(Struct, frozen=True):
    """The dice of a weapon's damage: 5d6+2."""

    count: int
    sides: int
    plus: int


def damage_roll(damage: str) -> DamageRoll:
    """A damage roll as written, like 5d6+2 or 2d6-1 (GD-30)."""
    count, _, rest = damage.partition("d")
    for sign in "+-":
        sides, found, plus = rest.partition(sign)
        if found:
            return DamageRoll(int(count), int(sides), int(sign + plus))
    return DamageRoll(int(count), int(rest), 0)


def defence_check(battle: Battle, combatant: Combatant) -> ExplodingCheck:
    """The defence roll; a result of 0 or less is hit, whether the target knows of the attack or not (GD-15)."""
    return ExplodingCheck("defence", combatant.id, 1 - defence_base(battle, combatant), chain_of(battle))


def stray_round(battle: Battle, combatant_id: str) -> Rule[int]:
    """How many rounds of covering fire hit on one defence roll: one at most (GD-15 to GD-17)."""
    safe = yield from roll(defence_check(battle, battle.combatants[combatant_id]))
    return 0 if safe else 1


def lane_rounds(battle: Battle, combatant_id: str) -> Rule[int]:
    """How many rounds of a covering lane hit: one defence roll, then the burst table (GD-23)."""
    safe = yield from roll(defence_check(battle, battle.combatants[combatant_id]))
    return 0 if safe else (yield from burst(battle, combatant_id))


def burst(battle: Battle, combatant_id: str) -> Rule[int]:
    """The burst table: one round on 1 to 3, two on 4 and 5, three on 6; with the switch a plain d6 (GD-29)."""
    results = PLAIN_D6 if battle.switches["lane_hits"] == "1d6" else BURST_TABLE
    return (yield from roll(TableLine("burst", combatant_id, results)))


def take_fire(battle: Battle, combatant_id: str, weapon: Weapon, rounds: int) -> Rule[Battle]:
    """What rounds that hit do: each is resolved if the weapon has a damage roll; else they are counted (GD-30)."""
    battle = yield from happen(Struck(combatant_id, weapon.name, rounds))
    if weapon.damage is None:
        return battle
    for _ in range(rounds):
        battle = yield from resolve_round(battle, combatant_id, damage_roll(weapon.damage))
    return battle


def meet_fire(battle: Battle, combatant_id: str, weapon: Weapon, rounds: int) -> Rule[Battle]:
    """What comes of fire that hits with so many rounds, perhaps none."""
    if rounds:
        return (yield from take_fire(battle, combatant_id, weapon, rounds))
    return (yield from happen(Missed(combatant_id)))


def resolve_round(battle: Battle, combatant_id: str, damage: DamageRoll) -> Rule[Battle]:
    """Location, damage, armour and cover, limb, body, head, in this order; no die explodes (GD-2, GD-30)."""
    face = yield from roll(Total("location", combatant_id, 1, len(LOCATIONS)))
    dice = yield from roll(Total("damage", combatant_id, damage.count, damage.sides))
    combatant, location = battle.combatants[combatant_id], LOCATIONS[face - 1]
    done = max(0, dice + damage.plus)
    stopping = armour_at(combatant, location)
    wounds = wounds_of(done, stopping, location, combatant.profile.body)
    return (yield from happen(Wounded(combatant_id, location, done, stopping, wounds)))


def area_of(location: str) -> str:
    """The area of armour that a location belongs to: both arms are one, both legs another."""
    return f"{location.split()[-1]}s" if " " in location else location


def armour_at(combatant: Combatant, location: str) -> int:
    """The SP worn there, and 4 more for each cover level where cover reaches (GD-30)."""
    area = area_of(location)
    worn: int = getattr(combatant.profile.sp, area)
    return worn + (COVER_SP * combatant.cover if is_covered(combatant.stance, area) else 0)


def is_covered(stance: str, area: str) -> bool:
    """Cover protects all but the head in active stance, everything in full cover, nothing otherwise (GD-30)."""
    return stance == "full_cover" or (stance == "active" and area != "head")


def body_type_modifier(body: int) -> int:
    """What BODY takes off: 0 up to 2, 1 up to 4, 2 up to 7, 3 up to 9, 4 from 10 (GD-30)."""
    return sum(body >= least for least in (3, 5, 8, 10))


def wounds_of(damage: int, stopping: int, location: str, body: int) -> int:
    """Damage less SP; a limb takes half, at least 1; less BTM, at least 1; the head takes double (GD-30)."""
    through = damage - stopping
    if through <= 0:
        return 0
    if " " in location:
        through = max(1, through // 2)
    through = max(1, through - body_type_modifier(body))
    return 2 * through if location == "head" else through


def wound_state(wounds: int) -> str:
    """Light to 4, serious to 8, critical to 12, mortal beyond; nobody is out of action by it (GD-30)."""
    if not wounds:
        return ""
    return "light" if wounds <= 4 else "serious" if wounds <= 8 else "critical" if wounds <= 12 else "mortal"
