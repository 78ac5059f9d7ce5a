"""The same battle kept with `eventsourcing` on SQLite: one event of its aggregate for each entry of ours.

An event carries the text of the entry, orders and rolls included, and is folded by our own rules. There are no
snapshots and there is no cache. The library does more than we do for each event: types by name, times, versions, and a
log of notifications.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

Fold = Callable[[Any, bytes], Any]


class Battle(Aggregate):
    """A battle as an aggregate. `fold` gives the state after the text of an entry."""

    fold: ClassVar[Fold]
    empty: ClassVar[Any]

    @event("Begun")
    def __init__(self, name: str) -> None:
        self.name = name
        self.state: Any = Battle.empty

    @event("Ordered")
    def ordered(self, text: str) -> None:
        self.state = Battle.fold(self.state, text.encode())


class Kept:
    """Battles in an SQLite file, written through to the disk as the library does by default."""

    def __init__(self, file: Path, fold: Fold, empty: Any) -> None:
        Battle.fold, Battle.empty = staticmethod(fold), empty
        environment = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(file)}
        self._application: Application[UUID] = Application(environment)

    def begin(self) -> Battle:
        battle = Battle("long")
        self._application.save(battle)
        return battle

    def append(self, battle: Battle, text: str) -> None:
        """One more entry, safe on disk."""
        battle.ordered(text)
        self._application.save(battle)

    def extend(self, battle: Battle, texts: Iterable[str]) -> None:
        """Many entries, saved at once."""
        for text in texts:
            battle.ordered(text)
        self._application.save(battle)

    def rebuilt(self, battle: Battle) -> Any:
        """The state as rebuilt from the file."""
        kept: Battle = self._application.repository.get(battle.id)
        return kept.state
