"""Why a file is not read as an army list, and the bounds that a list keeps."""

from __future__ import annotations

from saves.faults import Fault

MOST_PACKED = 5 * 1024 * 1024
MOST_BYTES = 16 * 1024 * 1024
"""Bytes of a zip file, and of a list. The largest list known has 693 KB."""

MOST_RATIO = 100
"""How much larger than packed a list may be; lists reach 13."""

MOST_ELEMENTS = 100_000
MOST_SELECTIONS = 20_000
MOST_DEPTH = 64
"""Elements, selections and nesting of a list; real ones have some 10,000, 532 and 17."""

MOST_TEXT = 65_536
"""Characters of one text; the longest known has 5,000."""


class NoArmyList(Fault):
    """The file is not read as an army list; the sentence says why, and what to do."""
