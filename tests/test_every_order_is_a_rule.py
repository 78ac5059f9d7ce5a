"""Rules are generators that others drive: nothing of them may be called and forgotten, nor touch the world."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ENGINE = Path(__file__).parent.parent / "engine"
MODULES = sorted(ENGINE.rglob("*.py"))
RULE_MODULES = [module for module in MODULES if module.parent != ENGINE]
NAMES = [str(module.relative_to(ENGINE)) for module in MODULES]
ASKING = {"roll", "happen", "choose"}

Function = ast.FunctionDef | ast.Lambda


@cache
def tree_of(module: Path) -> ast.Module:
    return ast.parse(module.read_text(), str(module))


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def is_rule(function: ast.FunctionDef) -> bool:
    """Whether a function says that it returns a rule."""
    told = function.returns
    return isinstance(told, ast.Subscript) and isinstance(told.value, ast.Name) and told.value.id == "Rule"


@cache
def rule_names() -> set[str]:
    """Everything in the engine whose call makes a rule, by its last name."""
    named = {function.name for module in MODULES for function in functions(tree_of(module)) if is_rule(function)}
    return named | ASKING


def called_name(call: ast.Call) -> str:
    """The last part of what is called: `f` of `f()`, of `module.f()`, and of a table of rules `RESOLVERS[...]()`."""
    if isinstance(call.func, ast.Name):
        return call.func.id
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    if isinstance(call.func, ast.Subscript) and isinstance(call.func.value, ast.Name):
        return call.func.value.id
    return ""


def below(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    waiting: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def is_generator(function: Function) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in below(function))


def handed_on(function: Function) -> set[int]:
    """Calls whose rule a function that is no generator hands to its caller: returned whole, or a lambda's body."""
    if is_generator(function):
        return set()
    values = [function.body] if isinstance(function, ast.Lambda) else [
        node.value for node in below(function) if isinstance(node, ast.Return) and node.value
    ]  # fmt: skip
    ways = [
        way for value in values for way in ((value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,))
    ]
    return {id(way) for way in ways}


def unheeded(tree: ast.Module, rules: set[str]) -> list[str]:
    """Calls of rules under no `yield from`, and not handed on to somebody who could run them."""
    heeded = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.YieldFrom)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            heeded |= handed_on(node)
    return [
        f"line {node.lineno}: {called_name(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and called_name(node) in rules and id(node) not in heeded
    ]


@pytest.mark.parametrize("module", RULE_MODULES, ids=lambda module: str(module.relative_to(ENGINE)))
def test_no_rule_is_called_and_forgotten(module: Path) -> None:
    """Every roll, happening, choice and rule stands under `yield from`; there is no bare `yield` in a rule."""
    tree = tree_of(module)
    assert unheeded(tree, rule_names() | {"RESOLVERS"}) == []
    for function in functions(tree):
        if is_rule(function):
            assert not any(isinstance(node, ast.Yield) for node in below(function)), function.name


@pytest.mark.parametrize("module", RULE_MODULES, ids=lambda module: str(module.relative_to(ENGINE)))
def test_rules_hold_nothing(module: Path) -> None:
    """A rule may be left in the middle (odds do that): no try, no with, no finally in it."""
    for function in functions(tree_of(module)):
        if is_rule(function):
            kept = [node for node in below(function) if isinstance(node, (ast.Try, ast.With, ast.AsyncWith))]
            assert kept == [], function.name


@pytest.mark.parametrize("module", MODULES, ids=NAMES)
def test_the_engine_touches_nothing(module: Path) -> None:
    """No file is opened, nothing printed, nobody asked."""
    called = [node.func for node in ast.walk(tree_of(module)) if isinstance(node, ast.Call)]
    names = {func.id for func in called if isinstance(func, ast.Name)}
    assert names & {"open", "print", "input", "exec", "eval", "breakpoint"} == set()


def test_this_test_sees_what_it_should() -> None:
    """The looks themselves: a rule forgotten, one handed on where that is allowed, and where it is not."""
    source = """
def rule(battle) -> Rule[Battle]:
    happen(battle)
    done = roll(battle)
    return happen(battle)
    yield from happen(battle)

def table(battle) -> Rule[Battle]:
    return rule(battle) if battle else happen(battle)

start = lambda: rule(1)

def good(battle) -> Rule[Battle]:
    battle = yield from rule(battle)
    return (yield from happen(battle))
"""
    assert unheeded(ast.parse(source), ASKING | {"rule"}) == ["line 3: happen", "line 4: roll", "line 5: happen"]
    assert {"declare", "take_test", "act", "suffer_wounds", "begin_turn", "tell_lapses"} <= rule_names()
