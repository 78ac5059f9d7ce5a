"""Textual's bindings, made from the table of named actions; their ids let a player's own keys take their place."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding, BindingType

from tui.actions import NamedAction, actions_of
from tui.keymap import Keymap


def bindings(place: str) -> list[BindingType]:
    """The bindings of one place."""
    return [binding(action) for action in actions_of(place)]


def binding(action: NamedAction) -> Binding:
    """The binding of one action. What works everywhere does so over forms and questions too."""
    everywhere = action.place == "app"
    return Binding(
        action.keys,
        action.does,
        action.label,
        show=False,
        id=action.id,
        tooltip=action.help,
        system=everywhere,
        priority=everywhere,
    )


def textual_keymap(keymap: Keymap, actions: Iterable[NamedAction]) -> dict[str, str]:
    """The player's own keys as Textual's keymap has them."""
    return {action.id: ",".join(keymap.keys(action)) for action in actions if action.id in keymap.own}
