"""Each mutant in a forked child, against the tests that run its line, until one fails."""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

from benchmarks.mutants.mutations import Mutant
from benchmarks.mutants.record import RECORD
from benchmarks.mutants.swapping import Functions

MEMORY = 4 << 30
LONGEST = 900.0
QUICK = 0.5


def _file(test: str) -> str:
    return test.split("::")[0]


@dataclass
class Tried:
    """What became of a mutant: killed (by which test, or by time), survived, or to be tried in a fresh process."""

    outcome: str
    by: str = ""
    tests: int = 0


@dataclass
class Tests:
    """The tests on record, and which of them are worth trying first."""

    record: dict[str, Any]
    killers: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    @classmethod
    def recorded(cls) -> Tests:
        return cls(json.loads(RECORD.read_text()))

    def of(self, mutant: Mutant, lines: range, known: set[str], budget: float) -> list[str]:
        """Tests that run any of the lines: quick killers of mutants of that module, then a case of each function.

        Of each function's cases the quickest comes first; the second cases come after the first ones of all. Files
        whose tests have killed most in that module come before others.
        """
        by_line = self.record["lines"].get(mutant.path, {})
        found = {test for line in lines for test in by_line.get(str(line), ())} & known
        killers = self.killers[mutant.path]
        files: Counter[str] = Counter()
        for test, count in killers.items():
            files[_file(test)] += count
        cases: Counter[str] = Counter()
        order: dict[str, tuple[float, ...]] = {}
        for test in sorted(found, key=lambda test: (self.seconds(test), test)):
            function = test.split("[")[0]
            quick = killers[test] if self.seconds(test) < QUICK else 0
            order[test] = (-quick, cases[function], -files[_file(test)], self.seconds(test))
            cases[function] += 1
        return self._within(budget, sorted(found, key=lambda test: (order[test], test)))

    def _within(self, budget: float, tests: list[str]) -> list[str]:
        """As many of the tests as take no longer than that, and one in any case."""
        chosen: list[str] = []
        for test in tests:
            if self.seconds(test) <= budget:
                chosen.append(test)
                budget -= self.seconds(test)
        return chosen or tests[:1]

    def seconds(self, test: str) -> float:
        return float(self.record["seconds"][test])

    def read_while_importing(self, mutant: Mutant) -> bool:
        return str(mutant.line) in self.record["at_import"].get(mutant.path, {})


class FirstFailure:
    """A plugin of pytest that ends the child at the first failure, before pytest makes a report of it."""

    def __init__(self, writing: int) -> None:
        self.writing = writing

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[Any]) -> None:
        if call.excinfo and not isinstance(call.excinfo.value, pytest.skip.Exception | pytest.xfail.Exception):
            os.write(self.writing, b"killed")
            os._exit(0)


class Trier:
    """A plugin of pytest that tries mutants instead of running the tests."""

    def __init__(self, mutants: list[tuple[Mutant, range]], budget: float, results: Path) -> None:
        self.mutants = mutants
        self.budget = budget
        self.results = results
        self.tests = Tests.recorded()
        self.sources = {mutant.path: Path(mutant.path).read_text() for mutant, _ in mutants}
        self.checked: set[str] = set()
        if results.exists():
            for line in map(json.loads, results.read_text().splitlines()):
                if line["by"]:
                    self.tests.killers[line["mutant"].split(":")[0]][line["by"]] += 1

    def pytest_configure(self) -> None:
        quiet_hypothesis()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        functions = Functions()
        gc.collect()
        gc.freeze()
        for test in self.checked & set(items):
            if self._in_a_child(None, functions, [items[test]]).outcome != "survived":
                print(f"fails without any mutant: {test}")
        with self.results.open("a") as results:
            for mutant, lines in self.mutants:
                start = time.monotonic()
                tests = self.tests.of(mutant, lines, set(items), self.budget)
                if mutant.operator == "RemoveDecorator" or self.tests.read_while_importing(mutant):
                    tried = Tried("fresh")
                else:
                    tried = self._confirmed(mutant, functions, [items[test] for test in tests])
                if tried.by:
                    self.tests.killers[mutant.path][tried.by] += 1
                line = {"mutant": mutant.name, "outcome": tried.outcome, "by": tried.by, "tests": tried.tests}
                results.write(json.dumps({**line, "seconds": round(time.monotonic() - start, 3)}) + "\n")
                results.flush()
        return True

    def _confirmed(self, mutant: Mutant, functions: Functions, items: list[pytest.Item]) -> Tried:
        """A test that fails behind others has to fail by itself too, else it goes on with those behind it."""
        while True:
            tried = self._in_a_child(mutant, functions, items)
            if tried.outcome != "killed" or tried.tests == 1:
                return tried
            killer = items[tried.tests - 1 :]
            if self._in_a_child(mutant, functions, killer[:1]).outcome != "survived" or len(killer) == 1:
                return tried
            items = killer[1:]

    def _in_a_child(self, mutant: Mutant | None, functions: Functions, items: list[pytest.Item]) -> Tried:
        if not items:
            return Tried("not run by any test")
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self._try(mutant, functions, items, writing)
        os.close(writing)
        told = read_to_the_end(reading, child)
        os.waitpid(child, 0)
        lines = told.split("\n")
        if lines[-1] in ("killed", "survived", "fresh"):
            return Tried(lines[-1], lines[-2] if lines[-1] == "killed" else "", len(lines) - 1)
        return Tried("killed by time", lines[-2] if len(lines) > 1 else "", len(lines))

    def _exchange(self, mutant: Mutant, functions: Functions) -> bool:
        source = self.sources[mutant.path]
        return functions.exchange(mutant.path, source, mutant.apply(source))

    def _try(self, mutant: Mutant | None, functions: Functions, items: list[pytest.Item], writing: int) -> None:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if mutant and not self._exchange(mutant, functions):
            os.write(writing, b"fresh")
            os._exit(0)
        items[0].config.pluginmanager.register(FirstFailure(writing))
        for at, item in enumerate(items):
            os.write(writing, f"{item.nodeid}\n".encode())
            signal.setitimer(signal.ITIMER_PROF, 2 + 3 * self.tests.seconds(item.nodeid))
            following = items[at + 1] if at + 1 < len(items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        os.write(writing, b"survived")
        os._exit(0)


def quiet_hypothesis() -> None:
    """The same examples for every mutant; whatever fails need not be made small."""
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutants", settings(database=None, derandomize=True, deadline=None, phases=phases))
    settings.load_profile("mutants")


def read_to_the_end(reading: int, child: int) -> str:
    """What a child tells; one that says nothing for too long is ended."""
    told = b""
    while select.select([reading], [], [], LONGEST)[0]:
        some = os.read(reading, 1 << 16)
        if not some:
            break
        told += some
    else:
        os.kill(child, signal.SIGKILL)
    os.close(reading)
    return told.decode()
