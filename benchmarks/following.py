"""How long until another process's entry is on the screen: `python -m benchmarks.following [PEOPLE ...]`.

`headsdown open FILE --watch` runs in so many pseudo-terminals (by default 1, then 12) while this process adds entries.
The time is from the moment at which an entry is safe on disk to that at which its mark comes out of each terminal. The
aim is 50 ms for one and 100 ms for twelve people, for 95 in 100; and that whoever orders waits no longer for twelve.
"""

from __future__ import annotations

import fcntl
import os
import pty
import random
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct

from engine.orders import read_order
from saves.battle import OpenBattle
from saves.library import copy_example

ENTRIES = 200
PEOPLE = (1, 12)
LOST = 3.0
"""Seconds after which an entry counts as not seen."""


class Measured(Struct, frozen=True):
    """Milliseconds, sorted: until entries were seen on each screen, and that giving each order took."""

    seen: list[float]
    giving: list[float]


def seen(terminals: list[int], words: bytes, seconds: float = LOST) -> dict[int, float]:
    """When `words` came out of each terminal; those where they did not are left out."""
    texts = dict.fromkeys(terminals, b"")
    found: dict[int, float] = {}
    deadline = time.perf_counter() + seconds
    while len(found) < len(terminals) and time.perf_counter() < deadline:
        for terminal in select.select(terminals, [], [], 0.1)[0]:
            texts[terminal] += os.read(terminal, 65536)
            if terminal not in found and words in texts[terminal]:
                found[terminal] = time.perf_counter()
    return found


def watcher(path: Path, stack: ExitStack) -> int:
    """The terminal of somebody who watches the battle."""
    terminal, child_side = pty.openpty()
    fcntl.ioctl(child_side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    command = [sys.executable, "-m", "tui.command_line", "open", str(path), "--watch"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    child = subprocess.Popen(command, stdin=child_side, stdout=child_side, stderr=child_side, env=environment)
    stack.callback(child.wait)
    stack.callback(child.kill)
    os.close(child_side)
    return terminal


def measured(path: Path, people: int) -> Measured:
    """Entries given in this process while so many people watch."""
    with ExitStack() as stack:
        terminals = [watcher(path, stack) for _ in range(people)]
        battle = stack.enter_context(OpenBattle.open(path))
        note = read_order(battle.history.rules, '{"type": "note", "text": "something happens"}')
        seen(terminals, f"#{battle.head_mark}".encode(), 60)
        times, giving = [], []
        for _ in range(ENTRIES):
            _drained(terminals, random.uniform(0.03, 0.12))
            before = time.perf_counter()
            battle.give(note)
            safe = time.perf_counter()
            giving.append((safe - before) * 1000)
            # The screen sends only cells that changed; what was added is told below the panes in any case.
            found = seen(terminals, battle.head_mark.partition(":")[2][-4:].encode())
            times += [(found.get(terminal, safe + LOST) - safe) * 1000 for terminal in terminals]
    return Measured(sorted(times), sorted(giving))


def _drained(terminals: list[int], seconds: float) -> None:
    """Read whatever comes for a while: nobody's terminal is full."""
    deadline = time.perf_counter() + seconds
    while (left := deadline - time.perf_counter()) > 0:
        for terminal in select.select(terminals, [], [], left)[0]:
            os.read(terminal, 65536)


def main() -> None:
    people = tuple(map(int, sys.argv[1:])) or PEOPLE
    print(f"{ENTRIES} entries of another process, until they are on the screens of open --watch, milliseconds:")
    for count in people:
        with tempfile.TemporaryDirectory() as folder:
            found = measured(copy_example("suppression-fire", Path(folder)), count)
        at, give = statistics.quantiles(found.seen, n=100), statistics.quantiles(found.giving, n=100)
        print(
            f"{count:>3} watching: median {statistics.median(found.seen):.1f}, 95 in 100 within {at[94]:.1f}, ", end=""
        )
        print(f"99 within {at[98]:.1f}; an order takes {statistics.median(found.giving):.1f}, 95 within {give[94]:.1f}")


if __name__ == "__main__":
    main()
