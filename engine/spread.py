"""How likely each whole number is, exactly: one die, many dice added up, what an order may cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm

from msgspec import Struct


class Spread(Struct, frozen=True):
    """Of all cases, `weights[k]` make the number `least + k`. The first and the last weight are not 0."""

    least: int
    weights: tuple[int, ...]

    @property
    def most(self) -> int:
        return self.least + len(self.weights) - 1

    @property
    def cases(self) -> int:
        return sum(self.weights)

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(number * weight for number, weight in self.ways()), self.cases)

    def ways(self) -> Iterator[tuple[int, int]]:
        """Each number with how many cases make it, the lowest first."""
        return enumerate(self.weights, self.least)

    def at_most(self, number: int) -> Fraction:
        """The chance of `number` or less."""
        return Fraction(sum(self.weights[: max(0, number - self.least + 1)]), self.cases)

    def at_least(self, number: int) -> Fraction:
        """The chance of `number` or more."""
        return 1 - self.at_most(number - 1)

    def usual(self) -> tuple[int, int]:
        """The span of numbers that leaves out at most 1 case in 10 at either end."""
        tenth = self.cases // 10
        return self._passing(tenth), self.most - (self._mirrored()._passing(tenth) - self.least)

    def _passing(self, rare: int) -> int:
        seen = 0
        for number, weight in self.ways():
            seen += weight
            if seen > rare:
                return number
        raise AssertionError("there is no case at all")

    def _mirrored(self) -> Spread:
        return Spread(self.least, self.weights[::-1])


NOTHING = Spread(0, (1,))
"""Always 0."""


def one_in(chance: Fraction) -> Spread:
    """1 with that chance, else 0."""
    if chance in (0, 1):
        return Spread(int(chance), (1,))
    return Spread(0, (chance.denominator - chance.numerator, chance.numerator))


def of_results(results: tuple[int, ...]) -> Spread:
    """What one die of a table comes to: `results` for its faces from 1 up."""
    least = min(results)
    return Spread(least, tuple(results.count(number) for number in range(least, max(results) + 1)))


def of_chances(chances: Mapping[int, Fraction]) -> Spread:
    """Numbers with their exact chances, which add up to 1; those of chance 0 may be there."""
    possible = [number for number, chance in chances.items() if chance]
    cases = lcm(*(chances[number].denominator for number in possible))
    span = range(min(possible), max(possible) + 1)
    return Spread(span.start, tuple(int(chances.get(number, Fraction(0)) * cases) for number in span))


def together(one: Spread, other: Spread) -> Spread:
    """The sum of two that have nothing to do with each other."""
    if len(other.weights) == 1 or len(one.weights) == 1:
        # Who never varies shifts the other. Weights stay in lowest terms: of cases that all count alike, one will do.
        shape = one if len(other.weights) == 1 else other
        return Spread(one.least + other.least, shape.weights)
    width = _width(one.cases * other.cases)
    product = _packed(one.weights, width) * _packed(other.weights, width)
    return Spread(one.least + other.least, _unpacked(product, width, len(one.weights) + len(other.weights) - 1))


def repeated(one: Spread, times: int) -> Spread:
    """The sum of so many of one kind."""
    if not times:
        return NOTHING
    if len(one.weights) == 1:
        return Spread(one.least * times, (1,))
    if len(one.weights) == 2:
        return Spread(one.least * times, _either_way(one.weights[0], one.weights[1], times))
    width = _width(one.cases**times)
    power = _packed(one.weights, width) ** times
    return Spread(one.least * times, _unpacked(power, width, (len(one.weights) - 1) * times + 1))


def _either_way(miss: int, come: int, times: int) -> tuple[int, ...]:
    """How many cases of `times` dice let 0, 1, 2 ... come: each weight from the one before."""
    weights = [miss**times]
    for came in range(times):
        weights.append(weights[-1] * (times - came) * come // ((came + 1) * miss))
    return tuple(weights)


# Weights side by side in one large number, each in its own bytes: multiplying that convolves them, and far quicker
# than weight by weight.


def _width(cases: int) -> int:
    return cases.bit_length() // 8 + 1


def _packed(weights: tuple[int, ...], width: int) -> int:
    return int.from_bytes(b"".join(weight.to_bytes(width, "little") for weight in weights), "little")


def _unpacked(packed: int, width: int, count: int) -> tuple[int, ...]:
    data = packed.to_bytes(width * count, "little")
    return tuple(int.from_bytes(data[at : at + width], "little") for at in range(0, len(data), width))
