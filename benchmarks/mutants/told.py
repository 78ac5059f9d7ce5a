"""What became of the mutants, module by module, and those that survived with their lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.mutants.choosing import worth_trying
from benchmarks.mutants.mutations import Mutant

SURVIVED = ("survived", "not run by any test")
KILLED = ("killed", "killed by time")


def told(paths: list[str], results: Path) -> Iterator[str]:
    """A table, then the survivors. Where a mutant was tried more than once, the last word holds."""
    outcomes = {line["mutant"]: line["outcome"] for line in map(json.loads, results.read_text().splitlines())}
    yield "| module | mutants | set aside | killed | survived | not yet tried |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    survivors: list[str] = []
    for path in paths:
        tried, aside = worth_trying(path)
        found = Counter(outcomes.get(mutant.name, "not tried") for mutant, _ in tried)
        killed, survived = (sum(found[each] for each in kind) for kind in (KILLED, SURVIVED))
        row = (len(tried) + len(aside), len(aside), killed, survived, len(tried) - killed - survived)
        yield f"| `{path}` | " + " | ".join(map(str, row)) + " |"
        survivors += [_line(mutant) for mutant, _ in tried if outcomes.get(mutant.name) in SURVIVED]
    yield ""
    yield from survivors


def _line(mutant: Mutant) -> str:
    source = Path(mutant.path).read_text()
    first = source.rfind("\n", 0, mutant.start) + 1
    last = source.find("\n", mutant.end)
    before, after = source[first : mutant.start].lstrip(), source[mutant.end : last]
    changed = f"{before}[{source[mutant.start : mutant.end]} -> {mutant.text.strip()}]{after}"
    return f"{mutant.path}:{mutant.line} {mutant.operator}: {changed}"
