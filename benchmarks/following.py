"""How long until another process's entry is on the screen: `python -m benchmarks.following`.

`headsdown open FILE --watch` runs in a pseudo-terminal while this process adds entries. The time is from the moment at
which an entry is safe on disk to that at which its mark comes out of the terminal. The aim is 50 ms for 95 in 100.
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
from pathlib import Path

from engine.orders import read_order
from saves.battle import OpenBattle
from saves.library import copy_example

ENTRIES = 200


def seen(terminal: int, words: bytes, seconds: float = 10) -> float | None:
    """When `words` came out of the terminal, None where they did not."""
    text, deadline = b"", time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        if select.select([terminal], [], [], 0.1)[0]:
            text += os.read(terminal, 65536)
            if words in text:
                return time.perf_counter()
    return None


def delays(path: Path) -> list[float]:
    """Milliseconds from each entry's being safe to its being seen, sorted."""
    terminal, child_side = pty.openpty()
    fcntl.ioctl(child_side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    command = [sys.executable, "-m", "tui.command_line", "open", str(path), "--watch"]
    environment = {**os.environ, "TERM": "xterm-256color"}
    with subprocess.Popen(command, stdin=child_side, stdout=child_side, stderr=child_side, env=environment) as watcher:
        with OpenBattle.open(path) as battle:
            note = read_order(battle.history.rules, '{"type": "note", "text": "something happens"}')
            seen(terminal, f"#{battle.head_mark}".encode())
            times = []
            for _ in range(ENTRIES):
                time.sleep(random.uniform(0.03, 0.12))
                battle.give(note)
                safe = time.perf_counter()
                # The screen sends only cells that changed; what was added is told below the panes in any case.
                at = seen(terminal, battle.head_mark.partition(":")[2][-4:].encode(), 3)
                times.append(((at or safe + 3) - safe) * 1000)
        watcher.kill()
    return sorted(times)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        times = delays(copy_example("suppression-fire", Path(folder)))
    at = statistics.quantiles(times, n=100)
    print(f"{ENTRIES} entries of another process, until they are on the screen of open --watch, milliseconds:")
    print(f"median {statistics.median(times):.1f}, 95 in 100 within {at[94]:.1f}, 99 within {at[98]:.1f}")


if __name__ == "__main__":
    main()
