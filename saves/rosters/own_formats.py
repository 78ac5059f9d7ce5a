"""Which of our own formats a text is in: TOML, CSV, or plain text."""

from __future__ import annotations

import re

from engine.army_list import ArmyList
from saves.rosters.own_table import looks_like_table, table_list
from saves.rosters.own_text import text_list
from saves.rosters.own_toml import toml_list
from saves.rosters.refused import NoArmyList

MOST_TEXT_BYTES = 1 << 20

_TOML = re.compile(r'^\s*(\[\[?[\w."-]+\]\]?\s*(#.*)?$|[\w-]+\s*=\s*\S)')
_BUILDERS = re.compile(
    r"^\s*(\+\+|\+ |[•◦●])|exported with|created with battlescribe|force rules? version", re.IGNORECASE
)


def own_list(raw: bytes, name: str, sha256: str) -> ArmyList:
    """The list in a text of our own; raises NoArmyList where it is none, with the line that is wrong."""
    if len(raw) > MOST_TEXT_BYTES:
        raise NoArmyList("it is larger than 1 MB of text; no army list is")
    text = _decoded(raw)
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise NoArmyList("there is nothing in it but comments")
    if _TOML.match(lines[0]):
        return toml_list(text, name, sha256)
    if sum(1 for line in lines if _BUILDERS.search(line)) >= 2:
        raise NoArmyList(
            "this is the text of a list builder, which has names and points but no stat lines; "
            "save the list as .ros, .rosz or JSON there"
        )
    if looks_like_table(lines[0]):
        return table_list(text, name, sha256)
    return text_list(text, name, sha256)


def _decoded(raw: bytes) -> str:
    encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise NoArmyList(f"line {line} is no text in UTF-8; save the file as UTF-8") from None
