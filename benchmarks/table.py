"""One line of the table for each thing measured, and the machine they were measured on."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct


class Measured(Struct, frozen=True):
    """What was measured, ours and what it is held against as text, their ratio, the target, and whether it is reached.

    `ratio` is how many times ours is the other: less is better, except where `target` says more. `reached` is None
    where there is no target.
    """

    what: str
    ours: str
    other: str = ""
    ratio: float | None = None
    target: str = ""
    reached: bool | None = None
    memory: float = 0


def machine() -> str:
    """Processor, cores, memory, system and Python of this machine, and how busy it was."""
    told = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    names = [line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = " ".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores, {memory:.0f} GB, "
        f"{platform.system()} {platform.release()}, Python {platform.python_version()}, load {load}"
    )


def lines(measured: Iterable[Measured]) -> list[str]:
    """The table in Markdown."""
    rows = [("what", "ours", "compared with", "ratio", "target", "reached", "memory, MB")]
    rows += [
        (
            each.what,
            each.ours,
            each.other,
            "" if each.ratio is None else f"{each.ratio:.2f}",
            each.target,
            "" if each.reached is None else "yes" if each.reached else "no",
            f"{each.memory:.0f}" if each.memory else "",
        )
        for each in measured
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    texts = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    return [texts[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *texts[1:]]
