"""Exact distributions and the fairness of faces, against counting all cases and against known values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.fair_faces import FaceCount, chi_square_tail
from engine.spread import NOTHING, Spread, of_chances, of_results, one_in, repeated, together

D6 = of_results((1, 2, 3, 4, 5, 6))


def counted_out(faces: Sequence[Sequence[int]]) -> dict[int, Fraction]:
    """The twin: every case of some dice, each given by what its faces are worth."""
    cases = Counter(sum(case) for case in product(*faces))
    return {total: Fraction(count, cases.total()) for total, count in cases.items()}


def chances(spread: Spread) -> dict[int, Fraction]:
    return {number: Fraction(weight, spread.cases) for number, weight in spread.ways() if weight}


tables = st.lists(st.integers(-3, 6), min_size=1, max_size=6).map(tuple)


@settings(deadline=None)
@given(st.lists(tables, max_size=3))
def test_dice_added_up_are_what_counting_all_cases_says(dice: list[tuple[int, ...]]) -> None:
    whole = NOTHING
    for results in dice:
        whole = together(whole, of_results(results))
    assert chances(whole) == counted_out(dice)


@settings(deadline=None)
@given(tables, st.integers(0, 4))
def test_many_of_one_kind_are_what_counting_all_cases_says(results: tuple[int, ...], times: int) -> None:
    assert chances(repeated(of_results(results), times)) == counted_out([results] * times)


@settings(deadline=None)
@given(st.integers(0, 6), st.integers(0, 5))
def test_dice_that_come_or_miss_are_what_counting_all_cases_says(ways: int, times: int) -> None:
    """Up to five dice that reach a number on `ways` of their six faces."""
    each = [1] * ways + [0] * (6 - ways)
    assert chances(repeated(one_in(Fraction(ways, 6)), times)) == counted_out([each] * times)


@settings(deadline=None)
@given(st.dictionaries(st.integers(-4, 9), st.integers(0, 20), min_size=1).filter(lambda given: any(given.values())))
def test_tails_mean_and_span_are_what_counting_says(weights: dict[int, int]) -> None:
    cases = sum(weights.values())
    spread = of_chances({number: Fraction(weight, cases) for number, weight in weights.items()})
    assert spread.mean == Fraction(sum(number * weight for number, weight in weights.items()), cases)
    for bound in range(-6, 12):
        assert spread.at_most(bound) == Fraction(sum(n for number, n in weights.items() if number <= bound), cases)
        assert spread.at_least(bound) == Fraction(sum(n for number, n in weights.items() if number >= bound), cases)
    low, high = spread.usual()
    assert spread.at_most(low - 1) <= Fraction(1, 10) < spread.at_most(low)
    assert spread.at_least(high + 1) <= Fraction(1, 10) < spread.at_least(high)


def test_two_dice() -> None:
    assert repeated(D6, 2) == Spread(2, (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1))
    assert repeated(D6, 2).usual() == (4, 10)


def test_hundreds_of_dice_stay_exact() -> None:
    """900 dice on 4+, 200 on 6+: the chance of all is 1/2 to the 900th times 1/6 to the 200th."""
    whole = together(repeated(one_in(Fraction(1, 2)), 900), repeated(one_in(Fraction(1, 6)), 200))
    assert whole.at_least(1100) == Fraction(1, 2**900 * 6**200)
    assert whole.mean == 450 + Fraction(200, 6)


# Faces


@pytest.mark.parametrize(
    ("freedom", "statistic", "chance"),
    [(2, 5.991, 0.05), (3, 7.815, 0.05), (5, 11.070, 0.05), (5, 15.086, 0.01), (9, 16.919, 0.05), (19, 30.144, 0.05)],
)
def test_the_critical_values_of_the_tables(freedom: int, statistic: float, chance: float) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(chance, abs=2e-5)


@settings(deadline=None)
@given(st.floats(0.001, 400), st.integers(1, 40))
def test_the_tail_is_the_regularized_incomplete_gamma_function(statistic: float, freedom: int) -> None:
    second = mpmath.gammainc(mpmath.mpf(freedom) / 2, mpmath.mpf(statistic) / 2, mpmath.inf, regularized=True)
    assert chi_square_tail(statistic, freedom) == pytest.approx(float(second), rel=1e-9, abs=1e-300)


def test_unevenness_is_pearsons() -> None:
    """Sixty throws, 10 expected of each face: (5² + 2² + 1² + 1² + 2² + 5²) / 10 = 6."""
    count = FaceCount(6, "app", (5, 8, 9, 11, 12, 15))
    assert (count.dice, count.enough, count.unevenness) == (60, True, Fraction(6))
    assert count.chance == pytest.approx(0.3062, abs=1e-4)


def test_without_dice_nothing_is_uneven() -> None:
    assert FaceCount(6, "table", (0,) * 6).unevenness == 0
    assert FaceCount(6, "table", (0,) * 6).chance == 1
    assert not FaceCount(6, "table", (4,) * 6).enough
    assert FaceCount(6, "table", (5,) * 6).enough


def test_a_chance_never_leaves_its_bounds() -> None:
    assert chi_square_tail(0, 5) == 1
    assert chi_square_tail(1e6, 5) == 0
    assert chi_square_tail(3, 0) == 1
