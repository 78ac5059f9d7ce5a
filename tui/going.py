"""What going to an entry means, in words."""

from __future__ import annotations

from engine.history import History
from engine.wording import counted


def changes_on_the_way(history: History, number: int) -> str:
    """How many orders going to entry `number` takes back and brings back; empty for none. Refusal as `head_after`."""
    back, forth = history.between(history.head_after(number))
    changes = [f"{counted(len(back), 'order')} taken back"] if back else []
    changes += [f"{counted(len(forth), 'order')} brought back"] if forth else []
    return ", ".join(changes)


def going(history: History, number: int) -> str:
    """The question whether to go to an entry."""
    return f"To how things stood after entry {number}: {changes_on_the_way(history, number)}?"
