"""What the odds of an order are asked for, and how they are told as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from engine.gray_dawn.acting import Deed
from engine.gray_dawn.battle import Battle
from engine.gray_dawn.checks import Trial, nerve
from engine.gray_dawn.covering_fire import Barrage, defences
from engine.gray_dawn.crossing import brave
from engine.gray_dawn.events import Laid
from engine.gray_dawn.hits import lane_rounds, stray_round
from engine.gray_dawn.lanes import Strip
from engine.gray_dawn.rounds import Opening, roll_initiative
from engine.gray_dawn.spotting import Lookout, notice
from engine.odds import counted, twelve_digits
from engine.refusals import Refusal
from engine.resolution import Rule
from engine.ruleset import Question, Reading

Chances = Mapping[Any, Fraction]
CERTAIN = {0: Fraction(1)}


def question_about(battle: Battle, plan: Any) -> Question:
    """The question that fits a judged order; raises Refusal (`order`) for one that never rolls."""
    for kind, question in QUESTIONS.items():
        if isinstance(plan, kind):
            return question(battle, plan)
    raise Refusal("order", "this order rolls no dice: there are no odds to tell")


def _about_barrage(battle: Battle, barrage: Barrage) -> Question:
    """Hits on each target: one defence roll by itself, taken as often as the target defends (GD-15 to GD-18)."""
    counts = [defences(barrage.mode, aimed.count) for aimed in barrage.targets]
    readings = tuple(_of_one(stray_round, aimed.target) for aimed in barrage.targets)

    def answer(*each: Chances) -> dict[str, Any]:
        hits = (added_up(chances, count) for chances, count in zip(each, counts, strict=True))
        told = {aimed.target: counted(of) for aimed, of in zip(barrage.targets, hits, strict=True)}
        return {"hits": told, "points": _points(barrage.points)}

    return Question(readings, answer)


def _about_lane(battle: Battle, strip: Strip) -> Question:
    """Hits on everyone inside a covering lane; a saturation lane rolls nothing when laid (GD-23, GD-24)."""
    defending = strip.inside if strip.kind == "covering" else ()
    readings = tuple(_of_one(lane_rounds, combatant) for combatant in defending)

    def answer(*each: Chances) -> dict[str, Any]:
        hits = {combatant: counted(chances) for combatant, chances in zip(defending, each, strict=True)}
        return {"hits": hits, "points": _points(strip.points)}

    return Question(readings, answer)


def _about_check(battle: Battle, trial: Trial) -> Question:
    """Passed or failed; a check that is not needed counts as passed (GD-7)."""

    def passes(battle: Battle) -> Rule[bool]:
        return (yield from nerve(battle, trial)) if trial.points else True

    return _yes_or_no(passes, "passed", "failed")


def _about_deed(battle: Battle, deed: Deed) -> Question:
    """Whether the check of a crossing stops it, and the hits on the way: overall chances (GD-25)."""
    crossing = deed.crossing

    def crosses(battle: Battle) -> Rule[tuple[bool, int]]:
        return (yield from brave(battle, crossing)) if crossing else (True, 0)

    def answer(chances: Chances) -> dict[str, Any]:
        stopped = sum((chance for (goes, _), chance in chances.items() if not goes), Fraction(0))
        hits: dict[int, Fraction] = {}
        for (_, rounds), chance in chances.items():
            hits[rounds] = hits.get(rounds, Fraction(0)) + chance
        return {"stopped": twelve_digits(stopped), "hits": counted(hits)}

    return Question((Reading(stretches=(lambda battle: partial(crosses, battle),)),), answer)


def _about_spotting(battle: Battle, lookout: Lookout) -> Question:
    return _yes_or_no(lambda now: notice(now, lookout), "noticed", "unnoticed")


def _about_initiative(battle: Battle, opening: Opening) -> Question:
    readings = tuple(_initiative(name, name in opening.lightning) for name in opening.combatants)

    def answer(*each: Chances) -> dict[str, Any]:
        return {"initiative": {name: counted(of) for name, of in zip(opening.combatants, each, strict=True)}}

    return Question(readings, answer)


def _initiative(combatant: str, lightning: bool) -> Reading:
    return Reading(stretches=(lambda battle: partial(roll_initiative, battle, combatant, lightning),))


def _of_one(rule: Callable[[Battle, str], Rule[int]], combatant: str) -> Reading:
    return Reading(stretches=(lambda battle: partial(rule, battle, combatant),))


def _yes_or_no(rule: Callable[[Battle], Rule[bool]], yes: str, no: str) -> Question:
    def answer(chances: Chances) -> dict[str, Any]:
        return {yes: twelve_digits(chances.get(True, Fraction(0))), no: twelve_digits(chances.get(False, Fraction(0)))}

    return Question((Reading(stretches=(lambda battle: partial(rule, battle),)),), answer)


def _points(points: tuple[Laid, ...]) -> dict[str, int]:
    return {laid.combatant: laid.points for laid in points}


def added_up(chances: Chances, times: int) -> Chances:
    """The chances of the sum, where that many rolls with these chances are added up."""
    total: dict[int, Fraction] = dict(CERTAIN)
    for _ in range(times):
        longer: dict[int, Fraction] = {}
        for so_far, before in total.items():
            for more, chance in chances.items():
                longer[so_far + more] = longer.get(so_far + more, Fraction(0)) + before * chance
        total = longer
    return total


QUESTIONS: dict[type[Any], Callable[[Battle, Any], Question]] = {
    Barrage: _about_barrage,
    Strip: _about_lane,
    Trial: _about_check,
    Deed: _about_deed,
    Lookout: _about_spotting,
    Opening: _about_initiative,
}
