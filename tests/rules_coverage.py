"""Which clause of the rulebooks is written and tested where: `python -m tests.rules_coverage` writes the page.

A clause is written where a docstring of the rule set names it, and tested where a test or a scenario case does.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from engine.registered import RULE_SETS, rule_set

HOUSE = Path(__file__).parent.parent
PAGE = HOUSE / "docs" / "rules-coverage.md"
SPAN = re.compile(r"\b([A-Z]{2})-(\d+)(?: to (?:[A-Z]{2}-)?(\d+))?")

INTRODUCTION = """# Where each clause is written and tested

Made by `python -m tests.rules_coverage`; a test fails where this page is out of date, or where a clause is written or
tested nowhere. `headsdown rules RULES CLAUSE` prints a clause.
"""


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


def page() -> str:
    """The page as it should be."""
    parts = [INTRODUCTION]
    tests = gathered(proven())
    for name, package in RULE_SETS.items():
        rules, code = rule_set(name), gathered(written(package))
        parts.append(f"## {rules.title}\n\n| clause | | written in | tested by |\n| --- | --- | --- | --- |")
        for clause in rules.clauses:
            places = [", ".join(found.get(clause.number, [])) for found in (code, tests)]
            parts.append(f"| {clause.number} | {clause.title} | {places[0]} | {places[1]} |")
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())
