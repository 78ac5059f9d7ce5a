"""The leadership test under fire, with the shrapnel that falls before it."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from engine.refusals import Refusal
from engine.resolution import Rule, roll
from engine.rolls import Check
from engine.suppression_fire.battle import Battle, Fire, Unit
from engine.suppression_fire.events import Result, Tested, TestRerolled
from engine.suppression_fire.happening import happen
from engine.suppression_fire.naming import unit_in_play
from engine.suppression_fire.orders import RerollTest, Test
from engine.suppression_fire.shrapnel import NO_BURSTS, Bursts, burst, bursts_on
from engine.suppression_fire.suppressing import effective, leadership_modifier
from engine.suppression_fire.wounds import Sharing


class Trial(Struct, frozen=True):
    """A test that may be taken: by whom, on whose suppression, at which modifier, after which shrapnel.

    `not_needed` says why no dice are rolled for the test itself, empty where they are.
    """

    unit: str
    target: str
    suppressors: int
    modifier: int
    bursts: Bursts
    not_needed: str
    double_one: bool
    sharing: Sharing


class Reroll(Struct, frozen=True):
    """A test that may be rolled once more, by the special rule named."""

    trial: Trial
    reason: str


def leadership(unit: Unit) -> int:
    """The highest leadership among the models still standing (SF-15, SF-31)."""
    return max((group.profile.leadership for group in unit.standing), default=0)


def needs_no_test(unit: Unit, suppressors: int) -> str:
    """Why a unit rolls no test, empty where it does (SF-15, SF-17, SF-33)."""
    if unit.is_vehicle:
        return "a vehicle takes no test"
    if not suppressors:
        return "no suppressor is effective"
    if unit.pinned:
        return "it is pinned already"
    if "gone_to_ground" in unit.marks:
        return "it has gone to ground"
    if unit.profile.fearless:
        return "it is fearless"
    if unit.profile.kind == "monstrous_creature":
        return "monstrous creatures pass"
    return ""


def trial_of(battle: Battle, unit: Unit, target: str, fires: Collection[Fire], sharing: Sharing) -> Trial:
    """The test of a unit against those suppressors (SF-15)."""
    return Trial(
        unit=unit.id,
        target=target,
        suppressors=len(fires),
        modifier=leadership_modifier(len(fires)),
        bursts=bursts_on(battle, unit, fires),
        not_needed=needs_no_test(unit, len(fires)),
        double_one=battle.switches["double_one_passes"] == "yes",
        sharing=sharing,
    )


def judge_test(battle: Battle, order: Test) -> Trial:
    """The one test of a target, after all declarations on it (SF-14 to SF-17). Raises Refusal."""
    unit = unit_in_play(battle, order.target)
    sharing = judge_sharing(unit, order.allocation, order.shares)
    suppression = battle.suppressions.get(unit.id)
    if suppression is None:
        raise Refusal("SF-14", f"nobody suppresses {unit.name}: there is no test to take")
    if suppression.test is not None:
        raise Refusal("SF-16", f"{unit.name} has been tested this turn; latecomers add hits, never a second test")
    return trial_of(battle, unit, unit.id, effective(battle, suppression), sharing)


def judge_sharing(
    unit: Unit, allocation: tuple[str, ...] | None, shares: dict[str, int] | None, field: str = "shares"
) -> Sharing:
    """What the owner says of sharing out wounds; raises Refusal (`order`) for groups that do not fit (SF-27)."""
    names = [group.name for group in unit.groups]
    if allocation is not None and sorted(allocation) != sorted(names):
        raise Refusal("order", f"allocation must name each group of {unit.name} once: {', '.join(names)}")
    for name in shares or ():
        if name not in names:
            raise Refusal("order", f"{unit.name} has no group {name}; it has {', '.join(names)}")
    return Sharing(allocation, shares, field)


def take_test(battle: Battle, trial: Trial) -> Rule[Battle]:
    """Shrapnel, then the test on the leadership of the survivors (SF-14, SF-15, SF-31)."""
    battle = yield from suffer_shrapnel(battle, trial)
    return (yield from face_the_test(battle, trial))


def suffer_shrapnel(battle: Battle, trial: Trial) -> Rule[Battle]:
    """The shrapnel that comes before a test (SF-29)."""
    return (yield from burst(battle, trial.unit, trial.bursts, trial.sharing))


def face_the_test(battle: Battle, trial: Trial) -> Rule[Battle]:
    """The test itself, by those whom the shrapnel has left (SF-15, SF-31)."""
    unit = battle.units[trial.unit]
    if unit.out:
        return battle
    if trial.not_needed:
        return (yield from happen(Tested(unit.id, trial.target, "not_needed", False, trial.suppressors)))
    result: Result = "passed" if (yield from roll(leadership_check(unit, trial))) else "failed"
    return (yield from happen(Tested(unit.id, trial.target, result, True, trial.suppressors)))


def leadership_check(unit: Unit, trial: Trial) -> Check:
    """2D6 equal to or under the highest leadership with the modifier of the crossfire (SF-15)."""
    at_most = leadership(unit) + trial.modifier
    return Check("leadership", unit.id, count=2, sides=6, at_most=at_most, least_passes=trial.double_one)


def judge_reroll(battle: Battle, order: RerollTest) -> Reroll:
    """One reroll by a special rule, right after a test that was rolled (SF-16). Raises Refusal."""
    unit = unit_in_play(battle, order.target)
    tested = battle.just_tested
    if tested is None or tested.unit != unit.id:
        raise Refusal("SF-16", f"a reroll comes right after a rolled test; that of {unit.name} was not the last order")
    trial = Trial(
        unit=unit.id,
        target=tested.target,
        suppressors=tested.suppressors,
        modifier=leadership_modifier(tested.suppressors),
        bursts=NO_BURSTS,
        not_needed="",
        double_one=battle.switches["double_one_passes"] == "yes",
        sharing=Sharing(),
    )
    return Reroll(trial, order.reason)


def reroll_test(battle: Battle, reroll: Reroll) -> Rule[Battle]:
    """The test once more; the second result stands (SF-16)."""
    trial = reroll.trial
    passed = yield from roll(leadership_check(battle.units[trial.unit], trial))
    result: Result = "passed" if passed else "failed"
    return (yield from happen(TestRerolled(trial.unit, trial.target, result, reroll.reason)))
