"""Entries in words: what was ordered, what fell, what was needed, what came of it, and how likely that was."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from rich.cells import cell_len

from engine.entries import Entry, GotoEntry, OrderEntry, RedoEntry, UndoEntry
from engine.entry_words import standing_by_text
from engine.history import History
from engine.roll_words import chance_text, faces_text, needed_text, outcome_text, whence_text
from engine.rolls import Rolled
from engine.wording import clean
from saves.cells import cut
from tui.columns import Run
from tui.shown_text import hanging

TAIL = 31
"""Cells at the right end of a roll's line: number needed, outcome, chance."""

INDENT = 5

FACES_ONE_BY_ONE = 10
"""More faces than this are counted instead: `14x1 9x6`."""


class LogLine(Struct, frozen=True):
    """One line of the log before it is laid out: the entry it is about, what kind of line, its pieces.

    `kind`: `order`, `move` (the head went back or forth), `roll`, `words` and `faces` (a roll that takes two lines),
    `event`.
    """

    entry: int
    kind: str
    text: str
    roll: Rolled | None = None


def fits_one_line(words: str, roll: Rolled, width: int) -> bool:
    """Whether a roll's words and faces stand on one line of `width` cells."""
    faces = faces_text(roll, FACES_ONE_BY_ONE)
    return INDENT + cell_len(words) + 2 + cell_len(faces) + 1 + TAIL <= width


def layout(line: LogLine, width: int, undone: bool) -> tuple[Run, ...]:
    """A line of the log as runs; what was taken back is struck through, and its first line says so in words."""
    tone = "undone" if undone else {"order": "strong", "move": "dim", "event": "plain"}.get(line.kind, "plain")
    if line.kind in ("order", "move"):
        number = f"{line.entry:>4} "
        word = "undone: " if undone else ""
        return ((number, "dim"), (word, "warning"), (cut(line.text, width - len(number) - len(word)), tone))
    if line.roll is None:
        return ((" " * INDENT, "plain"), (cut(line.text, width - INDENT), tone))
    faces = faces_text(line.roll, FACES_ONE_BY_ONE)
    shown = "undone" if undone else "strong"
    room = width - INDENT - TAIL
    if line.kind == "faces":
        faces = cut(faces, room - 2)
        space = " " * (room - 2 - cell_len(faces))
        return ((" " * (INDENT + 2), "plain"), (faces, shown), (space, "plain"), *_tail(line.roll, undone))
    space = " " * max(1, room - cell_len(line.text) - cell_len(faces))
    tail = _tail(line.roll, undone)
    return ((" " * INDENT, "plain"), (line.text, tone), (space, "plain"), (faces, shown), *tail)


def _tail(roll: Rolled, undone: bool) -> tuple[Run, ...]:
    """The right end of a roll's line, in columns: what was needed, what came of it, how likely."""
    good = {"passed": "good", "failed": "bad"}.get(str(roll.outcome), "strong")
    needed, outcome = needed_text(roll), outcome_text(roll)
    # What is long takes cells of what comes after it, which mostly has some to spare.
    first = max(11, cell_len(needed) + 1)
    second = max(23 - first, cell_len(outcome) + 1)
    return (
        *_right(needed, first, "undone" if undone else "strong"),
        *_right(outcome, second, "undone" if undone else good),
        *_right(chance_text(roll.chance), TAIL - first - second, "undone" if undone else "dim"),
    )


def _right(text: str, width: int, tone: str) -> tuple[Run, ...]:
    """Text at the right end of `width` cells; the space before it is not struck through."""
    return ((" " * max(0, width - cell_len(text)), "plain"), (text, tone))


class Teller:
    """Puts entries into words. Going through them in order it folds each event once."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._at = -1
        self._state: Any = None

    def lines(self, entry: Entry, width: int = 1000) -> list[LogLine]:
        """The lines of one entry, its title first. Rolls that do not fit into `width` cells take two lines."""
        if isinstance(entry, OrderEntry):
            return self._order(entry, width)
        return [LogLine(entry.n, "move", clean(self.move_text(entry)))]

    def move_text(self, entry: Entry) -> str:
        """What an entry that is no order did."""
        history = self._history
        if isinstance(entry, UndoEntry):
            return f"took back {entry.of}: {history.title(entry.of)}"
        if isinstance(entry, RedoEntry):
            return f"brought back {entry.to}: {history.title(entry.to)}"
        if isinstance(entry, GotoEntry):
            return f"went to {entry.to}: {history.title(entry.to)}" if entry.to else "went back to the beginning"
        assert not isinstance(entry, OrderEntry)
        return standing_by_text(history, entry)

    def _order(self, entry: OrderEntry, width: int) -> list[LogLine]:
        history, rules = self._history, self._history.rules
        parent = history.parent(entry.n)
        state = self._state if parent == self._at else history.state_at(parent)
        lines = [LogLine(entry.n, "order", clean(rules.order_title(state, entry.order)))]
        for roll in entry.rolls:
            text = clean(rules.tell_roll(state, roll)) + whence_text(roll)
            if fits_one_line(text, roll, width):
                lines.append(LogLine(entry.n, "roll", text, roll))
            else:
                lines += [LogLine(entry.n, "words", text), LogLine(entry.n, "faces", text, roll)]
        for event in entry.events:
            state = rules.evolve(state, event)
            told = clean(rules.tell_event(state, event))
            if told:
                lines += [LogLine(entry.n, "event", line) for line in hanging(told, width - INDENT)]
        self._at, self._state = entry.n, state
        return lines


def in_one_sentence(line: LogLine) -> str:
    """A line of the log as one sentence: of a roll its faces, what was needed, what came of it, and the chance."""
    if line.roll is None:
        return line.text
    roll = line.roll
    needed = f" needs {needed_text(roll)}," if roll.needed is not None else ""
    return f"{line.text}: {faces_text(roll, 20)},{needed} {outcome_text(roll)} ({chance_text(roll.chance)})"
