"""The README's pictures are those of the app as it is, show on any page, and have words beside them."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.moments import same_everywhere
from tests.pictures import FOLDER, PICTURES, drawn

README = (FOLDER.parent.parent / "README.md").read_text(encoding="utf-8")

LARGEST = 120_000
"""Bytes of a picture at most: a page with six of them is still quick."""


@pytest.mark.parametrize("name", PICTURES)
async def test_a_picture_fits_the_app(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`python -m tests.pictures` makes them anew; then look at them."""
    same_everywhere(monkeypatch, tmp_path)
    assert await drawn(PICTURES[name], tmp_path) == (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_on_any_page(name: str) -> None:
    """It is XML, fetches nothing, runs nothing, and is not too large."""
    svg = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert len(svg) < LARGEST
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {each.tag.rpartition("}")[2] for each in root.iter()} <= {
        "svg", "style", "defs", "clipPath", "rect", "g", "circle", "text"
    }  # fmt: skip
    assert set(re.findall(r"https?://[^\"' )]+", svg)) == {"http://www.w3.org/2000/svg"}
    assert "@import" not in svg
    assert set(re.findall(r"url\(([^)]*)\)", svg)) <= {f"#{id_}" for id_ in re.findall(r'id="([^"]+)"', svg)}


def test_there_are_no_others() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(PICTURES)


@pytest.mark.parametrize("name", PICTURES)
def test_the_readme_shows_it_with_words(name: str) -> None:
    assert f"![{PICTURES[name].words}](docs/pictures/{name}.svg)" in README


def test_both_rule_sets_sizes_and_looks_are_there() -> None:
    moments = {picture.moment.partition("-")[0] for picture in PICTURES.values()}
    assert moments >= {"farm", "landing", "home"}
    assert {picture.size for picture in PICTURES.values()} >= {(80, 24), (120, 40)}
    assert {picture.theme for picture in PICTURES.values()} == {"dark", "light"}
