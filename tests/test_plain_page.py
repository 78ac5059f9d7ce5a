"""The page on the line mode tells what the program does."""

from __future__ import annotations

from tests.plain_page import PAGE, page


def test_the_page_is_what_the_program_says() -> None:
    """`python -m tests.plain_page` writes it."""
    assert PAGE.read_text(encoding="utf-8") == page()
