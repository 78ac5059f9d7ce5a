"""Which keys do what, with a player's own keys in place of ours, and what is wrong with them where something is."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from engine.registered import RULE_SETS, rule_sets
from tui.actions import ACTIONS, ANY, PLACES, NamedAction, order_actions, place

SIGNS = {
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "slash": "/",
    "backslash": "\\",
    "at": "@",
    "minus": "-",
    "plus": "+",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "underscore": "_",
}
"""How keys are written for people, where that is not their name."""

SPELLINGS = {
    "esc": "escape",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    " ": "space",
}
"""Other names under which people know keys."""

_EVERYWHERE = """
    enter escape tab shift+tab space backspace delete insert home end pageup pagedown up down left right
"""
NAMED_KEYS = frozenset(_EVERYWHERE.split()) | {f"f{number}" for number in range(1, 13)}
"""Keys without a sign of their own that every terminal sends."""

SAME_KEYS = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+h": "backspace", "ctrl+left_square_bracket": "escape"}
"""What terminals send as if another key had been pressed."""

TAKEN_KEYS = {
    "ctrl+c": "always leaves the program",
    "ctrl+z": "suspends programs",
    "ctrl+s": "stops the output of many terminals",
    "ctrl+q": "starts it again",
    "ctrl+a": "belongs to screen",
    "ctrl+b": "belongs to tmux",
}
"""What never or not everywhere reaches the program."""


def key_name(text: str) -> str:
    """A key as Textual names it, of what people write: `/`, `?`, `^r`, `ctrl+r`, `esc`."""
    word = text if len(text) == 1 else text.strip()
    if len(word) == 1 and not word.isalnum():
        return SPELLINGS.get(word) or _sign_name(word)
    if len(word) == 1:
        return word
    if word.startswith("^"):
        word = f"ctrl+{word[1:]}"
    word = word.casefold()
    before, plus, last = word.rpartition("+")
    if plus and len(last) == 1 and not last.isalnum():
        last = _sign_name(last)
    last = SPELLINGS.get(last, last)
    return f"{before}+{last}" if before else last


def _sign_name(sign: str) -> str:
    short = {shown: name for name, shown in SIGNS.items()}
    return short.get(sign) or unicodedata.name(sign, "").casefold().replace("-", "_").replace(" ", "_")


def shown_key(name: str) -> str:
    """A key as people write it, of its name."""
    if name in SIGNS:
        return SIGNS[name]
    if name.startswith("ctrl+") and len(name) == len("ctrl+") + 1:
        return f"^{name[-1]}"
    return _sign(name) or name


def _sign(name: str) -> str:
    """The sign that a key is named after, empty for a key that is not."""
    if len(name) == 1 or name in NAMED_KEYS:
        return ""
    try:
        sign = unicodedata.lookup(name.replace("_", " ").upper())
    except KeyError:
        return ""
    return sign if sign.isprintable() else ""


def unsendable(name: str) -> str:
    """Why a key cannot be relied on, empty where every terminal sends it, over SSH too."""
    if name in SAME_KEYS:
        return f"terminals send it as {SAME_KEYS[name]}"
    if name in TAKEN_KEYS:
        return f"it {TAKEN_KEYS[name]}"
    if name in NAMED_KEYS or (len(name) == 1 and name.isprintable()) or name in SIGNS or _sign(name):
        return ""
    if name.startswith("ctrl+") and len(name) == len("ctrl+") + 1 and name[-1].isascii() and name[-1].isalpha():
        return ""
    if "+" in name and name.split("+")[0] in ("ctrl", "alt", "shift", "super", "meta", "cmd"):
        return "many terminals cannot send it"
    return "there is no key of that name"


class Keymap:
    """The keys of every action: the table's, or the player's own where those are sound."""

    def __init__(self, own: Mapping[str, tuple[str, ...]] | None = None) -> None:
        """`own` are keys by the action's id, as Textual names them."""
        self.own = dict(own or {})

    def keys(self, action: NamedAction) -> tuple[str, ...]:
        """The keys of an action, the first of them the one that bars name."""
        return self.own.get(action.id, action.key_names)

    def shown(self, action: NamedAction) -> str:
        """The first key of an action, as people write it; empty for one that has none."""
        return shown_key(self.keys(action)[0]) if self.keys(action) else ""

    def usual(self, action: NamedAction) -> tuple[str, ...]:
        """The table's keys of an action, as people write them, whatever the player's own are."""
        return tuple(map(shown_key, action.key_names))

    def every(self, action: NamedAction) -> str:
        """All keys of an action, as people write them."""
        return " ".join(map(shown_key, self.keys(action)))


