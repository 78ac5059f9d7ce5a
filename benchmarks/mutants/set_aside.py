"""Mutants that say nothing of any rule, and why."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from benchmarks.mutants.mutations import Mutant

ANNOTATION = "a union of types (int | None): with another operator than | it is no type, says mypy"
FLAG = "a flag that only costs or saves memory and time (frozen, gc, slots)"
FOR_THE_TYPE_CHECKER = "an import for the type checker alone"
IDENTITY = "`is` with a literal: the linter refuses it (F632)"
CACHE = "a cache: without it, or of another size, everything is the same, only slower"
OWN_CHECK = "strict=True of zip: the program's check of itself, which nothing sets off"
UNRETURNED = "a function without its last return: mypy refuses it"
FLAGS = {"frozen", "gc", "slots", "weakref", "cache_hash", "maxsize"}
CACHES = {"cache", "lru_cache", "cached_property"}


def why_set_aside(source: str, mutants: list[Mutant]) -> dict[Mutant, str]:
    """Those of the mutants that need not be tried, each with the reason."""
    spans = [(*_span(source, node), why) for node, why in _silent(ast.parse(source))]
    last_returns = {_span(source, node) for node in _last_returns(ast.parse(source))}
    found: dict[Mutant, str] = {}
    for mutant in mutants:
        if mutant.operator == "StatementLeftOut" and (mutant.start, mutant.end) in last_returns:
            found[mutant] = UNRETURNED
        if mutant.text in ("is", "is not") and _compares_with_a_literal(mutant.apply(source)):
            found[mutant] = IDENTITY
        for start, end, why in spans:
            if why == ANNOTATION and "BitOr" not in mutant.operator:
                continue
            touches = mutant.start < end and start < mutant.end
            if (start <= mutant.start and mutant.end <= end) or (mutant.operator == "RemoveDecorator" and touches):
                found[mutant] = why
                break
    return found


def _compares_with_a_literal(text: str) -> bool:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SyntaxWarning)
        compile(text, "<mutant>", "exec")
    return bool(caught)


def _silent(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign(annotation=ast.Name(id="TypeAlias"), value=ast.expr() as value):
                yield value, ANNOTATION
            case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
                yield annotation, ANNOTATION
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield node, FOR_THE_TYPE_CHECKER
            case ast.Assign(value=ast.BinOp(op=ast.BitOr()) as value) if _names_types(value):
                yield value, ANNOTATION
            case _:
                pass
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
            yield node.returns, ANNOTATION
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if isinstance(called, ast.Name) and called.id in CACHES:
                    yield decorator, CACHE
        if isinstance(node, ast.Call | ast.ClassDef):
            for keyword in node.keywords:
                if keyword.arg in FLAGS:
                    yield keyword, FLAG
                if keyword.arg == "strict":
                    yield keyword, OWN_CHECK


def _last_returns(tree: ast.Module) -> Iterator[ast.Return]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and isinstance(node.body[-1], ast.Return):
            yield node.body[-1]


def _names_types(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.BitOr) and _names_types(node.left) and _names_types(node.right)
    if isinstance(node, ast.Subscript):
        return True
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return (
        name[:1].isupper() or name in ("str", "int", "bool") or (isinstance(node, ast.Constant) and node.value is None)
    )


def _span(source: str, node: ast.AST) -> tuple[int, int]:
    """A node's first and last character; a decorator's `@` belongs to it."""
    lines = source.splitlines(keepends=True)
    assert isinstance(node, ast.expr | ast.stmt | ast.keyword)
    assert node.end_lineno is not None
    assert node.end_col_offset is not None

    def place(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())

    start = place(node.lineno, node.col_offset)
    return start - source[:start].endswith("@"), place(node.end_lineno, node.end_col_offset)
