"""Everything that has a target, side by side in one run: `python -m benchmarks`; `python -m benchmarks NAME...` some.

Each part runs in a process of its own, whose greatest memory is told. Times of the disk and the screen are of the clock
and paired in turns; where the processor alone counts, the best of several runs is taken.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable, Iterator

import msgspec

from benchmarks.table import Measured, lines, machine

PARTS = (
    "appending",
    "rebuilding",
    "opening_suppression_fire",
    "opening_gray_dawn",
    "folding",
    "listing",
    "starting",
    "pressing",
    "stepping",
    "serving",
    "worst_odds",
    "importing",
)


def worst_odds() -> Iterator[Measured]:
    """The slowest of the orders in `benchmarks.odds`."""
    from benchmarks.odds import cases, milliseconds

    times = {case.name: (milliseconds(case)[1], case.aim) for case in cases()}
    name = max(times, key=lambda each: times[each][0] / times[each][1])
    best, aim = times[name]
    what = f"odds, worst case ({' '.join(name.split())})"
    yield Measured(what, f"{best:.0f} ms of processor", "", None, f"≤ {aim} ms", best <= aim)


def _part(name: str) -> Callable[[], Iterator[Measured]]:
    if name == "worst_odds":
        return worst_odds
    if name in ("starting", "pressing"):
        from benchmarks import screens

        return getattr(screens, name)  # type: ignore[no-any-return]
    if name == "stepping":
        from benchmarks import replaying

        return replaying.stepping
    if name == "serving":
        from benchmarks.serving import serving

        return serving
    if name == "importing":
        from benchmarks import rosters

        return rosters.importing
    from benchmarks import keeping

    return getattr(keeping, name)  # type: ignore[no-any-return]


def _here(name: str) -> None:
    """Measure one part in this process and print what came of it as JSON."""
    measured = list(_part(name)())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for each in measured:
        told = each if each.memory else msgspec.structs.replace(each, memory=peak)
        print(msgspec.json.encode(told).decode())


def _apart(name: str) -> list[Measured]:
    print(f"{name} ...", file=sys.stderr)
    ran = subprocess.run([sys.executable, "-m", "benchmarks", "--here", name], stdout=subprocess.PIPE, check=True)
    return [msgspec.json.decode(line, type=Measured) for line in ran.stdout.splitlines()]


def main(names: list[str]) -> None:
    if names[:1] == ["--here"]:
        _here(names[1])
        return
    print(machine())
    print()
    print("\n".join(lines(each for name in names or PARTS for each in _apart(name))))


if __name__ == "__main__":
    main(sys.argv[1:])
