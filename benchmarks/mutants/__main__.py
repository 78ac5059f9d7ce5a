"""Mutation testing of the engine, after `pip install -e '.[mutants]'`; everything is kept in `.mutants`.

`python -m benchmarks.mutants record TESTS...` writes down which test runs which lines. `try MODULES...` tries their
mutants in forked children; `fresh MODULES...` those of what runs while a module is read. `tell MODULES...` says what
became of them. `check` holds that the tests that killed pass where nothing is mutated. Each may be broken off and
goes on where it was. Where many tests run a line only as many are tried as `--budget` seconds hold; what survives
them is tried `--again` on all the tests of the files named with `--among`.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path

import pytest

from benchmarks.mutants.choosing import FOLDER, is_rare, worth_trying
from benchmarks.mutants.fresh import try_fresh
from benchmarks.mutants.record import RECORD, record
from benchmarks.mutants.told import told
from benchmarks.mutants.trying import Trier

RESULTS = FOLDER / "results.jsonl"
ARGUMENTS = ["-n", "0", "-q", "-s", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:timeout"]


def _temporary() -> str:
    """Files of the tests go into a folder of this run."""
    return f"--basetemp={Path(tempfile.gettempdir()) / f'mutants-{os.getpid()}'}"


def tried_before(results: Path) -> set[str]:
    if not results.exists():
        return set()
    return {json.loads(line)["mutant"] for line in results.read_text().splitlines()}


def try_out(paths: list[str], budget: float, share: str, again: str, results: Path, among: list[str]) -> None:
    part, parts = map(int, share.split("/"))
    before = tried_before(results)
    mutants = []
    for path in paths:
        mutants += [each for each in worth_trying(path)[0] if each[0].name not in before]
    if again:
        lines = map(json.loads, Path(again).read_text().splitlines())
        wanted = {line["mutant"] for line in lines if line["outcome"] in ("survived", "not run by any test")}
        mutants = [each for each in mutants if each[0].name in wanted]
    mutants = sorted(mutants, key=lambda each: is_rare(each[0]))[part - 1 :: parts]
    files = among or sorted({test.split("::")[0] for test in json.loads(RECORD.read_text())["seconds"]})
    trier = Trier(mutants, budget, results)
    pytest.main([*ARGUMENTS, _temporary(), *files], plugins=[trier])


def check(results: Path) -> None:
    """Whether the tests that killed pass in a child where nothing is mutated: what fails there has killed nothing."""
    killers = {line["by"] for line in map(json.loads, results.read_text().splitlines()) if "::" in line["by"]}
    trier = Trier([], 0, results)
    trier.checked = killers
    files = sorted({test.split("::")[0] for test in killers})
    pytest.main([*ARGUMENTS, _temporary(), *files], plugins=[trier])


def try_out_fresh(paths: list[str], budget: float, share: str, again: str, results: Path, among: list[str]) -> None:
    part, parts = map(int, share.split("/"))
    lines = [json.loads(line) for line in Path(again or results).read_text().splitlines()]
    wanted = {line["mutant"] for line in lines if again or line["outcome"] == "fresh"}
    done = {line["mutant"] for line in map(json.loads, results.read_text().splitlines()) if line["outcome"] != "fresh"}
    mutants = [each for path in paths for each, _ in worth_trying(path)[0] if each.name in wanted - done]
    arguments = [*ARGUMENTS, _temporary()]
    try_fresh(mutants[part - 1 :: parts], budget, results, arguments, among)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants")
    parser.add_argument("what", choices=("record", "try", "fresh", "check", "tell"))
    parser.add_argument("files", nargs="*")
    parser.add_argument("--budget", type=float, default=6.0, help="seconds of tests for one mutant, as recorded")
    parser.add_argument("--share", default="1/1", help="which part of the mutants: 1/2, then 2/2")
    parser.add_argument("--again", default="", help="only the mutants named in that file of results")
    parser.add_argument("--among", nargs="*", default=[], help="only the tests of these files")
    parser.add_argument("--results", type=Path, default=RESULTS)
    asked = parser.parse_args()
    if asked.what == "record":
        record(asked.files)
    elif asked.what == "try":
        try_out(asked.files, asked.budget, asked.share, asked.again, asked.results, asked.among)
    elif asked.what == "check":
        check(asked.results)
    elif asked.what == "fresh":
        try_out_fresh(asked.files, asked.budget, asked.share, asked.again, asked.results, asked.among)
    else:
        print("\n".join(told(asked.files, asked.results)))


if __name__ == "__main__":
    main()
