"""The one table of named actions: what can be done where, with which keys, in which words.

Key bindings, key bars, help, palette, `headsdown keys` and the check of a player's own keys are all made from it. What
a rule set lets players order joins it under the rule set's name.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from engine.ruleset import Action, RuleSet


class NamedAction(Struct, frozen=True):
    """Something a key does: where, its name there, its keys as Textual names them, the words for bar and help.

    `does` is what the widget of that place is told. `changes` tells that it changes the battle, so that it is refused
    where one only watches.
    """

    place: str
    name: str
    keys: str
    label: str
    help: str
    does: str = ""
    changes: bool = False

    @property
    def id(self) -> str:
        """What the action is called in a player's settings: `battle.undo`."""
        return f"{self.place}.{self.name}"

    @property
    def key_names(self) -> tuple[str, ...]:
        """Its keys, the first of them the one that bars name."""
        return tuple(self.keys.split(","))


class Place(Struct, frozen=True):
    """A part of the screen that has keys: its title, the places whose keys work there too, and what is typed there.

    `typed` are the characters that are text there, so that no action can have them; `any` are all of them.
    """

    name: str
    title: str
    beside: tuple[str, ...] = ()
    typed: str = ""


ANY = "any"

PLACES = (
    Place("app", "Everywhere"),
    Place("battle", "The battle", ("pane", "app")),
    Place("pane", "Lists and pages", ("app",)),
    Place("sheet", "Fields of a form", ("app",), ANY),
    Place("form", "An order being filled in", ("sheet", "app"), ANY),
    Place("new", "A new battle", ("sheet", "app"), ANY),
    Place("dice", "The dice prompt", ("app",), "0123456789xX*,;."),
    Place("picker", "Something to pick", ("app",), ANY),
    Place("reading", "A page to read", ("pane", "app")),
    Place("filter", "Filter and search of the log", ("app",), ANY),
    Place("jump", "Jumping", ("app",), ANY),
    Place("home", "Home", ("pane", "app")),
    Place("roster", "An army list to open", ("app",), ANY),
    Place("import", "An army list being imported", ("sheet", "app"), ANY),
    Place("small", "A terminal too small", ("app",)),
)


def _battle(name: str, keys: str, label: str, help: str, changes: bool = False) -> NamedAction:  # noqa: A002
    return NamedAction("battle", name, keys, label, help, f"act('{name}')", changes)


BATTLE_ACTIONS: tuple[NamedAction, ...] = (
    _battle("why", "w", "Why", "Why the selected unit stands as it does: entries, numbers, clauses."),
    _battle("history", "H", "History", "All that the selected unit did and suffered, entry by entry."),
    _battle("undo", "u", "Undo", "Take the last order back. It stays in the log, struck through.", changes=True),
    _battle("redo", "ctrl+r", "Redo", "Bring back what was taken back last.", changes=True),
    _battle("goto", "ctrl+g", "Go to entry", "Back or forth to how things stood after the log's entry.", changes=True),
    _battle(
        "correct", "ctrl+e", "Correct dice", "Type the dice of the last order anew: it is given again.", changes=True
    ),
    _battle("luck", "L", "Luck", "What the dice came to against what was to be expected, with the chance of that."),
    _battle(
        "dice", "D", "Dice", "Roll at the table and type the faces, or let the app roll: switches between the two."
    ),
    _battle("import_list", "I", "Import", "Bring in an army list that a list builder or you wrote.", changes=True),
    _battle("jump", "space", "Jump", "Go to any line of any pane by the letters that appear before it."),
    _battle("next_waiting", "exclamation_mark", "Next !", "Go to the next unit that needs a decision."),
    _battle("filter", "slash", "Filter", "Show only some entries of the dice log: by words, unit, roll or side."),
    _battle("find", "ctrl+f", "Find", "Go to the last entry of the dice log that matches."),
    _battle("find_before", "comma", "Match before", "Go to the match before this one in the dice log."),
    _battle("find_next", "full_stop", "Next match", "Go to the next match in the dice log."),
    _battle("help", "question_mark,f1", "Help", "What the pane in focus shows, and all keys."),
    _battle("palette", "colon,ctrl+p", "All actions", "Find any action by typing part of its name."),
    _battle("rulebook", "ctrl+t", "Rulebook", "The rules, clause by clause."),
    _battle("pane_1", "1", "Units", "Go to the units."),
    _battle("pane_2", "2", "Suppression", "Go to what is suppressed."),
    _battle("pane_3", "3", "Dice log", "Go to the dice log."),
    _battle("next_pane", "tab", "Next pane", "Go to the next pane."),
    _battle("previous_pane", "shift+tab", "Pane before", "Go to the pane before."),
    _battle("quit", "q", "Quit", "Leave the battle. Everything is saved already."),
)

