"""A side of a battle as a roster file of our own, in TOML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import tomli_w

from engine.history import History
from engine.scorekeeping import known_side
from saves.rosters.own_toml import FORMAT


def roster_of(history: History, side: str) -> bytes:
    """All that a side has mustered, as it was mustered or amended last; raises Refusal (`order`) where it has nothing.

    Weapons that are the same wherever their name stands are written once, in `[weapons]`.
    """
    rules, battle = history.rules, history.state
    known_side(battle, side)
    units = [_table(each) for each in rules.profiles(battle).values() if each.side == side]
    if not units:
        from engine.refusals import Refusal

        raise Refusal("order", f"{side} has mustered nobody; there is nothing to write")
    weapons = _shared(units)
    content: dict[str, Any] = {"format": FORMAT, "rules": rules.name, "name": history.header.name or side}
    if weapons:
        content["weapons"] = {name: {k: v for k, v in each.items() if k != "name"} for name, each in weapons.items()}
    content[rules.mustered_as] = [_referring(unit, weapons) for unit in units]
    return tomli_w.dumps(content, multiline_strings=False).encode()


def _table(profile: Any) -> dict[str, Any]:
    """A profile without its side and without what is as usual."""
    table: dict[str, Any] = _told(profile)
    table.pop("side", None)
    return table


def _told(content: Any) -> Any:
    if isinstance(content, msgspec.Struct):
        told: dict[str, Any] = {}
        for field in msgspec.structs.fields(content):
            value = getattr(content, field.name)
            if value is not None and value != field.default:
                told[field.encode_name] = _told(value)
        return told
    if isinstance(content, tuple | list):
        return [_told(each) for each in content]
    if isinstance(content, Mapping):
        return {key: _told(value) for key, value in content.items()}
    return content


def _weapons_in(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, list):
        return [weapon for each in content for weapon in _weapons_in(each)]
    if not isinstance(content, dict):
        return []
    own = list(content.get("weapons", ()))
    return own + [weapon for key, each in content.items() if key != "weapons" for weapon in _weapons_in(each)]


def _shared(units: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The weapons whose name means the same everywhere."""
    known: dict[str, dict[str, Any]] = {}
    doubtful: set[str] = set()
    for weapon in _weapons_in(units):
        if known.setdefault(weapon["name"], weapon) != weapon:
            doubtful.add(weapon["name"])
    return {name: weapon for name, weapon in known.items() if name not in doubtful}


def _referring(content: Any, shared: Mapping[str, Any]) -> Any:
    if isinstance(content, list):
        return [_referring(each, shared) for each in content]
    if not isinstance(content, dict):
        return content
    told = {key: _referring(value, shared) for key, value in content.items() if key != "weapons"}
    if "weapons" in content:
        told["weapons"] = [each["name"] if each["name"] in shared else each for each in content["weapons"]]
    return told
