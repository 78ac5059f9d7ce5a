"""Contrast of all text in all themes, dimmed text too, measured in every cell of every screen that is kept.

Terminals with sixteen colours show what their own palette says; two widespread ones are measured: that of xterm and
that of the Linux console (both as their sources have them).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from rich.color import ColorSystem
from rich.style import Style
from textual.app import App
from textual.pilot import Pilot

from tests.moments import AT_HOME, IN_BATTLE, same_everywhere, shown
from tests.painted import colours_of, faint, painted
from tests.seen_colours import RGB
from tests.seen_colours import rgb as rgb_of
from tui import bars, line_pane, tones
from tui.app import HeadsdownApp
from tui.settings import THEME_TITLES
from tui.tones import LOOKS

LEAST = dict.fromkeys(THEME_TITLES, 4.5) | {"high-contrast": 7.0}

XTERM = tuple(map(rgb_of, (
    "#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5",
    "#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff",
)))  # fmt: skip
CONSOLE = tuple(map(rgb_of, (
    "#000000", "#aa0000", "#00aa00", "#aa5500", "#0000aa", "#aa00aa", "#00aaaa", "#aaaaaa",
    "#555555", "#ff5555", "#55ff55", "#ffff55", "#5555ff", "#ff55ff", "#55ffff", "#ffffff",
)))  # fmt: skip


RICH: dict[str, tuple[ColorSystem, tuple[RGB, ...]]] = {
    "16 million": (ColorSystem.TRUECOLOR, ()),
    "256": (ColorSystem.EIGHT_BIT, ()),
}
POOR = {"xterm": (ColorSystem.STANDARD, XTERM), "console": (ColorSystem.STANDARD, CONSOLE)}


@pytest.fixture(autouse=True)
def same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    same_everywhere(monkeypatch, tmp_path)


@pytest.mark.parametrize("name", [*IN_BATTLE, *AT_HOME])
async def test_every_text_can_be_read_in_every_theme(name: str, tmp_path: Path) -> None:
    """In 16 million colours, in 256, and in sixteen as two terminals show them."""
    async with shown(name, (80, 24), tmp_path) as pilot:
        app = pilot.app
        assert isinstance(app, HeadsdownApp)
        assert app.theme == next(iter(LEAST)), "each theme that is set is another one than before"
        problems = [problem async for problem in _problems(pilot, RICH)]
        app.use_sixteen_colours()
        problems += [problem async for problem in _problems(pilot, POOR)]
    assert problems == []


async def _problems(pilot: Pilot[Any], systems: dict[str, tuple[ColorSystem, tuple[RGB, ...]]]) -> AsyncIterator[str]:
    """What is too faint in each theme on terminals with these colours."""
    for theme, least in LEAST.items():
        pilot.app.theme = theme
        await pilot.pause()
        await pilot.pause()
        for name, (system, palette) in systems.items():
            for problem in faint(pilot.app, least, system, palette):
                yield f"{theme}, {name}: {problem}"


async def test_the_screens_that_are_measured_show_every_tone(tmp_path: Path) -> None:
    """A tone that none of them shows would be measured nowhere."""
    seen: set[str] = set()

    def noted(app: App[Any], tone: str) -> Style:
        seen.add(tone)
        return tones.style_of(app, tone)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bars, "style_of", noted)
        patch.setattr(line_pane, "style_of", noted)
        for name in (
            "farm-over",
            "farm-jump",
            "farm-declare-chosen",
            "farm-why",
            "landing-log",
            "landing",
            "home",
            "farm-undone",
        ):
            async with shown(name, (80, 24), tmp_path):
                pass
    assert {*LOOKS} - seen == set()


async def test_the_measure_finds_what_is_faint(tmp_path: Path) -> None:
    """The measure itself: grey on grey is found, and what is measured is what is on the screen."""
    async with shown("farm", (80, 24), tmp_path) as pilot:
        texts = "".join(cells.text for cells in painted(pilot.app))
        assert "Guardians at" in texts
        assert faint(pilot.app, 21.5) != []
        grounds = {colours_of(cells.style, ColorSystem.TRUECOLOR) for cells in painted(pilot.app)}
        assert len(grounds) > 5
