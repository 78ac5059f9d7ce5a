"""What the odds of an order are asked for, and how they are told as data."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from engine.orders import twelve_digits
from engine.refusals import Refusal
from engine.resolution import Rule
from engine.ruleset import Question
from engine.suppression_fire.acting import Exposure, Gauntlet, run_the_gauntlet
from engine.suppression_fire.battle import Battle
from engine.suppression_fire.declaring import Barrage, declare
from engine.suppression_fire.suppressing import effective, hit_on, leading_gun_types, leading_shots
from engine.suppression_fire.testing import Reroll, Trial, take_test, trial_of
from engine.suppression_fire.wounds import Sharing


class Told(Struct, frozen=True):
    """What the end of a path tells: how the test or the unit fared, models lost, shots declared."""

    result: str | None
    casualties: int
    shots: int = 0


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
        return {**report, "casualties": counts(chances, _casualties)} if trial.bursts.count else report

    return Question(tell, answer)


def _about_action(battle: Battle, exposure: Exposure) -> Question:
    before = battle.units[exposure.unit].models

    def tell(after: Battle) -> Hashable:
        unit = after.units[exposure.unit]
        return Told("stopped" if unit.stayed_in else "out" if unit.out else "on", before - unit.models)

    def answer(chances: Chances) -> dict[str, Any]:
        wiped_out = twelve_digits(chance_of(chances, "out"))
        report = {"casualties": counts(chances, _casualties), "wiped_out": wiped_out}
        return {**report, "stopped": twelve_digits(chance_of(chances, "stopped"))} if exposure.trial else report

    return Question(tell, answer)


def _about_declaration(battle: Battle, barrage: Barrage) -> Question:
    """What a declaration would lead to: its shots, the test, and the cost of braving the fire afterwards."""
    before = battle.units[barrage.target]

    def tell(ahead: Ahead) -> Hashable:
        return Told(ahead.test, before.models - ahead.battle.units[barrage.target].models, ahead.shots)

    def answer(chances: Chances) -> dict[str, Any]:
        random = any(isinstance(line.shots, str) for volley in barrage.volleys for line in volley.gunners)
        report = {"shots": counts(chances, lambda told: told.shots)} if random else {}
        if before.is_vehicle:
            return report
        braving = {told: chance for told, chance in chances.items() if told.result in BRAVING}
        if braving and not before.pinned:
            report = {**report, "braving": counts(braving, _casualties)}
        return {**_results(chances), **report}

    return Question(tell, answer, lambda: forecast(battle, barrage))


class Ahead(Struct, frozen=True):
    """What a declaration has led to: the battle, how the test went (None: wiped out before it), and the shots."""

    battle: Battle
    test: str | None
    shots: int


def forecast(battle: Battle, barrage: Barrage) -> Rule[Ahead]:
    """The declaration, the test that follows, and the fire that meets the target if it then acts.

    In a tie of gun types the first declared stands for the one that the owner would pick.
    """
    battle = yield from declare(battle, barrage)
    suppression, target = battle.suppressions[barrage.target], barrage.target
    fires = effective(battle, suppression)
    shots = sum(fire.shots for fire in suppression.by if fire.unit in [volley.unit for volley in barrage.volleys])
    if suppression.test is None:
        unit = battle.units[target]
        battle = yield from take_test(battle, trial_of(battle, unit, target, fires, Sharing()))
    test = battle.suppressions[target].test if target in battle.suppressions else None
    needed, unit = hit_on(len(fires)), battle.units[target]
    if test in BRAVING and needed and not (unit.is_vehicle or unit.pinned):
        shot = leading_shots(fires, leading_gun_types(fires)[0])[0]
        gauntlet = Gauntlet(target, len(fires), needed, shot)
        battle = yield from run_the_gauntlet(battle, target, gauntlet, Sharing())
    return Ahead(battle, test, shots)


def chance_of(chances: Chances, *results: str) -> Fraction:
    """The chance that one of these results comes about."""
    return sum((chance for told, chance in chances.items() if told.result in results), Fraction(0))


def _results(chances: Chances) -> dict[str, float]:
    """The chances that a test is passed, or not needed, and that it is failed."""
    passed, failed = chance_of(chances, *BRAVING), chance_of(chances, "failed")
    return {"passed": twelve_digits(passed), "failed": twelve_digits(failed)}


def _casualties(told: Told) -> int:
    return told.casualties


def counts(chances: Chances, count: Callable[[Told], int]) -> dict[str, Any]:
    """The mean and the distribution of a count, given that one of these things comes about; 12 significant digits."""
    of = sum(chances.values(), Fraction(0))
    each: dict[int, Fraction] = {}
    for told, chance in chances.items():
        each[count(told)] = each.get(count(told), Fraction(0)) + chance / of
    mean = sum((number * chance for number, chance in each.items()), Fraction(0))
    distribution = {str(number): twelve_digits(each[number]) for number in sorted(each)}
    return {"mean": twelve_digits(mean), "distribution": distribution}
