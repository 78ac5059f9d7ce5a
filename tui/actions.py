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
    Place("replay", "The replay", ("pane", "app")),
    Place("pane", "Lists and pages", ("app",)),
    Place("sheet", "Fields of a form", ("app",), ANY),
    Place("form", "An order being filled in", ("sheet", "app"), ANY),
    Place("new", "A new battle", ("sheet", "app"), ANY),
    Place("dice", "The dice prompt", ("app",), "0123456789xX*,;."),
    Place("picker", "Something to pick", ("app",), ANY),
    Place("reading", "A page to read", ("pane", "app")),
    Place("filter", "Filter and search of the log", ("app",), ANY),
    Place("jump", "Jumping", ("app",), ANY),
    Place("home", "Home", ("library", "pane", "app")),
    Place("trash", "The trash", ("library", "pane", "app")),
    Place("library", "Lists of battles", ("pane", "app")),
    Place("line", "A line to type", ("app",), ANY),
    Place("check", "A save being checked", ("app",)),
    Place("roster", "An army list to open", ("app",), ANY),
    Place("import", "An army list being imported", ("sheet", "app"), ANY),
    Place("small", "A terminal too small", ("app",)),
)


def _own(place: str, name: str, keys: str, label: str, help: str, changes: bool = False) -> NamedAction:  # noqa: A002
    return NamedAction(place, name, keys, label, help, f"act('{name}')", changes)


def _reading(place: str) -> tuple[NamedAction, ...]:
    return (
        _own(place, "why", "w", "Why", "Why the selected unit stands as it does: entries, numbers, clauses."),
        _own(place, "history", "H", "History", "All that the selected unit did and suffered, entry by entry."),
    )


def _looking(place: str, left: str) -> tuple[NamedAction, ...]:
    """What one can do wherever a battle is looked at; `left` is what leaving it means."""
    luck = "What the dice came to against what was to be expected, with the chance of that."
    return (
        _own(place, "luck", "L", "Luck", luck),
        _own(place, "jump", "space", "Jump", "Go to any line of any pane by the letters that appear before it."),
        _own(place, "next_waiting", "exclamation_mark", "Next !", "Go to the next unit that needs a decision."),
        _own(
            place, "filter", "slash", "Filter", "Show only some entries of the dice log: by words, unit, roll or side."
        ),
        _own(place, "find", "ctrl+f", "Find", "Go to the last entry of the dice log that matches."),
        _own(place, "find_before", "comma", "Match before", "Go to the match before this one in the dice log."),
        _own(place, "find_next", "full_stop", "Next match", "Go to the next match in the dice log."),
        _own(place, "help", "question_mark,f1", "Help", "What the pane in focus shows, and all keys."),
        _own(place, "palette", "colon,ctrl+p", "All actions", "Find any action by typing part of its name."),
        _own(place, "rulebook", "ctrl+t", "Rulebook", "The rules, clause by clause."),
        _own(place, "pane_1", "1", "Units", "Go to the units."),
        _own(place, "pane_2", "2", "Suppression", "Go to what is suppressed."),
        _own(place, "pane_3", "3", "Dice log", "Go to the dice log."),
        _own(place, "next_pane", "tab", "Next pane", "Go to the next pane."),
        _own(place, "previous_pane", "shift+tab", "Pane before", "Go to the pane before."),
        _own(place, "quit", "q", "Quit", left),
    )


_LOOKING = _looking("battle", "Leave the battle. Everything is saved already.")

BATTLE_ACTIONS: tuple[NamedAction, ...] = (
    *_reading("battle"),
    _own("battle", "undo", "u", "Undo", "Take the last order back. It stays in the log, struck through.", changes=True),
    _own("battle", "redo", "ctrl+r", "Redo", "Bring back what was taken back last.", changes=True),
    _own(
        "battle",
        "goto",
        "ctrl+g",
        "Go to entry",
        "Back or forth to how things stood after the log's entry.",
        changes=True,
    ),
    _own(
        "battle",
        "correct",
        "ctrl+e",
        "Correct dice",
        "Type the dice of the last order anew: it is given again.",
        changes=True,
    ),
    *(action for action in _LOOKING if action.name == "luck"),
    _own(
        "battle",
        "dice",
        "D",
        "Dice",
        "Roll at the table and type the faces, or let the app roll: switches between the two.",
    ),
    *(action for action in _LOOKING if action.name != "luck"),
    _own("battle", "newest", "greater_than_sign", "Newest", "To the newest entry of the dice log."),
    _own("battle", "who", "at", "Who is here", "All that have the battle open, with their seats."),
    _own(
        "battle",
        "answer",
        "ctrl+y",
        "Answer",
        "Agree to what another side asks to take back, or do not.",
        changes=True,
    ),
    _own(
        "battle", "seal", "asterisk", "Sealed dice", "How sealed dice stand; words for them, revealing, sealing anew."
    ),
    _own(
        "battle", "import_list", "I", "Import", "Bring in an army list that a list builder or you wrote.", changes=True
    ),
    _own("battle", "replay", "V", "Replay", "Look at how it came to this, entry by entry. Changes nothing."),
)


def _replay(name: str, keys: str, label: str, help: str, changes: bool = False) -> NamedAction:  # noqa: A002
    return _own("replay", name, keys, label, help, changes)


