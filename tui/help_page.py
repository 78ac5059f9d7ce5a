"""The page behind `?`: what the pane in focus shows, and all keys with what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.ruleset import Action, Cell
from tui.actions import SCREEN_ACTIONS

PANES = {
    "units": (
        "Units",
        "Every unit by side. The unit under the cursor is the one that keys act on: > marks it. "
        "A ! marks what needs a decision.",
    ),
    "tracker": (
        "Suppression",
        "Who is held down, by whom, and what that means for them now. "
        "The line under the cursor is the one that keys act on.",
    ),
    "log": (
        "Dice log",
        "Every order with its dice: faces, what was needed, what came of it, and how likely that was beforehand. "
        "Orders that were taken back stay, struck through and marked 'undone'. Enter opens an entry.",
    ),
}

MOVING = (
    ("up down j k", "line by line"),
    ("pgup pgdn", "page by page"),
    ("g G", "to the first or last line"),
    ("tab", "next pane; shift+tab: the pane before"),
)


def help_cells(pane: str, actions: Iterable[Action], why_not: Callable[[Action], str]) -> tuple[Cell, ...]:
    """The help for one pane. `why_not` says why an action does not work now, empty where it does."""
    title, text = PANES[pane]
    cells = [
        Cell(title, "heading"),
        Cell(text),
        Cell(""),
        Cell("Orders (pressing one that does not work now says why)", "heading"),
    ]
    for action in actions:
        words, reason = f"{action.label}: {action.help}", why_not(action)
        cells.append(Cell(_line(action.key, f"(not now) {words}" if reason else words), "dim" if reason else "plain"))
    cells += [Cell(""), Cell("The screen", "heading")]
    cells += [Cell(_line(action.key, f"{action.label}: {action.help}")) for action in SCREEN_ACTIONS]
    cells += [Cell(""), Cell("Moving about", "heading"), *(Cell(_line(keys, words)) for keys, words in MOVING)]
    return tuple(cells)


def _line(key: str, words: str) -> str:
    return f"{key}\t{words}"
