"""The screen: from the start to the first frame, and from a key to what it changes, beside the barest app there is."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import long_battles
from benchmarks.table import Measured
from benchmarks.terminals import Terminal, terminal
from saves.library import copy_example

STARTS = 15
KEYS = 100

BARE = ("-m", "benchmarks.bare_app"), b"BARE"


def _ours(path: Path) -> tuple[tuple[str, ...], bytes]:
    return ("-m", "tui.start", "open", str(path)), b"The farm"


def starting() -> Iterator[Measured]:
    """Until the first frame is painted, in turns."""
    bare, ours, memory = [], [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        program = _ours(copy_example("suppression-fire", Path(folder)))
        for _ in range(STARTS):
            for (command, words), times in ((BARE, bare), (program, ours)):
                with terminal(*command) as running:
                    times.append(running.until(words))
                    memory = running.memory()
    mine, theirs = min(ours), min(bare)
    ratio = mine / theirs
    told = f"{mine:.0f} ms (median {statistics.median(ours):.0f})"
    other = f"bare Textual app {theirs:.0f} ms (median {statistics.median(bare):.0f})"
    yield Measured("start to first frame", told, other, ratio, "≤ 1.15", ratio <= 1.15, memory)


def ready(command: tuple[str, ...], words: bytes) -> Terminal:
    """A program that shows these words and has come to rest."""
    running = Terminal(command)
    running.until(words)
    running.settle()
    return running


def pressing() -> Iterator[Measured]:
    """Up and down in the units, in a short battle, a long one and the bare app in turns."""
    with tempfile.TemporaryDirectory() as folder:
        short = copy_example("suppression-fire", Path(folder))
        long = long_battles.write(Path(folder) / "long.battle.jsonl", "suppression-fire", 10_000)
        running = [ready(*program) for program in (BARE, _ours(short), _ours(long))]
        try:
            times: list[list[float]] = [[], [], []]
            for at in range(KEYS):
                for each, app in zip(times, running, strict=True):
                    each.append(app.after_key(b"jk"[at % 2 : at % 2 + 1]))
                    app.settle(0.05)
            memory = [app.memory() for app in running]
        finally:
            for app in running:
                app.end()
    bare, brief, lengthy = (statistics.median(each) for each in times)
    yield Measured(
        "key to changed screen, 57 entries",
        f"{brief:.1f} ms",
        f"bare app {bare:.1f} ms",
        brief / bare,
        "≤ bare + 5 ms",
        brief <= bare + 5,
        memory[1],
    )
    yield Measured(
        "key to changed screen, 10,000 entries",
        f"{lengthy:.1f} ms",
        f"57 entries {brief:.1f} ms",
        lengthy / brief,
        "≤ 1.2",
        lengthy <= 1.2 * brief,
        memory[2],
    )
