"""A list of battles: their rows, what it is sorted by, what it is searched for. Home and trash show one each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from engine.refusals import Refusal
from engine.registered import rule_set, rule_sets
from engine.ruleset import Cell, Column, Row, Table
from engine.wording import clean
from saves.cells import cut, wrapped
from saves.library import Shelved, examples, plain_name
from tui.line_pane import TablePane
from tui.moments import moment
from tui.search_words import all_in, completions, in_one_word, typed_words

NAME, SIDE, RULES = "name:", "side:", "rules:"
ABOUT = (NAME, SIDE, RULES)
"""What a search may be narrowed by."""

Key: TypeAlias = Callable[[Shelved], Any]

ORDERS: Mapping[str, tuple[str, Key]] = {
    "played": ("Played last", lambda each: -each.changed),
    "name": ("Name", lambda each: shown_name(each).casefold()),
    "rules": ("Rules", lambda each: rules_title(each).casefold()),
    "turn": ("Turn", lambda each: -1 if each.turn is None else each.turn),
    "size": ("Size", lambda each: -each.size),
}
"""What a list may be sorted by: its name on the screen, and what is compared."""

WIDE = 100
"""From this many cells on the time of day has room too."""

DAMAGED = "damaged"
ENDED = "ended"


def rules_title(each: Shelved) -> str:
    """What the rule set of a battle is called; as the file names it where there is none of that name here."""
    if each.rules is None:
        return ""
    try:
        return rule_set(each.rules).title
    except Refusal:
        return each.rules


def shown_name(each: Shelved) -> str:
    """What a battle is called in the list: as its file, if a player named that, with its own name behind it."""
    file = _file_name(each)
    if each.name == file or _by_the_program(file):
        return each.name
    return f"{file} ({each.name})"


def _by_the_program(file: str) -> bool:
    """Whether the file of a battle with a name of its own is called as the program calls those that come with it."""
    return any(
        file == name or (file.startswith(f"{name}-") and file[len(name) + 1 :].isdecimal()) for name in examples()
    )


def turn_words(each: Shelved) -> str:
    """How far a battle has come, or that its file is damaged."""
    if each.damaged or each.rules is None:
        return DAMAGED
    return ENDED if each.ended else _number(each.turn)


def _number(turn: int | None) -> str:
    return "" if turn is None else str(turn)


def _file_name(each: Shelved) -> str:
    return plain_name(Path(each.file))


def size_words(size: int) -> str:
    """Bytes for people: 21 kB, 1.4 MB."""
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


class BattleList(TablePane):
    """Battles with rules, sides, turn, date and size; the cursor stays on its battle whatever comes and goes."""

    def __init__(self, title: str, *, id: str, empty: str) -> None:  # noqa: A002
        super().__init__(title, id=id, empty=empty)
        self._empty = empty
        self._every: tuple[Shelved, ...] = ()
        self._shown: tuple[Shelved, ...] = ()
        self.order = "played"
        self.backwards = False
        self.search = ""
        self.sought = ""
        self._wide = False

    @property
    def battle(self) -> Shelved | None:
        """The battle under the cursor."""
        return self._shown[self.cursor] if 0 <= self.cursor < len(self._shown) else None

    @property
    def every(self) -> tuple[Shelved, ...]:
        """All battles, in sight or not."""
        return self._every

    def show_battles(self, battles: tuple[Shelved, ...]) -> None:
        """Show these, as far as they match the search."""
        self._every = battles
        self._lay_out()

    def set_search(self, text: str) -> None:
        """Show only battles that match; an empty text shows all."""
        self.search = text
        self._lay_out()

    def sort_by(self, order: str) -> None:
        """Sort by one of ORDERS; by the same once more the other way round."""
        self.backwards = order == self.order and not self.backwards
        self.order = order
        self._lay_out()

    def find(self, text: str) -> None:
        """Look for battles that match, all staying in sight, and go to the first of them from the cursor on."""
        self.sought = text
        if text and not self._is_found(self.cursor):
            self.find_on(1)
        self._refresh_note()

    def find_on(self, step: int) -> bool:
        """Go to the next match in the direction of `step`, round and round; false where there is none."""
        count = len(self._shown)
        for at in range(1, count + 1):
            index = (self.cursor + step * at) % count
            if self._is_found(index):
                self.move_to(index)
                return True
        return False

    def _is_found(self, index: int) -> bool:
        return bool(self.sought) and 0 <= index < len(self._shown) and matches(self.sought, self._shown[index])

    def offered(self, word: str) -> tuple[str, ...]:
        """What a word that is being typed may become."""
        sides = dict.fromkeys(in_one_word(side) for each in self._every for side in each.sides)
        rules = dict.fromkeys(each.rules for each in self._every if each.rules)
        names = dict.fromkeys(in_one_word(shown_name(each)) for each in self._every)
        return completions(word, {NAME: tuple(names), SIDE: tuple(sides), RULES: tuple(rules)})

    def _lay_out(self) -> None:
        found = sorted((each for each in self._every if matches(self.search, each)), key=_file_name)
        found.sort(key=ORDERS[self.order][1], reverse=self.backwards)
        self._shown = tuple(found)
        self.empty = f"No battle matches {clean(self.search)}." if self._every else self._empty
        names = Counter(map(shown_name, found))
        rows = tuple(_row(each, names[shown_name(each)] > 1, self._wide) for each in found)
        self.show_table(Table(_columns(self._wide), rows))
        self.refresh_title()

    def on_resize(self) -> None:
        wide = self.size.width >= WIDE
        if wide != self._wide:
            self._wide = wide
            self._lay_out()

    def note(self) -> str:
        parts = [f"{len(self._shown)} of {len(self._every)} match {clean(self.search)}"] if self.search else []
        parts += [f"find: {clean(self.sought)}"] if self.sought else []
        if self.order != "played" or self.backwards:
            parts.append(f"by {ORDERS[self.order][0].casefold()}{', backwards' if self.backwards else ''}")
        return " · ".join(filter(None, (*parts, super().note())))


def matches(search: str, each: Shelved) -> bool:
    """Whether a battle matches a search: words in any of its columns, names behind `name:`, `side:`, `rules:`."""
    words, named = typed_words(search, ABOUT)
    file = _file_name(each)
    texts = (shown_name(each), file, *each.sides, rules_title(each), each.rules or "", turn_words(each))
    if not all_in(words, texts):
        return False
    return (
        all(part in in_one_word(shown_name(each)) for part in named[NAME])
        and all(any(part in in_one_word(side) for side in each.sides) for part in named[SIDE])
        and all(part in (each.rules or "") or part in in_one_word(rules_title(each)) for part in named[RULES])
    )


def _columns(wide: bool) -> tuple[Column, ...]:
    rules = max(len(rules.title) for rules in rule_sets())
    return (
        Column("Battle", 0, least=14),
        Column("Sides", 28 if wide else 16, rank=1),
        Column("Turn", 7, right=True),
        Column("Rules", min(rules, 16), rank=2),
        Column("Changed", 16 if wide else 10),
        Column("Size", 6, right=True),
    )


def _row(each: Shelved, by_file: bool, wide: bool) -> Row:
    """The line of a battle; with `by_file` its file is named too, since another one has the same name."""
    name = shown_name(each)
    name = f"{name} [{_file_name(each)}]" if by_file else name
    changed = moment(each.changed)
    cells = (
        Cell(name),
        Cell(" - ".join(each.sides)),
        Cell(turn_words(each), "bad" if each.damaged else "plain"),
        Cell(rules_title(each), "dim"),
        Cell(changed if wide else changed.split(" ")[0], "dim"),
        Cell(size_words(each.size), "dim"),
    )
    return Row(each.file, cells, urgent=each.damaged)


ABOUT_LINES = 3
"""How many lines tell about the battle under the cursor."""


def about_lines(each: Shelved, width: int) -> tuple[str, ...]:
    """All that the list knows of a battle, and where it is or what is wrong with it, on lines of `width` cells."""
    if each.rules is None:
        known = [moment(each.changed), size_words(each.size)]
    else:
        number = _number(each.turn)
        turn = [ENDED] if each.ended else [f"turn {number}"] if number else []
        side = [f"{each.side} to act"] if each.side else []
        entries = "1 entry" if each.entries == 1 else f"{each.entries} entries"
        known = [rules_title(each), " - ".join(each.sides), *turn, *side, entries]
        known += [f"from #{each.parent.mark} of {each.parent.name or 'another battle'}"] if each.parent else []
        known += [size_words(each.size), moment(each.changed)]
    # The folder stands on top; a long one would leave no room for what is wrong.
    where = each.problem.replace(each.file, _file_name(each)) if each.problem else each.file
    told, where_lines = wrapped(" · ".join(known), width), wrapped(where, width)
    lines = [*told[: ABOUT_LINES - 1], *where_lines]
    return tuple(
        lines
        if len(lines) <= ABOUT_LINES
        else [*lines[: ABOUT_LINES - 1], cut(" ".join(lines[ABOUT_LINES - 1 :]), width)]
    )
