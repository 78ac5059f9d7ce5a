"""What the odds of an order tell. The rules themselves are read for every path of dice; here only answers are named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from engine.odds import counted, twelve_digits
from engine.odds_views import at_least, mean_of
from engine.refusals import Refusal
from engine.ruleset import Figure, Question, Reading

from .acting import Move, Rallying, Volley
from .squads import Battle

Chances = Mapping[Any, Fraction]


def question_about(battle: Battle, order: Any, plan: Any) -> Question:
    """What is asked of the state after the order; raises Refusal (`order`) for one that never rolls."""
    if isinstance(plan, Volley):
        return _about_volley(battle, plan)
    if isinstance(plan, Rallying):
        return Question((Reading(lambda after: after.squads[plan.squad].pins),), lambda left: {"pins": counted(left)})
    if isinstance(plan, Move) and battle.squads[plan.squad].pins:
        return Question((Reading(lambda after: after.squads[plan.squad].down),), _acts_or_not)
    raise Refusal("order", "this order rolls no dice: there are no odds to tell")


def _acts_or_not(down: Chances) -> dict[str, Any]:
    stays = down.get(True, Fraction(0))
    return {"acts": twelve_digits(1 - stays), "stays_down": twelve_digits(stays)}


def _about_volley(battle: Battle, volley: Volley) -> Question:
    """Whether the squad fires at all, the pins that the target then carries, and who falls: overall chances."""
    before = battle.squads[volley.target].soldiers

    def tell(after: Battle) -> tuple[bool, int, int]:
        target = after.squads[volley.target]
        return after.squads[volley.squad].down, target.pins, before - target.soldiers

    def answer(chances: Chances) -> dict[str, Any]:
        pins, fallen = (counted(_only(chances, at)) for at in (1, 2))
        return {**_acts_or_not(_only(chances, 0)), "pins": pins, "casualties": fallen}

    return Question((Reading(tell),), answer)


def _only(chances: Chances, at: int) -> dict[Any, Fraction]:
    """The chances of one part of what is told, whatever the others are."""
    added: dict[Any, Fraction] = {}
    for told, chance in chances.items():
        added[told[at]] = added.get(told[at], Fraction(0)) + chance
    return added


def odds_figures(odds: Mapping[str, Any]) -> tuple[Figure, ...]:
    """The same in figures for people."""
    return tuple(_figures(odds))


def _figures(odds: Mapping[str, Any]) -> Iterator[Figure]:
    if odds.get("stays_down"):
        yield Figure("", "acts", odds["acts"], tone="good")
        yield Figure("", "stays down", odds["stays_down"], tone="bad")
    if "pins" in odds:
        yield mean_of("Pins", odds["pins"])
        yield Figure("Pins", "none", odds["pins"]["distribution"].get("0", 0.0))
    if "casualties" in odds:
        yield mean_of("Losses", odds["casualties"])
        yield at_least("Losses", 1, odds["casualties"])