def read_keymap(table: Any) -> tuple[Keymap, list[str]]:
    """The keymap that a settings file's `keys` stand for, and what is wrong with them, a sentence each.

    `table` is what stands there: tables by place or rule set, in them keys by action. What is wrong is left out: the
    keys of that action stay ours.
    """
    problems: list[str] = []
    wanted: dict[str, tuple[str, ...]] = {}
    known = {action.id: action for action in every_action()}
    if not isinstance(table, dict):
        return Keymap(), ["keys: this has to be a table, like [keys.battle]"]
    for where, actions in table.items():
        if not isinstance(actions, dict):
            problems.append(f"keys.{where}: this has to be a table of actions, like [keys.battle]")
            continue
        for name, value in actions.items():
            action = known.get(f"{where}.{name}")
            if action is None:
                problems.append(f"keys.{where}.{name}: there is no such action{_nearest(where, name, known)}")
            else:
                _want(action, value, wanted, problems)
    return _without_clashes(wanted, problems), problems


def _nearest(where: str, name: str, known: Iterable[str]) -> str:
    """The action of that place that was probably meant; that of any place where there is no such place."""
    there = {id_.rpartition(".")[2]: id_ for id_ in known if id_.startswith(f"{where}.")}
    near = get_close_matches(name, list(there), 1)
    if near:
        return f"; the nearest is {there[near[0]]}"
    places = get_close_matches(where, list(dict.fromkeys(id_.rpartition(".")[0] for id_ in known)), 1)
    return f"; there is a place {places[0]}" if places and not there else "; headsdown keys lists them"


def _want(action: NamedAction, value: Any, wanted: dict[str, tuple[str, ...]], problems: list[str]) -> None:
    """Take a player's keys for one action, or say what is wrong with them."""
    written = [value] if isinstance(value, str) else value
    where = f"keys.{action.id}"
    if not isinstance(written, list) or not written or not all(isinstance(key, str) and key for key in written):
        problems.append(f'{where}: this has to be a key or a list of keys, like "u" or ["u", "ctrl+u"]')
        return
    names = tuple(dict.fromkeys(key_name(key) for key in written))
    faults = [(key, unsendable(key_name(key)) or _typed_there(action, key_name(key))) for key in written]
    for written_key, fault in faults:
        if fault:
            problems.append(f"{where}: {written_key[:30]!r} is no good key: {fault}; the usual keys stay")
    if not any(fault for _, fault in faults):
        wanted[action.id] = names


def _typed_there(action: NamedAction, name: str) -> str:
    """Why a key cannot be an action of that place: it is text there."""
    typed = place(action.place).typed if action.place not in RULE_SETS else ""
    sign = shown_key(name)
    if name == "space" or len(sign) == 1:
        letter = " " if name == "space" else sign
        if typed == ANY or letter in typed:
            return "it is typed as text there"
    return ""


def every_action() -> tuple[NamedAction, ...]:
    """All actions there are, those of all rule sets too."""
    orders = (action for rules in rule_sets() for action in order_actions(rules))
    return (*ACTIONS, *orders)


def scopes() -> Iterator[tuple[str, tuple[NamedAction, ...]]]:
    """All actions that can meet at one key press, with a title: those of a place with those that work there too.

    The battle comes once for each rule set. Of two actions with the same key the first one acts.
    """
    for each in PLACES:
        names = (each.name, *each.beside)
        own = tuple(action for name in names for action in ACTIONS if action.place == name)
        if each.name == "battle":
            for rules in rule_sets():
                yield rules.title, (*order_actions(rules), *own)
        else:
            yield each.title, own


def clashes(keymap: Keymap) -> list[tuple[NamedAction, NamedAction, str]]:
    """Pairs of actions that have the same key where both work, and the key."""
    found: list[tuple[NamedAction, NamedAction, str]] = []
    for _, actions in scopes():
        holder: dict[str, NamedAction] = {}
        for action in actions:
            for key in keymap.keys(action):
                other = holder.setdefault(key, action)
                if other is not action and (other, action, key) not in found:
                    found.append((other, action, key))
    return found


def _without_clashes(wanted: dict[str, tuple[str, ...]], problems: list[str]) -> Keymap:
    """Leave out keys of the player's that another action has in the same place; say so for each."""
    own = dict(wanted)
    while True:
        keymap = Keymap(own)
        clash = next((each for each in clashes(keymap) if each[0].id in own or each[1].id in own), None)
        if clash is None:
            return keymap
        first, second, key = clash
        mine, other = (first, second) if first.id in own else (second, first)
        problems.append(
            f"keys.{mine.id}: {shown_key(key)} is also the key of {other.id} ({other.label}); the usual keys stay"
        )
        del own[mine.id]
