"""What a terminal really gets, theme by theme: the colours it has and no others, and every letter can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pyte
import pytest

from saves.library import copy_example
from tests.seen_colours import RGB, contrast
from tests.seen_colours import rgb as rgb_of
from tests.test_contrast import CONSOLE, LEAST, XTERM
from tests.test_screen_terminal import COLOUR, Terminal
from tui.settings import THEME_TITLES

NOT_FOR_PYTE = re.compile(rb"\x1b\[>\d+u|\x1b\[<u|\x1b\[\?2026\$p|\x1b\[\?2048\$p|\x1b\][^\x07]*\x07")
"""What the emulator would print instead of obeying."""

SETS = re.compile(rb"\x1b\[([0-9;]*)m")

NAMES = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")
"""The first eight colours as the emulator calls them."""


def started(theme: str, folder: Path, **environment: str) -> bytes:
    """What goes to the terminal when a battle opens in that theme and `w` is pressed."""
    (folder / "settings.toml").write_text(f'theme = "{theme}"\n')
    terminal = Terminal(copy_example("suppression-fire", folder), folder, **environment)
    out = terminal.read(b"Quit") + terminal.press(b"u") + terminal.press(b"w", b"close")
    terminal.press(b"\x03")
    assert terminal.status() == 0
    return out


def codes(out: bytes) -> set[str]:
    """Every way in which colours are set."""
    return {code.decode() for code in SETS.findall(out) if code not in (b"", b"0")}


def colours(out: bytes, palette: tuple[RGB, ...]) -> set[tuple[RGB, RGB]]:
    """The colours of letters and their ground, of everything that is on the screen in the end."""
    screen = pyte.Screen(80, 24)
    pyte.ByteStream(screen).feed(NOT_FOR_PYTE.sub(b"", out))
    found: set[tuple[RGB, RGB]] = set()
    for line in range(24):
        for column in range(80):
            cell = screen.buffer[line][column]
            if cell.data.strip():
                pair = _rgb(cell.fg, palette), _rgb(cell.bg, palette)
                found.add(pair[::-1] if cell.reverse else pair)
    return found


def _rgb(colour: str, palette: tuple[RGB, ...]) -> RGB:
    assert colour != "default", "a colour that is left to the terminal"
    plain = colour.replace("bfight", "bright").removeprefix("bright")  # as the emulator writes one of them
    if plain in NAMES:
        return palette[NAMES.index(plain) + 8 * (plain != colour)]
    return rgb_of(f"#{colour}")


@pytest.mark.parametrize("theme", THEME_TITLES)
def test_sixteen_colours(theme: str, tmp_path: Path) -> None:
    out = started(theme, tmp_path, TERM="xterm", COLORTERM="")
    assert not COLOUR.search(out), "nothing but the sixteen"
    for palette in (XTERM, CONSOLE):
        seen = colours(out, palette)
        assert len(seen) > 3
        assert min(contrast(*pair) for pair in seen) >= LEAST[theme]


@pytest.mark.parametrize("theme", THEME_TITLES)
def test_256_colours(theme: str, tmp_path: Path) -> None:
    out = started(theme, tmp_path, TERM="xterm-256color", COLORTERM="")
    assert not re.search(rb"\x1b\[[0-9;]*(?:38|48);2;", out), "no more than 256"
    seen = colours(out, XTERM)
    assert len(seen) > 3
    assert min(contrast(*pair) for pair in seen) >= LEAST[theme]


@pytest.mark.parametrize("theme", THEME_TITLES)
def test_no_colours(theme: str, tmp_path: Path) -> None:
    out = started(theme, tmp_path, NO_COLOR="1")
    assert not COLOUR.search(out)
    numbers = {int(number) for code in codes(out) for number in code.split(";")}
    assert numbers <= {0, 1, 7, 9, 39, 49}, "bold, reverse, struck through, and the terminal's own colours"
    assert {1, 7} <= numbers
