"""Which mutants of a module are tried, in which order, and next to which lines."""

from __future__ import annotations

import ast
import hashlib
import json
from dataclasses import astuple
from pathlib import Path

from benchmarks.mutants.mutations import Mutant, mutants_of
from benchmarks.mutants.set_aside import why_set_aside

FOLDER = Path(".mutants")


def worth_trying(path: str) -> tuple[list[tuple[Mutant, range]], dict[Mutant, str]]:
    """The mutants of a module, each with the lines of its statement; and those set aside, with reasons."""
    source = Path(path).read_text()
    mutants = _kept(path, source)
    aside = why_set_aside(source, mutants)
    tree = ast.parse(source)
    return [
        (each, _statement(tree, each.line) or _function(tree, each.line)) for each in mutants if each not in aside
    ], aside


def _kept(path: str, source: str) -> list[Mutant]:
    """The mutants of a module, made once for each of its texts: that takes a while."""
    kept = FOLDER / f"{hashlib.sha256(source.encode()).hexdigest()}.json"
    if kept.exists():
        return [Mutant(*each) for each in json.loads(kept.read_text())]
    mutants = mutants_of(path, source)
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps([astuple(each) for each in mutants]))
    return mutants


def _statement(tree: ast.Module, line: int) -> range:
    """The lines of the smallest statement around a line; of one that holds others, those before its body."""
    best = range(line, line + 1)
    smallest = 1 << 30
    for node in ast.walk(tree):
        if isinstance(node, ast.Break | ast.Continue) and node.lineno == line:
            return range(0)
        if isinstance(node, ast.stmt) and node.end_lineno is not None and node.lineno <= line <= node.end_lineno:
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            if line <= last and node.end_lineno - node.lineno < smallest:
                best, smallest = range(node.lineno, last + 1), node.end_lineno - node.lineno
    return best


def _function(tree: ast.Module, line: int) -> range:
    """The lines of the function around a line: a jump has none of its own that coverage would see."""
    around = [
        range(node.body[0].lineno, (node.end_lineno or line) + 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None and node.lineno <= line <= node.end_lineno
    ]
    return min(around, key=len, default=range(line, line + 1))


TELLING = {
    "Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is", "Lt_LtE", "Lt_Gt", "LtE_Lt", "LtE_Gt", "Gt_GtE", "Gt_Lt",
    "GtE_Gt", "GtE_Lt", "Add_Sub", "Sub_Add", "Mul_Add", "Mul_Div", "FloorDiv_Div", "FloorDiv_Mul", "Mod_Add",
    "Mod_Mul", "Div_Mul", "Pow_Mul", "LShift_RShift", "BitOr_BitAnd",
}  # fmt: skip
"""Of the many operators that stand for another one, those that tell most: the others come last."""


def is_rare(mutant: Mutant) -> bool:
    """Whether another operator shows already that the tests see the place."""
    kind, _, change = mutant.operator.partition("Operator_")
    return kind in ("ReplaceBinary", "ReplaceComparison") and change not in TELLING
