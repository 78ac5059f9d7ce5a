"""Odds as people see them: figures in lines, chances with a bar of plain characters beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from engine.ruleset import Cell, Figure
from engine.wording import percent

LABEL = 15
NUMBER = 8
BAR = 5
"""Cells for a figure's label, its number and its bar. With a space before the bar a line has 29, which is what a form
at 80 columns leaves beside itself: bars never wrap."""


def bar(chance: float) -> str:
    """A chance in tenths as a bar, a mark for two of them: 70 % is `###-`. The number beside it says it exactly."""
    whole, half = divmod(round(chance * 2 * BAR), 2)
    return "#" * whole + "-" * half


def figure_text(figure: Figure) -> str:
    """A figure's number: a chance in percent, a mean with two places."""
    return percent(figure.value) if figure.kind == "chance" else f"{figure.value:.2f}"


def figure_lines(figures: Sequence[Figure]) -> tuple[Cell, ...]:
    """Figures in columns under what they are about, a line each; what cannot happen at all is left out."""
    return tuple(line for about, each in groupby(figures, lambda figure: figure.about) for line in _block(about, each))


def _block(about: str, figures: Iterator[Figure]) -> Iterator[Cell]:
    shown = tuple(figures)
    if not any(figure.value for figure in shown):
        return
    if about:
        yield Cell(about, "strong")
    for figure in shown:
        label = f"  {figure.label}" if about else figure.label
        marks = bar(figure.value) if figure.kind == "chance" else ""
        yield Cell(f"{label:<{LABEL}}{figure_text(figure):>{NUMBER}} {marks}".rstrip(), figure.tone)


def mean_of(about: str, counts: Mapping[str, Any]) -> Figure:
    """The mean of a count."""
    return Figure(about, "on average", float(counts["mean"]), "mean")


def at_least(about: str, least: int, counts: Mapping[str, Any], label: str = "", tone: str = "plain") -> Figure:
    """The chance that a count comes to so many or more."""
    chance = sum(float(p) for count, p in counts["distribution"].items() if int(count) >= least)
    return Figure(about, label or f"at least {least}", min(1.0, chance), "chance", tone)
