"""States of a battle that are kept along its lines of play, so that going back folds only a few orders again."""

from __future__ import annotations

from collections import deque
from typing import Any

from engine.folding import own_copy
from engine.lines_of_play import LinesOfPlay
from engine.recorded_entries import Entries
from engine.ruleset import RuleSet

KEPT_EVERY = 32
"""So many orders stand between two states that are kept."""

CLOSE_EVERY = 4
"""So many between two of the latest: what is taken back is mostly what was done last."""

CLOSE = 8
"""How many of the latest are kept."""


class KeptStates:
    """The state after any order: kept, or folded from the nearest one before it."""

    def __init__(self, rules: RuleSet, entries: Entries, play: LinesOfPlay, begun: Any) -> None:
        """`begun` is the state at the beginning."""
        self._rules = rules
        self._entries = entries
        self._play = play
        self._kept: dict[int, Any] = {0: begun}
        self._close: deque[int] = deque()

    def at(self, node: int) -> Any:
        """The state after the order `node` on its line of play."""
        back: list[int] = []
        before = node
        while before not in self._kept:
            back.append(before)
            before = self._play.parent(before)
        state = self._kept[before]
        if not back:
            return state
        state = own_copy(state)
        for later in reversed(back):
            state = self._rules.fold(state, self._entries.events(later))
        return state

    def keep(self, node: int, state: Any) -> None:
        """The state after `node`, to be kept; it must not change any more."""
        self._kept[node] = state
        self._close.append(node)
        if len(self._close) > CLOSE:
            older = self._close.popleft()
            if self._play.depth(older) % KEPT_EVERY:
                del self._kept[older]
