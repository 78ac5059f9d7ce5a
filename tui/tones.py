"""What each tone looks like under a theme. Whatever a colour tells is also told by a word, a mark or a shape.

Styles are made here and not in the style sheet: a style sheet works them out anew for every widget and every change
of a class, and that is felt when the screen opens.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Struct
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.widget import Widget


class Look(Struct, frozen=True):
    """A tone: the theme's variable that colours it, others if the theme has none of that name, and its shape."""

    colours: tuple[str, ...]
    shape: str = ""
    on: str = ""


LOOKS = {
    "plain": Look(("foreground",)),
    "dim": Look(("faint", "foreground-muted")),
    "good": Look(("success",)),
    "warning": Look(("warning",), "bold"),
    "bad": Look(("error",), "bold"),
    "side_a": Look(("side-a", "primary"), "bold"),
    "side_b": Look(("side-b", "secondary"), "bold"),
    "strong": Look(("foreground",), "bold"),
    "heading": Look(("accent",), "bold"),
    "key": Look(("accent",), "bold"),
    "mark": Look(("warning",), "bold"),
    "jump": Look(("accent",), "bold reverse"),
    "undone": Look(("faint", "foreground-muted"), "strike"),
    "cursor": Look(("foreground",), "reverse"),
    "title": Look(("foreground",), "bold", on="panel"),
    "title_focus": Look(("primary",), "bold reverse"),
}

SPREADING = ("cursor", "title", "title_focus")
"""Tones that go on to the end of their line."""


def style_of(app: App[Any], tone: str) -> Style:
    """The style of a tone under the app's theme; that of plain text for a tone that is not known."""
    look = LOOKS.get(tone, LOOKS["plain"])
    variables = app.theme_variables
    colour = next((variables[name] for name in look.colours if name in variables), "")
    return _style(colour, variables.get(look.on, ""), look.shape)


def blank(text: str, style: Style) -> bool:
    """Whether `text` in that style is nothing but ground: spaces that are neither reversed nor struck through."""
    return not text.strip() and not style.reverse and not style.strike and not style.underline


def ground_of(widget: Widget) -> Style:
    """What lies under the text of a widget."""
    return _ground(widget.background_colors[1])


@lru_cache(maxsize=64)
def _ground(colour: Color) -> Style:
    return Style.from_color(bgcolor=colour.rich_color)


@lru_cache(maxsize=256)
def _style(colour: str, background: str, shape: str) -> Style:
    style = Style.parse(shape) if shape else Style()
    return style + Style.from_color(_colour(colour), _colour(background))


def _colour(text: str) -> Any:
    """A theme's colour as rich has it; None for none and for what shines through."""
    if not text:
        return None
    colour = Color.parse(text.split()[0])
    return None if colour.is_transparent else colour.rich_color
