"""The units and weapons that a rule set offers for quick mustering, read from its TOML file."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


@lru_cache
def armoury(resource: str) -> dict[str, Any]:
    """The tables of an armoury; `resource` is what the rule set names: PACKAGE/FILE. Empty for no name."""
    if not resource:
        return {}
    import tomllib
    from importlib.resources import files  # slow to load, and only forms ask

    package, _, name = resource.partition("/")
    return tomllib.loads((files(package) / name).read_text(encoding="utf-8"))
