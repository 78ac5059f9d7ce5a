"""The replay of a long battle: a step back in the engine, and from the key to the changed screen."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks import long_battles
from benchmarks.screens import BARE, KEYS, ready
from benchmarks.table import Measured
from engine.replaying import Replay
from saves.battle import OpenBattle
from saves.library import copy_example

ENTRIES = 10_000

MOST_MS = 5
"""What finding the state before an entry may take, as for any other seek."""


def _steps_back(name: str) -> Measured:
    """From the end to the beginning, each state with what both panes show of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = long_battles.write(Path(folder) / "long.battle.jsonl", name, ENTRIES)
        with OpenBattle.open(path, read_only=True) as battle:
            replay, rules = Replay(battle.history, ENTRIES), battle.history.rules
            times = []
            while (before := replay.step(-1)) is not None:
                start = time.process_time()
                replay.go(before)
                rules.units(replay.state)
                rules.tracker(replay.state)
                times.append(1000 * (time.process_time() - start))
    times.sort()
    median, last = times[len(times) // 2], times[len(times) * 99 // 100]
    what = f"step back in {ENTRIES:,} entries, {name}"
    told = f"{median:.2f} ms of processor, 99 in 100 {last:.2f} ms"
    return Measured(what, told, "", None, f"≤ {MOST_MS} ms", last <= MOST_MS)


def stepping() -> Iterator[Measured]:
    """Back through long battles of both rule sets, then by the key, in turns with a short battle and the bare app."""
    for name in ("suppression-fire", "gray-dawn"):
        yield _steps_back(name)
    with tempfile.TemporaryDirectory() as folder:
        short = copy_example("suppression-fire", Path(folder))
        long = long_battles.write(Path(folder) / "long.battle.jsonl", "suppression-fire", ENTRIES)
        running = [ready(*BARE), ready(*_replay(short, 40)), ready(*_replay(long, ENTRIES - 500))]
        try:
            times: list[list[float]] = [[], [], []]
            for at in range(KEYS):
                for each, app, keys in zip(times, running, (b"jk", b"hl", b"hl"), strict=True):
                    each.append(app.after_key(keys[at % 2 : at % 2 + 1]))
                    app.settle(0.05)
            memory = [app.memory() for app in running]
        finally:
            for app in running:
                app.end()
    bare, brief, lengthy = (statistics.median(each) for each in times)
    for what, shown, other, peak in (
        ("57 entries", brief, f"bare app {bare:.1f} ms", memory[1]),
        (f"{ENTRIES:,} entries", lengthy, f"57 entries {brief:.1f} ms", memory[2]),
    ):
        yield Measured(
            f"replay, key to stepped screen, {what}",
            f"{shown:.1f} ms",
            other,
            shown / (bare if what == "57 entries" else brief),
            memory=peak,
        )


def _replay(path: Path, at: int) -> tuple[tuple[str, ...], bytes]:
    return ("-m", "tui.start", "replay", str(path), "--at", str(at)), b"Dice log"
