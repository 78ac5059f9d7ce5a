"""The commands that look: nothing here changes a battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from engine.history import History
from engine.refusals import Refusal
from engine.ruleset import Field
from engine.wording import clean, listed
from saves.battle import OpenBattle
from saves.presence import who_is_there
from tui.field_values import bounds
from tui.line_mode import told
from tui.line_mode.commands import Command, Verb, also, begin_with, help_lines, verbs_of
from tui.line_mode.field_names import field_word
from tui.line_mode.ordering import Ordering
from tui.line_mode.words import Word, plain_word
from tui.log_filter import LogReader, read_filter
from tui.log_lines import Teller
from tui.rulebook import clauses_about
from tui.who_words import NOBODY_TOLD, who_text

if TYPE_CHECKING:
    from engine.luck import Known

LAST = 10
"""So many entries are told unless somebody says how many."""

MOST_FOUND = 50
"""So many entries are told of a search; the latest of them."""


class Looking:
    """Answers questions about a battle in lines."""

    def __init__(self, battle: OpenBattle, ordering: Ordering, wanted: Callable[[], bool]) -> None:
        """`wanted` says no where what is being reckoned is not wanted any more."""
        self._battle = battle
        self._ordering = ordering
        self._wanted = wanted
        self._known_losses: Known = {}

    @property
    def _history(self) -> History:
        return self._battle.history

    def _one_unit(self, words: Sequence[Word]) -> str:
        if not words:
            raise Refusal("order", f"say which unit{self._who()}")
        unit, count = self._ordering.unit(words)
        if count < len(words):
            raise Refusal("order", f"one unit at a time: {clean(words[count].text)[:40]} is too much")
        return unit

    def _who(self) -> str:
        names = tuple(dict.fromkeys(clean(name) for name in self._ordering.names.values()))
        return f": {listed(names[:8])}" if names else "; there is none yet"

    # Standing

    def show(self, words: Sequence[Word]) -> Iterable[str]:
        history = self._history
        if not words:
            return told.standing(history)
        unit, rules = self._one_unit(words), history.rules
        tables = (rules.units(history.state), rules.tracker(history.state))
        return [line for table in tables for line in told.rows_told(table, unit)]

    def who(self) -> Iterable[str]:
        """All that have the battle open."""
        there = who_is_there(self._battle.path)
        return [told.sentence(who_text(each)) for each in there] or [NOBODY_TOLD]

    def waiting(self) -> Iterable[str]:
        return list(told.waiting(self._history)) or ["Nothing waits for a decision."]

    def why(self, words: Sequence[Word]) -> Iterable[str]:
        from tui.unit_history import chain_cells

        history, unit = self._history, self._one_unit(words)
        return told.as_sentences((*history.rules.why(history.state, unit), *chain_cells(history, unit)))

    def unit_history(self, words: Sequence[Word]) -> Iterable[str]:
        from tui.unit_history import unit_cells

        return told.as_sentences(unit_cells(self._history, self._one_unit(words)))

    # The log

    def log(self, words: Sequence[Word]) -> Iterable[str]:
        """The last entries; `all` tells everything."""
        history = self._history
        count = LAST
        if words:
            everything = together_is(words, "all")
            count = len(history.entries) if everything else a_number(words, "how many entries")
        if not history.entries:
            return ["Nothing has happened yet."]
        return told.log_told(history, history.entries[max(0, len(history.entries) - count) :])

    def find(self, text: str) -> Iterable[str]:
        """The entries that match, the last of them if there are many."""
        history, wanted = self._history, read_filter(text)
        if wanted.empty:
            raise Refusal("order", "say what is to be found: words, unit:NAME, roll:NAME or side:NAME")
        teller, reader = Teller(history), LogReader(history)
        lines = ((entry, tuple(line.text for line in teller.lines(entry))) for entry in history.entries)
        found = [entry for entry, texts in lines if reader.passes(wanted, entry, texts)]
        if not found:
            return [f"Nothing in the log matches {clean(text)}."]
        left_out = len(found) - MOST_FOUND
        before = [f"{left_out} earlier ones match too."] if left_out > 0 else []
        return [*before, *told.log_told(history, found[-MOST_FOUND:])]

    def entry(self, words: Sequence[Word]) -> Iterable[str]:
        from tui.entry_page import entry_cells

        number, history = a_number(words, "the number of an entry"), self._history
        if not 1 <= number <= len(history.entries):
            history.head_after(number)
            raise Refusal("order", "entry 0 is the beginning")
        first, *rest = told.as_sentences(entry_cells(history, number))
        return [told.sentence(f"Entry {number}: {first}"), *rest]

    def luck(self) -> Iterable[str]:
        from engine.luck import luck_of

        luck = luck_of(self._history, self._wanted, self._known_losses)
        return told.luck_told(self._history, luck)

    def head(self) -> Iterable[str]:
        history = self._history
        return [f"Head {self._battle.head_mark}.", *told.next_told(history)]

    # Books

    def rules(self, text: str) -> Iterable[str]:
        clauses = self._history.rules.clauses
        found = clauses_about(text, clauses) if text else clauses
        if not found:
            raise Refusal("order", f"no clause speaks of {clean(text)[:60]}; rules lists all")
        if len(found) == 1:
            return told.clause_told(found[0])
        return [told.sentence(f"{clause.number}, {clause.chapter}: {clause.title}") for clause in found]

    def house(self) -> Iterable[str]:
        return told.house_told(self._history)

    def help(self, words: Sequence[Word]) -> Iterable[str]:
        rules = self._history.rules
        if not words:
            return help_lines(rules)
        verbs = verbs_of(rules)
        found, _ = begin_with(words, verbs)
        if isinstance(found, Command):
            return [f"{found.usage}: {found.help}"]
        return self._help_on(found, also(verbs, found.action))

    def _help_on(self, verb: Verb, others: tuple[str, ...]) -> Iterator[str]:
        """An order with its fields, as they are now for somebody who may give it."""
        action = verb.action
        yield f"{plain_word(action.name)}: {action.help}"
        about = " UNIT" if action.about == "unit" else ""
        fields = self._ordering.sample(verb).fields if action.form else ()
        yield f"Say: {plain_word(action.name)}{about}{', then fields by name' if fields else ''}."
        for field in fields:
            yield told.sentence(f"{field_word(field)}, {clean(field.label)}: {_takes(field)}")
        spoken = self._history.rules.spoken
        names = {field.name.partition(":")[0] for field in fields}
        short = [word for word, meant in spoken.prepositions.items() if names & set(meant) and word not in names]
        if short:
            yield f"Short words: {listed(short)}."
        if others:
            yield f"Other verbs for it: {listed(others)}."
        clause = spoken.clauses.get(action.order)
        if clause:
            yield f"It rests on {clause}: rules {clause}."


def _takes(field: Field) -> str:
    """What a field may be answered with, in a few words."""
    if field.kind in ("choice", "choices"):
        labels = tuple(clean(option.label) for option in field.options[:6])
        more = f" and {len(field.options) - 6} more" if len(field.options) > 6 else ""
        what = "any of" if field.kind == "choices" else "one of"
        return f"{what} {', '.join(labels)}{more}" if labels else "nothing to choose from yet"
    return {"flag": "yes or no", "text": "words"}.get(field.kind) or bounds(field)


def together_is(words: Sequence[Word], text: str) -> bool:
    return len(words) == 1 and words[0].text.casefold() == text


def a_number(words: Sequence[Word], what: str) -> int:
    """The number that the words are; raises Refusal (`order`) where they are none."""
    text = words[0].text if len(words) == 1 else ""
    if not (text.isascii() and text.isdecimal() and len(text) <= 15):
        raise Refusal("order", f"say {what}, as a number")
    return int(text)
