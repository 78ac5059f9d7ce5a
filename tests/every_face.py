"""What comes of an order by the plainest means: every sequence of faces played, and a sample of plays counted."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from engine.dice import AppDice
from engine.history import History
from engine.orders import read_order, resolve_order
from engine.refusals import DiceMissing
from engine.resolution import Resolution

SELDOM = Fraction(1, 10**16)
"""Chains of dice never end; those that come up more seldom than this are not played on."""


def plays(
    history: History, order: dict[str, Any], seldom: Fraction = SELDOM
) -> Iterator[tuple[Resolution[Any], Fraction]]:
    """The order given with every sequence of faces there is, and how likely each is."""
    begun: list[tuple[list[int], Fraction]] = [([], Fraction(1))]
    while begun:
        faces, chance = begun.pop()
        try:
            resolution = resolve_order(history, read_order(history.rules, json.dumps({**order, "dice": faces})))
        except DiceMissing as missing:
            throw = missing.waiting
            each = chance / throw.sides**throw.count
            if each > seldom:
                dice = product(range(1, throw.sides + 1), repeat=throw.count)
                begun.extend(([*faces, *more], each) for more in dice)
            continue
        yield resolution, chance


def sample(history: History, order: dict[str, Any], count: int, seed: int) -> Iterator[Resolution[Any]]:
    """The order resolved so many times with app dice, each time from another seed."""
    read = read_order(history.rules, json.dumps(order))
    for number in range(count):
        yield resolve_order(history, read, AppDice(f"{seed}/{number}".encode()))


def deviation(seen: Mapping[Any, int], chances: Mapping[Any, float], least: float = 5) -> float:
    """How far counts are off the chances, in standard deviations, by chi-square over classes that expect enough.

    Rare outcomes are taken together. Wilson and Hilferty: 3.09 is one case in a thousand.
    """
    assert set(seen) <= {told for told, chance in chances.items() if chance}
    count = sum(seen.values())
    classes: list[tuple[int, float]] = []
    rare_seen, rare_due = 0, 0.0
    for told, chance in chances.items():
        if chance * count < least:
            rare_seen, rare_due = rare_seen + seen.get(told, 0), rare_due + chance * count
        else:
            classes.append((seen.get(told, 0), chance * count))
    if rare_due >= 1:
        classes.append((rare_seen, rare_due))
    freedom = len(classes) - 1
    if freedom < 1:
        return 0.0
    chi_square = float(sum((found - due) ** 2 / due for found, due in classes))
    spread = 2 / (9 * freedom)
    return (math.pow(chi_square / freedom, 1 / 3) - (1 - spread)) / math.sqrt(spread)


def assert_as_often(seen: Counter[Any], chances: Mapping[Any, float]) -> None:
    """What was played came out about as often as it should: one case in thirty thousand is off by more."""
    assert deviation(seen, chances) < 4
