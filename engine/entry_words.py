"""What an entry was, in a few words: the same in the log on the screen, in plain text and in reports."""

from __future__ import annotations

from engine.entries import Entry, GotoEntry, OrderEntry, RecoveredEntry, RedoEntry, UndoEntry
from engine.history import History


def entry_title(history: History, entry: Entry) -> str:
    """What an entry of a history was."""
    if isinstance(entry, OrderEntry):
        return history.title(entry.n)
    if isinstance(entry, UndoEntry):
        return f"undo: {history.title(entry.of)}"
    if isinstance(entry, RedoEntry):
        return f"redo: {history.title(entry.to)}"
    if isinstance(entry, GotoEntry):
        return f"goto {entry.to}: {history.title(entry.to)}" if entry.to else "goto 0: the beginning"
    return mended_text(entry)


def mended_text(entry: RecoveredEntry) -> str:
    """What was done to mend the file where this entry stands."""
    if entry.status == "lost":
        return "lost: the entry that stood here was damaged, and the file was repaired without it"
    return f"recovered: half a line of {entry.bytes} bytes was set aside"
