"""From the words of an order to the order itself: whom it is about, what was said, and what has to be asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from engine.concerning import units_in
from engine.history import History
from engine.refusals import Refusal
from engine.ruleset import Action, Field, FieldOption, Form
from engine.spoken import Spoken
from engine.wording import clean
from saves.armoury import armoury
from tui.field_values import waits
from tui.line_mode.commands import Verb
from tui.line_mode.field_names import keywords
from tui.line_mode.finding import leading, the_one, units_on_offer
from tui.line_mode.questions import Enough, Questions, taken_for_granted
from tui.line_mode.sentence import ASK, DEFAULTS, NUMBER, Sentence
from tui.line_mode.words import Word, plain_word, quoted_where_needed, refuse_unclosed


class Draft:
    """An order being made. `given` and `said` stay when it is refused, so that it can be tried again."""

    def __init__(self, verb: Verb) -> None:
        self.action: Action = verb.action
        self.given: dict[str, Any] = {**verb.action.fixed, **verb.given}
        self.said: set[str] = set(verb.given)
        self.unit: str | None = None


class Ordering:
    """Makes orders of words for one battle. `history` gives the history as it is now."""

    def __init__(self, history: Callable[[], History], questions: Questions, tell: Callable[..., None]) -> None:
        self._history = history
        self._questions = questions
        self._tell = tell

    @property
    def names(self) -> Mapping[str, str]:
        """The units there are, by id."""
        history = self._history()
        return history.rules.names(history.state)

    def unit(self, words: Sequence[Word], fields: Collection[str] = ()) -> tuple[str, int]:
        """The unit that the first words name, and how many they are; `fields` are words that name fields.

        Raises Refusal (`order`) for none or several.
        """
        refuse_unclosed(words)
        offers = units_on_offer(self.names.items())
        ends = next((at for at, word in enumerate(words) if at and _ends_name(word, fields)), len(words))
        found = leading(words, offers, ends)
        if found is None:
            told = " ".join(word.text for word in words[:ends]) if not words[0].quoted else words[0].text
            return the_one(told, offers, "unit").value, ends
        return found[0].value, found[1]

    def order(self, draft: Draft, line: str, words: Sequence[Word]) -> Any:
        """The order that the words after the verb say; what is missing is asked. Raises Refusal and GivenUp."""
        words = self._about(draft, words)
        history = self._history()
        reason = history.rules.available(history.state, draft.action, draft.unit)
        if reason:
            named = draft.action.label.casefold() in reason.casefold()
            raise Refusal("order", reason if named else f"{draft.action.label}: {reason}")
        if draft.action.form and (words or history.rules.asks(history.state, draft.action, draft.unit)):
            self._fill(draft, line, words)
        elif [word.text for word in words] not in ([], [DEFAULTS], [ASK]):
            raise Refusal("order", f"{clean(words[0].text)[:40]}: nothing more can be said of {draft.action.label}")
        return self._checked(draft)

    def _about(self, draft: Draft, words: Sequence[Word]) -> Sequence[Word]:
        """Whom the order is about: the unit named first, else asked. Gives the words after it."""
        if draft.action.about != "unit" or draft.unit is not None:
            return words
        if words and (words[0].quoted or words[0].text not in (DEFAULTS, ASK)):
            draft.unit, count = self.unit(words, keywords(self.sample(Verb(draft.action)), self._spoken))
            words = words[count:]
        else:
            draft.unit = self._asked_unit(draft.action)
        if draft.action.unit_field:
            draft.given[draft.action.unit_field] = draft.unit
            draft.said.add(draft.action.unit_field)
        return words

    def _asked_unit(self, action: Action) -> str:
        history = self._history()
        rules, state = history.rules, history.state
        options = tuple(FieldOption(id_, name, rules.available(state, action, id_)) for id_, name in self.names.items())
        free = [option.value for option in options if not option.forbidden]
        if not free:
            reasons = dict.fromkeys(option.forbidden for option in options)
            raise Refusal("order", f"{action.label}: {next(iter(reasons), 'there is no unit yet')}")
        value = free[0] if len(free) == 1 else None
        field = Field(action.unit_field or "unit", "Unit", "choice", value, options)
        try:
            answer = self._questions.value(Form(action.order, action.label, (field,)), field)
        except Enough:
            answer = None
        return str(answer or value)

    # Fields

    @property
    def _spoken(self) -> Spoken:
        return self._history().rules.spoken

    def sample(self, verb: Verb) -> Form:
        """The form as the first who may give the order would see it; without fields where nobody can be asked."""
        history, action = self._history(), verb.action
        units: list[str | None] = list(self.names) if action.about == "unit" else [None]
        units.sort(key=lambda unit: bool(history.rules.available(history.state, action, unit)))
        for unit in units[:3]:
            draft = Draft(verb)
            if unit is not None and action.unit_field:
                draft.given[action.unit_field] = unit
            with suppress(Refusal, LookupError):  # a form may want what is not there yet
                return self.form(draft.action, draft.given)
        return Form(action.order, action.label, ())

    def form(self, action: Action, given: Mapping[str, Any]) -> Form:
        """The form of an order with what is given so far."""
        history = self._history()
        rules = history.rules
        return rules.form(history.state, action.order, given, armoury(rules.armoury))

    def _fill(self, draft: Draft, line: str, words: Sequence[Word]) -> None:
        read = Sentence(
            line, words, draft.given, draft.said, lambda given: self.form(draft.action, given), self._spoken
        )
        try:
            read.read()
        finally:
            draft.said |= read.said
        self.ask_missing(draft, everything=read.wish == ASK or not words)
        granted = taken_for_granted(self.form(draft.action, draft.given), draft.said, draft.unit)
        if granted:
            self._tell(granted)

    def ask_missing(self, draft: Draft, everything: bool) -> None:
        """Ask for fields one by one: for `everything` that was not said, else only for what has no default."""
        while True:
            form = self.form(draft.action, draft.given)
            field = next((field for field in form.fields if self._worth_asking(draft, field, everything)), None)
            if field is None:
                return
            try:
                value = self._questions.value(form, field)
            except Enough:
                everything = False
                continue
            draft.said.add(field.name)
            if value is not None:
                draft.given[field.name] = value

    @staticmethod
    def _worth_asking(draft: Draft, field: Field, everything: bool) -> bool:
        if field.name in draft.said or field.forbidden:
            return False
        free = [option.value for option in field.options if not option.forbidden]
        if field.kind in ("choice", "choices") and not free:
            return False
        if waits(field):
            return True
        settled = field.kind == "choice" and (free == [field.value] or field.value == draft.unit)
        settled |= field.kind in ("number", "decimal") and field.least == field.most
        return everything and not settled

    def _checked(self, draft: Draft) -> Any:
        """The order as filled in; one that turned out to be about somebody else than was named is refused."""
        history = self._history()
        rules = history.rules
        order = rules.fill_in(history.state, draft.action.order, draft.given, armoury(rules.armoury))
        field = draft.action.unit_field
        if draft.unit is not None and field not in ("", "copy_of") and draft.unit not in set(units_in(rules, order)):
            name = self.names.get(draft.unit, draft.unit)
            others = " and ".join(dict.fromkeys(self.names.get(unit, unit) for unit in units_in(rules, order)))
            told = f"{draft.action.label} is not for {name} now"
            raise Refusal("order", f"{told}: it would be about {others}" if others else told)
        return order

    def completions(self) -> list[str]:
        """Names of units as they can be typed."""
        return [quoted_where_needed("-".join(clean(name).casefold().split())) for name in self.names.values()]


def _ends_name(word: Word, fields: Collection[str]) -> bool:
    """Whether a word can be no part of the name before it that is not known as a whole."""
    if word.parts_list or NUMBER.match(word.text):
        return True
    return not word.quoted and (word.text in (DEFAULTS, ASK) or plain_word(word.text) in fields)
