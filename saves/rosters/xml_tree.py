"""XML of a list as nodes, read by expat in bounds: no DTD, no entity of its own, no deep nesting, no endless list.

A list never has a DTD, so that refusing any at its first word closes entities, external files and billion-laughs at
once. expat is in every Python; nothing is gained by a dependency in this place.
"""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from saves.rosters.node import Node, Progress, unheeded
from saves.rosters.refused import MOST_DEPTH, MOST_ELEMENTS, MOST_TEXT, NoArmyList

STRIDE = 65_536
"""Bytes that are read before it is told how far the reading is."""


def xml_tree(raw: bytes, progress: Progress = unheeded) -> Node:
    """The tree of an XML text; raises NoArmyList for what is not well-formed or out of bounds."""
    builder = _Builder()
    parser = builder.parser
    try:
        for at in range(0, len(raw), STRIDE):
            parser.Parse(raw[at : at + STRIDE], False)
            progress(min(at + STRIDE, len(raw)), len(raw))
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        where = builder.path()
        what = expat.ErrorString(error.code) if error.code else "it cannot be read"
        raise NoArmyList(f"its XML is broken near {where or 'the beginning'}: {what}; save it again") from None
    except (LookupError, ValueError):
        raise NoArmyList("its XML is in an encoding that is not known; save it as UTF-8") from None
    if builder.root is None:
        raise NoArmyList("its XML is empty")
    return builder.root


class _Builder:
    """Makes nodes of what expat tells."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self._open: list[Node] = []
        self._texts: list[list[str]] = []
        self._count = 0
        parser = self.parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse_doctype
        parser.EntityDeclHandler = _refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data

    def path(self) -> str:
        """Where the reading stands, in the names of what is open."""
        names = [node.get("customName", "name") for node in self._open]
        return " > ".join(name[:60] for name in names if name)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise NoArmyList(f"it has more than {MOST_ELEMENTS} elements; no army list has")
        if len(self._open) >= MOST_DEPTH:
            raise NoArmyList(f"it is nested more than {MOST_DEPTH} deep; no army list is")
        node = Node(name.rpartition(" ")[2], attributes)
        if self._open:
            self._open[-1].children.append(node)
        else:
            self.root = node
        self._open.append(node)
        self._texts.append([])

    def _end(self, name: str) -> None:
        self._open.pop().text = "".join(self._texts.pop())[:MOST_TEXT]

    def _data(self, text: str) -> None:
        self._texts[-1].append(text)


def _refuse_doctype(*_: Any) -> None:
    raise NoArmyList("it has a DTD, which no army list needs and which may be an attack; it is not read")
