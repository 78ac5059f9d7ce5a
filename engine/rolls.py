"""What a rule may ask of the dice: a check, a total, or a pool that goes through stages.

A rule asks for what it needs, never for faces. Each kind of roll says in one class how faces become an outcome
(`read`) and how likely each outcome is (`chances`), so that play and odds cannot part ways.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import gcd, prod
from typing import Annotated, Any, Generic, TypeVar

from msgspec import Meta, Struct

from engine.dealing import Costly, Dealt, ways_to_keep

T = TypeVar("T")


class Throw(Struct, frozen=True):
    """Dice that fall together: what for, about whom, how many, of how many sides, and the number each needs.

    With `together` the dice are added up, and it is their sum that may be `needed` at most.

    `follows` is for dice that may call for further ones (engine/exploding.py): the dice of this chain that have
    fallen so far, none at its start. A chain is asked for one throw after the other under one key, makes one row of
    the log, and what it comes to must reach `needed`. None for dice that fall once.
    """

    purpose: str
    subject: str
    group: str
    sides: int
    count: int
    needed: int | None = None
    together: bool = False
    follows: tuple[int, ...] | None = None


class Faces(Struct, frozen=True):
    """What fell for one throw, whence (`app` or `table`), under which key, and the entry it corrects if any.

    For a throw that follows others of its chain these are all dice of the chain.
    """

    dice: tuple[int, ...]
    source: str
    key: str
    corrects: int | None = None


class Rolled(Struct, frozen=True, omit_defaults=True):
    """One row of the dice log as recorded: the throw, its faces, what came of it and how likely that was.

    `outcome` is `passed` or `failed` for a check, the sum for a total, the number of dice that reached `needed`
    for a stage of a pool. `chance` is the exact probability of that outcome beforehand: numerator, denominator.
    `total` is what a chain of exploding dice comes to; there `needed` is to be reached.
    """

    purpose: str
    subject: str
    sides: Annotated[int, Meta(ge=2, le=65536)]
    dice: tuple[int, ...]
    outcome: str | int
    source: str
    chance: tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=1)]]
    key: str
    needed: int | None = None
    group: str = ""
    corrects: int | None = None
    total: int | None = None


Dice = Callable[[Throw], Faces]


class Roll(Struct, Generic[T], frozen=True):
    """Something a rule asks of the dice, with an outcome of type T."""

    def read(self, dice: Dice) -> tuple[T, tuple[Rolled, ...]]:
        """The outcome that the faces make, and the rows for the log."""
        raise NotImplementedError

    def chances(self) -> Mapping[T, int]:
        """Each possible outcome with its whole-number weight; impossible ones are left out."""
        raise NotImplementedError


def row_of(throw: Throw, faces: Faces, outcome: str | int, ways: int, of: int, total: int | None = None) -> Rolled:
    """The row of the log for a throw that came out so, in `ways` of `of` cases."""
    shared = gcd(ways, of)
    return Rolled(
        purpose=throw.purpose,
        subject=throw.subject,
        group=throw.group,
        sides=throw.sides,
        dice=faces.dice,
        needed=throw.needed,
        outcome=outcome,
        source=faces.source,
        chance=(ways // shared, of // shared),
        key=faces.key,
        corrects=faces.corrects,
        total=total,
    )


@lru_cache(maxsize=512)
def ways_to_total(count: int, sides: int) -> Mapping[int, int]:
    """How many ways `count` dice of `sides` sides make each sum."""
    ways = {0: 1}
    for _ in range(count):
        longer: dict[int, int] = {}
        for total, so_far in ways.items():
            for face in range(1, sides + 1):
                longer[total + face] = longer.get(total + face, 0) + so_far
        ways = longer
    return ways


class Total(Roll[int], frozen=True):
    """The sum of `count` dice."""

    purpose: str
    subject: str
    count: int
    sides: int
    group: str = ""

    def read(self, dice: Dice) -> tuple[int, tuple[Rolled, ...]]:
        throw = Throw(self.purpose, self.subject, self.group, self.sides, self.count)
        faces = dice(throw)
        total = sum(faces.dice)
        return total, (row_of(throw, faces, total, self.chances()[total], self.sides**self.count),)

    def chances(self) -> Mapping[int, int]:
        return ways_to_total(self.count, self.sides)


class Check(Roll[bool], frozen=True):
    """Whether the sum of `count` dice is `at_most` or less; with `least_passes`, all ones always are."""

    purpose: str
    subject: str
    count: int
    sides: int
    at_most: int
    least_passes: bool = False

    def read(self, dice: Dice) -> tuple[bool, tuple[Rolled, ...]]:
        throw = Throw(self.purpose, self.subject, "", self.sides, self.count, self.at_most, together=True)
        faces = dice(throw)
        passed = _passes(sum(faces.dice), self.count, self.at_most, self.least_passes)
        ways, of = self.chances()[passed], self.sides**self.count
        return passed, (row_of(throw, faces, "passed" if passed else "failed", ways, of),)

    def chances(self) -> Mapping[bool, int]:
        return _chances_to_pass(self.count, self.sides, self.at_most, self.least_passes)


def _passes(total: int, count: int, at_most: int, least_passes: bool) -> bool:
    return total <= at_most or (least_passes and total == count)


@lru_cache(maxsize=512)
def _chances_to_pass(count: int, sides: int, at_most: int, least_passes: bool) -> Mapping[bool, int]:
    ways = ways_to_total(count, sides)
    passing = sum(n for total, n in ways.items() if _passes(total, count, at_most, least_passes))
    return {passed: n for passed, n in ((True, passing), (False, sides**count - passing)) if n}


class TableLine(Roll[int], frozen=True):
    """One die looked up in a table: `results` holds what each face stands for, from 1 up."""

    purpose: str
    subject: str
    results: tuple[int, ...]
    group: str = ""

    def read(self, dice: Dice) -> tuple[int, tuple[Rolled, ...]]:
        throw = Throw(self.purpose, self.subject, self.group, len(self.results), 1)
        faces = dice(throw)
        result = self.results[faces.dice[0] - 1]
        return result, (row_of(throw, faces, result, self.chances()[result], len(self.results)),)

    def chances(self) -> Mapping[int, int]:
        return {result: self.results.count(result) for result in self.results}


class Stage(Struct, frozen=True):
    """One step of a pool: dice at `needed` or more come through, or with `failing` those that miss it.

    `needed` None is a step that nothing can pass: no die is rolled, and none comes through, or with `failing` all.
    """

    purpose: str
    needed: int | None
    failing: bool = False
    sides: int = 6

    def ways(self) -> int:
        """How many faces of one die come through."""
        reached = 0 if self.needed is None else min(self.sides, max(0, self.sides + 1 - self.needed))
        return self.sides - reached if self.failing else reached


class Lane(Struct, frozen=True):
    """`count` dice of one subject and model group, which go through the same stages.

    `costs` tells what it costs when none, one, two, up to all of the dice come through, say how many models fall.
    """

    subject: str
    group: str
    count: int
    stages: tuple[Stage, ...]
    costs: tuple[int, ...] = ()

    def chance(self) -> tuple[int, int]:
        """How likely one die comes through all its stages: ways, of how many."""
        return _through(self.stages)


@lru_cache(maxsize=512)
def _through(stages: tuple[Stage, ...]) -> tuple[int, int]:
    ways = of = 1
    for stage in stages:
        shared = gcd(stage.ways(), stage.sides)
        ways *= stage.ways() // shared
        of *= stage.sides // shared
    return ways, of


class Dealing(Struct, frozen=True):
    """How those dice of a pool that come through are dealt out for further rolls, where nobody chooses otherwise.

    They go to the lanes in order, each of which takes at most as many as its `count`; `wishes`, if any, are what each
    takes first. There are enough for all of them. Play does not look at it; odds do where only what the lanes cost in
    all still counts.
    """

    lanes: tuple[Lane, ...]
    wishes: tuple[int, ...] = ()

    def dice(self) -> tuple[Costly, ...]:
        """The dice of each lane, for adding up."""
        return tuple([(lane.count, *lane.chance(), lane.costs) for lane in self.lanes])


class Pool(Roll[tuple[int, ...]], frozen=True):
    """How many dice of each lane come through all their stages.

    Faces fall stage by stage, and within a stage lane by lane: all saves, then all feel no pain.

    `settles` is the rule's word that nothing it rolled before counts any more once this has fallen: what follows
    goes by this outcome and by what has happened, not by how many dice there were. Odds then take the paths that
    meet here together.

    `dealing` is the rule's word that the dice of the one lane that come through are dealt out so for one further pool,
    if any do, and that nothing else is rolled.
    """

    lanes: tuple[Lane, ...]
    settles: bool = False
    dealing: Dealing | None = None

    def read(self, dice: Dice) -> tuple[tuple[int, ...], tuple[Rolled, ...]]:
        left = [lane.count for lane in self.lanes]
        rows: list[Rolled] = []
        for step in range(max((len(lane.stages) for lane in self.lanes), default=0)):
            for at, lane in enumerate(self.lanes):
                if step >= len(lane.stages) or not left[at]:
                    continue
                stage = lane.stages[step]
                if stage.needed is None:
                    left[at] = left[at] if stage.failing else 0
                    continue
                throw = Throw(stage.purpose, lane.subject, lane.group, stage.sides, left[at], stage.needed)
                faces = dice(throw)
                reached = sum(1 for face in faces.dice if face >= stage.needed)
                rows.append(self._stage_row(throw, faces, reached))
                left[at] = left[at] - reached if stage.failing else reached
        return tuple(left), tuple(rows)

    @staticmethod
    def _stage_row(throw: Throw, faces: Faces, reached: int) -> Rolled:
        ways = Stage(throw.purpose, throw.needed, sides=throw.sides).ways()
        weights = ways_to_keep(throw.count, ways, throw.sides)
        return row_of(throw, faces, reached, weights[reached], throw.sides**throw.count)

    def outcomes(self) -> int:
        """At most how many outcomes there are: each lane may keep none of its dice, or one, up to all."""
        return prod(lane.count + 1 for lane in self.lanes)

    def chances(self) -> Mapping[tuple[int, ...], int]:
        weights: dict[tuple[int, ...], int] = {(): 1}
        for lane in self.lanes:
            each = [((kept,), ways) for kept, ways in ways_to_keep(lane.count, *lane.chance()).items()]
            weights = {so_far + kept: weight * ways for so_far, weight in weights.items() for kept, ways in each}
        return weights

    def dealt(self) -> Dealt | None:
        """What comes of this and the rolls that follow as it is dealt out; None where it is not."""
        if self.dealing is None:
            return None
        (lane,) = self.lanes
        return Dealt((lane.count, *lane.chance()), self.dealing.dice(), self.dealing.wishes)


AnyRoll = Roll[Any]
