"""The pictures of a report, as SVG that stands in the page: no script, no font, no file from elsewhere.

Each says in a title and a description what it shows, and everything in it is also in a table beside it. Colours are
those of the page, light or dark; lines differ by their strokes and labels as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from saves.cells import cut
from saves.reports.account import Account, FacesLine, LuckLine, StrengthLine

WIDTH = 720
_NARROW = 360
"""For pictures that stand side by side."""

STROKES = ("", "8 4", "2 4", "12 4 2 4", "4 2", "1 6")
"""How the lines of the first side, the second ... are broken."""

_LABEL = 24
"""Cells of a name in a picture; the whole name stands in the table."""


def _svg(height: float, title: str, told: str, parts: Sequence[Markup], width: int = WIDTH) -> Markup:
    """A picture with its title and description, which screen readers read out."""
    return Markup(
        '<svg viewBox="0 0 {width} {height:g}" role="img" aria-label="{label}" xmlns="http://www.w3.org/2000/svg">'
        "<title>{title}</title><desc>{told}</desc>{parts}</svg>"
    ).format(
        width=width, height=height, label=f"{title}. {told}", title=title, told=told, parts=Markup("\n").join(parts)
    )


def _text(x: float, y: float, words: str, anchor: str = "start", of: str = "") -> Markup:
    shown = Markup('<text x="{:g}" y="{:g}" text-anchor="{}" class="{}">{}</text>')
    return shown.format(x, y, anchor, of, words)


def _line(x1: float, y1: float, x2: float, y2: float, of: str) -> Markup:
    return Markup('<line x1="{:g}" y1="{:g}" x2="{:g}" y2="{:g}" class="{}"/>').format(x1, y1, x2, y2, of)


# What each side had left


def strengths(told: Account) -> Markup:
    """A line a side: what it had left at the end of each turn. Nothing where there are fewer than two turns."""
    lines = told.strengths
    most = max((left for line in lines for left in line.left), default=0)
    if len(lines) < 2 or not most:
        return Markup("")
    top, bottom, start, end = 12.0, 196.0, 44.0, WIDTH - 190.0
    step = (end - start) / (len(lines) - 1)
    parts = list(_grid(most, top, bottom, start, end))
    every = max(1, len(lines) * 60 // int(end - start))
    for at in range(0, len(lines), every):
        x = start + at * step
        parts.append(_line(x, bottom, x, bottom + 5, "axis"))
        parts.append(_text(x, bottom + 18, str(at + 1), "middle", "small"))
    parts.append(_text((start + end) / 2, bottom + 36, "parts of the battle, as in the table", "middle", "small"))
    ends: list[tuple[float, int]] = []
    for side in range(len(told.sides)):
        points = [
            (start + at * step, bottom - (bottom - top) * line.left[side] / most) for at, line in enumerate(lines)
        ]
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        stroke = Markup('<polyline points="{}" class="side s{}" stroke-dasharray="{}"/>')
        parts.append(stroke.format(path, side % len(STROKES), STROKES[side % len(STROKES)]))
        ends.append((points[-1][1], side))
    for y, side in _spread_out(ends):
        label = f"{cut(told.sides[side], _LABEL)} {lines[-1].left[side]}"
        parts.append(_text(end + 8, y + 4, label, of=f"label s{side % len(STROKES)}"))
    title = f"{told.strength_in.capitalize()}s left"
    return _svg(bottom + 46, title, _told_strengths(told.sides, lines), parts)


def _grid(most: int, top: float, bottom: float, start: float, end: float) -> Iterator[Markup]:
    yield _line(start, bottom, end, bottom, "axis")
    for value in sorted({0, most // 2, most}):
        y = bottom - (bottom - top) * value / most
        yield _line(start, y, end, y, "grid")
        yield _text(start - 8, y + 4, str(value), "end", "small")


def _spread_out(ends: Sequence[tuple[float, int]]) -> Iterator[tuple[float, int]]:
    """Labels one below the other where they would cover each other."""
    free = 0.0
    for y, side in sorted(ends):
        free = max(y, free)
        yield free, side
        free += 17


def _told_strengths(sides: Sequence[str], lines: Sequence[StrengthLine]) -> str:
    each = (f"{side} from {lines[0].left[at]} to {lines[-1].left[at]}" for at, side in enumerate(sides))
    return f"{'; '.join(each)}."


# Luck


def luck(lines: Sequence[LuckLine]) -> Markup:
    """A row for each measure of a side: the usual span, what was to be expected, and what came, each on its own scale.

    `lines` are those of sides with all their dice. Nothing where there are none.
    """
    if not lines:
        return Markup("")
    start, end, row = 270.0, WIDTH - 170.0, 26.0
    parts: list[Markup] = []
    side = None
    y = -10.0
    for line in lines:
        if line.side != side:
            y += 38
            parts.append(_text(0, y, cut(line.side or "nobody's", 2 * _LABEL), of="strong"))
            side = line.side
        y += row
        parts.extend(_luck_row(line, y, start, end))
    told = "; ".join(f"{line.side}, {line.measure}: {line.actual}, expected {line.expected:.2f}" for line in lines)
    return _svg(y + 22, "What came against what was to be expected", f"{told}.", parts)


def _luck_row(line: LuckLine, y: float, start: float, end: float) -> Iterator[Markup]:
    most = max(line.actual, line.usual[1], line.expected, 1)
    least = min(0, line.actual, line.usual[0])

    def across(value: float) -> float:
        return start + (end - start) * (value - least) / (most - least)

    low, high = across(line.usual[0]), across(line.usual[1])
    yield _text(start - 14, y + 4, line.measure, "end")
    yield _line(start, y, end, y, "grid")
    span = Markup('<rect x="{:g}" y="{:g}" width="{:g}" height="12" rx="6" class="usual"/>')
    yield span.format(low - 6, y - 6, high - low + 12)
    yield _line(across(line.expected), y - 9, across(line.expected), y + 9, "expected")
    yield Markup('<circle cx="{:g}" cy="{:g}" r="5" class="came"/>').format(across(line.actual), y)
    yield _text(end + 14, y + 4, f"{line.actual}, expected {line.expected:.1f}", of="small")


# Faces


def faces(line: FacesLine) -> Markup:
    """A bar for each face that a kind of dice fell on, and a line where fair dice would be."""
    count = sum(line.counts)
    most = max(*line.counts, count / line.sides, 1)
    top, bottom, width = 22.0, 112.0, min(56.0, (_NARROW - 40) / line.sides)
    parts: list[Markup] = []
    bar = Markup('<rect x="{:g}" y="{:g}" width="{:g}" height="{:g}" class="bar"/>')
    for at, many in enumerate(line.counts):
        height = (bottom - top) * many / most
        x = 20 + at * width
        parts.append(bar.format(x + width * 0.15, bottom - height, width * 0.7, height))
        if width >= 18:
            parts.append(_text(x + width / 2, bottom - height - 5, str(many), "middle", "small"))
            parts.append(_text(x + width / 2, bottom + 16, str(at + 1), "middle", "small"))
    fair = bottom - (bottom - top) * count / line.sides / most
    parts.append(_line(20, fair, 20 + width * line.sides, fair, "expected"))
    parts.append(_line(20, bottom, 20 + width * line.sides, bottom, "axis"))
    told = ", ".join(f"{face}: {many}" for face, many in enumerate(line.counts, 1))
    return _svg(
        bottom + 24, f"Faces of D{line.sides}, {line.source} dice", f"{told}; fair {count / line.sides:.1f}.", parts
    )
