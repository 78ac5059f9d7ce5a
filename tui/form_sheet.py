"""A form being filled in, without a screen: where the cursor is, what was typed, and the lines that show it.

The rule set says which fields there are and what they hold; this says what a key does to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeAlias

from msgspec import Struct
from rich.cells import cell_len

from engine.ruleset import Field, FieldOption, Form
from engine.wording import clean
from saves.cells import cut, fill, wrapped
from tui.columns import Run
from tui.field_values import bounds, read_value, shown_value, waits
from tui.line_editor import LineEditor
from tui.shown_text import around_caret

LONG_LIST = 8
"""A list with more options than this is searched by typing and shows only what matches."""

VALUE_COLUMN = 28
"""Cells for values and what is noted beside them; where labels are too long for that, their values move right."""

LEAST_VALUE = 10
"""Cells that a value has at least, however long its label is."""

TYPED_KINDS = ("number", "decimal", "text")

Stop: TypeAlias = tuple[str, str | None]
"""Where the cursor may rest: a field, or one option of a field of which several may be chosen."""


class SheetLine(Struct, frozen=True):
    """One line of the form on the screen, and the place for the cursor that it is, if any."""

    runs: tuple[Run, ...]
    stop: Stop | None = None


class Sheet:
    """A form with its cursor. Methods that change a value return True: the form is then to be asked for anew."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given: dict[str, Any] = dict(given)
        self.form = Form("", "", ())
        self.at: Stop = ("", None)
        self.search = ""
        self._editors: dict[str, LineEditor] = {}

    # The form and the cursor

    def take(self, form: Form) -> None:
        """Show this form; the cursor stays where it was, or goes to the first field that waits for a value."""
        before = self._stops()
        self.form = form
        stops = self._stops()
        if self.at in stops:
            return
        self.search = ""
        if not before:
            self._go(self._first_open(stops))
        else:
            near = before.index(self.at) if self.at in before else 0
            self._go(stops[min(near, len(stops) - 1)] if stops else ("", None))

    def _first_open(self, stops: list[Stop]) -> Stop:
        for field in self.form.fields:
            if waits(field):
                return next((stop for stop in stops if stop[0] == field.name), stops[0])
        return stops[0] if stops else ("", None)

    @property
    def field(self) -> Field | None:
        """The field under the cursor."""
        return next((field for field in self.form.fields if field.name == self.at[0]), None)

    @property
    def typing(self) -> bool:
        """Whether any letter belongs into the field under the cursor."""
        field = self.field
        return field is not None and (field.kind == "text" or self._searched(field))

    def _stops(self) -> list[Stop]:
        stops: list[Stop] = []
        for field in self.form.fields:
            if field.kind == "choices" and not field.forbidden and field.options:
                shown = [(field.name, option.value) for option in self._shown(field)]
                stops.extend(shown or [(field.name, None)])
            else:
                stops.append((field.name, None))
        return stops

    def move(self, step: int) -> None:
        """To the next or previous line where the cursor may rest."""
        stops = self._stops()
        if self.at in stops:
            self._go(stops[max(0, min(len(stops) - 1, stops.index(self.at) + step))])

    def move_field(self, step: int) -> None:
        """To the next or previous field, round and round."""
        stops = self._stops()
        names = list(dict.fromkeys(name for name, _ in stops))
        if self.at[0] in names:
            name = names[(names.index(self.at[0]) + step) % len(names)]
            self._go(next(stop for stop in stops if stop[0] == name))

    def go_to_open(self) -> None:
        """To the first field that still waits for a value, if there is one."""
        if any(waits(field) for field in self.form.fields):
            self._go(self._first_open(self._stops()))

    def _go(self, stop: Stop) -> None:
        stop = self._first_option(stop)
        if stop[0] != self.at[0]:
            self.search = ""
            editor = self._editors.get(stop[0])
            if editor and self._kind(stop[0]) != "text":
                editor.fresh = True
        self.at = stop

    def _first_option(self, stop: Stop) -> Stop:
        """Of a field that was folded up because nothing is chosen in it the first option, now that it unfolds."""
        for field in self.form.fields:
            if field.name == stop[0] and stop[1] is None and field.kind == "choices" and field.options:
                return stop if field.forbidden else (field.name, field.options[0].value)
        return stop

    def _shown(self, field: Field) -> list[FieldOption]:
        """The options on the screen: of a long list only what is chosen, unless the cursor is in it."""
        if self._searched(field) and field.name != self.at[0]:
            return [option for option in field.options if option.value in (field.value or ())]
        return self._matching(field)

    def _kind(self, name: str) -> str:
        return next((field.kind for field in self.form.fields if field.name == name), "")

    # Keys

    def turn(self, step: int) -> bool:
        """Left and right: the previous or next option, yes or no, one less or more, or the caret."""
        field = self._usable()
        if field is None:
            return False
        if field.kind == "choice":
            return self._turn_choice(field, step)
        if field.kind == "flag":
            return self._set(field, not field.value)
        if field.kind == "choices":
            return self.toggle()
        if field.kind == "text":
            self._editor(field).move(step)
            return False
        value = field.value if isinstance(field.value, (int, Decimal)) else field.least
        stepped = max(field.least, min(field.most, value + step))
        self._editors.pop(field.name, None)
        return self._set(field, stepped)

    def toggle(self) -> bool:
        """Space: choose or take away the option, say yes or no, or go on to the next option."""
        field = self._usable()
        if field is None or self.at[1] is None:
            return self.turn(1) if field is not None and field.kind in ("choice", "flag") else False
        option = next((option for option in field.options if option.value == self.at[1]), None)
        if option is None or option.forbidden:
            return False
        chosen = tuple(field.value or ())
        if option.value in chosen:
            return self._set(field, tuple(value for value in chosen if value != option.value))
        wanted = {*chosen, option.value}
        return self._set(field, tuple(each.value for each in field.options if each.value in wanted))

    def type(self, typed: str) -> bool:
        """A printable character, or a pasted text."""
        field = self._usable()
        if field is None:
            return False
        if field.kind in TYPED_KINDS:
            if field.kind != "text":
                typed = "".join(char for char in typed.replace(",", ".") if char in "0123456789.-")
            self._editor(field).insert(typed)
            return self._read(field)
        if self._searched(field):
            return self._look_for(field, self.search + clean(typed))
        return self._first_letter(field, clean(typed))

    def _first_letter(self, field: Field, letter: str) -> bool:
        """In a short list: to the next option that begins with that letter."""
        values = [option.value for option in field.options if not option.forbidden]
        if field.kind != "choice" or not letter.strip() or not values:
            return False
        labels = {option.value: clean(option.label).casefold() for option in field.options}
        at = values.index(field.value) if field.value in values else -1
        turned = [*values[at + 1 :], *values[: at + 1]]
        found = next((value for value in turned if labels[value].startswith(letter.casefold())), None)
        return found is not None and self._set(field, found)

    def backspace(self) -> bool:
        """Take back the last character that was typed; in an empty field, the value given."""
        field = self._usable()
        if field is None:
            return False
        if field.kind in TYPED_KINDS:
            self._editor(field).backspace()
            return self._read(field)
        if self.search:
            return self._look_for(field, self.search[:-1])
        return self._forget(field)

    def clear(self) -> bool:
        """Empty the field: what was inferred stands again."""
        field = self._usable()
        if field is None:
            return False
        self._editors.pop(field.name, None)
        self.search = ""
        return self._forget(field)

    def faults(self) -> list[str]:
        """What is typed and cannot be taken, a sentence each."""
        return [
            f"{clean(field.label)}: {bounds(field)}"
            for field in self.form.fields
            if field.name in self._editors and self._unread(field)
        ]

    # Values

    def _usable(self) -> Field | None:
        field = self.field
        return None if field is None or field.forbidden else field

    def _set(self, field: Field, value: Any) -> bool:
        if field.name in self.given and self.given[field.name] == value:
            return False
        self.given[field.name] = value
        return True

    def _forget(self, field: Field) -> bool:
        return self.given.pop(field.name, None) is not None

    def _turn_choice(self, field: Field, step: int) -> bool:
        options = [option for option in self._matching(field) if not option.forbidden]
        if not options:
            return False
        values = [option.value for option in options]
        if field.value in values:
            return self._set(field, values[(values.index(field.value) + step) % len(values)])
        return self._set(field, values[0 if step > 0 else -1])

    def _searched(self, field: Field) -> bool:
        return field.kind in ("choice", "choices") and len(field.options) > LONG_LIST

    def _look_for(self, field: Field, text: str) -> bool:
        """Type-ahead: a long list shows what matches, and the first that may be taken is taken."""
        before, self.search = self.search, text
        matching = self._matching(field)
        wanted = text.casefold()
        if text and not any(wanted in clean(option.label).casefold() for option in matching):
            self.search = before
            return False
        if field.kind == "choices":
            self.at = (field.name, matching[0].value) if matching else self.at
            return False
        allowed = [option.value for option in matching if not option.forbidden]
        if not text or not allowed or field.value in allowed:
            return False
        return self._set(field, allowed[0])

    def _matching(self, field: Field) -> list[FieldOption]:
        if not self.search or field.name != self.at[0]:
            return list(field.options)
        wanted = self.search.casefold()
        starting = [option for option in field.options if clean(option.label).casefold().startswith(wanted)]
        rest = [o for o in field.options if o not in starting and wanted in clean(o.label).casefold()]
        return [*starting, *rest]

    def _editor(self, field: Field) -> LineEditor:
        editor = self._editors.get(field.name)
        if editor is None:
            shown = "" if field.value is None else shown_value(field)
            fresh = bool(field.inferred) or field.kind != "text"
            editor = self._editors[field.name] = LineEditor(
                shown, most=1000 if field.kind == "text" else 12, fresh=fresh
            )
        return editor

    def _read(self, field: Field) -> bool:
        """Take what is typed as the field's value; what cannot be taken leaves the field without one."""
        value = read_value(field, self._editors[field.name].text)
        if value is None:
            return self._forget(field)
        return self._set(field, value)

    def _unread(self, field: Field) -> bool:
        text = self._editors[field.name].text
        return bool(text) and read_value(field, text) is None

    # Lines

    def lines(self, width: int) -> list[SheetLine]:
        """The form in lines of at most `width` cells."""
        label = max((cell_len(clean(f.label)) + f.indent for f in self.form.fields), default=0)
        label = min(label, max(10, width - VALUE_COLUMN))
        made: list[SheetLine] = []
        for field in self.form.fields:
            made.extend(self._field_lines(field, label, width))
        return made

    def _field_lines(self, field: Field, label: int, width: int) -> list[SheetLine]:
        here = field.name == self.at[0]
        words = cut(clean(field.label), width - LEAST_VALUE - field.indent)
        name = " " * field.indent + fill(words, max(cell_len(words), label - field.indent)) + "  "
        if field.forbidden:
            lines = _noted([(name, "dim")], f"- {field.forbidden}", "dim", width, field.indent + 4)
            return [SheetLine(lines[0], (field.name, None)), *(SheetLine(line) for line in lines[1:])]
        if field.kind == "choices" and field.options:
            heading = ((name, "strong" if here else "plain"), (self._search_text(field, here), "dim"))
            options = self._option_lines(field, field.indent + 2, width, each_stops=True)
            return [SheetLine(heading, None if options else (field.name, None)), *options]
        value, note = self._value_text(field, here, width - label - 2)
        tone = "strong" if here else "plain"
        lines = _noted([(name, tone), (value, tone)], note, "dim", width, label + 2)
        first = SheetLine(lines[0], (field.name, None))
        rest = [SheetLine(line) for line in lines[1:]]
        unfolds = here and (len(field.options) > 1 or any(option.forbidden for option in field.options))
        options = self._option_lines(field, field.indent + 2, width, each_stops=False) if unfolds else []
        return [first, *rest, *options]

    def _value_text(self, field: Field, here: bool, room: int) -> tuple[str, str]:
        note = f"  ({field.inferred})" if field.inferred else ""
        if field.kind == "choice":
            shown = self._choice_label(field)
            searched = self._search_text(field, here) if here else ""
            return (f"< {shown} >" if here else shown), (f"  {searched}" if searched else note)
        if field.kind == "flag":
            shown = "yes" if field.value else "no"
            return (f"< {shown} >" if here else shown), note
        editor = self._editors.get(field.name)
        text = clean(shown_value(field)) if editor is None else editor.text
        if editor is not None and self._unread(field):
            note = f"  {bounds(field)}"
        elif editor is not None and not editor.text and field.value is not None:
            text, note = clean(shown_value(field)), note or "  (as it was)"
        elif not text:
            note = note or ("  (may stay empty)" if field.optional else "")
        if not here:
            return text or "-", note
        at = len(text) if editor is None else min(editor.at, len(text))
        return around_caret(text, at, max(4, room)), note

    def _choice_label(self, field: Field) -> str:
        chosen = next((option.label for option in field.options if option.value == field.value), None)
        return "-" if chosen is None else clean(chosen)

    def _search_text(self, field: Field, here: bool) -> str:
        if here and self.search:
            return f"search: {self.search}_"
        if not self._searched(field):
            return ""
        return f"type to search {len(field.options)}" if here else f"({len(field.options)} to choose from)"

    def _option_lines(self, field: Field, indent: int, width: int, each_stops: bool) -> list[SheetLine]:
        made: list[SheetLine] = []
        options = self._shown(field) if field.kind in ("choice", "choices") else []
        if not each_stops:
            options = _around(options, field.value)
        for option in options:
            chosen = option.value in (field.value or ()) if each_stops else option.value == field.value
            box = ("[x] " if chosen else "[ ] ") if each_stops else ("(*) " if chosen else "( ) ")
            box = "  - " if option.forbidden and not chosen else box
            tone = "dim" if option.forbidden else "good" if chosen else "plain"
            head = [(" " * indent, "plain"), (box + clean(option.label), tone)]
            note = f"  {option.forbidden}" if option.forbidden else ""
            lines = _noted(head, note, "dim", width, indent + 4)
            made.append(SheetLine(lines[0], (field.name, option.value) if each_stops else None))
            made.extend(SheetLine(line) for line in lines[1:])
        return made


def _around(options: list[FieldOption], value: Any) -> list[FieldOption]:
    """Of a long list the part around the option chosen."""
    at = next((place for place, option in enumerate(options) if option.value == value), 0)
    start = max(0, min(at - LONG_LIST // 2, len(options) - LONG_LIST))
    return options[start : start + LONG_LIST]


def _noted(head: list[Run], note: str, tone: str, width: int, indent: int) -> list[tuple[Run, ...]]:
    """`head` with a note behind it; where the note does not fit, it goes on the lines below."""
    used = 0
    runs: list[Run] = []
    for text, its_tone in head:
        shown = cut(text, width - used)
        used += cell_len(shown)
        runs.append((shown, its_tone))
    if not note:
        return [tuple(runs)]
    if used + cell_len(note) <= width:
        return [(*runs, (note, tone))]
    below = wrapped(note, max(8, width - indent))
    return [tuple(runs), *(((" " * indent, "plain"), (line, tone)) for line in below)]
