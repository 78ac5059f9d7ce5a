"""Keys of a TOML text: which line each stands on, and which the type that reads them does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import inspect

Path = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_PART = re.compile(r"[\w-]+|\"[^\"]*\"|'[^']*'")


def line_of(text: str, path: Path) -> int:
    """The line on which a key stands, or the nearest thing around it; 0 where there is none."""
    lines = _lines(text)
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return 0


def _lines(text: str) -> dict[Path, int]:
    """The line of each key and each table, by its path with the numbers of tables in arrays."""
    lines: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    current: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            current = _opened(_parts(header[2]), header[1] == "[[", counts)
            lines.setdefault(current, number)
        elif key:
            lines.setdefault((*current, *_parts(key[1])), number)
    return lines


def _opened(parts: list[str], array: bool, counts: dict[Path, int]) -> Path:
    path: Path = ()
    for at, part in enumerate(parts):
        path = (*path, part)
        if array and at == len(parts) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _parts(key: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(key)]


def known_keys(kind: Any, tag: str, field: str) -> Any:
    """The type of a field of the struct with that tag in a union of structs."""
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    struct = next(each for each in kinds if isinstance(each, inspect.StructType) and each.tag == tag)
    return next(each.type for each in struct.fields if each.encode_name == field)


def strangers(content: Any, kind: Any, path: Path = ()) -> Iterator[tuple[Path, str, list[str]]]:
    """Keys that a type does not know: the path to each, its name, and the keys there are."""
    for option in kind.types if isinstance(kind, inspect.UnionType) else (kind,):
        if isinstance(option, inspect.StructType) and isinstance(content, dict):
            fields = {each.encode_name: each.type for each in option.fields}
            for key, value in content.items():
                if key not in fields:
                    yield (*path, key), key, list(fields)
                else:
                    yield from strangers(value, fields[key], (*path, key))
        elif isinstance(option, inspect.VarTupleType | inspect.ListType) and isinstance(content, list):
            for at, each in enumerate(content):
                yield from strangers(each, option.item_type, (*path, at))
