"""Whether the faces that fell look like those of fair dice: Pearson's chi-square test."""

from __future__ import annotations

from fractions import Fraction
from math import erfc, exp, pi, sqrt

from msgspec import Struct

ENOUGH = 5
"""With fewer dice for each face than this the test tells nothing."""


class FaceCount(Struct, frozen=True):
    """How often each face of the dice with `sides` sides fell, from face 1 up; `source`: `app` or `table`."""

    sides: int
    source: str
    counts: tuple[int, ...]

    @property
    def dice(self) -> int:
        return sum(self.counts)

    @property
    def enough(self) -> bool:
        """Whether there are enough dice for the test to tell anything."""
        return self.sides > 1 and self.dice >= ENOUGH * self.sides

    @property
    def unevenness(self) -> Fraction:
        """The chi-square statistic against fair dice, 0 where all faces fell equally often or none did."""
        if not self.dice:
            return Fraction(0)
        return Fraction(self.sides * sum(count**2 for count in self.counts), self.dice) - self.dice

    @property
    def chance(self) -> float:
        """The chance that fair dice come out at least as unevenly, by the chi-square distribution."""
        return chi_square_tail(float(self.unevenness), self.sides - 1)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The chance that a chi-square variable with so many degrees of freedom is `statistic` or more.

    The regularized upper incomplete gamma function Q(freedom / 2, statistic / 2), which for halves is a finite sum.
    """
    if statistic <= 0 or freedom < 1:
        return 1.0
    half = statistic / 2
    if freedom % 2:
        tail, term, at = erfc(sqrt(half)), exp(-half) * 2 * sqrt(half / pi), 1.5
    else:
        tail, term, at = exp(-half), exp(-half) * half, 2.0
    while at <= freedom / 2:
        tail += term
        term *= half / at
        at += 1
    return min(1.0, tail)
