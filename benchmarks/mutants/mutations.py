"""Mutants of a module: all that cosmic-ray's operators make of it, and three operators of our own."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import parso
from cosmic_ray import plugins

SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}
MAY_SPOIL = ("AddNot", "Operator_Pow_", "Operator_Mul_", "Operator_Div_")
"""Operators that may leave no Python behind: `not` before `:=`, another sign for the star of `*rest`."""

WANT_ARGUMENTS = ("VariableReplacer", "VariableInserter")


@dataclass(frozen=True)
class Mutant:
    """One change of a module's text: the characters from start to end become `text`."""

    path: str
    operator: str
    start: int
    end: int
    text: str
    line: int

    @property
    def name(self) -> str:
        return f"{self.path}:{self.line}:{self.start}-{self.end}:{self.operator}:{self.text}"

    def apply(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]


def mutants_of(path: str, source: str) -> list[Mutant]:
    """Every mutant of a module, by place; those that come to the same text, once."""
    found: dict[tuple[int, int, str], Mutant] = {}
    for operator, start, end, text in (*_of_cosmic_ray(source), *_of_our_own(source)):
        line = source.count("\n", 0, start) + 1
        found.setdefault((start, end, text), Mutant(path, operator, start, end, text, line))
    sound = (each for each in found.values() if not _may_spoil(each) or _compiles(each.apply(source)))
    return sorted(sound, key=lambda each: (each.start, each.end, each.operator, each.text))


def _may_spoil(mutant: Mutant) -> bool:
    return any(kind in mutant.operator for kind in MAY_SPOIL)


def _compiles(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            compile(text, "<mutant>", "exec")
        except SyntaxError:
            return False
    return True


def _of_cosmic_ray(source: str) -> Iterator[tuple[str, int, int, str]]:
    tree = parso.parse(source, version="3.11")
    nodes = list(_walk(tree))
    names = [name for name in plugins.operator_names() if not name.endswith(WANT_ARGUMENTS)]
    for name in names:
        operator = plugins.get_operator(name)()
        for node in nodes:
            for index in range(len(list(operator.mutation_positions(node)))):
                mutated = _mutated(tree, node, operator, index)
                if mutated != source:
                    yield name.removeprefix("core/"), *_change(source, mutated)


def _walk(node: Any) -> Iterator[Any]:
    yield node
    for child in getattr(node, "children", ()):
        yield from _walk(child)


def _mutated(tree: Any, node: Any, operator: Any, index: int) -> str:
    """The text with one node mutated; operators write into the tree, so everything they may touch is put back."""
    kept = [(each, list(each.children)) for each in _walk(node) if hasattr(each, "children")]
    leaves = [(each, each.value, each.prefix) for each in _walk(node) if not hasattr(each, "children")]
    siblings = list(node.parent.children) if node.parent else []
    place = next((at for at, each in enumerate(siblings) if each is node), None)
    try:
        new = operator.mutate(node, index)
    except AttributeError:  # cosmic-ray 8 cannot replace a.B in `except (a.B, C)`
        new = node
    if place is not None:
        if new is None:
            del node.parent.children[place]
        elif new is not node:
            node.parent.children[place] = new
    mutated = str(tree.get_code())
    for each, children in kept:
        each.children = children
    for leaf, value, prefix in leaves:
        leaf.value, leaf.prefix = value, prefix
    if place is not None:
        node.parent.children = siblings
    return mutated


def _change(before: str, after: str) -> tuple[int, int, str]:
    """Where two texts differ: start and end in the first, and what stands there in the second."""
    start = 0
    most = min(len(before), len(after))
    while start < most and before[start] == after[start]:
        start += 1
    tail = 0
    while tail < most - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return start, len(before) - tail, after[start : len(after) - tail]


def _of_our_own(source: str) -> Iterator[tuple[str, int, int, str]]:
    """A statement left out; least for most, any for all; a condition negated where AddNot does not."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    as_bytes = source.encode()

    def span(node: Any) -> tuple[int, int]:
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[node.end_lineno - 1] + node.end_col_offset
        return len(as_bytes[:first].decode()), len(as_bytes[:last].decode())

    for node in ast.walk(ast.parse(source)):
        if _may_be_left_out(node):
            start, end = span(node)
            yield "StatementLeftOut", start, end, "pass" + "\n" * source.count("\n", start, end)
        elif isinstance(node, ast.Name) and node.id in SWAPPED:
            yield "ExtremeSwapped", *span(node), SWAPPED[node.id]
        elif isinstance(node, ast.If | ast.IfExp) and isinstance(node.test, ast.NamedExpr):
            start, end = span(node.test)
            yield "ConditionNegated", start, end, f"not ({source[start:end]})"
        elif isinstance(node, ast.comprehension):
            for condition in node.ifs:
                start, end = span(condition)
                yield "ConditionNegated", start, end, f"not ({source[start:end]})"


def _may_be_left_out(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return not any(isinstance(target, ast.Name) for target in node.targets)
    return isinstance(node, ast.AugAssign | ast.Raise | ast.Return | ast.Continue | ast.Break | ast.Delete)
