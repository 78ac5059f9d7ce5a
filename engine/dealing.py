"""What dice cost in all that come through and are then dealt out to lanes, where each is rolled for once more.

Every weight is a whole number of equally likely cases, so that chances stay exact. Weights of all costs stand side by
side in one large number, each in its own bytes: multiplying that convolves them, and far quicker than one by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import comb

from msgspec import Struct

Handful = tuple[int, int, int]
"""Handful of one kind: how many, and that each comes through in so many of so many cases."""

Costly = tuple[int, int, int, tuple[int, ...]]
"""Such dice, and what it costs when none, one, two, up to all of them come through."""


class Dealt(Struct, frozen=True):
    """A handful of which those that come through are dealt out to lanes, as `wishes` say first, if any."""

    first: Handful
    lanes: tuple[Costly, ...]
    wishes: tuple[int, ...] = ()


@lru_cache(maxsize=4096)
def ways_to_keep(count: int, ways: int, of: int) -> Mapping[int, int]:
    """How many ways exactly k of `count` dice come through, each in `ways` of `of` cases; impossible k are left out."""
    weights = {k: comb(count, k) * ways**k * (of - ways) ** (count - k) for k in range(count + 1)}
    return {k: weight for k, weight in weights.items() if weight}


@lru_cache(maxsize=4096)
def shares(count: int, sizes: tuple[int, ...], wishes: tuple[int, ...] = ()) -> tuple[int, ...]:
    """So many things dealt out in rounds: in each everyone takes as many as their size before anyone takes more.

    In the last round each takes first what it wishes, as far as its size and what is left allow, in order; then what is
    left goes in order. There must be somebody to take them.
    """
    rounds, rest = divmod(count, sum(sizes))
    last = [0] * len(sizes)
    for at, wish in enumerate(wishes):
        last[at] = min(wish, sizes[at], rest)
        rest -= last[at]
    for at, size in enumerate(sizes):
        if not rest:
            break
        more = min(size - last[at], rest)
        last[at] += more
        rest -= more
    return tuple([rounds * size + extra for size, extra in zip(sizes, last, strict=True)])


class Costs(Struct, frozen=True):
    """Of `cases`, `weights[c]` cost c in all."""

    cases: int
    weights: tuple[int, ...]


def costs_of(dealt: Dealt) -> Costs:
    """What the lanes cost in all. They have as many dice together as the handful, or more."""
    first, lanes, wishes = dealt.first, dealt.lanes, dealt.wishes
    count, ways, of = first
    cases = of**count
    for size, _, of_each, _ in lanes:
        cases *= of_each**size
    width = cases.bit_length() // 256 * 32 + 32
    if any(wishes):
        packed = _as_wished(first, lanes, wishes, width)
    else:
        packed = _in_order(first, 0, lanes, width)
        packed += ways_to_keep(count, ways, of).get(0, 0) * (cases // of**count)
    span = sum([costs[-1] for *_, costs in lanes]) + 1
    told = packed.to_bytes(width * span, "little")
    return Costs(cases, tuple([int.from_bytes(told[at : at + width], "little") for at in range(0, len(told), width)]))


@lru_cache(maxsize=8192)
def _in_order(first: Handful, before: int, lanes: tuple[Costly, ...], width: int) -> int:
    """The weights of all cases in which more than `before` of the first dice come through.

    The first `before` are dealt out already; these lanes take the rest, one lane after the other.
    """
    if not lanes:
        return 0
    (size, _, of_each, _), *rest = lanes
    further = 1
    for more, _, of_more, _ in rest:
        further *= of_more**more
    came = ways_to_keep(*first)
    each = _lane(lanes[0], width)
    here = 0
    for taken in range(1, size + 1):
        weight = came.get(before + taken)
        if weight:
            here += weight * of_each ** (size - taken) * each[taken]
    full = _in_order(first, before + size, tuple(rest), width) if before + size < first[0] else 0
    return here * further + each[size] * full


def _as_wished(first: Handful, lanes: tuple[Costly, ...], wishes: tuple[int, ...], width: int) -> int:
    """The weights of all cases, dealt out as wished for each number of first dice by itself."""
    sizes = tuple([size for size, *_ in lanes])
    packed = 0
    for came, weight in ways_to_keep(*first).items():
        for lane, taken in zip(lanes, shares(came, sizes, wishes), strict=True):
            weight *= _lane(lane, width)[taken] * lane[2] ** (lane[0] - taken)
        packed += weight
    return packed


@lru_cache(maxsize=4096)
def _lane(lane: Costly, width: int) -> tuple[int, ...]:
    """The weights of what a lane costs when it takes none, one, two, up to as many as its size."""
    size, ways, of, costs = lane
    return tuple(
        [
            sum([weight << 8 * width * costs[kept] for kept, weight in ways_to_keep(taken, ways, of).items()])
            for taken in range(size + 1)
        ]
    )


def effort_of(dealt: Dealt) -> int:
    """About how many pairs of weights are multiplied: each number dealt out with each that may be lost by then."""
    return dealt.first[0] ** 2


@lru_cache(maxsize=64)
def one_for_each_cost(dealt: Dealt) -> Mapping[int, tuple[int, tuple[int, ...]]]:
    """For each cost that may come one way to it: how many are dealt out, and how many of each lane come through.

    Lanes that take none are left out.
    """
    first, lanes, wishes = dealt.first, dealt.lanes, dealt.wishes
    sizes = tuple([size for size, *_ in lanes])
    found: dict[int, tuple[int, tuple[int, ...]]] = {}
    for came in ways_to_keep(*first):
        sums: dict[int, tuple[int, ...]] = {0: ()}
        for (_, ways, of, costs), taken in zip(lanes, shares(came, sizes, wishes), strict=True):
            if taken:
                kept = ways_to_keep(taken, ways, of)
                sums = {so_far + costs[k]: (*outcome, k) for so_far, outcome in sums.items() for k in kept}
        for cost, outcome in sums.items():
            found.setdefault(cost, (came, outcome))
    return found
