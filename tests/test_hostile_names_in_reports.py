"""Names that are attacks stay names: in each format they are shown as plain text and nothing else comes of them."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO

import pyte
import pytest
from rich.cells import cell_len

from engine.registered import RULE_SETS
from engine.wording import clean
from saves.battle import OpenBattle
from saves.reports import FORMATS, report_on
from tests.hostile_battles import NAMES, PLAYER, SIDES, hostile
from tests.reading_pages import Page, markdown_tokens, spaced

__all__ = ["hostile"]

pytestmark = pytest.mark.parametrize("hostile", RULE_SETS, indirect=True)

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Control characters but for the line feed, changes of direction and invisible marks."""

PARTS = ("alert", "HYPERLINK", "evil", "NNN", "SUM", "Red", "Blue", "31m", "gnirts", "mouseover", "\U0001f469")
"""What stands in no report but as part of one of the names."""

SHOWN = [" ".join(clean(name).split()) for name in NAMES]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("anonymise", [False, True])
def test_no_control_character_gets_through(hostile: OpenBattle, form: str, anonymise: bool) -> None:
    text = report_on(hostile, form, anonymise=anonymise).decode()
    if form == "cast":  # JSON escapes them: look at what a terminal would get
        lines = [json.loads(line) for line in text.splitlines()]
        text = "".join([*lines[0].values()][-1:] + [data.removeprefix("\x1b[H\x1b[2J") for _, _, data in lines[1:]])
    if form == "json":
        text = json.dumps(json.loads(text), ensure_ascii=False)
    assert CONTROL.search(text.replace("\r\n", "\n")) is None


def test_html_has_no_tag_and_no_attribute_but_its_own(hostile: OpenBattle) -> None:
    page = Page(report_on(hostile, "html").decode())
    assert not {tag for tag, _ in page.tags} & {"script", "img", "i", "b", "iframe", "object", "form", "input"}
    names = {name for _, attrs in page.tags for name in attrs}
    assert not {name for name in names if name.startswith("on") or name in ("src", "action", "style")}
    links = {attrs["href"] for tag, attrs in page.tags if tag in ("a", "link")}
    assert all(link is not None and (link.startswith("#") or link == "data:,") for link in links)
    shown = spaced(" ".join(page.text))
    for name in SHOWN:
        assert name in shown
    assert "49" not in [text.strip() for text in page.text if "{{" in text]


def test_markdown_shows_names_as_text(hostile: OpenBattle) -> None:
    tokens = markdown_tokens(report_on(hostile, "md").decode())
    inline = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in tokens} | {child.type for child in inline}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "em_open", "fence", "code_block", "hr"}
    assert {child.content for child in inline if child.type == "code_inline"} == {hostile.head_mark}
    shown = [spaced("".join(child.content for child in token.children or ())) for token in tokens]
    for name in SHOWN:
        assert any(name in text for text in shown)
        assert name in shown  # alone in a cell: the table of units
    headings = [token.tag for token in tokens if token.type == "heading_open"]
    assert set(headings) == {"h1", "h2"}


def test_csv_has_no_formula(hostile: OpenBattle) -> None:
    rows = list(csv.DictReader(StringIO(report_on(hostile, "csv").decode())))
    for row in rows:
        for cell in row.values():
            assert not cell.lstrip().startswith(tuple("=+-@\t\r")) or cell.lstrip("-").replace(".", "").isdecimal()
    units = {spaced(row["unit"].removeprefix("'")) for row in rows if row["kind"] == "roll"}
    assert units <= set(SHOWN)
    notes = [row["what"] for row in rows if row["what"].startswith("note: ")]
    assert [spaced(note.removeprefix("note: ")) for note in notes[: len(NAMES)]] == SHOWN
    assert {row["by"] for row in rows if row["kind"] == "order"} == {clean(PLAYER)}


def test_json_has_the_names_themselves(hostile: OpenBattle) -> None:
    told = json.loads(report_on(hostile, "json"))
    assert told["title"] == NAMES[0]
    assert told["sides"] == [SIDES[0], "=Blue"]
    names = {spaced(row["cells"][0]) for row in told["units"]["rows"] if not row["heading"]}
    assert names == set(SHOWN)


def test_a_recording_stays_within_its_terminal(hostile: OpenBattle) -> None:
    header, *events = [json.loads(line) for line in report_on(hostile, "cast").splitlines()]
    assert "\x1b" not in header["title"]
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    for _, _, data in events:
        assert data.count("\x1b") == 2
        lines = data.removeprefix("\x1b[H\x1b[2J").split("\r\n")
        assert len(lines) <= 24
        assert max(cell_len(line) for line in lines) <= 80
        stream.feed(data)
        assert screen.title == ""
        assert screen.display[0].startswith("<script>alert(1)</script>: ")


def test_under_masks_none_of_the_names_is_left(hostile: OpenBattle) -> None:
    for form in FORMATS:
        text = report_on(hostile, form, anonymise=True).decode()
        for name in (
            "alert",
            "HYPERLINK",
            "evil",
            "NNN",
            "SUM",
            "Red",
            "Blue",
            "31m",
            "gnirts",
            "mouseover",
            "\U0001f469",
        ):
            assert name not in text
