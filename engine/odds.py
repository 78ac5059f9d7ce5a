"""The fourth reader of the rule text: every path of outcomes with its exact weight."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any, Generic, NamedTuple, TypeVar

from engine.resolution import Choice, Event, Rule
from engine.rolls import Pool, Roll

State = TypeVar("State")
Told = TypeVar("Told", bound=Hashable)

Stretch = Callable[[Any], Callable[[], Rule[Any]]]
"""Part of what is read: on a state it is judged once, and gives what starts its rule, once for each path."""

MOST_EFFORT = 1_000_000
"""More is not worked out: it would take many seconds, and no table waits for that. Each outcome weighed is 1."""

A_PATH = 20
"""The effort of running a rule along one path, beside the outcomes weighed on it."""


class TooMany(Exception):  # noqa: N818  a bound, not an error of the program
    """The rule has more outcomes than are worked out."""


class Cancelled(Exception):  # noqa: N818  the answer is no longer wanted
    """The question was withdrawn while its odds were being computed."""


class _Place(NamedTuple):
    """Where a path stands: the number of its stretch, what starts its rule, the answers since, the state now.

    `story` is the number of the events that led here: the same events, the same number.
    """

    stretch: int
    start: Callable[[], Rule[Any]]
    answers: tuple[Any, ...]
    now: Any
    story: int

    def answered(self, answer: Any) -> _Place:
        return _Place(self.stretch, self.start, (*self.answers, answer), self.now, self.story)


class _Meeting(NamedTuple):
    """Paths that meet: one of them stands for all, with the weight of all, by denominator."""

    place: _Place
    weights: dict[int, int]


def distribution(
    stretches: Sequence[Stretch],
    state: State,
    evolve: Callable[[State, Any], State],
    tell: Callable[[Any], Told],
    wanted: Callable[[], bool] = lambda: True,
    counting: Callable[[State], Hashable] | None = None,
    alike: Callable[[State], Hashable] | None = None,
) -> dict[Told, Fraction]:
    """The exact chance of each answer that `tell` gives about what the last stretch returns.

    The stretches follow each other, each on the state in which the one before has ended. Its rule is begun anew for
    each path: generators cannot be copied, so the answers known so far (outcomes and states) are sent again, and
    nothing is folded twice. Choices take their default. `wanted` is looked at once a path; when it says no,
    Cancelled is raised. More than MOST_EFFORT raises TooMany. `counting` and `alike` are those of a Reading
    (engine/ruleset.py).

    Paths with the same events behind them, or whose states are alike, go on as one where a stretch ends; at a roll
    that settles those with the same events and outcome, or of which the same is still to be known.
    """
    sums: dict[Told, dict[int, int]] = {}
    for end, weight, of in _Paths(stretches, evolve, wanted, counting, alike).ends(state):
        weights = sums.setdefault(tell(end), {})
        weights[of] = weights.get(of, 0) + weight
    return {told: Fraction(*added(weights)) for told, weights in sums.items()}


def added(weights: dict[int, int]) -> tuple[int, int]:
    """The sum of weights that are kept by denominator: one weight, one denominator."""
    of = lcm(*weights)
    return sum([weight * (of // each) for each, weight in weights.items()]), of


class _Paths(Generic[State]):
    """The paths of stretches. Those in `_open` are run next; those in `_met` wait until all that meet have come.

    Those in `_fallen` are at a pool of which only what it costs in all is still to be known: all that come to the same
    dice with as much still to be known are weighed as one.
    """

    def __init__(
        self,
        stretches: Sequence[Stretch],
        evolve: Callable[[State, Any], State],
        wanted: Callable[[], bool],
        counting: Callable[[State], Hashable] | None,
        alike: Callable[[State], Hashable] | None,
    ) -> None:
        self._stretches = stretches
        self._evolve = evolve
        self._wanted = wanted
        self._counting = counting
        self._alike = alike
        self._effort = 0
        self._open: list[tuple[_Place, int, int]] = []
        self._met: dict[Hashable, _Meeting] = {}
        self._fallen: dict[tuple[int, Hashable, tuple[Any, ...]], tuple[Pool, _Meeting]] = {}
        self._stories: dict[tuple[int, Event], tuple[State, int]] = {}

    def ends(self, state: State) -> Iterator[tuple[Any, int, int]]:
        """What the last stretch returns at the end of each path, with the weight of the path and its denominator."""
        self._open = [(self._first_place(0, state, 0), 1, 1)]
        while self._open or self._fallen or self._met:
            if not self._open:
                self._weigh_fallen()
                self._open = [(meeting.place, *added(meeting.weights)) for meeting in self._met.values()]
                self._met = {}
            if not self._wanted():
                raise Cancelled
            self._take_on(A_PATH)
            yield from self._follow(*self._open.pop())

    def _first_place(self, stretch: int, state: State, story: int) -> _Place:
        return _Place(stretch, self._stretches[stretch](state), (None,), state, story)

    def _take_on(self, effort: int) -> None:
        self._effort += effort
        if self._effort > MOST_EFFORT:
            raise TooMany

    def _follow(self, place: _Place, weight: int, of: int) -> Iterator[tuple[Any, int, int]]:
        """Run a rule along a path to its end, taking the first outcome of each roll; the others are opened.

        At a roll that settles and where a rule ends before the last one, the path waits for others to meet it.
        """
        stretch, start, answers, now, story = place
        rule = start()
        known = list(answers)
        step: Any = None
        try:
            for answer in answers:
                step = rule.send(answer)
            while True:
                reply: Any
                if isinstance(step, Pool) and step.settles:
                    self._settle(step, _Place(stretch, start, tuple(known), now, story), weight, of)
                    return
                if isinstance(step, Roll):
                    here = _Place(stretch, start, tuple(known), now, story)
                    (reply, ways), *others = self._weighed(step)
                    total = ways + sum([n for _, n in others])
                    self._open.extend((here.answered(other), weight * n, of * total) for other, n in others)
                    weight, of = weight * ways, of * total
                elif isinstance(step, Choice):
                    reply = step.default
                else:
                    now, story = self._after(now, story, step)
                    reply = now
                known.append(reply)
                step = rule.send(reply)
        except StopIteration as end:
            if stretch == len(self._stretches) - 1:
                yield end.value, weight, of
            elif end.value is not now:
                raise AssertionError("a rule must return the state after its last event") from None
            else:
                known_by = self._alike(now) if self._alike else story
                self._meet((stretch, known_by), lambda: self._first_place(stretch + 1, now, story), weight, of)

    def _weighed(self, roll: Roll[Any]) -> Iterable[tuple[Any, int]]:
        if isinstance(roll, Pool):
            self._take_on(roll.outcomes())
        return roll.chances().items()

    def _after(self, now: State, story: int, event: Event) -> tuple[State, int]:
        """The state after an event and the number of the story that it makes longer."""
        after = self._stories.get((story, event))
        if after is None:
            after = self._evolve(now, event), len(self._stories) + 1
            self._stories[story, event] = after
        return after

    def _settle(self, pool: Pool, place: _Place, weight: int, of: int) -> None:
        """Each outcome meets those of paths with the same story, or of which the same is still to be known."""
        still = self._counting(place.now) if self._counting else None
        if still is not None:
            _, meeting = self._fallen.setdefault((place.stretch, still, pool.dice()), (pool, _Meeting(place, {})))
            meeting.weights[of] = meeting.weights.get(of, 0) + weight
            return
        each = self._weighed(pool)
        of *= sum(ways for _, ways in each)
        for outcome, ways in each:
            known_by = (place.stretch, place.story, outcome)
            self._meet(known_by, partial(place.answered, outcome), weight * ways, of)

    def _weigh_fallen(self) -> None:
        """Each sum that a pool may cost meets those of other pools that leave the same to be known."""
        for (stretch, still, _), (pool, meeting) in self._fallen.items():
            self._take_on(pool.sums())
            weight, of = added(meeting.weights)
            in_all = pool.in_all()
            of *= sum(ways for ways, _ in in_all.values())
            for cost, (ways, outcome) in in_all.items():
                self._meet((stretch, still, cost), partial(meeting.place.answered, outcome), weight * ways, of)
        self._fallen = {}

    def _meet(self, key: Hashable, place: Callable[[], _Place], weight: int, of: int) -> None:
        meeting = self._met.get(key)
        if meeting is None:
            meeting = self._met[key] = _Meeting(place(), {})
        meeting.weights[of] = meeting.weights.get(of, 0) + weight


# Told as data


def twelve_digits(chance: Fraction) -> float:
    """A chance as a number with 12 significant digits."""
    return float(f"{float(chance):.12g}")


def counted(chances: Mapping[int, Fraction]) -> dict[str, Any]:
    """The mean and the distribution of a count: overall chances, each to 12 significant digits."""
    mean = sum((count * chance for count, chance in chances.items()), Fraction(0))
    distribution = {str(count): twelve_digits(chances[count]) for count in sorted(chances)}
    return {"mean": twelve_digits(mean), "distribution": distribution}
