"""The fourth reader of the rule text: every path of outcomes with its exact weight."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from engine.dealing import Costs, Dealt, costs_of, effort_of, one_for_each_cost
from engine.resolution import Choice, Event, Rule
from engine.rolls import Pool, Roll

State = TypeVar("State")
Told = TypeVar("Told", bound=Hashable)

Stretch = Callable[[Any], Callable[[], Rule[Any]]]
"""Part of what is read: on what the one before hands on, first the state, it is judged once, and gives what starts its
rule, once for each path."""

MOST_EFFORT = 1_000_000
"""More is not worked out: it would take many seconds, and no table waits for that. Each outcome weighed is 1."""

A_PATH = 20
"""The effort of running a rule along one path, beside the outcomes weighed on it."""


class TooMany(Exception):  # noqa: N818  a bound, not an error of the program
    """The rule has more outcomes than are worked out."""


class Cancelled(Exception):  # noqa: N818  the answer is no longer wanted
    """The question was withdrawn while its odds were being computed."""


class Onward(Struct, frozen=True):
    """What a stretch may hand on instead of the state alone: with it what has been judged of all that is to come."""

    state: Any
    judged: Any


class _Place(Struct, frozen=True):
    """Where a path stands: the number of its stretch, what starts its rule, the answers since, the state now.

    `story` is the number of the events that led here: the same events, the same number. `ahead` are the outcomes of
    rolls to come that are settled already.
    """

    stretch: int
    start: Callable[[], Rule[Any]]
    answers: tuple[Any, ...]
    now: Any
    story: int
    ahead: tuple[Any, ...] = ()

    def answered(self, answer: Any) -> _Place:
        return _Place(self.stretch, self.start, (*self.answers, answer), self.now, self.story)


class _Meeting(Struct, frozen=True):
    """Paths that meet: one of them stands for all, with the weight of all, by denominator."""

    place: _Place
    weights: dict[int, int]

    def take_in(self, weight: int, of: int) -> None:
        self.weights[of] = self.weights.get(of, 0) + weight


class _Dealing(Struct, frozen=True):
    """Paths that meet where dice are dealt out, with so many to lose."""

    dealt: Dealt
    to_lose: int
    meeting: _Meeting


def distribution(
    stretches: Sequence[Stretch],
    state: State,
    evolve: Callable[[State, Any], State],
    tell: Callable[[Any], Told],
    wanted: Callable[[], bool] = lambda: True,
    counting: Callable[[State], tuple[Hashable, int]] | None = None,
    alike: Callable[[Any], Hashable] | None = None,
    closing: Callable[[Any, Roll[Any], Any], Hashable | None] | None = None,
) -> dict[Told, Fraction]:
    """The exact chance of each answer that `tell` gives about what the last stretch returns.

    The stretches follow each other, each on the state in which the one before has ended (or an Onward with that
    state). Its rule is begun anew for each path: generators cannot be copied, so the answers known so far (outcomes and
    states) are sent again, and nothing is folded twice. Choices take their default. `wanted` is looked at once a path
    and once for each handful that is dealt out; when it says no, Cancelled is raised. More than MOST_EFFORT raises
    TooMany. `counting`, `alike` and `closing` are those of a Reading (engine/ruleset.py).

    Paths with the same events behind them, or that hand on what is alike, go on as one where a stretch ends; at a
    roll that settles those with the same events and outcome, at one that closes those of which the same counts after
    it; and where dice are dealt out, with `counting`, those that will have lost as much.
    """
    sums: dict[Told, dict[int, int]] = {}
    for end, weight, of in _Paths(stretches, evolve, wanted, counting, alike, closing).ends(state):
        weights = sums.setdefault(tell(end), {})
        weights[of] = weights.get(of, 0) + weight
    return {told: Fraction(*added(weights)) for told, weights in sums.items()}


def added(weights: dict[int, int]) -> tuple[int, int]:
    """The sum of weights that are kept by denominator: one weight, one denominator."""
    if len(weights) == 1:
        ((of, weight),) = weights.items()
        return weight, of
    of = lcm(*weights)
    return sum([weight * (of // each) for each, weight in weights.items()]), of


class _Paths(Generic[State]):
    """The paths of stretches. Those in `_open` are run next; those in `_met` wait until all that meet have come.

    Those in `_dealing` are where dice are dealt out and only what they cost in all is still to be known: all that come
    to the same dice with as much to lose are weighed as one.
    """

    def __init__(
        self,
        stretches: Sequence[Stretch],
        evolve: Callable[[State, Any], State],
        wanted: Callable[[], bool],
        counting: Callable[[State], tuple[Hashable, int]] | None,
        alike: Callable[[Any], Hashable] | None,
        closing: Callable[[Any, Roll[Any], Any], Hashable | None] | None,
    ) -> None:
        self._stretches = stretches
        self._evolve = evolve
        self._wanted = wanted
        self._counting = counting
        self._alike = alike
        self._closing = closing
        self._effort = 0
        self._open: list[tuple[_Place, int, int]] = []
        self._met: dict[Hashable, _Meeting] = {}
        self._dealing: dict[tuple[int, Hashable], dict[tuple[int, Dealt], _Dealing]] = {}
        self._stories: dict[tuple[int, Event], tuple[State, int]] = {}

    def ends(self, state: State) -> Iterator[tuple[Any, int, int]]:
        """What the last stretch returns at the end of each path, with the weight of the path and its denominator."""
        self._open = [(self._first_place(0, state, state, 0), 1, 1)]
        while self._open or self._dealing or self._met:
            if not self._open:
                self._weigh_dealt()
                self._open = [(meeting.place, *added(meeting.weights)) for meeting in self._met.values()]
                self._met = {}
            self._ask_whether_wanted()
            self._take_on(A_PATH)
            yield from self._follow(*self._open.pop())

    def _first_place(self, stretch: int, handed_on: Any, state: State, story: int) -> _Place:
        return _Place(stretch, self._stretches[stretch](handed_on), (None,), state, story)

    def _ask_whether_wanted(self) -> None:
        if not self._wanted():
            raise Cancelled

    def _take_on(self, effort: int) -> None:
        self._effort += effort
        if self._effort > MOST_EFFORT:
            raise TooMany

    def _follow(self, place: _Place, weight: int, of: int) -> Iterator[tuple[Any, int, int]]:
        """Run a rule along a path to its end, taking the first outcome of each roll; the others are opened.

        Where others may meet it the path waits for them: at a roll that settles, where dice are dealt out, and where a
        rule ends before the last one.
        """
        stretch, start, now, story, ahead = place.stretch, place.start, place.now, place.story, place.ahead
        rule = start()
        known = list(place.answers)
        step: Any = None
        try:
            for answer in place.answers:
                step = rule.send(answer)
            while True:
                reply: Any
                if isinstance(step, Roll) and ahead:
                    reply, ahead = ahead[0], ahead[1:]
                elif isinstance(step, Roll):
                    here = _Place(stretch, start, tuple(known), now, story)
                    if isinstance(step, Pool) and self._waits(step, here, weight, of):
                        return
                    (reply, ways), *others = self._weighed(step)
                    total = ways + sum([n for _, n in others])
                    for other, n in others:
                        self._fork(here, step, other, weight * n, of * total)
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
            else:
                self._hand_on(stretch, end.value, now, story, weight, of)

    def _fork(self, place: _Place, roll: Roll[Any], outcome: Any, weight: int, of: int) -> None:
        """Another outcome of a roll: opened, or it meets those of which the same is still to be known after it."""
        known_by = self._closing(place.now, roll, outcome) if self._closing else None
        if known_by is None:
            self._open.append((place.answered(outcome), weight, of))
        else:
            self._meet((place.stretch, type(roll), outcome, known_by), partial(place.answered, outcome), weight, of)

    def _hand_on(self, stretch: int, value: Any, now: State, story: int, weight: int, of: int) -> None:
        if (value.state if isinstance(value, Onward) else value) is not now:
            raise AssertionError("a rule must return the state after its last event")
        known_by = self._alike(value) if self._alike else story
        self._meet((stretch, known_by), lambda: self._first_place(stretch + 1, value, now, story), weight, of)

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

    def _waits(self, pool: Pool, place: _Place, weight: int, of: int) -> bool:
        """Whether others may meet a path at this pool; if so it has been put where they will come."""
        dealt = pool.dealt() if self._counting else None
        if dealt and self._counting:
            known, to_lose = self._counting(place.now)
            there = self._dealing.setdefault((place.stretch, known), {})
            dealing = there.setdefault((to_lose, dealt), _Dealing(dealt, to_lose, _Meeting(place, {})))
            dealing.meeting.take_in(weight, of)
        elif pool.settles:
            each = self._weighed(pool)
            of *= sum([ways for _, ways in each])
            for outcome, ways in each:
                known_by = (place.stretch, place.story, outcome)
                self._meet(known_by, partial(place.answered, outcome), weight * ways, of)
        return bool(dealt) or pool.settles

    def _weigh_dealt(self) -> None:
        """Each sum that dice may cost meets those that leave as much. One way to it stands for all."""
        for known, there in self._dealing.items():
            each = [self._costs(dealing) for dealing in there.values()]
            whole = lcm(*[of * costs.cases for _, _, of, costs in each])
            sums: dict[int, int] = {}
            behind: dict[int, _Place] = {}
            for dealing, weight, of, costs in each:
                scale = weight * (whole // (of * costs.cases))
                for cost, ways in enumerate(costs.weights):
                    if ways:
                        left = dealing.to_lose - cost
                        if left not in sums:
                            sums[left] = 0
                            came, outcome = one_for_each_cost(dealing.dealt)[cost]
                            behind[left] = replace(dealing.meeting.place, ahead=((came,), outcome))
                        sums[left] += scale * ways
            for left, weight in sums.items():
                self._meet((*known, left), partial(behind.__getitem__, left), weight, whole)
        self._dealing = {}

    def _costs(self, dealing: _Dealing) -> tuple[_Dealing, int, int, Costs]:
        self._ask_whether_wanted()
        self._take_on(effort_of(dealing.dealt))
        return dealing, *added(dealing.meeting.weights), costs_of(dealing.dealt)

    def _meet(self, key: Hashable, place: Callable[[], _Place], weight: int, of: int) -> None:
        """A path comes to where those meet that are known by the same; the first one's place stands for all."""
        meeting = self._met.get(key)
        if meeting is None:
            meeting = self._met[key] = _Meeting(place(), {})
        meeting.take_in(weight, of)


# Told as data


def twelve_digits(chance: Fraction) -> float:
    """A chance as a number with 12 significant digits."""
    return float(f"{float(chance):.12g}")


def counted(chances: Mapping[int, Fraction]) -> dict[str, Any]:
    """The mean and the distribution of a count: overall chances, each to 12 significant digits."""
    mean = sum((count * chance for count, chance in chances.items()), Fraction(0))
    distribution = {str(count): twelve_digits(chances[count]) for count in sorted(chances)}
    return {"mean": twelve_digits(mean), "distribution": distribution}
