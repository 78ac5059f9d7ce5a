"""How the screens are coloured. Every state also has a word or a mark, so that no colour has to be seen."""

from __future__ import annotations

from textual.theme import Theme

NIGHT = Theme(
    name="headsdown-night",
    primary="#7fb4ca",
    secondary="#a3b18a",
    accent="#e6c384",
    foreground="#dcd7ba",
    background="#16181d",
    surface="#1e2128",
    panel="#2b303b",
    success="#98bb6c",
    warning="#ffb86b",
    error="#ff7a7a",
    dark=True,
    variables={
        "side-a": "#8fc7ff",
        "side-b": "#f2a5c4",
        "faint": "#9a9a8c",
    },
)
"""The default: dark and quiet, every text at least 7:1 against its background, faint text 5:1."""

THEMES = (NIGHT,)
