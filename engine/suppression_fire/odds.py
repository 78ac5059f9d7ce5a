"""What the odds of an order are asked for, and how they are told as data."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any

from engine.orders import twelve_digits
from engine.refusals import Refusal
from engine.ruleset import Question
from engine.suppression_fire.acting import Exposure
from engine.suppression_fire.battle import Battle
from engine.suppression_fire.declaring import Barrage
from engine.suppression_fire.testing import Trial

Chances = Mapping[Any, Fraction]


def question_about(battle: Battle, plan: Any) -> Question:
    """The question that fits a judged order; raises Refusal (`order`) for one that never rolls."""
    if isinstance(plan, Trial):
        return _about_test(battle, plan)
    if isinstance(plan, Exposure):
        return _about_action(battle, plan)
    if isinstance(plan, Barrage):
        return _about_shots(plan)
    raise Refusal("order", "this order rolls no dice: there are no odds to tell")


def _about_test(battle: Battle, trial: Trial) -> Question:
    before = battle.units[trial.unit].models

    def tell(after: Battle) -> Hashable:
        suppression = after.suppressions.get(trial.target)
        return suppression.test if suppression else None, before - after.units[trial.unit].models

    def answer(chances: Chances) -> dict[str, Any]:
        passed = _sum(chances, lambda told: told[0] in ("passed", "not_needed"))
        failed = _sum(chances, lambda told: told[0] == "failed")
        told = {"passed": twelve_digits(passed), "failed": twelve_digits(failed)}
        return {**told, "casualties": casualties(chances)} if trial.bursts.count else told

    return Question(tell, answer)


def _about_action(battle: Battle, exposure: Exposure) -> Question:
    before = battle.units[exposure.unit].models

    def tell(after: Battle) -> Hashable:
        unit = after.units[exposure.unit]
        return "stopped" if unit.stayed_in else "out" if unit.out else "on", before - unit.models

    def answer(chances: Chances) -> dict[str, Any]:
        wiped_out = twelve_digits(_sum(chances, lambda told: told[0] == "out"))
        told = {"casualties": casualties(chances), "wiped_out": wiped_out}
        stopped = twelve_digits(_sum(chances, lambda told: told[0] == "stopped"))
        return {**told, "stopped": stopped} if exposure.trial else told

    return Question(tell, answer)


def _about_shots(barrage: Barrage) -> Question:
    def tell(after: Battle) -> Hashable:
        fires = [after.suppressions[barrage.target].fire_of(volley.unit) for volley in barrage.volleys]
        return None, sum(fire.shots for fire in fires if fire)

    def answer(chances: Chances) -> dict[str, Any]:
        return {"shots": casualties(chances)}

    return Question(tell, answer)


def _sum(chances: Chances, matches: Any) -> Fraction:
    return sum((chance for told, chance in chances.items() if matches(told)), Fraction(0))


def casualties(chances: Chances) -> dict[str, Any]:
    """The mean and the distribution of a count, told second: overall chances, each to 12 significant digits."""
    counts: dict[int, Fraction] = {}
    for (_, count), chance in chances.items():
        counts[count] = counts.get(count, Fraction(0)) + chance
    mean = sum((count * chance for count, chance in counts.items()), Fraction(0))
    return {
        "mean": twelve_digits(mean),
        "distribution": {str(count): twelve_digits(counts[count]) for count in sorted(counts)},
    }
