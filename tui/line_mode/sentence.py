"""The words of one order: which fields they fill in. The grammar is the form's: there is none for a rule set.

What stands behind a field's name, its label or a preposition of the rule set is its value; what stands alone goes to
the first field that takes it. Where a list has been told, fields about its members mean those named last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from engine.refusals import Refusal
from engine.ruleset import Field, FieldOption, Form
from engine.spoken import Spoken
from engine.wording import clean, listed
from tui.field_values import bounds, read_value, waits
from tui.line_mode.field_names import field_word, keywords, qualifiers
from tui.line_mode.finding import Offer, beginning, exact, leading, nearest, offers_of, the_one
from tui.line_mode.words import Word, plain_word, refuse_unclosed, together

FormOf: TypeAlias = Callable[[dict[str, Any]], Form]
"""Asks the rule set for the form with what is given so far."""

YES = ("yes", "y", "on", "true", "clear")
NO = ("no", "n", "off", "false", "blocked", "not")
ALL, NOBODY = "all", ("nobody", "none", "no one")
DEFAULTS, ASK = ".", "?"
"""At the end of an order: take the defaults of all that was not said, or ask for all of it."""

NUMBER = re.compile(r"-?\d+([.,]\d+)?\"?$")
LONGEST_KEYWORD = 6


class Sentence:
    """An order being read. `given` is what its words say, by field; `said` are the fields that need not be asked for.

    `wish` is DEFAULTS or ASK where the order ends with one, else empty. Used once.
    """

    def __init__(
        self,
        line: str,
        words: Sequence[Word],
        given: dict[str, Any],
        said: Iterable[str],
        form_of: FormOf,
        spoken: Spoken,
    ) -> None:
        self.given = given
        self.said = set(said)
        self.wish = ""
        self._line = line
        self._words = words
        self._form_of = form_of
        self._spoken = spoken
        self._at = 0
        self._list = ""
        self._told: set[str] = set()
        self._recent: list[str] = []

    def read(self) -> None:
        """Read all words; raises Refusal (`order`) for what cannot be understood or taken."""
        form = self._form()
        if [field.kind for field in form.fields] == ["text"]:
            self._take_text(form.fields[0], alone=True)
            return
        refuse_unclosed(self._words)
        while self._at < len(self._words):
            self._read_next()

    def _form(self) -> Form:
        return self._form_of(self.given)

    @property
    def _rest(self) -> Sequence[Word]:
        return self._words[self._at :]

    def _read_next(self) -> None:
        word = self._words[self._at]
        if not word.quoted and word.text in (DEFAULTS, ASK) and self._at == len(self._words) - 1:
            self.wish = word.text
            self._at += 1
            return
        if word.parts_list:
            self._at += 1
            self._go_on_with_list()
            return
        form = self._form()
        named, count = self._named(form, self._at)
        if named:
            self._at += count
            self._take_first_fitting(named)
        else:
            self._take_unnamed(form)

    def _go_on_with_list(self) -> None:
        """After `and` or a comma: further names of the list told last, if names of it follow."""
        field = next((field for field in self._form().fields if field.name == self._list), None)
        if field is None or not self._rest or self._named(self._form(), self._at)[0]:
            return
        if leading(self._rest, offers_of(field.options), self._ends()):
            self._take_list(field, go_on=True)

    # Which field is meant

    def _named(self, form: Form, at: int) -> tuple[list[list[Field]], int]:
        """The fields that the words at a place name, and how many words that takes.

        A list of lists: of those the first is meant in which the value fits; of one list, all or the one that is
        narrowed down to.
        """
        if not self._words[at:] or self._words[at].quoted:
            return [], 0
        known = keywords(form, self._spoken)
        for count in range(min(LONGEST_KEYWORD, len(self._words) - at), 0, -1):
            words = self._words[at : at + count]
            if not any(word.quoted or word.parts_list for word in words) and together(words) in known:
                return known[together(words)], count
        return [], 0

    def _take_first_fitting(self, named: list[list[Field]]) -> None:
        start, said, told, given = self._at, set(self.said), set(self._told), dict(self.given)
        number = bool(self._rest) and bool(NUMBER.match(self._rest[0].text))
        named = sorted(named, key=lambda fields: (fields[0].kind in ("number", "decimal")) != number)
        first: Refusal | None = None
        for fields in named:
            try:
                self._take_all(fields)
                return
            except Refusal as refusal:
                first = first or refusal
                self._at, self.said, self._told = start, set(said), set(told)
                self.given.clear()
                self.given.update(given)
        assert first is not None
        raise first

    def _take_all(self, fields: list[Field]) -> None:
        """Give the value that follows to the field meant, or to several about different members of the list."""
        meant = self._narrowed(fields)
        start = self._at
        for field in meant:
            self._at = start
            self._take(field)

    def _narrowed(self, fields: list[Field]) -> list[Field]:
        """Of several fields of one name those that the next words tell apart, else those about the names told last."""
        form = self._form()
        others = tuple(field for field in form.fields if field not in fields)
        offers = tuple(Offer(str(at), qualifiers(each, others), clean(each.label)) for at, each in enumerate(fields))
        if len(fields) == 1:
            self._at += self._needless(fields[0], offers)
            return fields
        for find in (exact, beginning):
            for count in range(min(LONGEST_KEYWORD, len(self._rest) - 1), 0, -1):
                found = find(together(self._rest[:count]), offers)
                if found and len(found) < len(fields):
                    self._at += count
                    return self._narrowed([fields[int(offer.value)] for offer in found])
        recent = [field for field in fields if set(field.name.split(":")) & set(self._recent)]
        if recent and len(recent) <= len(self._recent):
            return recent
        labels = listed(tuple(dict.fromkeys(clean(field.label) for field in fields)))
        raise Refusal(
            "order", f"{plain_word(fields[0].name.partition(':')[0])} is said of several: {labels}; say which"
        )

    def _needless(self, field: Field, offers: Sequence[Offer]) -> int:
        """How many words tell which field is meant where there is but one, before a number."""
        if field.kind not in ("number", "decimal") or not self._rest or NUMBER.match(self._rest[0].text):
            return 0
        counts = range(min(LONGEST_KEYWORD, len(self._rest) - 1), 0, -1)
        told = (count for count in counts if NUMBER.match(self._rest[count].text))
        return next((count for count in told if beginning(together(self._rest[:count]), offers)), 0)

    # Values

    def _take(self, field: Field) -> None:
        if field.forbidden:
            raise Refusal("order", f"{clean(field.label)}: {field.forbidden}")
        if not self._rest and field.kind != "flag":
            raise Refusal("order", f"{clean(field.label)}: nothing stands behind it")
        if field.kind == "text":
            self._take_text(field)
        elif field.kind == "choices":
            self._take_list(field)
        elif field.kind == "choice":
            self._set(field, self._one_of(field).value)
        elif field.kind == "flag":
            self._take_flag(field)
        else:
            self._take_number(field)

    def _set(self, field: Field, value: Any, go_on: bool = False) -> None:
        if field.name in self._told and not go_on:
            raise Refusal("order", f"{clean(field.label)} is said twice")
        self.given[field.name] = value
        self.said.add(field.name)
        self._told.add(field.name)

    def _take_flag(self, field: Field) -> None:
        word = self._rest[0].text.casefold() if self._rest else ""
        told = word in YES or word in NO
        self._at += told
        self._set(field, word not in NO)

    def _take_number(self, field: Field) -> None:
        text = self._rest[0].text if self._rest else ""
        value = read_value(field, text.rstrip('"').replace(",", "."))
        if value is None:
            raise Refusal("order", f"{clean(field.label)} takes {bounds(field)}{_not_that(text)}")
        self._at += 1
        self._set(field, value)

    def _one_of(self, field: Field) -> FieldOption:
        found = leading(self._rest, offers_of(field.options), self._ends())
        if found is None:
            offer = the_one(self._unread(), offers_of(field.options), about=clean(field.label))
        else:
            offer, count = found
            self._at += count
        option = next(option for option in field.options if option.value == offer.value)
        if option.forbidden:
            raise Refusal("order", f"{clean(option.label)}: {option.forbidden}")
        return option

    def _take_list(self, field: Field, go_on: bool = False) -> None:
        """One name or several, with `and` or commas between them; `all`, or `nobody`."""
        chosen = list(self.given.get(field.name, ())) if go_on else []
        word = self._rest[0].text.casefold() if self._rest and not self._rest[0].quoted else ""
        whole = leading(self._rest, offers_of(field.options), self._ends())
        named: list[str] = []
        if whole is None and word in NOBODY:
            self._at += 1
        elif whole is None and word == ALL:
            self._at += 1
            named = [option.value for option in field.options if not option.forbidden]
        else:
            named = self._names(field)
        chosen += [value for value in named if value not in chosen]
        wanted = tuple(option.value for option in field.options if option.value in chosen)
        self._set(field, wanted, go_on)
        self._list, self._recent = field.name, named

    def _names(self, field: Field) -> list[str]:
        names = [self._one_of(field).value]
        offers = offers_of(field.options)
        while self._rest and self._rest[0].parts_list:
            self._at += 1
            while self._rest and self._rest[0].parts_list:
                self._at += 1
            if self._named(self._form(), self._at)[0] and leading(self._rest, offers, self._ends()) is None:
                break
            names.append(self._one_of(field).value)
        return names

    def _take_text(self, field: Field, alone: bool = False) -> None:
        """A text: in quotes, else to the end of the line, unless a field's name in it makes that doubtful."""
        rest = list(self._rest)
        if not alone and rest and not rest[-1].quoted and rest[-1].text in (DEFAULTS, ASK) and len(rest) > 1:
            rest.pop()
        if not rest:
            return
        if rest[0].quoted and (not alone or len(rest) == 1):
            self._at += 1
            self._set(field, clean(rest[0].text))
            return
        if not alone and self._one_word_of_text(field, len(rest)):
            self._at += 1
            self._set(field, clean(rest[0].text))
            return
        end = len(self._line) if len(rest) == len(self._rest) else self._rest[-1].start
        self._set(field, clean(self._line[rest[0].start : end]).strip())
        self._at += len(rest)

    def _one_word_of_text(self, field: Field, count: int) -> bool:
        """Whether the text is its first word because a field follows; refused where that is not beyond doubt."""
        form = self._form()
        for at in range(self._at + 1, self._at + count):
            named, _ = self._named(form, at)
            if named and at == self._at + 1 and named[0][0].kind != "flag":
                return True
            if named:
                doubtful = clean(self._words[at].text)
                told = f"{doubtful} is a field of its own: put the words of {clean(field.label)} in quotes"
                raise Refusal("order", told)
        return False

    # What stands alone

    def _take_unnamed(self, form: Form) -> None:
        """A value whose field is not named: the first one that it fits."""
        open_fields = [field for field in form.fields if field.name not in self.said and not field.forbidden]
        word = self._rest[0]
        if not word.quoted and NUMBER.match(word.text):
            for field in open_fields:
                numeric = field.kind in ("number", "decimal") or word.text in {o.value for o in field.options}
                if numeric:
                    self._take(field)
                    return
        if self._take_as_name(open_fields):
            return
        flags = [field for field in open_fields if field.kind == "flag"]
        if not word.quoted and flags and word.text.casefold() in (*YES, *NO):
            self._take(flags[0])
            return
        texts = [field for field in open_fields if field.kind == "text"]
        only = {field.kind for field in form.fields} <= {"text", "flag"}
        if len(texts) == 1 and (waits(texts[0]) or only):
            self._take_text(texts[0], alone=only)
            return
        self._refuse_unread(open_fields)

    def _take_as_name(self, open_fields: list[Field]) -> bool:
        """A name goes to the field that has an option called so; to one that begins so if no other field has one."""
        ends = self._ends()
        listing = [field for field in open_fields if field.kind in ("choice", "choices")]
        whole = [field for field in listing if _leads(exact, self._rest, field, ends)]
        if whole:
            self._take(whole[0])
            return True
        found = [field for field in listing if leading(self._rest, offers_of(field.options), ends)]
        if len(found) > 1:
            labels = listed(tuple(clean(field.label) for field in found))
            raise Refusal("order", f"{self._unread()} fits {labels}: type more of it, or name the field")
        if found:
            self._take(found[0])
        return bool(found)

    def _refuse_unread(self, open_fields: list[Field]) -> None:
        """Say what was not understood: the nearest names where there are any, and the fields that there are."""
        unread = self._unread()
        for flag in [field for field in open_fields if field.kind == "flag"]:
            if self._named(self._form_of({**self.given, flag.name: True}), self._at)[0]:
                words = f"{clean(self._rest[0].text)} comes after {field_word(flag)}"
                raise Refusal("order", f"{words}: type {field_word(flag)} before it")
        offers = tuple(offer for field in open_fields for offer in offers_of(field.options))
        told = f"{clean(unread)[:60]} is not understood here"
        close = nearest(unread, offers)
        told += f"; nearest: {listed(close)}" if close else ""
        names = tuple(dict.fromkeys(map(field_word, open_fields)))
        raise Refusal("order", f"{told}; fields are {listed(names)}" if names else f"{told}: nothing more can be said")

    def _ends(self) -> int:
        """How many words from here may be one name: up to a list's comma or `and`, or the name of a field."""
        form = self._form()
        for count in range(1, len(self._rest)):
            word = self._rest[count]
            if word.parts_list or NUMBER.match(word.text) or self._named(form, self._at + count)[0]:
                return count
            if count == len(self._rest) - 1 and self._rest[count].text in (DEFAULTS, ASK):
                return count
        return len(self._rest)

    def _unread(self) -> str:
        return " ".join(word.text for word in self._rest[: self._ends()])


def _leads(find: Callable[[str, Sequence[Offer]], list[Offer]], words: Sequence[Word], field: Field, ends: int) -> bool:
    """Whether the first words are a whole name among a field's options."""
    offers = offers_of(field.options)
    return any(len(find(together(words[:count]), offers)) == 1 for count in range(min(ends, len(words)), 0, -1))


def _not_that(text: str) -> str:
    return f", not {clean(text)[:40]}" if text else ""
