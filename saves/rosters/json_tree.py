"""JSON of a list as the same nodes: attributes are fields, lists lose their wrapper, text is `$text`."""

from __future__ import annotations

from typing import Any

import msgspec

from saves.rosters.node import Node
from saves.rosters.refused import MOST_DEPTH, MOST_ELEMENTS, MOST_TEXT, NoArmyList

WRAPPERS = {
    "forces": "force",
    "selections": "selection",
    "profiles": "profile",
    "characteristics": "characteristic",
    "costs": "cost",
    "costLimits": "costLimit",
    "categories": "category",
    "rules": "rule",
    "catalogueLinks": "catalogueLink",
}
"""Lists of a roster, and what their elements are called in XML."""


def json_tree(raw: bytes) -> Node:
    """The tree of a roster in JSON; raises NoArmyList for what is no JSON, no roster, or out of bounds."""
    try:
        content = msgspec.json.decode(raw)
    except RecursionError:
        raise NoArmyList(f"its JSON is nested more than {MOST_DEPTH} deep; no army list is") from None
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise NoArmyList(f"its JSON is broken: {error}; save it again") from None
    roster = content.get("roster") if isinstance(content, dict) else None
    if not isinstance(roster, dict):
        raise NoArmyList(_what_else(content))
    return _Grower().grown("roster", roster, 0)


def _what_else(content: Any) -> str:
    fields = set(content) if isinstance(content, dict) else set()
    if content == {} or content == []:
        return "there is nothing in it"
    if isinstance(content, dict) and content.get("format") == "headsdown-battle":
        return "this is a battle, not an army list: headsdown open shows it"
    if fields & {"payload", "rulebook", "manifest", "assets"} or "rosterizer" in repr(fields).casefold():
        return "this is a list of Rosterizer, which is not read; save it as .ros or .rosz, or write it as TOML"
    return "this JSON is no roster of BattleScribe or New Recruit; those begin with a field roster"


class _Grower:
    def __init__(self) -> None:
        self._count = 0

    def grown(self, tag: str, content: dict[str, Any], depth: int) -> Node:
        """A node of an object."""
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise NoArmyList(f"it has more than {MOST_ELEMENTS} elements; no army list has")
        if depth > MOST_DEPTH:
            raise NoArmyList(f"it is nested more than {MOST_DEPTH} deep; no army list is")
        node = Node(tag, {})
        for name, value in content.items():
            if name in WRAPPERS:
                self._wrap(node, name, value, depth)
            elif name == "$text" or (isinstance(value, str) and name in ("#text", "_")):
                node.text = _text(value)
            elif isinstance(value, dict):
                node.children.append(self.grown(name, value, depth + 1))
            elif name == "description" and isinstance(value, str):
                node.children.append(Node("description", {}))
                node.children[-1].text = _text(value)
            elif not isinstance(value, list):
                node.attributes[name.lstrip("@_")] = _text(value)
        return node

    def _wrap(self, node: Node, name: str, value: Any, depth: int) -> None:
        """A list as it is, under the name of its elements once more, or a single element that is no list."""
        inner = WRAPPERS[name]
        if isinstance(value, dict):
            value = value.get(inner, [value] if "name" in value or "$text" in value else [])
        items = value if isinstance(value, list) else [value]
        wrapper = Node(name, {})
        wrapper.children = [self.grown(inner, item, depth + 2) for item in items if isinstance(item, dict)]
        node.children.append(wrapper)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)[:MOST_TEXT]
