"""The suppression check: whether a combatant masters its fear before it acts."""

from __future__ import annotations

from msgspec import Struct

from engine.exploding import ExplodingCheck
from engine.gray_dawn.battle import Battle, Combatant
from engine.gray_dawn.events import Checked
from engine.gray_dawn.happening import happen
from engine.gray_dawn.naming import in_action
from engine.gray_dawn.orders import TakeCheck
from engine.gray_dawn.profiles import Stance
from engine.gray_dawn.rounds import why_no_round
from engine.gray_dawn.skills import blended, chain_of, haste
from engine.refusals import Reason, refuse_for
from engine.resolution import Rule, roll

SP_FOR_ONE = 5


class Trial(Struct, frozen=True):
    """A check that may be taken: the points counted, what is added to the die, and the number to reach.

    No points: no check is made.
    """

    combatant: str
    points: int
    bonus: int
    number: int


def check_stat(battle: Battle, combatant: Combatant) -> int:
    """CL, or with the switch CL blended with INT (GD-3, GD-7)."""
    profile = combatant.profile
    return blended(profile.cl, profile.intelligence) if battle.switches["check_stat"] == "cl_int" else profile.cl


def check_bonus(battle: Battle, combatant: Combatant) -> int:
    """The stat, the cover level, and 1 for each full 5 SP on the torso (GD-4, GD-7)."""
    armour = combatant.profile.sp.torso // SP_FOR_ONE
    return check_stat(battle, combatant) + combatant.cover + armour + haste(combatant)


def points_counted(combatant: Combatant, level: int) -> int:
    """The points carried, with the level of lanes crossed; twice as many for one who is bracing (GD-6, GD-7)."""
    points = combatant.points + level
    return 2 * points if combatant.bracing else points


def trial_of(battle: Battle, combatant: Combatant, level: int = 0) -> Trial:
    """The check as it stands now: 15 and the points counted, against stat, cover, armour and die (GD-7, GD-25)."""
    points = points_counted(combatant, level)
    number = int(battle.switches["check_base"]) + points
    return Trial(combatant.id, points, check_bonus(battle, combatant), number)


def nerve(battle: Battle, trial: Trial) -> Rule[bool]:
    """The roll of a check: met or exceeded it is passed (GD-1, GD-7)."""
    needed = trial.number - trial.bonus
    return (yield from roll(ExplodingCheck("suppression", trial.combatant, needed, chain_of(battle))))


def forced_stance(combatant: Combatant) -> Stance:
    """What a failed check drives a combatant to: full cover where there is any, else moving (GD-9)."""
    return "full_cover" if combatant.cover >= 1 else "moving"


def why_no_check(battle: Battle, combatant: Combatant) -> tuple[Reason, ...]:
    """Every reason why a combatant may not take its check now: a running round, one check in it (GD-4, GD-7)."""
    found = list(why_no_round(battle, "a check"))
    if combatant.checked:
        found.append(Reason("GD-7", f"{combatant.name} has made its check this round"))
    return tuple(found)


def judge_check(battle: Battle, order: TakeCheck) -> Trial:
    """The check of a combatant, on its own initiative, before it picks stance or actions (GD-7). Raises Refusal."""
    combatant = in_action(battle, order.combatant)
    refuse_for(list(why_no_check(battle, combatant)))
    return trial_of(battle, combatant)


def take_check(battle: Battle, trial: Trial) -> Rule[Battle]:
    """The points are used up either way; without any there is no roll and nobody stays suppressed (GD-6 to GD-8)."""
    if not trial.points:
        return (yield from happen(Checked(trial.combatant, "not_needed")))
    passed = yield from nerve(battle, trial)
    return (yield from tell_check(battle, trial.combatant, passed))


def tell_check(battle: Battle, combatant_id: str, passed: bool) -> Rule[Battle]:
    """Passed it is free to act, failed it is suppressed and its stance forced (GD-8, GD-9)."""
    if passed:
        return (yield from happen(Checked(combatant_id, "passed")))
    return (yield from happen(Checked(combatant_id, "failed", forced_stance(battle.combatants[combatant_id]))))
