"""The page behind `?`: what the pane in focus shows, and all keys with what they do."""

from __future__ import annotations

from collections.abc import Callable

from engine.ruleset import Action, Cell, RuleSet
from tui.actions import actions_of, order_action, place
from tui.keymap import Keymap

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
        "Orders that were taken back stay, struck through and marked 'undone'. Enter opens an entry. "
        "Whoever has gone back here stays where they are when others order; the title tells what is new below.",
    ),
}


REPLAYED = (
    "Every order with its dice and how likely they were. * marks the entry after which the battle is looked at; "
    "what came later is dim. Enter goes to the entry under the cursor, and opens it when one is there."
)


def battle_help(pane: str, keymap: Keymap, rules: RuleSet, why_not: Callable[[Action], str]) -> tuple[Cell, ...]:
    """The help for one pane. `why_not` says why an action does not work now, empty where it does."""
    title, text = PANES[pane]
    cells = [
        Cell(title, "heading"),
        Cell(text),
        Cell(""),
        Cell("Orders (pressing one that does not work now says why)", "heading"),
    ]
    for action in rules.actions:
        words, reason = f"{action.label}: {action.help}", why_not(action)
        line = _line(keymap.every(order_action(rules.name, action)), f"(not now) {words}" if reason else words)
        cells.append(Cell(line, "dim" if reason else "plain"))
    return (*cells, Cell(""), *place_cells(keymap, "battle", "pane", "app"))


def replay_help(pane: str, keymap: Keymap) -> tuple[Cell, ...]:
    """The help for one pane of the replay."""
    title, text = PANES[pane]
    about = REPLAYED if pane == "log" else f"{text} Here as of the moment that is looked at."
    return (Cell(title, "heading"), Cell(about), Cell(""), *place_cells(keymap, "replay", "pane", "app"))


def place_cells(keymap: Keymap, *names: str) -> tuple[Cell, ...]:
    """The keys of some places with what they do, a heading before each."""
    cells: list[Cell] = []
    for name in names:
        cells += [Cell(""), Cell(place(name).title, "heading")] if cells else [Cell(place(name).title, "heading")]
        cells += [Cell(_line(keymap.every(each), f"{each.label}: {each.help}")) for each in actions_of(name)]
    return tuple(cells)


def _line(key: str, words: str) -> str:
    return f"{key}\t{words}"
