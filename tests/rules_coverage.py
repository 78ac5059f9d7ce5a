"""Which sentence of the rulebooks is written and tested where: `python -m tests.rules_coverage` writes the page.

A clause is written where a docstring of the rule set names it, and tested where a test or a scenario case does. Which
of these are about which of its sentences is told by hand in `tests/sentences/`; only places that name the clause may be
told. There stands too which sentence of the source texts is held by which of ours.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.registered import RULE_SETS, rule_set
from engine.ruleset import Clause

HOUSE = Path(__file__).parent.parent
PAGE = HOUSE / "docs" / "rules-coverage.md"
TOLD = Path(__file__).parent / "sentences"
SENTENCE_END = re.compile(r"(?<=[.!?]) +(?=[A-Z0-9])")
SPAN = re.compile(r"\b([A-Z]{2})-(\d+)(?: to (?:[A-Z]{2}-)?(\d+))?")

INTRODUCTION = """# Where each sentence of the rules is written and tested

Made by `python -m tests.rules_coverage`; a test fails where this page is out of date, or where a clause or one of its
sentences is written or tested nowhere. `headsdown rules RULES CLAUSE` prints a clause; SF-21.3 is the third sentence of
SF-21. For each rule set there are three tables: the text that it is made from, sentence by sentence, in a few words of
our own, with the sentences of the rulebook that hold it; the sentences of the rulebook, with the functions and tests
that are about just that; and the clauses, with every function whose docstring names one and every test about it.
"""


class Sentence(NamedTuple):
    """A sentence of a clause: its first words, the functions that it is written in, and the tests that hold it."""

    begins: str
    written: Sequence[str]
    tested: Sequence[str]


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((TOLD / f"{name}.toml").read_text())


def told_of(name: str) -> dict[str, list[Sentence]]:
    """What is told of each sentence of a rule set, by clause."""
    return {
        clause: [Sentence(begins, code.split(), tests.split()) for begins, code, tests in rows]
        for clause, rows in read(name).items()
    }


def sources(name: str) -> list[tuple[str, str, list[str]]]:
    """Each sentence of the text that a rule set is made from: where, what about, and which of our sentences hold it."""
    return [(where, about, held.split()) for where, about, held in read("sources")[name]]


def sentences(clause: Clause) -> list[str]:
    """The sentences of a clause, in order."""
    return SENTENCE_END.split(clause.text)


def complaints(
    clause: Clause, told: Sequence[Sentence], code: Mapping[str, list[str]], tests: Mapping[str, list[str]]
) -> Iterator[str]:
    """What is wrong with what is told of a clause: sentences left out or changed, no code or test, or none about it."""
    texts = sentences(clause)
    if len(texts) != len(told):
        yield f"{clause.number} has {len(texts)} sentences, {len(told)} are told of"
    for at, (text, sentence) in enumerate(zip(texts, told, strict=False), 1):
        number = f"{clause.number}.{at}"
        if not text.startswith(sentence.begins):
            yield f"{number} does not begin with: {sentence.begins}"
        if not sentence.written or not sentence.tested:
            yield f"{number} is written or tested nowhere"
        for place in sentence.written:
            if place not in code.get(clause.number, []):
                yield f"{number}: {place} does not name {clause.number}"
        for place in sentence.tested:
            if place not in tests.get(clause.number, []):
                yield f"{number}: {place} does not name {clause.number}"


def clauses_named(text: str) -> set[str]:
    """The clauses that a text names, spans such as `SF-21 to SF-23` in full."""
    found: set[str] = set()
    for prefix, first, last in SPAN.findall(text):
        found.update(f"{prefix}-{number}" for number in range(int(first), int(last or first) + 1))
    return found


def written(package: str) -> Iterator[tuple[str, str]]:
    """Each clause that a docstring of the package names, with `file: function`."""
    for path in sorted((HOUSE / package.replace(".", "/")).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                for clause in clauses_named(ast.get_docstring(node) or ""):
                    yield clause, f"{path.stem}.{node.name}"


def proven() -> Iterator[tuple[str, str]]:
    """Each clause that a test names, with `file: test`; and each that a scenario case is about."""
    for path in sorted((HOUSE / "tests").glob("test_*.py")):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                decorators = "".join(ast.get_source_segment(text, each) or "" for each in node.decorator_list)
                for clause in clauses_named(decorators + (ast.get_source_segment(text, node) or "")):
                    yield clause, f"{path.stem}.{node.name}"
    for path in sorted((HOUSE / "tests" / "cases").glob("*.json")):
        for case in json.loads(path.read_text()):
            for clause in case.get("clauses", []):
                yield clause, f"case: {case['name']}"


def gathered(pairs: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for clause, place in pairs:
        if place not in places.setdefault(clause, []):
            places[clause].append(place)
    return places


@cache
def all_proven() -> dict[str, list[str]]:
    """The tests and cases of each clause; reading them all takes a while, so it is done once."""
    return gathered(proven())


def page() -> str:
    """The page as it should be."""
    parts = [INTRODUCTION]
    tests = all_proven()
    for name, package in RULE_SETS.items():
        rules, code = rule_set(name), gathered(written(package))
        told = told_of(name)
        parts.append(f"## {rules.title}\n\n### The source\n")
        parts += table(
            ("sentence", "about", "held by"), ((w, a, ", ".join(h) or "no rule") for w, a, h in sources(name))
        )
        parts.append("\n### Sentences\n")
        parts += table(
            ("sentence", "", "written in", "tested by"),
            (
                (f"{clause}.{at}", f"{row.begins} …", ", ".join(row.written), ", ".join(row.tested))
                for clause, rows in told.items()
                for at, row in enumerate(rows, 1)
            ),
        )
        parts.append("\n### Clauses\n")
        parts += table(
            ("clause", "", "written in", "tested by"),
            (
                (c.number, c.title, *(", ".join(found.get(c.number, [])) for found in (code, tests)))
                for c in rules.clauses
            ),
        )
        parts.append("")
    return "\n".join(parts)


def table(heads: Sequence[str], rows: Iterator[Sequence[str]]) -> Iterator[str]:
    """A table of Markdown, line by line."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    PAGE.write_text(page())
