"""What the Dice log is filtered by or searched for: words, and units, rolls or sides that entries are about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from msgspec import Struct

from engine.concerning import concerns
from engine.entries import Entry, OrderEntry
from engine.history import History
from tui.search_words import all_in, completions, in_one_word, typed_words

UNIT, ROLL, SIDE = "unit:", "roll:", "side:"
ABOUT = (UNIT, ROLL, SIDE)
"""What narrows the log to a unit, a kind of roll, or a side, with a name or a part of it behind."""


class LogFilter(Struct, frozen=True):
    """Words that all have to occur in an entry, and the units, rolls and sides of which it has to be about one each."""

    words: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    rolls: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it lets everything through."""
        return not (self.words or self.units or self.rolls or self.sides)


def read_filter(text: str) -> LogFilter:
    """The filter that a text stands for: `scouts`, `unit:scouts roll:leadership`, `side:eldar 12`."""
    words, named = typed_words(text, ABOUT)
    return LogFilter(words, named[UNIT], named[ROLL], named[SIDE])


class LogReader:
    """Tells of a history which entries a filter lets through, and which names there are to filter by."""

    def __init__(self, history: History) -> None:
        self._history = history

    @cached_property
    def units(self) -> Mapping[str, str]:
        """Every unit that is or was there, by id, with the name it is typed by."""
        shown = self._history.rules.names(self._history.state)
        return {id_: in_one_word(name) for id_, name in shown.items()}

    def rolls(self) -> tuple[str, ...]:
        """The purposes of all rolls so far, in the order in which they first came."""
        orders = (entry for entry in self._history.entries if isinstance(entry, OrderEntry))
        return tuple(dict.fromkeys(row.purpose for entry in orders for row in entry.rolls))

    def passes(self, wanted: LogFilter, entry: Entry, texts: Iterable[str]) -> bool:
        """Whether a filter lets an entry through; `texts` are its lines."""
        if wanted.words and not all_in(wanted.words, texts):
            return False
        if not (wanted.units or wanted.rolls or wanted.sides):
            return True
        return isinstance(entry, OrderEntry) and self._about(wanted, entry)

    def _about(self, wanted: LogFilter, entry: OrderEntry) -> bool:
        names = self.units if wanted.units else {}
        for part in wanted.units:
            matching = (id_ for id_, name in names.items() if part == id_ or part in name)
            if not any(concerns(self._history.rules, entry, id_) for id_ in matching):
                return False
        for part in wanted.rolls:
            if not any(row.purpose.casefold().startswith(part) for row in entry.rolls):
                return False
        sides = self._sides(entry) if wanted.sides else set()
        return all(any(part in in_one_word(side) for side in sides) for part in wanted.sides)

    def _sides(self, entry: OrderEntry) -> set[str]:
        """The sides that an entry is about: whose order it is, and for whom dice were rolled."""
        rules, before = self._history.rules, self._history.state_at(self._history.parent(entry.n))
        return {rules.owner(before, entry.order), *(rules.side_of(before, row.subject) for row in entry.rolls)} - {""}

    def offered(self, word: str) -> tuple[str, ...]:
        """What a word that is being typed may become: what to narrow by, or the names that go on with it."""
        names: dict[str, Collection[str]] = {
            UNIT: tuple(dict.fromkeys(self.units.values())),
            ROLL: self.rolls(),
            SIDE: tuple(map(in_one_word, self._history.header.sides)),
        }
        return completions(word, names)
