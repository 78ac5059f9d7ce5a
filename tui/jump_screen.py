"""Jump mode: letters before every line in sight of every pane; typing them goes there."""

from __future__ import annotations

from itertools import product
from typing import ClassVar, TypeAlias

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType

from tui.bars import KeyBar
from tui.dialog import Dialog
from tui.key_bindings import bindings
from tui.line_pane import Lines

LETTERS = "asdfghjklqwertyuiopzxcvbnm"
"""The letters of labels, those under the fingers first."""

Target: TypeAlias = tuple[Lines, int]
"""A pane and a line of it."""


def jump_labels(count: int) -> list[str]:
    """`count` labels of one letter, or where that is not enough some of two; none begins like another one."""
    if count <= len(LETTERS):
        return list(LETTERS[:count])
    pairs = -(-(count - len(LETTERS)) // (len(LETTERS) - 1))
    single = LETTERS[: max(0, len(LETTERS) - pairs)]
    double = ["".join(pair) for pair in product(LETTERS[len(single) :], LETTERS)]
    return [*single, *double][:count]


class JumpScreen(Dialog[Target | None]):
    """Stays while the letters are typed; gives the line they stand before, None where the player stayed."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("jump")
    AUTO_FOCUS = ""

    def __init__(self, panes: tuple[Lines, ...]) -> None:
        super().__init__()
        self._typed = ""
        targets = [(pane, index) for pane in panes for index in pane.first_lines()]
        self._targets: dict[str, Target] = dict(zip(jump_labels(len(targets)), targets, strict=True))
        self._panes = panes

    def compose(self) -> ComposeResult:
        yield KeyBar(id="jump")

    def on_mount(self) -> None:
        for pane in self._panes:
            pane.show_labels({index: label for label, (owner, index) in self._targets.items() if owner is pane})
        bar = self.query_one(KeyBar)
        bar.show_keys((("a-z", "type the letters before a line to go there"),), ((bar.named("jump.leave"), "stay"),))

    def on_unmount(self) -> None:
        for pane in self._panes:
            pane.show_labels({})

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape" or not (event.is_printable and event.character):
            return
        event.stop()
        self._typed += event.character.casefold()
        if self._typed in self._targets:
            self.dismiss(self._targets[self._typed])
        elif not any(label.startswith(self._typed) for label in self._targets):
            self.dismiss(None)

    def action_leave(self) -> None:
        self.dismiss(None)