ACTIONS: tuple[NamedAction, ...] = (
    NamedAction("app", "leave", "ctrl+c", "Leave", "Out, from wherever you are. Nothing has to be saved.", "leave"),
    *BATTLE_ACTIONS,
    NamedAction(
        "pane", "choose", "enter", "Choose", "Open what the cursor is on: orders, an entry, a clause.", "choose"
    ),
    NamedAction("pane", "up", "up,k", "Up", "To the line above.", "move(-1)"),
    NamedAction("pane", "down", "down,j", "Down", "To the line below.", "move(1)"),
    NamedAction("pane", "page_up", "pageup", "Page up", "A page up.", "page(-1)"),
    NamedAction("pane", "page_down", "pagedown", "Page down", "A page down.", "page(1)"),
    NamedAction("pane", "first", "g,home", "First", "To the first line.", "edge(-1)"),
    NamedAction("pane", "last", "G,end", "Last", "To the last line.", "edge(1)"),
    NamedAction("sheet", "up", "up", "Up", "To the line above.", "move(-1)"),
    NamedAction("sheet", "down", "down", "Down", "To the line below.", "move(1)"),
    NamedAction("sheet", "next", "tab", "Next field", "To the next field.", "move_field(1)"),
    NamedAction("sheet", "previous", "shift+tab", "Field before", "To the field before.", "move_field(-1)"),
    NamedAction(
        "sheet", "left", "left", "Option before", "The option before, one less, or the caret left.", "turn(-1)"
    ),
    NamedAction("sheet", "right", "right", "Next option", "The next option, one more, or the caret right.", "turn(1)"),
    NamedAction("sheet", "clear", "ctrl+u", "Empty", "Empty the field: what was inferred stands again.", "clear"),
    NamedAction("sheet", "page_up", "pageup", "Page up", "A page up.", "page(-1)"),
    NamedAction("sheet", "page_down", "pagedown", "Page down", "A page down.", "page(1)"),
    NamedAction("form", "give", "enter", "Give the order", "Give the order as it stands.", "give", changes=True),
    NamedAction("form", "leave", "escape", "Leave", "Leave without giving it.", "leave"),
    NamedAction("form", "clause", "question_mark,f1", "The clause", "The clause that is named here.", "clause"),
    NamedAction(
        "form", "more", "ctrl+n", "More of the preview", "Scroll what the rules make of it, down.", "scroll(1)"
    ),
    NamedAction("form", "back", "ctrl+p", "Preview back", "Scroll what the rules make of it, up.", "scroll(-1)"),
    NamedAction("form", "keep", "ctrl+k", "Compare", "Keep these odds beside those of what the order becomes.", "keep"),
    NamedAction(
        "form", "import_list", "ctrl+o", "Import a list", "When mustering: bring in a whole army list.", "import_list"
    ),
    NamedAction("new", "create", "enter", "Begin", "Make the battle and open it.", "create"),
    NamedAction("new", "leave", "escape", "Leave", "Leave without making one.", "leave"),
    NamedAction("dice", "accept", "enter", "Accept", "Take the faces as typed, or as they fell before.", "accept"),
    NamedAction("dice", "clear", "ctrl+u", "Empty", "Take away what is typed.", "clear"),
    NamedAction("dice", "app", "r", "App rolls this", "Let the app roll this throw.", "say('app')"),
    NamedAction("dice", "rest", "R", "App rolls the rest", "Let the app roll all throws from here.", "say('rest')"),
    NamedAction(
        "dice", "back", "up,backspace", "The throw before", "Back to the throw before, to mend it.", "say('back')"
    ),
    NamedAction(
        "dice", "stop", "escape", "Give the order up", "Give the order up: nothing has happened.", "say('stop')"
    ),
    NamedAction("picker", "pick", "enter", "Pick", "Take what the cursor is on.", "choose"),
    NamedAction("picker", "leave", "escape", "Leave", "Leave without picking.", "leave"),
    NamedAction("picker", "up", "up", "Up", "To the line above.", "move(-1)"),
    NamedAction("picker", "down", "down,tab", "Down", "To the line below.", "move(1)"),
    NamedAction("picker", "page_up", "pageup", "Page up", "Some lines up.", "move(-8)"),
    NamedAction("picker", "page_down", "pagedown", "Page down", "Some lines down.", "move(8)"),
    NamedAction("reading", "close", "escape,q,w,question_mark,f1", "Close", "Back to where you were.", "close"),
    NamedAction("filter", "keep", "enter", "Keep", "Keep it and go back to the log.", "keep"),
    NamedAction("filter", "clear", "escape", "Show all", "Take it away: the whole log again.", "clear"),
    NamedAction("filter", "complete", "tab", "Complete", "Complete the word, or offer the next that fits.", "complete"),
    NamedAction("jump", "leave", "escape", "Leave", "Stay where you are.", "leave"),
    NamedAction("home", "new", "n", "New battle", "A new battle: rules, sides, dice.", "new"),
    NamedAction("home", "demo", "d", "Demo", "A battle that comes with the program, as a copy to play on.", "demo"),
    NamedAction(
        "home", "import_list", "i", "Import", "Bring an army list into the battle under the cursor.", "import_list"
    ),
    NamedAction("home", "help", "question_mark,f1", "Help", "What is shown here, and the keys.", "help"),
    NamedAction("home", "quit", "q", "Quit", "Leave the program.", "quit"),
    NamedAction("roster", "open", "enter", "Open", "Read the list, or go into the folder.", "open"),
    NamedAction("roster", "leave", "escape", "Leave", "Leave; where a list is being read, stop that first.", "leave"),
    NamedAction("roster", "complete", "tab", "Complete", "Complete the path as far as only one way leads.", "complete"),
    NamedAction("roster", "up", "up", "Up", "To the line above.", "move(-1)"),
    NamedAction("roster", "down", "down", "Down", "To the line below.", "move(1)"),
    NamedAction("roster", "page_up", "pageup", "Page up", "Some lines up.", "move(-8)"),
    NamedAction("roster", "page_down", "pagedown", "Page down", "Some lines down.", "move(8)"),
    NamedAction("roster", "clear", "ctrl+u", "Empty", "Empty the path: the lists found are offered again.", "clear"),
    NamedAction("import", "give", "enter", "Import", "Bring the list in as it stands.", "give", changes=True),
    NamedAction("import", "leave", "escape", "Leave", "Leave without importing.", "leave"),
    NamedAction("import", "more", "ctrl+n", "More of what was read", "Scroll what was read, down.", "scroll(1)"),
    NamedAction("import", "back", "ctrl+p", "Back", "Scroll what was read, up.", "scroll(-1)"),
    NamedAction("small", "quit", "q", "Quit", "Leave the program.", "app.leave"),
)


