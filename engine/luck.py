"""Luck: what the dice of a battle came to against what was to be expected, with the exact chance of worse and better.

Each roll on the line of play is held against what it needed and how many dice it had, which earlier rolls decided: so
wounds are judged by the hits that were made. Losses are judged by the order as a whole, from its first die to the
last. All luck is that of the unit which a roll is about: a save is the saver's, and few hits are the good luck of
those they were meant for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.entries import OrderEntry
from engine.fair_faces import FaceCount
from engine.history import History
from engine.odds import Cancelled, TooMany
from engine.orders import chances_of
from engine.refusals import Refusal
from engine.rolls import Rolled
from engine.ruleset import Measure, Reading
from engine.spread import NOTHING, Spread, of_chances, of_results, one_in, repeated, together
from engine.wording import percent

SOURCES = ("app", "table")


class Reckoning(Struct, frozen=True):
    """One line of the luck table: what some rolls came to, and what was to be expected of them.

    Of the side `side`, or with `unit` of that unit alone; `source` is `app` or `table` where only such dice are
    counted, else empty. `rolls` are rolls of the log, for losses orders that could have cost something. `usual` is
    the span that 8 battles in 10 stay in. `as_bad` and `as_good` are the exact chances of luck that is at least as
    bad, and at least as good, in a battle with the same rolls.
    """

    measure: str
    side: str
    unit: str
    source: str
    rolls: int
    actual: int
    expected: Fraction
    usual: tuple[int, int]
    as_bad: Fraction
    as_good: Fraction

    @property
    def in_words(self) -> str:
        return in_words(self.as_bad, self.as_good)


class TurningPoint(Struct, frozen=True):
    """A roll, or what an order cost, that could have come otherwise when much hung on it.

    `swing` is in what units are counted in. Of a roll (`row`, in the entry's log) it is what hung on it times the
    chance that it would have come out otherwise; of losses (`row` None) how many more or fewer fell than were to be
    expected. `chance` is that of the roll's outcome, or of losses at least as far off in that direction.
    """

    entry: int
    row: int | None
    unit: str
    side: str
    swing: Fraction
    chance: Fraction
    lost: int = 0
    expected: Fraction = Fraction(0)


class Luck(Struct, frozen=True):
    """The luck of a battle: the table, the faces that fell, the turning points, the largest swing first.

    `unjudged` counts the orders whose losses cannot be held against odds: the rules of today refuse them, or they
    have too many outcomes.
    """

    reckonings: tuple[Reckoning, ...]
    faces: tuple[FaceCount, ...]
    turning_points: tuple[TurningPoint, ...]
    unjudged: int


Known = MutableMapping[int, Mapping[str, Spread] | None]
"""What each order of a battle, by its entry, was likely to cost its units; None where it has no exact odds."""


def luck_of(history: History, wanted: Callable[[], bool] = lambda: True, known: Known | None = None) -> Luck:
    """The luck of a battle on its line of play. Raises Cancelled when `wanted` says no.

    Reading the odds of each order that rolled takes its time: long battles want a thread of their own. What was
    found is kept in `known`, if given, so that asking again after another order reads the odds of that one only;
    entries never change.
    """
    book = _Book(history, wanted, {} if known is None else known)
    for before, entry, after in steps(history):
        book.enter(before, entry, after)
    return book.closed()


def steps(history: History) -> Iterator[tuple[Any, OrderEntry, Any]]:
    """The orders on the line of play, each with the state before and after it."""
    rules = history.rules
    state = rules.begin(history.header.sides, history.header.switches)
    for node in history.path(history.head):
        entry, before = history.order(node), state
        for event in entry.events:
            state = rules.evolve(state, event)
        yield before, entry, state


# One roll


class Told(Struct, frozen=True):
    """What a roll tells of luck: the spread of one die, how many fell, what they came to."""

    each: Spread
    dice: int
    actual: int


def told(measure: Measure, row: Rolled) -> Told | None:
    """What a roll tells in that measure; None where it tells nothing: another purpose, or a row that makes no sense."""
    if row.purpose not in measure.purposes or not row.dice:
        return None
    if measure.counts in ("passed", "failed"):
        return _of_check(measure.counts, row)
    if measure.counts == "reached":
        return _of_pool(row)
    return _of_sum(measure.results or tuple(range(1, row.sides + 1)), row)


def _of_check(counted: str, row: Rolled) -> Told | None:
    chance = Fraction(*row.chance)
    if row.outcome not in ("passed", "failed") or chance > 1:
        return None
    came = row.outcome == counted
    return Told(one_in(chance if came else 1 - chance), 1, int(came))


def _of_pool(row: Rolled) -> Told | None:
    if not isinstance(row.outcome, int) or row.needed is None or row.sides < 1:
        return None
    ways = min(row.sides, max(0, row.sides + 1 - row.needed))
    return Told(one_in(Fraction(ways, row.sides)), len(row.dice), row.outcome)


def _of_sum(results: tuple[int, ...], row: Rolled) -> Told | None:
    if not isinstance(row.outcome, int) or len(results) != row.sides:
        return None
    return Told(of_results(results), len(row.dice), row.outcome)


# Losses of one order


def losses_to_come(
    history: History, before: Any, entry: OrderEntry, wanted: Callable[[], bool] = lambda: True
) -> Mapping[str, Spread]:
    """How likely it was that an order would cost each unit it rolled for so and so much, from its first die on.

    Units that could lose nothing are left out. Raises Refusal where the rules refuse the order, TooMany, Cancelled.
    """
    rules = history.rules
    strong = {each.id: each.strength for each in _concerned(history, before, entry) if each.strength}
    if not strong:
        return {}
    plan = rules.judge(before, entry.order)

    def left(state: Any) -> tuple[int, ...]:
        return tuple(rules.strength(state, unit) for unit in strong)

    readings = rules.question(before, entry.order, plan).readings
    reading = next((each for each in readings if [each.losing] == list(strong)), Reading())
    chances = chances_of(rules, before, plan, replace(reading, tell=left), wanted)
    spreads: dict[str, Spread] = {}
    for at, (unit, strength) in enumerate(strong.items()):
        of_unit: dict[int, Fraction] = {}
        for outcome, chance in chances.items():
            lost = strength - outcome[at]
            of_unit[lost] = of_unit.get(lost, Fraction(0)) + chance
        spread = of_chances(of_unit)
        if spread != NOTHING:
            spreads[unit] = spread
    return spreads


class _Holder(Struct, frozen=True):
    """Whose luck a roll is: a unit, its side, and what it has left to lose."""

    id: str
    side: str
    strength: int


def _concerned(history: History, state: Any, entry: OrderEntry) -> tuple[_Holder, ...]:
    """The units that the rolls of an entry are about."""
    rules = history.rules
    named = dict.fromkeys(name for row in entry.rolls for name in _subjects(row))
    there = rules.names(state)
    return tuple(
        _Holder(each, rules.side_of(state, each), rules.strength(state, each)) for each in named if each in there
    )


def _subjects(row: Rolled) -> tuple[str, ...]:
    return (row.subject, row.group) if row.group else (row.subject,)


# The whole battle


class _Tally:
    """What the rolls of one holder came to in one measure."""

    def __init__(self) -> None:
        self.kinds: Counter[Spread] = Counter()
        self.rolls = 0
        self.actual = 0

    def add(self, told: Told) -> None:
        self.kinds[told.each] += told.dice
        self.rolls += 1
        self.actual += told.actual

    @cached_property
    def spread(self) -> Spread:
        """Of all its dice together; the smallest first, which keeps the numbers short for longest."""
        sums = sorted((repeated(each, dice) for each, dice in self.kinds.items()), key=lambda one: len(one.weights))
        whole = NOTHING
        for one in sums:
            whole = together(whole, one)
        return whole


_Place = tuple[str, str, str, str]
"""Measure, side, unit (empty: all of the side), source (empty: both)."""


class _Book:
    """Takes in the orders of a battle one after the other."""

    def __init__(self, history: History, wanted: Callable[[], bool], known: Known) -> None:
        self.history = history
        self.wanted = wanted
        self.known = known
        self.measures = history.rules.measures(history.state)
        self.tallies: dict[_Place, _Tally] = {}
        self.faces: dict[tuple[int, str], Counter[int]] = {}
        self.points: list[TurningPoint] = []
        self.unjudged = 0

    def enter(self, before: Any, entry: OrderEntry, after: Any) -> None:
        if not entry.rolls:
            return
        concerned = {each.id: each for each in _concerned(self.history, before, entry)}
        for at, row in enumerate(entry.rolls):
            self.faces.setdefault((row.sides, row.source), Counter()).update(row.dice)
            for measure in self.measures:
                self._enter_roll(measure, entry.n, at, row, concerned)
        for measure in self.measures:
            if measure.counts == "losses":
                self._enter_losses(measure, before, entry, after, concerned)

    def _enter_roll(self, measure: Measure, entry: int, at: int, row: Rolled, concerned: Mapping[str, _Holder]) -> None:
        unit = row.group if measure.of_group else row.subject
        seen = told(measure, row)
        if seen is None:
            return
        holder = concerned.get(unit) or _Holder(unit, "", 0)
        self._add(measure, holder, row.source, seen)
        if measure.counts in ("passed", "failed") and holder.strength:
            chance = Fraction(*row.chance)
            swing = holder.strength * (1 - chance)
            self.points.append(TurningPoint(entry, at, holder.id, holder.side, swing, chance))

    def _enter_losses(
        self, measure: Measure, before: Any, entry: OrderEntry, after: Any, concerned: Mapping[str, _Holder]
    ) -> None:
        if entry.n not in self.known:
            self.known[entry.n] = self._looked_up(before, entry)
        spreads = self.known[entry.n]
        if spreads is None:
            self.unjudged += 1
            return
        source = entry.rolls[0].source if len({row.source for row in entry.rolls}) == 1 else ""
        for unit, spread in spreads.items():
            lost = concerned[unit].strength - self.history.rules.strength(after, unit)
            self._add(measure, concerned[unit], source, Told(spread, 1, lost))
            swing = abs(lost - spread.mean)
            chance = spread.at_least(lost) if lost > spread.mean else spread.at_most(lost)
            point = TurningPoint(entry.n, None, unit, concerned[unit].side, swing, chance, lost, spread.mean)
            self.points.append(point)

    def _looked_up(self, before: Any, entry: OrderEntry) -> Mapping[str, Spread] | None:
        try:
            return losses_to_come(self.history, before, entry, self.wanted)
        except (Refusal, TooMany):
            return None

    def _add(self, measure: Measure, holder: _Holder, source: str, seen: Told) -> None:
        places = {(holder.id, ""), ("", ""), ("", source)}
        for unit, whence in places:
            place = (measure.name, holder.side, unit, whence)
            self.tallies.setdefault(place, _Tally()).add(seen)

    def closed(self) -> Luck:
        kinds = sorted(self.faces.items())
        faces = tuple(
            FaceCount(sides, source, tuple(fallen[face] for face in range(1, sides + 1)))
            for (sides, source), fallen in kinds
        )
        points = sorted((point for point in self.points if point.swing), key=lambda point: (-point.swing, point.entry))
        return Luck(tuple(self._reckonings()), faces, tuple(points), self.unjudged)

    def _reckonings(self) -> Iterator[Reckoning]:
        """Side by side, the side first and then its units as listed; measures in the rule set's order."""
        order = {unit: at for at, unit in enumerate(self.history.rules.names(self.history.state))}
        sides = self.history.header.sides
        measures = {measure.name: (at, measure) for at, measure in enumerate(self.measures)}

        def rank(place: _Place) -> tuple[Any, ...]:
            name, side, unit, source = place
            at = sides.index(side) if side in sides else len(sides)
            return at, bool(unit), order.get(unit, len(order)), unit, measures[name][0], source

        for place in sorted(self.tallies, key=rank):
            if not self.wanted():
                raise Cancelled
            yield _reckoned(place, measures[place[0]][1], self.tallies[place])


def _reckoned(place: _Place, measure: Measure, tally: _Tally) -> Reckoning:
    spread = tally.spread
    fewer, more = spread.at_most(tally.actual), spread.at_least(tally.actual)
    as_bad, as_good = (fewer, more) if measure.more_is_good else (more, fewer)
    return Reckoning(
        *place,
        rolls=tally.rolls,
        actual=tally.actual,
        expected=spread.mean,
        usual=spread.usual(),
        as_bad=as_bad,
        as_good=as_good,
    )


# In words

ORDINARY = Fraction(1, 3)
"""Luck that comes at least this often is nothing to talk about."""

RAREST = 1_000_000


def in_words(as_bad: Fraction, as_good: Fraction) -> str:
    """Luck in plain words, by the chances of at least as bad and at least as good: as unlucky as 1 battle in 9."""
    rarer = min(as_bad, as_good)
    if rarer >= ORDINARY:
        return "about as expected"
    what = "as unlucky as" if as_bad < as_good else "as lucky as"
    return f"{what} {once_in(rarer, 'battle')}"


def once_in(chance: Fraction, what: str) -> str:
    """A chance as one of so many: `1 battle in 9`; the nearest number up to 99, two figures beyond."""
    if chance * RAREST < 1:
        return f"less than 1 {what} in {RAREST:,}"
    often = round(1 / chance)
    step = 10 ** max(0, len(str(often)) - 2)
    return f"1 {what} in {round(often / step) * step:,}"


def of_side(reckonings: Collection[Reckoning], side: str, source: str = "") -> tuple[Reckoning, ...]:
    """The lines of one side as a whole, with the dice of all sources or of that one."""
    return tuple(each for each in reckonings if each.side == side and not each.unit and each.source == source)


def faces_in_words(count: FaceCount) -> str:
    """What the chi-square test says of the dice of one kind."""
    if not count.enough:
        return "too few dice to tell"
    if count.chance >= 0.05:
        return f"nothing unusual: fair dice come out at least as unevenly in {percent(count.chance)} of cases"
    return f"uneven: fair dice come out so {once_in(Fraction(count.chance), 'time')}"
