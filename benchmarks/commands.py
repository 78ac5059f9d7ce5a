"""How long a command takes, from start to end, on a battle of some 60 entries: `python -m benchmarks.commands`.

The aim is 0.15 s for each, with compiled bytecode, on an idle machine.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from saves.library import copy_example

RUNS = 15
COMMANDS = ("show", "show --json", "log", "verify", "odds --order ORDER")
ORDER = '{"type": "note", "text": "rolls nothing"}'


def seconds(argv: list[str]) -> list[float]:
    """The wall time of each run of a command, in seconds, sorted."""
    times = []
    for _ in range(RUNS + 1):
        start = time.perf_counter()
        subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        times.append(time.perf_counter() - start)
    return sorted(times[1:])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = copy_example("suppression-fire", Path(folder))
        print(f"{'command':24} {'min':>8} {'median':>8} {'max':>8}   seconds, {RUNS} runs each")
        for command in COMMANDS:
            name, *options = command.split()
            options = [ORDER if option == "ORDER" else option for option in options]
            times = seconds([sys.executable, "-m", "tui.command_line", name, str(path), *options])
            print(f"{command:24} {times[0]:8.3f} {statistics.median(times):8.3f} {times[-1]:8.3f}")


if __name__ == "__main__":
    main()
