"""Play and odds cannot part ways: what a roll makes of every sequence of faces is what it says the chances are."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import icepool  # type: ignore[import-untyped]
import pytest

from engine.rolls import Check, Faces, Lane, Pool, Roll, Rolled, Stage, TableLine, Throw, Total, ways_to_total


class _Waits(Exception):  # noqa: N818  a signal of this test
    """The roll asks for dice of which the sequence has none left."""

    def __init__(self, throw: Throw) -> None:
        self.throw = throw


def readings(request: Roll[Any]) -> Iterator[tuple[Any, tuple[Rolled, ...], Fraction]]:
    """Every sequence of faces that a roll can be given: its outcome, its rows and the chance of these faces."""
    begun: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while begun:
        known, chance = begun.pop()
        left = list(known)

        def dice(throw: Throw, left: list[int] = left) -> Faces:
            if not left:
                raise _Waits(throw)
            faces = tuple(left[: throw.count])
            del left[: throw.count]
            assert len(faces) == throw.count
            return Faces(faces, "table", "key")

        try:
            outcome, rows = request.read(dice)
        except _Waits as waits:
            throw = waits.throw
            for number in range(throw.sides**throw.count):
                faces = tuple(number // throw.sides**at % throw.sides + 1 for at in range(throw.count))
                begun.append((known + faces, chance / throw.sides**throw.count))
            continue
        assert not left
        yield outcome, rows, chance


def read_chances(request: Roll[Any]) -> dict[Any, Fraction]:
    """The chances by reading every sequence of faces; on the way each row is checked against its own throw."""
    chances: dict[Any, Fraction] = {}
    for outcome, rows, chance in readings(request):
        chances[outcome] = chances.get(outcome, Fraction(0)) + chance
        for row in rows:
            assert 0 < row.chance[0] <= row.chance[1]
    return chances


def told_chances(request: Roll[Any]) -> dict[Any, Fraction]:
    weights = request.chances()
    assert all(isinstance(weight, int) and weight > 0 for weight in weights.values())
    whole = sum(weights.values())
    return {outcome: Fraction(weight, whole) for outcome, weight in weights.items()}


SAVE, SHRUG = Stage("save", 4, failing=True), Stage("feel no pain", 5, failing=True)
NO_SAVE = Stage("save", None, failing=True)
HIT, WOUND, CANNOT = Stage("hit", 5), Stage("wound", 4), Stage("wound", None)


def lane(count: int, *stages: Stage, group: str = "") -> Lane:
    return Lane("scouts", group, count, stages)


ROLLS: dict[str, Roll[Any]] = {
    "nothing at all": Pool(()),
    "no dice": Pool((lane(0, HIT, WOUND),)),
    "a die": Total("shots", "squad", 1, 6),
    "a D3": Total("shrapnel", "scouts", 1, 3),
    "three D3": Total("shrapnel", "scouts", 3, 3),
    "four dice": Total("sum", "scouts", 4, 6),
    "two D10": Total("sum", "scouts", 2, 10),
    "a table": TableLine("place", "rook", (1, 1, 2, 3, 3, 3, 4, 9, 9, 9)),
    "a table of one": TableLine("place", "rook", (7,)),
    "hits": Pool((lane(4, HIT),)),
    "hits that wound": Pool((lane(3, HIT, WOUND),)),
    "hits that cannot wound": Pool((lane(3, HIT, CANNOT),)),
    "cannot, then more": Pool((lane(2, CANNOT, SAVE),)),
    "saves": Pool((lane(4, SAVE),)),
    "saves and feel no pain": Pool((lane(3, SAVE, SHRUG),)),
    "no stages": Pool((lane(3),)),
    "no save": Pool((lane(3, NO_SAVE),)),
    "no save, but feel no pain": Pool((lane(3, NO_SAVE, SHRUG), lane(2, SAVE, NO_SAVE, group="b"))),
    "two groups": Pool((lane(2, SAVE, group="a"), lane(2, SAVE, SHRUG, group="b"))),
    "a group without saves": Pool((lane(2, group="a"), lane(2, SHRUG, group="b"), lane(0, SAVE, group="c"))),
    "unlike dice": Pool((lane(1, Stage("x", 3, sides=10), group="a"), lane(2, Stage("y", 2, sides=4), group="b"))),
    "always": Pool((lane(2, Stage("sure", 1)),)),
    "never": Pool((lane(2, Stage("never", 7)),)),
    "never fails": Pool((lane(2, Stage("never", 7, failing=True)),)),
    **{f"leadership {n}": Check("leadership", "scouts", 2, 6, n) for n in range(-2, 14)},
    **{f"leadership {n}, double 1 passes": Check("leadership", "scouts", 2, 6, n, True) for n in (-2, 1, 2, 3, 12)},
    "one die check": Check("check", "scouts", 1, 10, 4),
}


@pytest.mark.parametrize("name", ROLLS)
def test_what_is_read_is_what_is_told(name: str) -> None:
    """SF-15, SF-21 to SF-30: every kind of roll, over every sequence of faces."""
    request = ROLLS[name]
    assert read_chances(request) == told_chances(request)


@pytest.mark.parametrize("name", ROLLS)
def test_each_row_tells_the_chance_of_its_outcome(name: str) -> None:
    """The log's chance of a row is how often that throw comes out so, counted over all its faces."""
    rows = {row for _, rows, _ in readings(ROLLS[name]) for row in rows}
    throws: dict[tuple[Any, ...], dict[tuple[int, ...], Rolled]] = {}
    for row in rows:
        throws.setdefault((row.purpose, row.group, row.needed, len(row.dice)), {})[row.dice] = row
    for seen in throws.values():
        some = next(iter(seen.values()))
        assert len(seen) == some.sides ** len(some.dice)
        outcomes = [row.outcome for row in seen.values()]
        for row in seen.values():
            assert Fraction(*row.chance) == Fraction(outcomes.count(row.outcome), len(outcomes))