def place(name: str) -> Place:
    """The place of that name; KeyError where there is none."""
    for each in PLACES:
        if each.name == name:
            return each
    raise KeyError(name)


def actions_of(name: str) -> tuple[NamedAction, ...]:
    """The actions of one place, in the order in which they are told."""
    return tuple(action for action in ACTIONS if action.place == name)


def action_of(id: str) -> NamedAction:  # noqa: A002
    """The action of that id; KeyError where there is none. Those of rule sets are not among them."""
    for action in ACTIONS:
        if action.id == id:
            return action
    raise KeyError(id)


def order_actions(rules: RuleSet) -> tuple[NamedAction, ...]:
    """What a rule set lets players order, under its name; its keys work in the battle."""
    return tuple(order_action(rules.name, action) for action in rules.actions)


def order_action(rules: str, action: Action) -> NamedAction:
    """One action of the rule set of that name as the table has it."""
    does = f"act('{action.name}')"
    return NamedAction(rules, action.name, action.key, action.label, action.help, does, changes=True)


KEPT_KEYS = frozenset(
    key for action in ACTIONS if action.place in ("battle", "pane") for key in action.key_names if len(key) == 1
)
"""Letters and digits that the battle screen and its panes keep for themselves; rule sets use others."""


def conflicts(actions: Iterable[Action]) -> list[str]:
    """What is wrong with a rule set's actions beside the screen's: keys or names used twice, keys that are kept."""
    found: list[str] = []
    keys: dict[str, str] = {}
    names = {action.name for action in BATTLE_ACTIONS}
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
