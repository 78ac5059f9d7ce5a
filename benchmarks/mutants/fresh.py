"""A mutant of what runs while a module is read: a forked child reads the engine anew and runs whole files of tests."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from benchmarks.mutants.mutations import Mutant
from benchmarks.mutants.record import RECORD
from benchmarks.mutants.trying import MEMORY, FirstFailure, Tried, quiet_hypothesis, read_to_the_end

READ_BEFORE = (
    "textual.app", "textual.widgets", "textual.pilot", "msgspec.json", "jinja2", "hypothesis", "jsonschema", "pyte",
    "icepool", "mpmath", "markdown_it", "asyncio", "tomli_w", "platformdirs", "rich.text", "xdist", "pytest_asyncio",
)  # fmt: skip


class _Mutated(SourceFileLoader):
    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._text, self.path, "exec", dont_inherit=True)


class _Finder:
    """Finds the mutant instead of the module."""

    def __init__(self, mutant: Mutant) -> None:
        source = Path(mutant.path).read_text()
        self.name = mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.loader = _Mutated(self.name, str(Path(mutant.path).resolve()), mutant.apply(source))

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.loader.path, loader=self.loader)


def try_fresh(mutants: list[Mutant], budget: float, results: Path, arguments: list[str], among: list[str]) -> None:
    for name in READ_BEFORE:
        importlib.import_module(name)
    record = json.loads(RECORD.read_text())
    seconds: Counter[str] = Counter()
    for test, each in record["seconds"].items():
        seconds[test.split("::")[0]] += each
    touching = {
        path: {test.split("::")[0] for tests in lines.values() for test in tests}
        for path, lines in record["lines"].items()
    }
    killers: dict[str, Counter[str]] = defaultdict(Counter)
    if results.exists():
        for line in map(json.loads, results.read_text().splitlines()):
            if line["by"]:
                killers[line["mutant"].split(":")[0]][line["by"].split("::")[0]] += 1
    with results.open("a") as told:
        for mutant in mutants:
            start = time.monotonic()
            near = set(among) or touching.get(mutant.path) or set(seconds)
            known = killers[mutant.path]
            files = sorted(near, key=lambda file: (seconds[file] / (1 + known[file]), file))
            tried = _in_a_child(mutant, files, seconds, budget, arguments)
            known[tried.by] += 1
            line = {"mutant": mutant.name, "outcome": tried.outcome, "by": tried.by, "tests": tried.tests}
            told.write(json.dumps({**line, "seconds": round(time.monotonic() - start, 3)}) + "\n")
            told.flush()


def _in_a_child(mutant: Mutant, files: list[str], seconds: Counter[str], budget: float, arguments: list[str]) -> Tried:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.meta_path.insert(0, _Finder(mutant))
        quiet_hypothesis()
        spent = 0.0
        for at, file in enumerate(files):
            spent += seconds[file]
            if at and spent > budget:
                break
            os.write(writing, f"{file}\n".encode())
            signal.setitimer(signal.ITIMER_PROF, 20 + 3 * seconds[file])
            if pytest.main([*arguments, "-x", file], plugins=[FirstFailure(writing)]) not in (0, 5):
                os.write(writing, b"killed")
                os._exit(0)
        os.write(writing, b"survived")
        os._exit(0)
    os.close(writing)
    told = read_to_the_end(reading, child)
    os.waitpid(child, 0)
    lines = told.split("\n")
    if lines[-1] in ("killed", "survived"):
        return Tried(lines[-1], lines[-2] if lines[-1] == "killed" else "", len(lines) - 1)
    return Tried("killed by time", lines[-2] if len(lines) > 1 else "", len(lines))
