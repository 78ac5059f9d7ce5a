"""One element of a list, whether it stood in XML or in JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.wording import clean

Progress = Callable[[int, int], None]
"""Told how much of the file is through, and of how much; may raise to stop the reading."""


def unheeded(done: int, of: int) -> None:
    """Progress that nobody looks at."""


class Node:
    """An element: its name without namespace, its attributes, its text, and the elements inside."""

    __slots__ = ("attributes", "children", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Node] = []
        self.text = ""

    def get(self, *names: str) -> str:
        """The first of these attributes that is there and not empty, on one line and without control characters."""
        for name in names:
            value = self.attributes.get(name)
            if value:
                return plain(value)
        return ""

    def all(self, *tags: str) -> Iterator[Node]:
        """The elements inside of that name."""
        return (child for child in self.children if child.tag in tags)

    def within(self, wrapper: str, tag: str) -> Iterator[Node]:
        """The elements of a list: those called `tag` inside those called `wrapper`."""
        for each in self.all(wrapper):
            yield from each.all(tag)


def plain(text: str) -> str:
    """A text on one line, single spaces, without control characters, changes of direction and invisible marks."""
    return " ".join(clean(text).split())
