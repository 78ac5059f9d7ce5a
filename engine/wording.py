"""Words that every rule set tells its numbers in: counts, chances, lists of names; and names made safe to show."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache


def counted(count: int, what: str) -> str:
    """A number with its word: 1 model, 3 models."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def listed(names: Sequence[str]) -> str:
    """Several names: A, B and C; nobody where there are none."""
    if not names:
        return "nobody"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def with_clause(message: str, clause: str) -> str:
    """A message with the clause that it rests on, where it is one of the rulebook."""
    return message if clause in ("order", "dice") else f"{message} ({clause})"


def percent(chance: float) -> str:
    """A chance in percent: whole ones in the middle, finer near 0 and 100."""
    if chance in (0, 1):
        return f"{chance * 100:.0f} %"
    if chance < 0.0001:
        return "<0.01 %"
    if chance > 0.9999:
        return ">99.99 %"
    return f"{chance * 100:.1f} %" if chance < 0.095 or chance > 0.905 else f"{chance * 100:.0f} %"


@lru_cache(maxsize=4096)
def printable(text: str) -> str:
    """What somebody typed as a name, without what cannot be shown and without space around it."""
    return "".join(char for char in text if char.isprintable()).strip()


def clean(text: str) -> str:
    """`text` on one line, without control characters, changes of direction and invisible marks.

    Line ends and tabs become spaces. Characters that only change how the one before is drawn (variation
    selectors) go as well, since terminals disagree about their width.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(char) for char in text)


def _shown(char: str) -> str:
    if char in "\t\n\r\v\f" or unicodedata.category(char) in ("Zl", "Zp"):
        return " "
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Cn", "Co"):
        return ""
    return "" if 0xFE00 <= ord(char) <= 0xFE0F or 0xE0100 <= ord(char) <= 0xE01EF else char
