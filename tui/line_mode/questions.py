"""Fields of an order asked for one by one: what may be answered, what stands there, and the clause behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from engine.refusals import Refusal
from engine.ruleset import Clause, Field, FieldOption, Form
from engine.spoken import Spoken
from engine.wording import clean, listed
from tui.field_values import bounds, read_value, shown_value, waits
from tui.line_mode.finding import Offer, exact, offers_of, the_one
from tui.line_mode.sentence import ALL, DEFAULTS, NO, NOBODY, YES
from tui.line_mode.told import clause_told, sentence
from tui.line_mode.words import Word, plain_word, read_words
from tui.rulebook import named_clause

CANCEL = "cancel"


class GivenUp(Exception):  # noqa: N818  the player's choice
    """A question was left: nothing has changed. `ended` tells that there is nobody any more to answer it."""

    def __init__(self, ended: bool = False) -> None:
        super().__init__()
        self.ended = ended


class Enough(Exception):  # noqa: N818  the player's choice
    """The defaults are to be taken for everything that would still be asked."""


Ask: TypeAlias = Callable[[Iterable[str]], str]
"""Says these lines and gives what was answered, without spaces around it; raises GivenUp."""


class Questions:
    """Asks for fields of one form."""

    def __init__(self, ask: Ask, tell: Callable[..., None], clauses: tuple[Clause, ...], spoken: Spoken) -> None:
        self._ask = ask
        self._tell = tell
        self._clauses = clauses
        self._spoken = spoken

    def value(self, form: Form, field: Field) -> Any:
        """What the player answers to one field; None for its default. Raises GivenUp, Enough."""
        while True:
            answer = self._ask(_question(form, field))
            if answer == "?":
                self._tell(*self._explained(form, field))
            elif answer == DEFAULTS:
                if waits(field):
                    self._tell(f"{clean(field.label)} has no default.")
                else:
                    raise Enough
            elif not answer:
                if not waits(field):
                    return None
                self._tell("There is no default: answer, or cancel.")
            else:
                try:
                    return read_answer(field, answer)
                except Refusal as refusal:
                    self._tell(sentence(refusal.message[:1].upper() + refusal.message[1:]))

    def _explained(self, form: Form, field: Field) -> Iterator[str]:
        """A field in words, and the clause that it rests on."""
        yield sentence(f"{full_label(form, field)}, a part of {form.title or form.order}")
        yield sentence(_how(field))
        if field.inferred:
            yield sentence(f"{_default(field)} is {field.inferred}")
        for option in field.options:
            if option.forbidden:
                yield sentence(f"{option.label}: {option.forbidden}")
        forbidding = (field.forbidden, *(option.forbidden for option in field.options))
        yield from self.about(*forbidding, self._spoken.clause_of(form.order, field.name))

    def about(self, *texts: str) -> Iterator[str]:
        """The clause that the first of the texts names, in sentences."""
        clause = next((found for text in texts if (found := named_clause(text, self._clauses))), None)
        if clause is None:
            yield "No clause of the rules speaks of it."
        else:
            yield from clause_told(clause)

    def about_order(self, order: Any) -> Iterator[str]:
        """The clause that an order rests on, in sentences."""
        return self.about(self._spoken.clauses.get(str(order.__struct_config__.tag), ""))

    def pick(self, title: str, labels: tuple[str, ...], clause: str) -> int:
        """A choice that the rules leave open: the number of the answer. Raises GivenUp."""
        numbered = [sentence(f"Answer {number}: {label}") for number, label in enumerate(labels, 1)]
        offers = tuple(Offer(str(at), (plain_word(label),), clean(label)) for at, label in enumerate(labels))
        while True:
            answer = self._ask([sentence(title), *numbered])
            if answer == "?":
                self._tell(*self.about(clause))
            elif answer.isdecimal() and 1 <= int(answer[:6]) <= len(labels):
                return int(answer) - 1
            elif not answer:
                self._tell("There is no default: answer with a number, or cancel.")
            else:
                try:
                    return int(the_one(answer, offers).value)
                except Refusal as refusal:
                    self._tell(sentence(refusal.message[:1].upper() + refusal.message[1:]))


# A question


def full_label(form: Form, field: Field) -> str:
    """What a field is called where it does not stand below the one that it belongs to."""
    above: Field | None = None
    for other in form.fields[: form.fields.index(field)]:
        if other.indent < field.indent:
            above = other
    if above is None:
        return clean(field.label)
    whose = str(above.value) if above.kind == "text" and above.value else re.split(r"[,:(]", above.label)[0]
    return clean(f"{whose}: {field.label}")


def _question(form: Form, field: Field) -> Iterator[str]:
    """The field with its default, then the answers by number."""
    default = f" {_default(field)} is the default." if not waits(field) else ""
    yield f"{full_label(form, field)}? {_range(field)}{default}".replace("  ", " ").strip()
    numbered = _numbered(field)
    for number, option in enumerate(field.options, 1):
        head = f"{number}: " if numbered else ""
        mark = ", default" if _stands(field, option) else ""
        bar = f", not now: {option.forbidden}" if option.forbidden else ""
        yield sentence(f"{head}{clean(option.label) or 'nothing'}{mark}{bar}")


def _range(field: Field) -> str:
    if field.kind in ("number", "decimal"):
        return sentence(bounds(field)[:1].upper() + bounds(field)[1:])
    return {"flag": "Yes or no.", "choices": "One or several.", "text": "Words."}.get(field.kind, "")


def _how(field: Field) -> str:
    """How a field is answered."""
    if field.kind == "choice":
        return "Answer with the number or the name of one" if _numbered(field) else "Answer with the name of one"
    return {
        "choices": "Answer with numbers or names, with commas between them; all, or none",
        "flag": "Answer yes or no",
        "text": "Answer with words",
    }.get(field.kind) or f"Answer with {bounds(field)}"


def _numbered(field: Field) -> bool:
    """Whether options are counted; where they are numbers themselves, that would be misheard."""
    return not any(clean(option.label)[:1].isdigit() for option in field.options)


def _stands(field: Field, option: FieldOption) -> bool:
    return option.value in (field.value or ()) if field.kind == "choices" else option.value == field.value


def _default(field: Field) -> str:
    """What stands in a field, in words."""
    if field.kind == "flag":
        return "Yes" if field.value else "No"
    if field.kind == "choices":
        labels = tuple(clean(option.label) for option in field.options if option.value in (field.value or ()))
        return listed(labels).capitalize() if not labels else listed(labels)
    if field.kind == "choice":
        return next((clean(option.label) for option in field.options if option.value == field.value), "Nothing")
    return clean(shown_value(field)) or "Nothing"


def taken_for_granted(form: Form, said: set[str], unit: str | None) -> str:
    """What was inferred of an order instead of being said; empty for nothing. The unit named is no inference."""
    taken = [
        f"{full_label(form, field)} {_default(field)}, {field.inferred}"
        for field in form.fields
        if field.inferred and field.name not in said and not field.forbidden
        if not waits(field) and field.value != unit
    ]
    return sentence(f"Taken for granted: {'; '.join(taken)}") if taken else ""


# An answer


def read_answer(field: Field, answer: str) -> Any:
    """What an answer means in a field; raises Refusal (`order`) for what cannot be taken."""
    if field.kind == "choice":
        return _option(field, answer).value
    if field.kind == "choices":
        return _several(field, answer)
    if field.kind == "flag":
        return _flag(field, answer)
    text = _unquoted(answer) if field.kind == "text" else answer.rstrip('"').replace(",", ".")
    value = read_value(field, clean(text))
    if value is None:
        raise Refusal("order", f"{clean(field.label)} takes {bounds(field)}")
    return value


def _unquoted(answer: str) -> str:
    words = read_words(answer)
    return words[0].text if len(words) == 1 else answer


def _flag(field: Field, answer: str) -> bool:
    if answer.casefold() not in (*YES, *NO):
        raise Refusal("order", f"{clean(field.label)}: yes or no")
    return answer.casefold() in YES


def _option(field: Field, answer: str) -> FieldOption:
    """The option named or numbered; a name goes before a number."""
    offers = offers_of(field.options)
    text = _unquoted(answer)
    if not exact(plain_word(text), offers) and _numbered(field) and text.isdecimal():
        at = int(text[:6])
        if not 1 <= at <= len(field.options):
            raise Refusal("order", f"the answers go from 1 to {len(field.options)}")
        option = field.options[at - 1]
    else:
        offer = the_one(text, offers, about=clean(field.label))
        option = next(each for each in field.options if each.value == offer.value)
    if option.forbidden:
        raise Refusal("order", f"{clean(option.label)}: {option.forbidden}")
    return option


def _several(field: Field, answer: str) -> tuple[str, ...]:
    """Several options, with commas or `and` between them; `all` that may be, or none."""
    word = answer.casefold()
    named = exact(plain_word(answer), offers_of(field.options))
    if word in NOBODY and not named:
        return ()
    if word == ALL and not named:
        return tuple(option.value for option in field.options if not option.forbidden)
    chosen = {_option(field, answer).value} if named else {_option(field, each).value for each in _listed(answer)}
    return tuple(option.value for option in field.options if option.value in chosen)


def _listed(answer: str) -> list[str]:
    """The names of a list; digits with commas between them are numbers of their own here."""
    spaced = ", ".join(answer.split(",")) if '"' not in answer else answer
    parts: list[list[Word]] = [[]]
    for word in read_words(spaced):
        if word.parts_list:
            parts.append([])
        else:
            parts[-1].append(word)
    named: list[str] = []
    for part in parts:
        texts = [word.text for word in part]
        named += texts if all(text.isdecimal() for text in texts) else [" ".join(texts)]
    return named
