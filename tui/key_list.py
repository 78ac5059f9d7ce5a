"""`headsdown keys`: every action with its keys, those that a player changed, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.registered import rule_sets
from tui.actions import PLACES, NamedAction, actions_of, order_actions
from tui.settings import Settings

KEYS, ID = 24, 36
"""Cells for keys and ids in the list."""


def key_lines(settings: Settings) -> Iterator[str]:
    """The list for people, by place."""
    keymap = settings.keymap
    for title, actions in _listed():
        yield f"{title}"
        for action in actions:
            own = " (your own)" if action.id in keymap.own else ""
            yield f"  {keymap.every(action):<{KEYS}}{action.id:<{ID}}{action.label}{own}"
        yield ""
    there = "" if settings.path.is_file() else " (not there yet)"
    yield f"Your own keys go into {settings.path}{there}, for example:"
    yield from ("  [keys.battle]", '  undo = "z"', '  jump = ["space", "ctrl+g"]')


def key_rows(settings: Settings) -> dict[str, Any]:
    """The list as JSON."""
    keymap = settings.keymap
    actions = [
        {
            "id": action.id,
            "keys": keymap.every(action).split(),
            "usual": [*keymap.usual(action)],
            "label": action.label,
            "help": action.help,
        }
        for _, listed in _listed()
        for action in listed
    ]
    return {"settings": str(settings.path), "problems": list(settings.problems), "actions": actions}


def _listed() -> Iterator[tuple[str, tuple[NamedAction, ...]]]:
    for rules in rule_sets():
        yield f"Orders of {rules.title}", order_actions(rules)
    for place in PLACES:
        yield place.title, actions_of(place.name)
