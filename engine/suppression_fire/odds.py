"""What the odds of an order are asked for, and how they are told as data."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
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
from engine.suppression_fire.testing import Trial, take_test, trial_of
from engine.suppression_fire.wounds import Sharing

Chances = Mapping[Any, Fraction]


def question_about(battle: Battle, plan: Any) -> Question:
    """The question that fits a judged order; raises Refusal (`order`) for one that never rolls."""
    if isinstance(plan, Trial):
        return _about_test(battle, plan)
    if isinstance(plan, Exposure):
        return _about_action(battle, plan)
    if isinstance(plan, Barrage):
        return _about_declaration(battle, plan)
    raise Refusal("order", "this order rolls no dice: there are no odds to tell")


def _about_test(battle: Battle, trial: Trial) -> Question:
    before = battle.units[trial.unit].models

    def tell(after: Battle) -> Hashable:
        suppression = after.suppressions.get(trial.target)
        return suppression.test_of(trial.unit) if suppression else None, before - after.units[trial.unit].models

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


def _about_declaration(battle: Battle, barrage: Barrage) -> Question:
    """What a declaration would lead to: its shots, the test, and the cost of braving the fire afterwards."""
    before = battle.units[barrage.target].models

    def tell(ahead: Ahead) -> Hashable:
        return ahead.test, before - ahead.battle.units[barrage.target].models, ahead.shots

    def answer(chances: Chances) -> dict[str, Any]:
        report: dict[str, Any] = {}
        if any(isinstance(line.shots, str) for volley in barrage.volleys for line in volley.gunners):
            report["shots"] = casualties(_added_up((told[2], chance) for told, chance in chances.items()))
        return report if battle.units[barrage.target].is_vehicle else {**report, **follow_up(chances)}

    def follow_up(chances: Chances) -> dict[str, Any]:
        test = {result: _sum(chances, lambda told, of=of: told[0] in of) for result, of in RESULTS.items()}
        report: dict[str, Any] = {result: twelve_digits(chance) for result, chance in test.items()}
        if test["passed"]:
            braving = ((told[1], chance / test["passed"]) for told, chance in chances.items() if told[0] in BRAVING)
            report["braving"] = casualties(_added_up(braving))
        return report

    return Question(tell, answer, lambda: forecast(battle, barrage))


BRAVING = ("passed", "not_needed")
RESULTS = {"passed": BRAVING, "failed": ("failed",)}


def _added_up(counts: Iterable[tuple[int, Fraction]]) -> Chances:
    added: dict[tuple[None, int], Fraction] = {}
    for count, chance in counts:
        added[None, count] = added.get((None, count), Fraction(0)) + chance
    return added


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
    needed = hit_on(len(fires))
    if test in BRAVING and needed and not battle.units[target].is_vehicle:
        shot = leading_shots(fires, leading_gun_types(fires)[0])[0]
        gauntlet = Gauntlet(target, len(fires), needed, shot)
        battle = yield from run_the_gauntlet(battle, target, gauntlet, Sharing())
    return Ahead(battle, test, shots)


def _sum(chances: Chances, matches: Any) -> Fraction:
    return sum((chance for told, chance in chances.items() if matches(told)), Fraction(0))


def casualties(chances: Chances) -> dict[str, Any]:
    """The mean and the distribution of a count, told second: overall chances, each to 12 significant digits."""
    counts: dict[int, Fraction] = {}
    for told, chance in chances.items():
        count = told[1]
        counts[count] = counts.get(count, Fraction(0)) + chance
    mean = sum((count * chance for count, chance in counts.items()), Fraction(0))
    return {
        "mean": twelve_digits(mean),
        "distribution": {str(count): twelve_digits(counts[count]) for count in sorted(counts)},
    }
