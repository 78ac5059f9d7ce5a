"""Whether a battle's file is whole and unaltered, and whether its rolls yield its outcomes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from engine.verification import Count, verify_history
from saves.battle import OpenBattle
from saves.faults import Damaged


class Report(Struct, frozen=True):
    """What was found. `entries` is the number of the last sound entry, `head` the order at which the battle stands.

    `first_bad` is the first entry that is off (0 for the header) and `kind` how: `torn`, `damaged`, `altered` or
    `other_rules`. `message` says it in one sentence. `mark` is `NUMBER:HASH` of the last sound entry.
    """

    ok: bool
    entries: int
    head: int
    first_bad: int | None
    kind: str | None
    rolls: Count
    message: str = ""
    mark: str = ""


def verify(path: str | Path, progress: Callable[[int], None] = lambda entry: None) -> Report:
    """Check the file in `path`: the chain of its lines, the faces of its dice, and what the rules make of them.

    `progress` is told the number of each entry as it is checked. Raises NotABattle, and Unreadable where the file
    cannot be read; everything else that may be wrong is in the report.
    """
    try:
        battle = OpenBattle.open(path, read_only=True, whole=True)
    except Damaged as damaged:
        return Report(False, 0, 0, 0, _kind(damaged.kind), Count(), str(damaged))
    with battle:
        history, problem = battle.history, battle.problem
        finding, rolls = verify_history(history, progress)
        entries, mark = len(history.entries), battle.head_mark
        if finding:
            message = f"{path}: entry {finding.entry}: {finding.message}"
            return Report(False, entries, history.head, finding.entry, finding.kind, rolls, message, mark)
        if problem:
            kind = _kind(problem.kind)
            return Report(False, entries, history.head, problem.entry, kind, rolls, problem.message, mark)
        return Report(True, entries, history.head, None, None, rolls, "", mark)


def _kind(kind: str) -> str:
    """What only a newer version can read was written under other rules than those at hand."""
    return "other_rules" if kind == "newer" else kind
