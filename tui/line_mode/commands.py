"""The words a line may begin with: what the line mode does itself, and what the rule set lets players order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.refusals import Refusal
from engine.ruleset import Action, RuleSet
from engine.wording import clean, listed
from tui.line_mode.finding import Offer, nearest
from tui.line_mode.words import Word, plain_word, together

LONGEST_VERB = 5
"""A verb has at most so many words."""


class Command(Struct, frozen=True):
    """Something the line mode does: its word, what stands behind it, what it is for, and whether it changes things."""

    name: str
    usage: str
    help: str
    changes: bool = False


class Verb(Struct, frozen=True):
    """An order as it may begin: the action, and the fields that the verb has said already."""

    action: Action
    given: Mapping[str, Any] = {}


COMMANDS = (
    Command("help", "help, help WORD", "All words; or one word with its fields."),
    Command("show", "show, show UNIT", "How things stand, or how one unit does."),
    Command("waiting", "waiting", "Who waits for what."),
    Command("why", "why UNIT", "Why a unit stands as it does, with clauses, and how it came to that."),
    Command("history", "history UNIT", "All that a unit did and suffered."),
    Command("log", "log, log NUMBER, log all", "The last entries, ten unless you say how many."),
    Command("find", "find WORDS", "Entries with these words; unit:NAME, roll:NAME and side:NAME narrow it down."),
    Command("entry", "entry NUMBER", "One entry in full, with every die."),
    Command("luck", "luck", "What the dice came to, and what was to be expected."),
    Command("odds", "odds ORDER", "The chances of an order, without giving it."),
    Command("compare", "compare ORDER", "The chances of an order beside those asked for last."),
    Command("would", "would ORDER", "What an order would come to, or why it would be refused, without giving it."),
    Command("again", "again, again MORE WORDS", "The order that was refused or left last, once more.", changes=True),
    Command("undo", "undo", "Takes the last order back. Nothing is lost.", changes=True),
    Command("redo", "redo", "Brings back what was taken back last.", changes=True),
    Command("goto", "goto NUMBER", "To how things stood after an entry.", changes=True),
    Command("correct", "correct", "Other dice for the last order: it is taken back and given again.", changes=True),
    Command("dice", "dice, dice table, dice app", "Who rolls: you at the table, typing the faces, or the app."),
    Command("who", "who", "All that have the battle open, with their seats."),
    Command("ask", "ask undo, ask redo, ask goto NUMBER", "Asks the others to agree to that first.", changes=True),
    Command("agree", "agree", "Agrees to what another side asks to take back; it is done at once.", changes=True),
    Command("disagree", "disagree", "Does not agree: it stands as it was.", changes=True),
    Command("seal", "seal, seal words WORDS, seal reveal, seal anew", "Sealed dice: how they stand; or do that."),
    Command("rules", "rules, rules CLAUSE, rules WORD", "The rulebook: all titles, a clause, or clauses about a word."),
    Command("house", "house", "The house rules in force."),
    Command("head", "head", "The last entry with its mark, and what undo and redo would do."),
    Command("quit", "quit", "Leaves. Everything is saved already."),
)

IN_A_QUESTION = (
    "An empty line takes the default.",
    "A question mark explains what is asked, with its clause.",
    "A full stop takes the defaults of all the rest.",
    "cancel goes back; nothing has changed then.",
)

HOW_IT_READS = (
    "An order is its verb, the unit, then fields by name: declare scouts by avengers range 12.",
    "A unit is its id, its name, or a beginning that no other has; a name in quotes is never taken for anything else.",
    "Several have commas or and between them.",
    "With the verb and the unit alone all fields are asked; with more only those that have no default.",
    "A full stop at the end takes the defaults of the rest, a question mark asks for all of it.",
)

IN_A_SCRIPT = (
    "In a script a line that is refused is told with its number and the rest goes on;"
    " the exit status is 1 if any was refused."
)


def verbs_of(rules: RuleSet) -> dict[str, Verb]:
    """The verbs of a rule set's orders: their names first, then its further phrases, then the words of the key bar."""
    own = {command.name for command in COMMANDS}
    by_name = {action.name: action for action in rules.actions}
    verbs = {plain_word(name): Verb(action) for name, action in by_name.items()}
    for phrase in rules.spoken.phrases:
        verbs.setdefault(plain_word(phrase.verb), Verb(by_name[phrase.action], phrase.given))
    for action in rules.actions:
        verbs.setdefault(plain_word(action.label), Verb(action))
    return {words: verb for words, verb in verbs.items() if words not in own}


def clashes(rules: RuleSet) -> list[str]:
    """The names of orders that cannot be typed because the line mode keeps the word; there should be none."""
    return [action.name for action in rules.actions if plain_word(action.name) in {c.name for c in COMMANDS}]


def begin_with(words: Sequence[Word], verbs: Mapping[str, Verb]) -> tuple[Command | Verb, int]:
    """What the first words are, and how many: a whole verb, else a beginning that no other has.

    Raises Refusal (`order`) for what is no verb or more than one.
    """
    known: dict[str, Command | Verb] = {**verbs, **{command.name: command for command in COMMANDS}}
    for count in range(min(LONGEST_VERB, len(words)), 0, -1):
        if together(words[:count]) in known:
            return known[together(words[:count])], count
    for count in range(min(LONGEST_VERB, len(words)), 0, -1):
        found = _beginning(together(words[:count]), known)
        if found is not None:
            return found, count
    first = clean(words[0].text)[:40]
    several = sorted(name for name in known if name.startswith(plain_word(words[0].text)))
    if several and plain_word(words[0].text):
        raise Refusal("order", f"{first} may be {listed(several[:6])}")
    close = nearest(words[0].text, tuple(Offer(name, (name,), name) for name in known))
    raise Refusal("order", f"{first} is no word here{f'; nearest: {listed(close)}' if close else ''}; try help")


def _beginning(text: str, known: Mapping[str, Command | Verb]) -> Command | Verb | None:
    found = [known[name] for name in known if text and name.startswith(text)]
    first = found[0] if found else None
    return first if first is not None and all(each == first for each in found) else None


def also(verbs: Mapping[str, Verb], action: Action) -> tuple[str, ...]:
    """Other words for an action, with what they say already left out."""
    return tuple(words for words, verb in verbs.items() if verb.action == action and words != plain_word(action.name))


def help_lines(rules: RuleSet) -> Iterable[str]:
    """All words with what they are for."""
    yield "Words that look, and words that go back and forth:"
    for command in COMMANDS:
        yield f"{command.usage}: {command.help}"
    yield f"Orders of {rules.title}; help with the word of one tells its fields:"
    for action in rules.actions:
        yield f"{plain_word(action.name)}: {action.help}"
    yield from HOW_IT_READS
    yield "At a question:"
    yield from IN_A_QUESTION
    yield IN_A_SCRIPT
