"""The one table of named actions: what the screen itself can do, and what the rule set lets players order.

Key bar, help, palette, key bindings and the list of keys are all made from it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from engine.ruleset import Action

BATTLE = "battle."
"""What the ids of all bindings of the battle screen start with."""


class ScreenAction(Struct, frozen=True):
    """Something the screen does: its name, its keys as Textual names them, the words for bar and help.

    `changes` tells that it changes the battle, so that it is refused where one only watches. `shown` is how a key
    is written for people where its name would not do.
    """

    name: str
    keys: str
    label: str
    help: str
    changes: bool = False
    shown: str = ""

    @property
    def key(self) -> str:
        """The first key, as people write it."""
        return self.shown or self.keys.split(",")[0]


SCREEN_ACTIONS: tuple[ScreenAction, ...] = (
    ScreenAction("orders", "enter", "Orders", "What the selected unit can do now, and why it cannot do the rest."),
    ScreenAction("why", "w", "Why", "Why the selected unit stands as it does, with the clauses."),
    ScreenAction("history", "H", "History", "All that the selected unit did and suffered, entry by entry."),
    ScreenAction("undo", "u", "Undo", "Take the last order back. It stays in the log, struck through.", changes=True),
    ScreenAction("redo", "ctrl+r", "Redo", "Bring back what was taken back last.", changes=True, shown="^r"),
    ScreenAction(
        "dice", "D", "Dice", "Roll at the table and type the faces, or let the app roll: switches between the two."
    ),
    ScreenAction("filter", "slash", "Filter", "Show only entries of the dice log that contain some text.", shown="/"),
    ScreenAction("help", "question_mark,f1", "Help", "What the pane in focus shows, and all keys.", shown="?"),
    ScreenAction("palette", "ctrl+p,colon", "All actions", "Find any action by typing part of its name.", shown=":"),
    ScreenAction("rulebook", "ctrl+t", "Rulebook", "The rules, clause by clause.", shown="^t"),
    ScreenAction("pane_1", "1", "Units", "Go to the units."),
    ScreenAction("pane_2", "2", "Suppression", "Go to what is suppressed."),
    ScreenAction("pane_3", "3", "Dice log", "Go to the dice log."),
    ScreenAction("quit", "q", "Quit", "Leave the battle. Everything is saved already."),
)

KEPT_KEYS = frozenset("uwqjkgGDH")
"""Letters that the screen and its panes keep for themselves; rule sets use others."""


def screen_action(name: str) -> ScreenAction:
    """The screen's action of that name; KeyError where there is none."""
    for action in SCREEN_ACTIONS:
        if action.name == name:
            return action
    raise KeyError(name)


def conflicts(actions: Iterable[Action]) -> list[str]:
    """What is wrong with a rule set's actions beside the screen's: keys or names used twice, keys that are kept."""
    found: list[str] = []
    keys: dict[str, str] = {}
    names = {action.name for action in SCREEN_ACTIONS}
    for action in actions:
        if action.name in names:
            found.append(f"the name {action.name} is used twice")
        names.add(action.name)
        if len(action.key) != 1 or not action.key.isascii() or not action.key.isalpha():
            found.append(f"{action.name}: the key {action.key} is not one letter")
        elif action.key in KEPT_KEYS:
            found.append(f"{action.name}: the key {action.key} is the screen's")
        elif action.key in keys:
            found.append(f"{action.name}: the key {action.key} belongs to {keys[action.key]}")
        keys.setdefault(action.key, action.name)
    return found
