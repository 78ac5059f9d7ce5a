"""One line being typed: the text and where the next character goes."""

from __future__ import annotations

from engine.wording import clean


class LineEditor:
    """A line of text under a caret. `fresh` means that the next character replaces it all."""

    def __init__(self, text: str = "", *, most: int = 200, fresh: bool = False) -> None:
        self.text = text
        self.at = len(text)
        self.most = most
        self.fresh = fresh

    def insert(self, typed: str) -> None:
        """Type or paste; what has no place on a line is left out."""
        if self.fresh:
            self.text, self.at, self.fresh = "", 0, False
        typed = clean(typed)[: max(0, self.most - len(self.text))]
        self.text = self.text[: self.at] + typed + self.text[self.at :]
        self.at += len(typed)

    def backspace(self) -> None:
        """Take the character before the caret away."""
        self.fresh = False
        if self.at:
            self.text = self.text[: self.at - 1] + self.text[self.at :]
            self.at -= 1

    def move(self, step: int) -> None:
        """Move the caret by `step` characters, no further than the ends."""
        self.fresh = False
        self.at = max(0, min(len(self.text), self.at + step))

    def clear(self) -> None:
        """Take everything away."""
        self.text, self.at, self.fresh = "", 0, False
