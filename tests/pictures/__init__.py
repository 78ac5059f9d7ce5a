"""The README's pictures, made of the app itself: `python -m tests.pictures` writes them into docs/pictures.

tests/test_pictures.py says when one no longer fits the app. One more picture is one more line in PICTURES. The pictures
in this folder are others: tests/test_screen_goldens.py keeps them for comparison.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

import pytest
from msgspec import Struct

from tests.moments import same_everywhere, shown

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

FONTS = "ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"
"""What a page's reader has of their own: pictures on other people's pages may not fetch any font."""


class Picture(Struct, frozen=True):
    """What a picture shows (a moment of tests/moments.py), how large, in which theme, and its words for those who
    do not see it."""

    moment: str
    size: tuple[int, int]
    words: str
    theme: str = "dark"


PICTURES = {
    "battle": Picture("farm", (80, 24), "The battle screen at 80 by 24: units, who is suppressed, the dice log, keys"),
    "battle-wide": Picture(
        "landing", (120, 40), "The battle screen of Gray Dawn at 120 by 40, with a check that is due"
    ),
    "declaring": Picture(
        "farm-declare-chosen", (100, 30), "Declaring: target, suppressors, guns, and the odds beside it"
    ),
    "why": Picture("landing-why", (100, 30), "Why a combatant stands as it does, each line with its clause", "light"),
    "light": Picture("farm", (80, 24), "The battle screen in the light theme", "light"),
    "replay": Picture("farm-replay", (100, 30), "The replay: a battle as it stood after one of its entries"),
    "home": Picture("home", (80, 24), "The home screen: battles with sides, turn, rules, date and size"),
}


async def drawn(picture: Picture, folder: Path) -> str:
    """The picture as SVG that needs nothing from elsewhere."""
    async with shown(picture.moment, picture.size, folder, picture.theme) as pilot:
        svg = pilot.app.export_screenshot(title="headsdown")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!-- Generated .*? -->\s*", "", svg)
    svg = svg.replace("font-family: Fira Code, monospace", f"font-family: {FONTS}")
    # A name that goes by the content would change all over a file whenever one cell does.
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    # Each line of text has its length; what clips it, and is missing for the last line, is not needed.
    svg = re.sub(r' clip-path="url\(#terminal-line-\d+\)"', "", svg)
    svg = re.sub(r'<clipPath id="terminal-line-\d+">.*?</clipPath>\s*', "", svg, flags=re.DOTALL)
    return svg.replace("font-family: arial", "font-family: sans-serif")


def main() -> int:
    """Write all pictures, and take away those that are none any more."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.svg"):
        if path.stem not in PICTURES:
            path.unlink()
    for name, picture in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            same_everywhere(patch, Path(folder))
            (FOLDER / f"{name}.svg").write_text(asyncio.run(drawn(picture, Path(folder))), encoding="utf-8")
        print(f"docs/pictures/{name}.svg")
    return 0
