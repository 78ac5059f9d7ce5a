"""Dice that explode: one die calls for another, and the chain of them is added up.

On its highest face a die is rolled again and added, again on each highest face. Where chains also explode down, a
first die that shows 1 counts nothing: roll again and subtract, going on while that die shows its highest face.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from engine.rolls import Dice, Faces, Roll, Rolled, Throw, row_of

LONGEST = 100
"""No chain has more dice: one in ten to the hundredth would, and somebody who types tens for ever."""


class Chain(Struct, frozen=True):
    """A kind of chain: of dice with how many sides, and whether it also explodes down."""

    sides: int = 10
    down: bool = True

    def goes_on(self, dice: tuple[int, ...]) -> bool:
        """Whether these dice call for another one."""
        return len(dice) < LONGEST and (dice[-1] == self.sides or (self.down and dice == (1,)))

    def worth(self, dice: tuple[int, ...]) -> int:
        """What a chain comes to: 10, 3 is 13; 1, 10, 4 is -14 where it explodes down."""
        if self.down and dice[0] == 1:
            return -sum(dice[1:])
        return sum(dice)

    def fall(self, throw: Throw, dice: Dice) -> Faces:
        """Ask for one die after the other until none calls for another; all the dice of the chain."""
        faces = dice(replace(throw, follows=()))
        while self.goes_on(faces.dice):
            faces = dice(replace(throw, follows=faces.dice))
        return faces

    def reaching(self, least: int) -> Fraction:
        """The chance that a chain comes to `least` or more."""
        if least > 1 or not self.down:
            return self.climbing(least)
        return 1 - Fraction(1, self.sides) * self.climbing(1 - least)

    def climbing(self, least: int) -> Fraction:
        """The chance that a chain which explodes only upwards comes to `least` or more."""
        if least <= 1:
            return Fraction(1)
        highest, rest = divmod(least - 1, self.sides)
        return Fraction(self.sides - rest, self.sides ** (highest + 1))

    def both_climbing(self, least: int) -> Fraction:
        """The chance that two chains which explode only upwards come to `least` or more together."""
        if least <= 2:
            return Fraction(1)
        plain = range(1, self.sides)
        ends = sum((self.climbing(least - face) for face in plain), Fraction(0))
        goes_on = self.both_climbing(least - self.sides)
        return (ends + goes_on) / self.sides

    def climbing_ahead(self, lead: int) -> Fraction:
        """The chance that of two chains which explode only upwards the first is ahead by `lead` or more.

        Where both dice show their highest face the question is the same again, hence the last divisor.
        """
        plain = range(1, self.sides)
        cases = Fraction(sum(first - second >= lead for first in plain for second in plain))
        for face in plain:
            cases += self.climbing(lead + face - self.sides)  # the first goes on, the second ends
            cases += 1 - self.climbing(1 - lead - self.sides + face)  # the first ends, the second goes on
        return cases / (self.sides**2 - 1)

    def ahead(self, lead: int) -> Fraction:
        """The chance that of two chains the first is ahead of the second by `lead` or more."""
        if not self.down:
            return self.climbing_ahead(lead)
        plain, top = range(2, self.sides), self.sides
        cases = Fraction(sum(first - second >= lead for first in plain for second in plain))
        for face in plain:
            cases += self.climbing(lead + face - top)  # the first goes up, the second shows a plain face
            cases += 1 - self.climbing(1 - lead - face)  # the first goes down
            cases += 1 - self.climbing(1 - lead - top + face)  # the first shows a plain face, the second goes up
            cases += self.climbing(lead - face)  # the second goes down
        cases += 2 * self.climbing_ahead(lead)  # both go the same way
        cases += self.both_climbing(lead - top)  # the first goes up, the second down
        cases += 1 - self.both_climbing(1 - lead - top)  # the first goes down, the second up
        return cases / top**2


def _weights(chance: Fraction) -> Mapping[bool, int]:
    """A chance as whole-number weights of yes and no; what is impossible is left out."""
    weights = {True: chance.numerator, False: chance.denominator - chance.numerator}
    return {outcome: weight for outcome, weight in weights.items() if weight}


class ExplodingCheck(Roll[bool], frozen=True):
    """Whether a chain comes to `needed` or more."""

    purpose: str
    subject: str
    needed: int
    chain: Chain = Chain()
    group: str = ""

    def read(self, dice: Dice) -> tuple[bool, tuple[Rolled, ...]]:
        throw = Throw(self.purpose, self.subject, self.group, self.chain.sides, 1, self.needed)
        faces = self.chain.fall(throw, dice)
        total = self.chain.worth(faces.dice)
        passed = total >= self.needed
        return passed, (_check_row(throw, faces, passed, total, self.chances()),)

    def chances(self) -> Mapping[bool, int]:
        return _weights(self.chain.reaching(self.needed))


def _check_row(throw: Throw, faces: Faces, passed: bool, total: int, chances: Mapping[bool, int]) -> Rolled:
    return row_of(throw, faces, "passed" if passed else "failed", chances[passed], sum(chances.values()), total)


class Contest(Roll[bool], frozen=True):
    """Whether a chain with `ahead` added is not beaten by another one, which falls after it.

    `purposes` are what the two are rolled for. In the log the second passes where it beats the first.
    """

    purposes: tuple[str, str]
    subject: str
    ahead: int
    chain: Chain = Chain()
    group: str = ""

    def read(self, dice: Dice) -> tuple[bool, tuple[Rolled, ...]]:
        throw = Throw(self.purposes[0], self.subject, self.group, self.chain.sides, 1)
        faces = self.chain.fall(throw, dice)
        total = self.chain.worth(faces.dice)
        chance = self.chain.reaching(total) - self.chain.reaching(total + 1)
        row = row_of(throw, faces, total, chance.numerator, chance.denominator, total)
        other = ExplodingCheck(self.purposes[1], self.subject, total + self.ahead + 1, self.chain, self.group)
        beaten, others = other.read(dice)
        return not beaten, (row, *others)

    def chances(self) -> Mapping[bool, int]:
        return _weights(self.chain.ahead(-self.ahead))