def icepool_chances(die: Any) -> dict[Any, Fraction]:
    return {outcome: Fraction(quantity, die.denominator()) for outcome, quantity in die.items() if quantity}


@pytest.mark.parametrize("count", range(9))
@pytest.mark.parametrize("sides", [2, 3, 6, 10])
def test_totals_by_icepool(count: int, sides: int) -> None:
    """A second twin: sums of dice as another library has them."""
    chances = told_chances(Total("sum", "scouts", count, sides))
    assert chances == icepool_chances(count @ icepool.d(sides))
    assert sum(ways_to_total(count, sides).values()) == sides**count


@pytest.mark.parametrize("at_most", range(1, 13))
def test_checks_by_icepool(at_most: int) -> None:
    """SF-15: 2D6 at most."""
    chances = told_chances(Check("leadership", "scouts", 2, 6, at_most))
    assert chances == icepool_chances(2 @ icepool.d(6) <= at_most)


@pytest.mark.parametrize("count", [1, 10, 30, 200])
def test_pools_by_icepool(count: int) -> None:
    """SF-21 to SF-25: hits on 5, wounds on 4, saves on 4, feel no pain on 5, as one chance a die."""
    request = Pool((lane(count, HIT, WOUND, SAVE, SHRUG),))
    chance = Fraction(2, 6) * Fraction(3, 6) * Fraction(3, 6) * Fraction(4, 6)
    twin = icepool_chances(count @ icepool.coin(chance.numerator, chance.denominator))
    assert {kept: p for (kept,), p in told_chances(request).items()} == twin


def test_pass_chances_of_the_rulebook() -> None:
    """SF-15: by modified leadership, of 36: the worked example of the rules."""
    told = {2: 1, 3: 3, 4: 6, 5: 10, 6: 15, 7: 21, 8: 26, 9: 30, 10: 33}
    for leadership, ways in told.items():
        assert Check("leadership", "scouts", 2, 6, leadership).chances() == {True: ways, False: 36 - ways}


def test_five_hits_on_average() -> None:
    """SF-22: thirty models at 6+."""
    chances = told_chances(Pool((lane(30, Stage("hit", 6)),)))
    assert sum(hits * chance for (hits,), chance in chances.items()) == 5


def test_stage_by_stage_and_lane_by_lane() -> None:
    """SF-27: all saves as the groups are listed, then all feel no pain."""
    asked: list[tuple[str, str, int]] = []

    def dice(throw: Throw) -> Faces:
        asked.append((throw.purpose, throw.group, throw.count))
        return Faces((1,) * throw.count, "table", "key")

    steps = {"a": (SAVE, SHRUG), "b": (NO_SAVE, SHRUG), "c": (SAVE, NO_SAVE), "d": (NO_SAVE, NO_SAVE)}
    left, _ = Pool((*(lane(2, *stages, group=name) for name, stages in steps.items()), lane(0, SAVE))).read(dice)
    assert asked == [("save", "a", 2), ("save", "c", 2), ("feel no pain", "a", 2), ("feel no pain", "b", 2)]
    assert left == (2, 2, 2, 2, 0)
