"""Exploding dice of the app over 200,000 rolls: as often as they should be, from fixed seeds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from engine.dice import AppDice
from engine.exploding import Chain
from engine.rolls import Faces, Throw
from tests.every_face import deviation

ROLLS = 200_000
LOWEST, HIGHEST = -22, 32
"""What a chain comes to is counted one by one between these; beyond them together."""


def totals(chain: Chain, seed: bytes) -> Counter[int]:
    """What each of the rolls comes to, cut at LOWEST and HIGHEST."""
    app, counted = AppDice(seed), Counter[int]()
    for number in range(ROLLS):
        key = f"r1/rook//defence#{number}"

        def dice(throw: Throw, key: str = key) -> Faces:
            faces, source = app.faces(throw, key)
            return Faces((*(throw.follows or ()), *faces), source, key)

        worth = chain.worth(chain.fall(Throw("defence", "rook", "", chain.sides, 1), dice).dice)
        counted[min(HIGHEST, max(LOWEST, worth))] += 1
    return counted


def expected(chain: Chain) -> dict[int, Fraction]:
    """How many rolls should come to each total."""
    chances = {total: chain.reaching(total) - chain.reaching(total + 1) for total in range(LOWEST + 1, HIGHEST)}
    chances[HIGHEST] = chain.reaching(HIGHEST)
    chances[LOWEST] = 1 - chain.reaching(LOWEST + 1)
    assert sum(chances.values()) == 1
    return {total: chance * ROLLS for total, chance in chances.items() if chance}


@pytest.mark.parametrize("seed", [bytes(range(32)), bytes(32)])
@pytest.mark.parametrize("chain", [Chain(), Chain(down=False)], ids=["both ways", "upwards"])
def test_exploding_d10(chain: Chain, seed: bytes) -> None:
    """GD-2: chi-square over all totals; rare ones are taken together so that each class expects 20 rolls or more."""
    counted, due = totals(chain, seed), expected(chain)
    assert set(counted) <= set(due)
    assert abs(deviation(counted, {total: float(count / ROLLS) for total, count in due.items()}, least=20)) < 3.09
