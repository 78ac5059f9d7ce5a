"""What the app paints, cell by cell: text with the colour of its letters and that of its ground."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from rich.color import Color, ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.app import App

from tests.seen_colours import RGB, contrast
from tui.line_pane import Lines
from tui.tones import LOOKS


class Painted(Struct, frozen=True):
    """Some cells of one style on a line of the screen."""

    line: int
    text: str
    style: Style


def painted(app: App[Any]) -> Iterator[Painted]:
    """Everything on the screen, dialogs and what is seen of the screens below them; blank cells are left out."""
    width, height = app.size
    console = Console(
        width=width, height=height, file=io.StringIO(), force_terminal=True, color_system="truecolor", record=True
    )
    console.print(app.screen._compositor.render_update(full=True, screen_stack=app._background_screens))
    lines = Segment.split_and_crop_lines(console._record_buffer, width, include_new_lines=False)
    for line, segments in enumerate(lines):
        for text, style, _ in segments:
            if text.strip() and not text.startswith("\x1b"):  # where the line begins
                yield Painted(line, text, style or Style.null())


def colours_of(style: Style, system: ColorSystem, palette: tuple[RGB, ...] = ()) -> tuple[RGB, RGB]:
    """The colours of letters and ground as a terminal with that many colours shows them.

    `palette` is what it shows for the sixteen; a colour that is left to the terminal is an error, since nobody knows
    what is there.
    """
    assert not style.dim, "how dim is for the terminal to say"
    letters, ground = (_shown(colour, system, palette) for colour in (style.color, style.bgcolor))
    return (ground, letters) if style.reverse else (letters, ground)


def _shown(colour: Color | None, system: ColorSystem, palette: tuple[RGB, ...]) -> RGB:
    assert colour is not None, "no colour"
    shown = colour.downgrade(system)
    assert not shown.is_default, "a colour that is left to the terminal"
    if shown.number is not None and shown.number < 16 and palette:
        return palette[shown.number]
    red, green, blue = shown.get_truecolor()
    return red, green, blue


def faint(
    app: App[Any], least: float, system: ColorSystem = ColorSystem.TRUECOLOR, palette: tuple[RGB, ...] = ()
) -> list[str]:
    """Everything on the screen whose contrast is below `least`, a sentence each."""
    found: dict[tuple[RGB, RGB], str] = {}
    for cells in painted(app):
        pair = colours_of(cells.style, system, palette)
        if contrast(*pair) < least:
            found.setdefault(pair, f"{contrast(*pair):.2f} on line {cells.line}: {cells.text.strip()!r} {pair}")
    return list(found.values())


def told_by_colour_alone(app: App[Any]) -> list[str]:
    """Lines of the same pane that say the same and are marked the same, but in other colours."""
    found: list[str] = []
    for pane in app.screen.query(Lines):
        tones: dict[tuple[str, ...], tuple[str, ...]] = {}
        for index in range(pane.line_count()):
            runs = pane.line_runs(index, pane.size.width)
            said = pane.mark(index) + "".join(text for text, _ in runs)
            shown = tuple(tone for text, tone in runs if text.strip())
            alike = (said, *(LOOKS[tone].shape for tone in shown))  # bold, reverse and struck letters need no colour
            if tones.setdefault(alike, shown) != shown:
                found.append(f"{pane.id}: {said.strip()!r} is {tones[alike]} and {shown}")
    return found
