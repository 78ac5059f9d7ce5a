"""Which test runs which lines of the engine, and how long it takes."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

RECORD = Path(".mutants/record.json")


class Recorder:
    """A plugin of pytest that writes down for each test that passes its lines of the engine and its seconds."""

    def __init__(self) -> None:
        self.coverage = coverage.Coverage(data_file=None, include=["engine/*"], config_file=False)
        self.coverage.start()
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        start = time.process_time()
        yield
        self.seconds[item.nodeid] = time.process_time() - start
        self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def write(self) -> None:
        """What was found joins what was recorded before."""
        self.coverage.stop()
        record: dict[str, Any] = {"seconds": {}, "lines": {}, "at_import": {}}
        if RECORD.exists():
            record = json.loads(RECORD.read_text())
        passed = {name: seconds for name, seconds in self.seconds.items() if name not in self.failed}
        record["seconds"].update(passed)
        seen = self.coverage.get_data()
        for file in seen.measured_files():
            path = str(Path(file).relative_to(Path.cwd()))
            for line, contexts in seen.contexts_by_lineno(file).items():
                known = record["lines"].setdefault(path, {}).setdefault(str(line), [])
                known.extend(sorted({each for each in contexts if each in passed} - set(known)))
                if "" in contexts:
                    record["at_import"].setdefault(path, {})[str(line)] = True
        RECORD.parent.mkdir(exist_ok=True)
        RECORD.write_text(json.dumps(record))


def record(tests: list[str]) -> None:
    """Run the tests once, each by itself."""
    recorder = Recorder()
    pytest.main(["-n", "0", "-q", "-p", "no:cacheprovider", *tests], plugins=[recorder])
    recorder.write()
