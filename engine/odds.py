"""The fourth reader of the rule text: every path of outcomes with its exact weight."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any, TypeVar

from engine.resolution import Choice, Rule
from engine.rolls import Pool, Roll

State = TypeVar("State")
Told = TypeVar("Told", bound=Hashable)


MOST_PATHS = 200_000
"""More paths of outcomes are not followed: they would take many seconds, and no table waits for that."""


class TooMany(Exception):  # noqa: N818  a bound, not an error of the program
    """The rule has more paths of outcomes than are followed."""


class Cancelled(Exception):  # noqa: N818  the answer is no longer wanted
    """The question was withdrawn while its odds were being computed."""


def distribution(
    start: Callable[[], Rule[State]],
    state: State,
    evolve: Callable[[State, Any], State],
    tell: Callable[[Any], Told],
    wanted: Callable[[], bool] = lambda: True,
) -> dict[Told, Fraction]:
    """The exact chance of each answer that `tell` gives about what the rule returns: the state at its end.

    `start` begins the rule anew for each path: generators cannot be copied, so the answers known so far (outcomes
    and states) are sent again, and nothing is folded twice. Choices take their default. `wanted` is looked at once
    a path; when it says no, Cancelled is raised. More than MOST_PATHS raise TooMany.
    """
    sums: dict[Told, dict[int, int]] = {}
    forks: list[tuple[tuple[Any, ...], State, int, int]] = [((None,), state, 1, 1)]
    paths = 0
    while forks:
        if not wanted():
            raise Cancelled
        paths += 1
        if paths + len(forks) > MOST_PATHS:
            raise TooMany
        answers, now, weight, of = forks.pop()
        rule = start()
        known = list(answers)
        try:
            step: Any = None
            for answer in known:
                step = rule.send(answer)
            while True:
                reply: Any
                if isinstance(step, Pool) and step.outcomes() > MOST_PATHS:
                    raise TooMany
                if isinstance(step, Roll):
                    (reply, ways), *others = step.chances().items()
                    total = ways + sum(n for _, n in others)
                    for other, n in others:
                        forks.append(((*known, other), now, weight * n, of * total))
                    weight, of = weight * ways, of * total
                elif isinstance(step, Choice):
                    reply = step.default
                else:
                    reply = now = evolve(now, step)
                known.append(reply)
                step = rule.send(reply)
        except StopIteration as end:
            by_denominator = sums.setdefault(tell(end.value), {})
            by_denominator[of] = by_denominator.get(of, 0) + weight
    return {told: sum((Fraction(n, of) for of, n in parts.items()), Fraction(0)) for told, parts in sums.items()}
