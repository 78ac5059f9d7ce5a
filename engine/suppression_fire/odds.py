"""What the odds of an order are asked for, and how they are told as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.odds import Stretch, counted, twelve_digits
from engine.refusals import Refusal
from engine.resolution import Rule
from engine.ruleset import Question, Reading
from engine.suppression_fire.acting import Exposure, Gauntlet, go_on, has_been_struck, run_the_gauntlet
from engine.suppression_fire.battle import Battle, Fire, Suppression, Unit
from engine.suppression_fire.declaring import Barrage, declare
from engine.suppression_fire.suppressing import Shot, effective, hit_on, leading_gun_types, leading_shots
from engine.suppression_fire.testing import Reroll, Trial, take_test, trial_of
from engine.suppression_fire.wounds import Sharing


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
        return _about_test(battle, plan.trial)
    if isinstance(plan, Exposure):
        return _about_action(battle, plan)
    if isinstance(plan, Barrage):
        return _about_declaration(battle, plan)
    raise Refusal("order", "this order rolls no dice: there are no odds to tell")


def _about_test(battle: Battle, trial: Trial) -> Question:
    before = battle.units[trial.unit].models

    def tell(after: Battle) -> Hashable:
        suppression = after.suppressions.get(trial.target)
        result = suppression.test_of(trial.unit) if suppression else None
        return Told(result, before - after.units[trial.unit].models)

    def answer(chances: Chances) -> dict[str, Any]:
        report: dict[str, Any] = _results(chances)
        return {**report, "casualties": losses(chances), "models": before} if trial.bursts.count else report

    return Question((Reading(tell),), answer)


def _about_action(battle: Battle, exposure: Exposure) -> Question:
    before = battle.units[exposure.unit].models

    def tell(after: Battle) -> Hashable:
        unit = after.units[exposure.unit]
        return Told("stopped" if unit.stayed_in else "out" if unit.out else "on", before - unit.models)

    def answer(chances: Chances) -> dict[str, Any]:
        wiped_out = twelve_digits(chance_of(chances, "out"))
        report = {"casualties": losses(chances), "wiped_out": wiped_out, "models": before}
        return {**report, "stopped": twelve_digits(chance_of(chances, "stopped"))} if exposure.trial else report

    def counting(now: Battle) -> Hashable:
        return now.units[exposure.unit].models if is_struck(now, exposure) else None

    def alike(now: Battle) -> Hashable:
        unit = now.units[exposure.unit]
        return (unit.stayed_in, unit.models) if unit.stayed_in or unit.out else strength_of(unit)

    trial = exposure.trial
    tested: tuple[Stretch, ...] = (lambda now: partial(take_test, now, trial),) if trial else ()
    return Question((Reading(tell, (*tested, lambda now: partial(go_on, now, exposure)), counting, alike),), answer)


def strength_of(unit: Unit) -> Hashable:
    """Models and wounds of each group: all that losses change."""
    return tuple((group.models, group.wounds_lost) for group in unit.groups)


def is_struck(battle: Battle, exposure: Exposure) -> bool:
    """Whether the fire that meets an action has struck: from then on it only counts how many models fall (SF-28)."""
    suppression = battle.suppressions.get(exposure.gauntlet.target) if exposure.gauntlet else None
    return suppression is not None and has_been_struck(suppression, battle.units[exposure.unit])


def _about_declaration(battle: Battle, barrage: Barrage) -> Question:
    """What a declaration would lead to: its shots, the test, and the cost of braving the fire afterwards."""
    target = barrage.target
    before, already = battle.units[target], battle.suppressions.get(target)
    random = any(isinstance(line.shots, str) for volley in barrage.volleys for line in volley.gunners)

    def tell(ahead: Ahead) -> Hashable:
        return Told(ahead.test, before.models - ahead.battle.units[target].models)

    def answer(chances: Chances, *shots: Mapping[int, Fraction]) -> dict[str, Any]:
        report: dict[str, Any] = {"shots": counted(shots[0])} if shots else {}
        if before.is_vehicle:
            return report
        braving = {told: chance for told, chance in chances.items() if told.result in BRAVING}
        if braving and not before.pinned:
            report = {**report, "braving": losses(braving), "models": before.models}
        return {**_results(chances), **report}

    def counting(now: Battle) -> Hashable:
        suppression = now.suppressions[target]
        known = suppression.spent and not (already and already.spent)
        return (suppression.test, now.units[target].models) if known else None

    def shots(now: Battle) -> Hashable:
        return shots_of(barrage, now.suppressions[target])

    declared = tuple(_declared(replace(barrage, volleys=(volley,))) for volley in barrage.volleys)
    stretches: tuple[Stretch, ...] = (*declared, partial(be_tested, target), partial(brave, target))
    forecast = Reading(tell, stretches, counting, partial(still_open, barrage))
    return Question((forecast, Reading(shots, declared, alike=shots)) if random else (forecast,), answer)


def _declared(barrage: Barrage) -> Stretch:
    return lambda battle: partial(declare, battle, barrage)


def still_open(barrage: Barrage, battle: Battle) -> Hashable:
    """What the test and the fire on a target still depend on, while its suppressors declare and after each step.

    Until all have declared that is the shots of each profile (SF-23, SF-29), then the profile that strikes.
    """
    unit, suppression = battle.units[barrage.target], battle.suppressions.get(barrage.target)
    if suppression is None or suppression.test == "failed":
        return suppression is None, unit.models
    fires = effective(battle, suppression)
    trial = trial_of(battle, unit, unit.id, fires, Sharing())
    if all(suppression.fire_of(volley.unit) for volley in barrage.volleys):
        return suppression.test, strength_of(unit), trial, leading_profiles(fires)
    shots = Counter[Shot]()
    for fire in fires:
        for line in fire.firing:
            shots[Shot(line.gun.gun_type, line.gun.strength, line.gun.ap)] += line.models * line.shots
    return len(suppression.by), trial, frozenset(shots.items())


def leading_profiles(fires: Sequence[Fire]) -> tuple[Shot, ...]:
    """The profile that strikes, or those that tie within the first of the gun types that lead (SF-23)."""
    return leading_shots(fires, leading_gun_types(fires)[0]) if fires else ()


class Ahead(Struct, frozen=True):
    """What a declaration has led to: the battle, and how the test went (None: wiped out before it)."""

    battle: Battle
    test: str | None


def be_tested(target: str, battle: Battle) -> Callable[[], Rule[Battle]]:
    """The test that follows a declaration, unless there has been one (SF-14, SF-16)."""
    suppression = battle.suppressions[target]
    if suppression.test is not None:
        return partial(look_on, battle, None)
    fires = effective(battle, suppression)
    return partial(look_on, battle, trial_of(battle, battle.units[target], target, fires, Sharing()))


def look_on(battle: Battle, trial: Trial | None) -> Rule[Battle]:
    """The test, if there is one to take."""
    return (yield from take_test(battle, trial)) if trial else battle


def brave(target: str, battle: Battle) -> Callable[[], Rule[Ahead]]:
    """The fire that meets the target if it then acts (SF-21).

    In a tie of gun types the first declared stands for the one that the owner would pick.
    """
    suppression, unit = battle.suppressions.get(target), battle.units[target]
    fires, test = effective(battle, suppression), suppression.test if suppression else None
    needed, gauntlet = hit_on(len(fires)), None
    if test in BRAVING and needed and not (unit.is_vehicle or unit.pinned):
        gauntlet = Gauntlet(target, len(fires), needed, leading_profiles(fires)[0])
    return partial(look_ahead, battle, target, gauntlet, test)


def look_ahead(battle: Battle, target: str, gauntlet: Gauntlet | None, test: str | None) -> Rule[Ahead]:
    """What has become of the target when the fire, if any, has met it."""
    if gauntlet:
        battle = yield from run_the_gauntlet(battle, target, gauntlet, Sharing())
    return Ahead(battle, test)


def shots_of(barrage: Barrage, suppression: Suppression) -> int:
    """The shots that a declaration adds to a suppression."""
    declared = [volley.unit for volley in barrage.volleys]
    return sum(fire.shots for fire in suppression.by if fire.unit in declared)


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