REPLAY_ACTIONS: tuple[NamedAction, ...] = (
    _replay("back", "left,h", "Back", "To the entry before."),
    _replay("on", "right,l", "On", "To the next entry."),
    _replay("play", "p", "Play", "Go on by itself, entry after entry; again: pause."),
    _replay("turn_on", "t", "Next turn", "To the beginning of the next turn or round."),
    _replay("turn_back", "T", "Turn back", "To the beginning of this turn or round, or of the one before."),
    _replay("fire_on", "s", "Next fire", "To the next time that suppressing fire was laid."),
    _replay("fire_back", "S", "Fire back", "To the last time before that suppressing fire was laid."),
    _replay("unit_on", "n", "Next of unit", "To the next entry that is about the selected unit."),
    _replay("unit_back", "N", "Unit back", "To the last entry before that is about the selected unit."),
    _replay("number", "ctrl+g", "Go to number", "To the moment after an entry, by its number."),
    _replay("beginning", "less_than_sign", "Beginning", "To the beginning of the battle."),
    _replay("end", "greater_than_sign", "End", "To where the battle stands now."),
    _replay("faster", "plus", "Faster", "Play faster."),
    _replay("slower", "minus", "Slower", "Play slower."),
    _replay("pace", "o", "Pace", "Play in the original pace, with long pauses cut to 5 seconds, or an even one."),
    _replay("mark", "x", "Mark", "Mark this moment, to see later what has changed since."),
    _replay("changes", "c", "Changes", "What changed since the mark, or without one since the entry before."),
    _replay("everything", "U", "Take-backs", "Show and walk through what was taken back too, or only what stands."),
    _replay("branch", "B", "Branch", "Look into the branch of the log's taken-back entry; again: leave it."),
    _replay("bookmark", "m", "Bookmark", "Set a bookmark at this moment. It is kept with the battle.", changes=True),
    _replay("note", "a", "Note", "Set a bookmark with a note at this moment.", changes=True),
    _replay("unmark", "M", "Unmark", "Take the bookmarks at this moment away.", changes=True),
    _replay("bookmarks", "b", "Bookmarks", "The bookmarks and notes, to go to."),
    _replay("spoilers", "z", "Hide what comes", "Hide all that comes later, with the result, until asked again."),
    _replay("continue", "C", "Continue", "Play on from this moment in a new battle, which names this one."),
    *_reading("replay"),
    *_looking("replay", "Leave the replay."),
)

ACTIONS: tuple[NamedAction, ...] = (
    NamedAction("app", "leave", "ctrl+c", "Leave", "Out, from wherever you are. Nothing has to be saved.", "leave"),
    NamedAction(
        "app", "looks", "ctrl+l,f2", "Looks", "Dark, light, high contrast and more; shown as you choose.", "looks"
    ),
    *BATTLE_ACTIONS,
    *REPLAY_ACTIONS,
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
    NamedAction("home", "replay", "V", "Replay", "Look at the selected battle from its beginning.", "replay"),
    NamedAction(
        "home", "import_list", "i", "Import", "Bring an army list into the battle under the cursor.", "import_list"
    ),
    NamedAction("home", "take_in", "t", "Take in a save", "Check a save file and copy it into the library.", "take_in"),
    NamedAction("home", "rename", "r", "Rename", "Give the battle's file another name.", "rename"),
    NamedAction(
        "home", "repair", "R", "Repair", "Save all that is sound of a damaged battle into a new file.", "repair"
    ),
    NamedAction(
        "home", "trash", "x,delete", "Throw away", "Move the battle into the trash, after a question.", "trash"
    ),
    NamedAction("home", "show_trash", "T", "Trash", "See what was thrown away, and take it back.", "show_trash"),
    NamedAction("home", "help", "question_mark,f1", "Help", "What is shown here, and the keys.", "help"),
    NamedAction("home", "quit", "q", "Quit", "Leave the program.", "quit"),
    NamedAction("library", "filter", "slash", "Search", "Show only battles that match: name, sides, rules.", "filter"),
    NamedAction("library", "find", "ctrl+f", "Find", "Go to the next battle that matches.", "find"),
    NamedAction("library", "find_before", "comma", "Match before", "Go to the match before this one.", "find_on(-1)"),
    NamedAction("library", "find_next", "full_stop", "Next match", "Go to the next match.", "find_on(1)"),
    NamedAction("library", "sort", "s", "Sort", "By when it was played, name, rules, turn or size.", "sort"),
    NamedAction("library", "palette", "colon,ctrl+p", "All", "Find any action by typing part of its name.", "palette"),
    NamedAction("trash", "take_back", "b", "Take back", "Move the battle back among the others.", "take_back"),
    NamedAction(
        "trash", "remove", "x,delete", "Remove for good", "Remove the battle for ever, after a question.", "remove"
    ),
    NamedAction("trash", "help", "question_mark,f1", "Help", "What is shown here, and the keys.", "help"),
    NamedAction("trash", "leave", "escape,q", "Leave", "Back to the battles.", "leave"),
    NamedAction("line", "keep", "enter", "Go on", "Take the line as it is typed.", "keep"),
    NamedAction("line", "leave", "escape", "Leave", "Leave without it.", "leave"),
    NamedAction("line", "complete", "tab", "Complete", "Complete the line, or offer the next that fits.", "complete"),
    NamedAction("line", "clear", "ctrl+u", "Empty", "Take away what is typed.", "clear"),
    NamedAction("line", "left", "left", "Left", "The caret to the left.", "move(-1)"),
    NamedAction("line", "right", "right", "Right", "The caret to the right.", "move(1)"),
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
    NamedAction("check", "stop", "escape,q", "Stop", "Stop checking: nothing is taken in.", "stop"),
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
