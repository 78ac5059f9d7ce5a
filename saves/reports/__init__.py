"""Battle reports: one account of a battle, written in several formats."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from saves.battle import OpenBattle

FORMATS = {
    "md": "saves.reports.markdown",
    "html": "saves.reports.page",
    "json": "saves.reports.tree",
    "csv": "saves.reports.spreadsheet",
    "cast": "saves.reports.recording",
}
"""Each format and the module that writes it, loaded when it is asked for."""

ENDINGS = {f".{form}": form for form in FORMATS} | {".htm": "html", ".markdown": "md", ".txt": "md"}
"""What a file's ending means, where no format is named."""


def report_on(battle: OpenBattle, form: str, *, anonymise: bool = False) -> bytes:
    """The report of a battle on its line of play, in one of FORMATS.

    With `anonymise` names and free words are replaced by others, the same name by the same one everywhere.
    """
    written_by = import_module(FORMATS[form])
    write = cast(Callable[[OpenBattle, bool], bytes], written_by.write)
    return write(battle, anonymise)
