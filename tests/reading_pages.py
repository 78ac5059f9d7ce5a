"""Reading reports in tests: a page strictly, Markdown as tokens."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from markdown_it import MarkdownIt


def spaced(text: str) -> str:
    """Text with single spaces, as pages show it."""
    return " ".join(text.split())


def markdown_tokens(text: str) -> list[Any]:
    """A Markdown page read with tables, struck text, and HTML let through where it is any."""
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)


class Page(HTMLParser):
    """Reads a page strictly: every tag that opens must close, in order."""

    VOID = ("meta", "link", "rect", "circle", "line", "polyline")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)
