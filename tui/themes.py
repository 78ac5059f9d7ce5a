"""How the screens are coloured. Every state also has a word or a mark, so that no colour has to be seen.

A theme comes twice under the same name: in colours of its own, and for terminals with sixteen colours in those, since
the nearest of sixteen to a colour may be the colour of the ground. docs/looks.md says where palettes are from.
"""

from __future__ import annotations

from textual.theme import Theme

THEMES = (
    Theme(
        name="dark",
        primary="#7fb4ca",
        secondary="#a3b18a",
        accent="#e6c384",
        foreground="#dcd7ba",
        background="#16181d",
        surface="#1e2128",
        panel="#2d3036",
        success="#98bb6c",
        warning="#ffb86b",
        error="#ff7a7a",
        variables={"side-a": "#8fc7ff", "side-b": "#f2a5c4", "faint": "#a6a69a"},
    ),
    Theme(
        name="light",
        dark=False,
        primary="#1b5e7a",
        secondary="#4a5d23",
        accent="#6b4a00",
        foreground="#23262d",
        background="#fafafa",
        surface="#f1f1f1",
        panel="#e9e9e9",
        success="#2c641d",
        warning="#6e3a00",
        error="#ad1f29",
        variables={"side-a": "#1d5799", "side-b": "#932a69", "faint": "#5b5c54"},
    ),
    Theme(
        name="high-contrast",
        primary="#7fe0ff",
        secondary="#c8e6a0",
        accent="#ffe46b",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#1c1c1c",
        success="#7dff8a",
        warning="#ffc966",
        error="#ffa3a3",
        variables={"side-a": "#9fd8ff", "side-b": "#ffb3dd", "faint": "#d2d2d2"},
    ),
    Theme(
        name="red-green",
        primary="#9ecbff",
        secondary="#56b4e9",
        accent="#f2c14e",
        foreground="#e8e6df",
        background="#16181d",
        surface="#1e2128",
        panel="#2d3036",
        success="#56b4e9",
        warning="#f0e442",
        error="#ff8a3d",
        variables={"side-a": "#56b4e9", "side-b": "#ffb627", "faint": "#a3a39b"},
    ),
    Theme(
        name="blue-yellow",
        primary="#7fd6d0",
        secondary="#2fd6b5",
        accent="#f3b0c3",
        foreground="#e8e6df",
        background="#16181d",
        surface="#1e2128",
        panel="#2d3036",
        success="#2fd6b5",
        warning="#ffd9a0",
        error="#ff7474",
        variables={"side-a": "#4fd6d6", "side-b": "#ff8f9e", "faint": "#a3a39b"},
    ),
)
"""Dark comes first and is the usual one. Contrast is measured in tests/test_contrast.py, distance in test_looks.py."""


def _of_sixteen(name: str, ground: str, text: str, dark: bool = True, **named: str) -> Theme:
    """A theme of the sixteen colours that every terminal has; tones that are not named are that of the text."""

    def of(tone: str) -> str:
        return f"ansi_{named.get(tone, text)}"

    return Theme(
        name=name,
        ansi=True,
        dark=dark,
        foreground=of("text"),
        background=f"ansi_{ground}",
        surface=f"ansi_{ground}",
        panel=f"ansi_{ground}",
        primary=of("primary"),
        secondary=of("secondary"),
        accent=of("accent"),
        success=of("success"),
        warning=of("warning"),
        error=of("error"),
        variables={
            "side-a": of("side_a"),
            "side-b": of("side_b"),
            "faint": of("faint"),
            **dict.fromkeys(("background", "surface", "panel", "ansi-background"), f"ansi_{ground}"),
            "ansi-foreground": of("text"),
        },
    )


SIXTEEN = (
    _of_sixteen(
        "dark", "black", "white", primary="bright_cyan", accent="bright_yellow", success="bright_green",
        warning="bright_yellow", error="bright_red", side_a="bright_cyan", side_b="bright_magenta",
    ),
    _of_sixteen(
        "light", "bright_white", "black", dark=False, primary="blue", accent="blue", warning="red", error="red",
        side_a="blue", side_b="red",
    ),
    _of_sixteen(
        "high-contrast", "black", "bright_white", primary="bright_cyan", accent="bright_yellow",
        success="bright_green", warning="bright_yellow", error="bright_yellow", side_a="bright_cyan",
        side_b="bright_yellow",
    ),
    _of_sixteen(
        "red-green", "black", "white", primary="bright_cyan", accent="bright_white", success="bright_cyan",
        warning="bright_white", error="bright_yellow", side_a="bright_cyan", side_b="bright_yellow",
    ),
    _of_sixteen(
        "blue-yellow", "black", "white", primary="bright_cyan", accent="bright_white", success="bright_cyan",
        warning="bright_white", error="bright_red", side_a="bright_cyan", side_b="bright_red",
    ),
)  # fmt: skip
"""The same themes in sixteen colours, of which a terminal's own palette says what they look like."""
