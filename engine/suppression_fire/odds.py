"""What the odds of an order are asked for, and how they are told as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.odds import Onward, Stretch, counted, twelve_digits
from engine.refusals import Refusal
from engine.resolution import Rule
from engine.rolls import Check, Roll
from engine.ruleset import Question, Reading
from engine.spread import of_chances, together
from engine.suppression_fire.acting import Exposure, Gauntlet, act_with_survivors, run_the_gauntlet
from engine.suppression_fire.battle import Battle, Fire, Unit
from engine.suppression_fire.declaring import Barrage, declare
from engine.suppression_fire.suppressing import Shot, effective, hit_on, leading_gun_types, leading_shots
from engine.suppression_fire.testing import Reroll, Trial, face_the_test, leadership, suffer_shrapnel, trial_of
from engine.suppression_fire.wounds import Sharing, shot_harm, slays


class Told(Struct, frozen=True):
    """What the end of a path tells: how the test or the unit fared, and models lost."""

    result: str | None
    casualties: int


Chances = Mapping[Told, Fraction]

BRAVING = ("passed", "not_needed")
"""Results of the test after which a unit may brave the fire."""


def question_about(battle: Battle, plan: Any) -> Question:
    """The question that fits a judged order; raises Refusal (`order`) for one that never rolls."""
    if isinstance(plan, Trial):
        return _about_test(battle, plan)
    if isinstance(plan, Reroll):
        return _about_test(battle, plan.trial, again=True)
    if isinstance(plan, Exposure):
        return _about_action(battle, plan)
    if isinstance(plan, Barrage):
        return _about_declaration(battle, plan)
    raise Refusal("order", "this order rolls no dice: there are no odds to tell")


def _about_test(battle: Battle, trial: Trial, again: bool = False) -> Question:
    before = battle.units[trial.unit].models

    def tell(after: Battle) -> Hashable:
        suppression = after.suppressions.get(trial.target)
        result = suppression.test_of(trial.unit) if suppression else None
        return Told(result, before - after.units[trial.unit].models)

    def answer(chances: Chances) -> dict[str, Any]:
        report: dict[str, Any] = _results(chances)
        return {**report, "casualties": losses(chances), "models": before} if trial.bursts.count else report

    def alike(now: Battle) -> Hashable:
        return chance_left(now.units[trial.unit])

    shrapnel, test = _on_battle(suffer_shrapnel, trial), _on_battle(face_the_test, trial)
    stretches = () if again else (shrapnel, test)
    return Question((Reading(tell, stretches, alike=alike, losing=trial.unit),), answer)


def _on_battle(rule: Callable[[Battle, Any], Rule[Any]], plan: Any) -> Stretch:
    return lambda battle: partial(rule, battle, plan)


def _about_action(battle: Battle, exposure: Exposure) -> Question:
    before = battle.units[exposure.unit].models

    def tell(after: Battle) -> Hashable:
        unit = after.units[exposure.unit]
        return Told("stopped" if unit.stayed_in else "out" if unit.out else "on", before - unit.models)

    def answer(chances: Chances) -> dict[str, Any]:
        wiped_out = twelve_digits(chance_of(chances, "out"))
        report = {"casualties": losses(chances), "wiped_out": wiped_out, "models": before}
        return {**report, "stopped": twelve_digits(chance_of(chances, "stopped"))} if exposure.trial else report

    def counting(now: Battle) -> tuple[Hashable, int]:
        return None, now.units[exposure.unit].models

    def alike(now: Battle) -> Hashable:
        return chance_left(now.units[exposure.unit], exposure.gauntlet)

    shrapnel = (_on_battle(suffer_shrapnel, exposure.trial),) if exposure.trial else ()
    stretches = (*shrapnel, _on_battle(act_with_survivors, exposure))
    reading = Reading(tell, stretches, counting, alike, partial(stopping, exposure.unit), losing=exposure.unit)
    return Question((reading,), answer)


def stopping(unit_id: str, battle: Battle, check: Roll[Any], outcome: Any) -> Hashable | None:
    """A unit that fails its test does not run into the fire: only how many models it has counts after that."""
    return battle.units[unit_id].models if isinstance(check, Check) and not outcome else None


def chance_left(unit: Unit, gauntlet: Gauntlet | None = None) -> Hashable:
    """What shrapnel leaves of a unit, as far as its test and then the fire, if any, depend on it.

    A group that is slain outright falls model by model, however many wounds it has lost (SF-26).
    """
    if gauntlet is None or unit.out:
        return unit.models, leadership(unit)
    harm = shot_harm(gauntlet.shot)
    return tuple([(g.models, g.wounds_lost and (0 if slays(g, harm) else g.wounds_lost)) for g in unit.groups])


def _about_declaration(battle: Battle, barrage: Barrage) -> Question:
    """What a declaration would lead to: its shots, the test, and the cost of braving the fire afterwards."""
    target = barrage.target
    before = battle.units[target]
    random = any(isinstance(line.shots, str) for volley in barrage.volleys for line in volley.gunners)

    def tell(ahead: Ahead) -> Hashable:
        return Told(ahead.test, before.models - ahead.battle.units[target].models)

    def answer(chances: Chances, *shots: Mapping[int, Fraction]) -> dict[str, Any]:
        report: dict[str, Any] = {"shots": counted(in_all(shots))} if shots else {}
        if before.is_vehicle:
            return report
        braving = {told: chance for told, chance in chances.items() if told.result in BRAVING}
        if braving and not before.pinned:
            report = {**report, "braving": losses(braving), "models": before.models}
        return {**_results(chances), **report}

    def counting(now: Battle) -> tuple[Hashable, int]:
        return now.suppressions[target].test, now.units[target].models

    each = [replace(barrage, volleys=(volley,)) for volley in barrage.volleys]
    declared = [_on_battle(declare, volley) for volley in each[:-1]]
    stretches = (*declared, _on_battle(declare_the_last, each[-1]), shrapnel_ahead, test_and_fire_ahead)
    forecast = Reading(tell, stretches, counting, partial(still_open, target), partial(stopping, target))
    return Question((forecast, *map(shots_of, each)) if random else (forecast,), answer)


def shots_of(barrage: Barrage) -> Reading:
    """The shots of one suppressor, which are its own dice alone (SF-9)."""
    (volley,) = barrage.volleys

    def tell(after: Battle) -> Hashable:
        fire = after.suppressions[barrage.target].fire_of(volley.unit)
        return fire.shots if fire else 0

    return Reading(tell, (_on_battle(declare, barrage),))


def in_all(each: Sequence[Mapping[int, Fraction]]) -> Mapping[int, Fraction]:
    """The chances of the sum of counts that have nothing to do with each other."""
    sums = reduce(together, map(of_chances, each))
    return {count: Fraction(weight, sums.cases) for count, weight in sums.ways() if weight}


class Ahead(Struct, frozen=True):
    """What a declaration has led to: the battle, and how the test went (None: wiped out before it)."""

    battle: Battle
    test: str | None


class Prospect(Struct, frozen=True):
    """What all suppressors of a target have in store for it: the test if it is still to come, then the fire if any."""

    target: str
    trial: Trial | None
    gauntlet: Gauntlet | None


def still_open(target: str, handed_on: Battle | Onward) -> Hashable:
    """What the test and the fire on a target still depend on, while its suppressors declare and after each step.

    Until all have declared that is the shots of each profile (SF-23, SF-29), then what is in store and what is left.
    """
    if isinstance(handed_on, Onward):
        prospect: Prospect = handed_on.judged
        return prospect, chance_left(handed_on.state.units[target], prospect.gauntlet)
    fires = effective(handed_on, handed_on.suppressions[target])
    shots = Counter[Shot]()
    for fire in fires:
        for line in fire.firing:
            shots[Shot(line.gun.gun_type, line.gun.strength, line.gun.ap)] += line.models * line.shots
    return len(fires), frozenset(shots.items())


def declare_the_last(battle: Battle, barrage: Barrage) -> Rule[Onward]:
    """The last suppressor declares; then all that it can come to is known (SF-9, SF-14)."""
    battle = yield from declare(battle, barrage)
    return Onward(battle, prospect_of(battle, barrage.target))


def prospect_of(battle: Battle, target: str) -> Prospect:
    """The test that follows a declaration, unless there has been one, and the fire after it (SF-14, SF-16, SF-21).

    In a tie of gun types the first declared stands for the one that the owner would pick.
    """
    suppression, unit = battle.suppressions[target], battle.units[target]
    fires = effective(battle, suppression)
    trial = None if suppression.test else trial_of(battle, unit, target, fires, Sharing())
    needed = hit_on(len(fires))
    if needed is None or unit.is_vehicle:
        return Prospect(target, trial, None)
    return Prospect(target, trial, Gauntlet(target, len(fires), needed, leading_shot(fires)))


def leading_shot(fires: Sequence[Fire]) -> Shot:
    """The profile that strikes, the first of those that tie within the first of the gun types that lead (SF-23)."""
    return leading_shots(fires, leading_gun_types(fires)[0])[0]


def shrapnel_ahead(onward: Onward) -> Callable[[], Rule[Onward]]:
    return partial(_shrapnel, onward.state, onward.judged)


def _shrapnel(battle: Battle, prospect: Prospect) -> Rule[Onward]:
    """The shrapnel that comes before the test, if that is still to come (SF-29)."""
    if prospect.trial:
        battle = yield from suffer_shrapnel(battle, prospect.trial)
    return Onward(battle, prospect)


def test_and_fire_ahead(onward: Onward) -> Callable[[], Rule[Ahead]]:
    return partial(_test_and_fire, onward.state, onward.judged)


def _test_and_fire(battle: Battle, prospect: Prospect) -> Rule[Ahead]:
    """The test of those whom the shrapnel has left; if they pass and act, the fire that meets them (SF-15, SF-21)."""
    if prospect.trial:
        battle = yield from face_the_test(battle, prospect.trial)
    suppression = battle.suppressions.get(prospect.target)
    test = suppression.test if suppression else None
    if prospect.gauntlet and test in BRAVING and not battle.units[prospect.target].pinned:
        battle = yield from run_the_gauntlet(battle, prospect.target, prospect.gauntlet, Sharing())
    return Ahead(battle, test)


def chance_of(chances: Chances, *results: str) -> Fraction:
    """The chance that one of these results comes about."""
    return sum((chance for told, chance in chances.items() if told.result in results), Fraction(0))


def _results(chances: Chances) -> dict[str, float]:
    """The chances that a test is passed, or not needed, and that it is failed."""
    passed, failed = chance_of(chances, *BRAVING), chance_of(chances, "failed")
    return {"passed": twelve_digits(passed), "failed": twelve_digits(failed)}


def losses(chances: Chances) -> dict[str, Any]:
    """The mean and the distribution of models lost, given that one of these things comes about."""
    of = sum(chances.values(), Fraction(0))
    each: dict[int, Fraction] = {}
    for told, chance in chances.items():
        each[told.casualties] = each.get(told.casualties, Fraction(0)) + chance / of
    return counted(each)
