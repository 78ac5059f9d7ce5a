"""Battles on disk: appending, rebuilding, opening, seeking, listing; and folding events in memory."""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from benchmarks import long_battles
from benchmarks.peer import Kept
from benchmarks.table import Measured
from engine.entries import OrderEntry, OrderMoves
from engine.folding import own_copy
from engine.orders import read_order
from engine.registered import rule_set
from engine.resolution import Event
from saves.battle import OpenBattle
from saves.chain import SEAL
from saves.journal import Journal
from saves.library import battles, copy_example
from saves.reading import Record
from saves.records import Entries, header_in, record_of

APPENDS = 1000
REBUILT = 10_000
LONG = 1_000_000
SEEKS = 1000
SHELF = 1000
COPIES = 10
"""How many battles of eight units are fought at once, so that eighty are on the table."""


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder for the time being, on the disk of this folder: the system's own may be in memory."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        yield Path(folder)


def _fold(name: str) -> tuple[Any, Any]:
    """The fold of the text of an entry, as a peer may use it, and the state it begins with."""
    header = header_in(next(long_battles.lines(name)).rstrip())
    rules = rule_set(header.rules)
    entries = Entries(header, rules)

    def fold(state: Any, text: bytes) -> Any:
        entry = entries.moves(text)
        if isinstance(entry, OrderMoves):
            for event in entry.events:
                state = rules.evolve(state, event)
        return state

    return fold, rules.begin(header.sides, header.switches)


