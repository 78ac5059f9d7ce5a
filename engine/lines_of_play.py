"""The tree of a battle's orders: which follows which, and where the head was after each entry.

Entries are known by their numbers; 0 is the beginning, the header.
"""

from __future__ import annotations

from array import array

from engine.refusals import Refusal


class LinesOfPlay:
    """Only grows, entry by entry; `head` is the order at which the battle stands, on the line of play that holds."""

    def __init__(self) -> None:
        self.head = 0
        self._depths = array("q", [0])
        # An order mostly follows the entry before it, and few entries are no orders: only what differs is kept.
        self._branches: dict[int, int] = {}
        self._heads: dict[int, int] = {}

    def __len__(self) -> int:
        """How many entries there are, the header among them: the number that is due next."""
        return len(self._depths)

    @property
    def orders(self) -> int:
        """How many of the entries are orders."""
        return len(self._depths) - 1 - len(self._heads)

    def add_order(self) -> int:
        """The next entry is an order that follows the head, and is the head now; gives its depth."""
        depths, before = self._depths, self.head
        number, depth = len(depths), depths[before] + 1
        depths.append(depth)
        if before != number - 1:
            self._branches[number] = before
        self.head = number
        return depth

    def add_other(self) -> None:
        """The next entry is no order; the head is where that entry has moved it to, if it did."""
        self._heads[len(self._depths)] = self.head
        self._depths.append(0)

    def is_order(self, number: int) -> bool:
        return 0 < number < len(self._depths) and number not in self._heads

    def parent(self, node: int) -> int:
        """The order before `node` on its line of play, 0 for the beginning."""
        return self._branches.get(node, node - 1)

    def depth(self, node: int) -> int:
        """How many orders there are from the beginning to `node`."""
        return self._depths[node]

    def path(self, node: int) -> tuple[int, ...]:
        """The orders from the beginning to `node`, oldest first."""
        line: list[int] = []
        while node:
            line.append(node)
            node = self.parent(node)
        return tuple(reversed(line))

    def between(self, to: int, start: int | None = None) -> tuple[list[int], list[int]]:
        """The orders that go when the head moves to `to`, the latest first, and those that come, the earliest first.

        The head moves from where it is, or from `start`.
        """
        gone: list[int] = []
        come: list[int] = []
        back, there = self.head if start is None else start, to
        while back != there:
            if self._depths[back] >= self._depths[there]:
                gone.append(back)
                back = self.parent(back)
            else:
                come.append(there)
                there = self.parent(there)
        return gone, come[::-1]

    def head_after(self, number: int) -> int:
        """Where the head was after entry `number`; 0 for the header. Raises Refusal for a number not there."""
        if not 0 <= number < len(self._depths):
            raise Refusal("order", f"there is no entry {number}; the last one is {len(self._depths) - 1}")
        return self._heads.get(number, number)
