"""What going to an entry means, in words."""

from __future__ import annotations

from engine.history import History
from engine.wording import counted


def changes_on_the_way(history: History, number: int) -> str:
    """How many orders going to entry `number` takes back and brings back; empty for none. Refusal as `head_after`."""
    here, path = history.path(history.head), history.path(history.head_after(number))
    back, forth = len(set(here) - set(path)), len(set(path) - set(here))
    changes = [f"{counted(back, 'order')} taken back"] if back else []
    changes += [f"{counted(forth, 'order')} brought back"] if forth else []
    return ", ".join(changes)


def going(history: History, number: int) -> str:
    """The question whether to go to an entry."""
    return f"To how things stood after entry {number}: {changes_on_the_way(history, number)}?"