def appending() -> Iterator[Measured]:
    """One entry after the other, each safe on disk, in turns with the others."""
    bare_times, own_times, peer_times = [], [], []
    fold, empty = _fold("suppression-fire")
    with _folder() as folder:
        path = copy_example("suppression-fire", folder)
        with OpenBattle.open(path) as battle:
            note = read_order(battle.history.rules, f'{{"type":"note","text":"{"x" * 40}"}}')
            record = record_of(battle.give(note))
        store, kept = Journal(path), Kept(folder / "peer.sqlite", fold, empty)
        place, aggregate = store.read().place, kept.begin()
        bare = os.open(folder / "bare", os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        line = record + b" " * (SEAL + 1)
        for _ in range(APPENDS):
            start = time.perf_counter()
            os.write(bare, line)
            os.fdatasync(bare)
            bare_done = time.perf_counter()
            place = store.append(record, place)
            own_done = time.perf_counter()
            kept.append(aggregate, record.decode())
            peer_times.append(time.perf_counter() - own_done)
            own_times.append(own_done - bare_done)
            bare_times.append(bare_done - start)
        store.close()
        os.close(bare)
    bare_time, own, peer = (1e6 * statistics.median(times) for times in (bare_times, own_times, peer_times))
    yield Measured(
        "durable append",
        f"{own:.0f} µs",
        f"write+fdatasync {bare_time:.0f} µs",
        own / bare_time,
        "≤ 1.5",
        own <= 1.5 * bare_time,
    )
    yield Measured("durable append", f"{own:.0f} µs", f"eventsourcing {peer:.0f} µs", own / peer)


def _rebuild(name: str) -> Measured:
    fold, empty = _fold(name)
    own, others = [], []
    with _folder() as folder:
        path = long_battles.write(folder / "long.battle.jsonl", name, REBUILT)
        kept = Kept(folder / "peer.sqlite", fold, empty)
        aggregate = kept.begin()
        kept.extend(aggregate, (line.decode() for line in islice(path.read_bytes().split(b"\n"), 1, REBUILT + 1)))
        for _ in range(5):
            start = time.perf_counter()
            kept.rebuilt(aggregate)
            done = time.perf_counter()
            OpenBattle.open(path, read_only=True).close()
            own.append(time.perf_counter() - done)
            others.append(done - start)
    mine, theirs = min(own), min(others)
    what = f"rebuild {REBUILT:,} entries, chain verified, {name}"
    return Measured(
        what, f"{mine:.3f} s", f"eventsourcing {theirs:.3f} s", theirs / mine, "≥ 8 times as fast", theirs >= 8 * mine
    )


def rebuilding() -> Iterator[Measured]:
    """A battle of 10,000 entries, in turns with the same battle in eventsourcing."""
    for name in ("suppression-fire", "gray-dawn"):
        yield _rebuild(name)


def _opened(name: str) -> Iterator[Measured]:
    with _folder() as folder:
        path = long_battles.write(folder / "long.battle.jsonl", name, LONG)
        start, worked = time.perf_counter(), time.process_time()
        journal = Journal(path, read_only=True)
        reading = journal.read()
        scanned = time.perf_counter() - start
        record = Record(path, reading)
        seconds, work = time.perf_counter() - start, time.process_time() - worked
        del reading
        journal.close()
        size = path.stat().st_size / 1e6
    what = f"open {LONG:,} entries ({size:.0f} MB), {name}"
    yield Measured(
        f"{what}, chain verified", f"{seconds:.1f} s", f"{work:.1f} s of processor", None, "≤ 10 s", seconds <= 10
    )
    yield Measured(f"{what}, chain taken on trust", f"{seconds - scanned:.1f} s")
    chance, times = random.Random(1), []
    for _ in range(SEEKS):
        number = chance.randrange(1, LONG + 1)
        start = time.perf_counter()
        record.history.state_at(record.history.head_after(number))
        times.append(1000 * (time.perf_counter() - start))
    times.sort()
    p50, p99 = times[SEEKS // 2], times[SEEKS * 99 // 100]
    yield Measured(
        f"seek in {LONG:,} entries, {name}", f"{p50:.2f} ms, 99 in 100 {p99:.2f} ms", "", None, "≤ 5 ms", p99 <= 5
    )


def opening_suppression_fire() -> Iterator[Measured]:
    """A million entries of Suppression Fire, then seeking in them."""
    yield from _opened("suppression-fire")


def opening_gray_dawn() -> Iterator[Measured]:
    """A million entries of Gray Dawn, then seeking in them."""
    yield from _opened("gray-dawn")


CLOCK = ("turn_began", "phase_began", "turn_ended", "round_began", "round_ended", "noted", "scored")
OF_SEVERAL = ("freed", "ended", "lightning")
"""Fields of such events that name units."""


def eighty_units(name: str) -> tuple[Any, list[Event], list[Event]]:
    """The rules, the muster of eighty units, and what happens to them in one battle.

    Ten battles of eight under one clock: each event of a bundled battle happens to all ten, only turns, rounds, notes
    and scores pass once.
    """
    with tempfile.TemporaryDirectory() as folder, OpenBattle.open(copy_example(name, Path(folder))) as battle:
        rules, entries = battle.history.rules, battle.history.entries
        ids = sorted(battle.history.rules.names(battle.history.state), key=len, reverse=True)
    muster: list[Event] = []
    fought: list[Event] = []
    for entry in entries:
        for event in entry.events if isinstance(entry, OrderEntry) else ():
            copies = [_copied(event, ids, copy) for copy in range(COPIES)]
            kind = event.__struct_config__.tag
            if kind in CLOCK:
                named = [name for name in copies[0] if name in OF_SEVERAL]
                merged = {name: [each for copied in copies for each in copied[name]] for name in named}
                copies = [copies[0] | merged]
            if kind != "battle_ended":
                events = msgspec.convert(copies, list[rules.event_types], strict=False)  # type: ignore[name-defined]
                (muster if kind == "mustered" else fought).extend(events)
    return rules, muster, fought


def _copied(event: Event, ids: list[str], copy: int) -> dict[str, Any]:
    """The event as it happens in another of the battles, as plain data."""
    text = msgspec.json.encode(event).decode()
    for each in ids:
        text = text.replace(f'"{each}"', f'"{each}-{copy}"')
    return msgspec.json.decode(text)  # type: ignore[no-any-return]


def folding() -> Iterator[Measured]:
    """Events into a state with eighty units on the table."""
    for name in ("suppression-fire", "gray-dawn"):
        rules, muster, fought = eighty_units(name)
        rates = []
        for _ in range(7):
            state = rules.begin(("Eldar", "Imperium"), {})
            state = rules.fold(own_copy(state), muster)
            start = time.process_time()
            for _ in range(40):
                state = rules.fold(state, fought)
            rates.append(40 * len(fought) / (time.process_time() - start))
        rate = max(rates)
        yield Measured(
            f"fold events, 80 units, {name}", f"{rate:,.0f} a second", "", None, "≥ 1,000,000", rate >= 1_000_000
        )


def listing() -> Iterator[Measured]:
    """The battles of a folder."""
    with _folder() as folder:
        os.environ["HEADSDOWN_HOME"] = str(folder)  # the shelf stands in the library
        for at in range(SHELF):
            copy_example(("suppression-fire", "gray-dawn")[at % 2], folder)
        times = []
        for _ in range(4):
            start = time.perf_counter()
            found = battles(folder)
            times.append(time.perf_counter() - start)
    assert len(found) == SHELF
    best = min(times[1:])
    yield Measured(f"list {SHELF:,} battles, first time", f"{times[0]:.2f} s")
    yield Measured(f"list {SHELF:,} battles, again", f"{best:.2f} s", "", None, "≤ 0.5 s", best <= 0.5)
