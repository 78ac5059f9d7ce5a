"""A mutant in a process that has read the engine already: the code of the functions concerned is exchanged."""

from __future__ import annotations

import gc
import inspect
import warnings
from collections import defaultdict
from pathlib import Path
from types import CodeType, FunctionType


class Functions:
    """The functions of the engine that are alive in this process, by their code."""

    def __init__(self) -> None:
        self._alive: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
        folder = str(Path("engine").resolve())
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(folder):
                self._alive[_key(each.__code__)].append(each)

    def exchange(self, path: str, before: str, after: str) -> bool:
        """Put the mutant in place. False where that needs a fresh process: something was run as the module was read."""
        file = str(Path(path).resolve())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            pairs = _changed(compile(before, file, "exec"), compile(after, file, "exec"))
        if pairs is None:
            return False
        for old, new in pairs:
            alive = self._alive.get(_key(old), [])
            if not alive and "<locals>" not in old.co_qualname:
                return False
            for function in alive:
                if len(new.co_freevars) != len(old.co_freevars):
                    return False
                function.__code__ = new
        return bool(pairs)


def _key(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _changed(old: CodeType, new: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """Codes of functions that differ, with those around them; None where the text of a module or class differs."""
    nested_old = [each for each in old.co_consts if isinstance(each, CodeType)]
    nested_new = [each for each in new.co_consts if isinstance(each, CodeType)]
    is_function = bool(old.co_flags & inspect.CO_NEWLOCALS)
    if len(nested_old) != len(nested_new) or _own(old) != _own(new):
        return [(old, new)] if is_function else None
    found: list[tuple[CodeType, CodeType]] = []
    for inner_old, inner_new in zip(nested_old, nested_new, strict=True):
        inner = _changed(inner_old, inner_new)
        if inner is None:
            return None
        found += inner
    if found and is_function:
        found.append((old, new))
    return found


def _own(code: CodeType) -> tuple[object, ...]:
    """What a code object does by itself, without the codes in it."""
    values = tuple((type(each), repr(each)) for each in code.co_consts if not isinstance(each, CodeType))
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_name, values
