"""Looking into the rulebook: the clause that a text names, clauses by number or word, a clause in its sentences."""

from __future__ import annotations

from collections.abc import Iterable

from engine.ruleset import Clause


def named_clause(text: str, clauses: Iterable[Clause]) -> Clause | None:
    """The clause whose number stands first in `text`, None where there is none."""
    found: tuple[int, Clause] | None = None
    for clause in clauses:
        at = text.find(clause.number)
        while at >= 0 and text[at + len(clause.number) : at + len(clause.number) + 1].isdigit():
            at = text.find(clause.number, at + 1)
        if at >= 0 and (found is None or at < found[0]):
            found = (at, clause)
    return found[1] if found else None


def sentences(text: str) -> list[str]:
    """The text in its sentences, so that each stands on a line of its own."""
    return [part if part.endswith((".", "!", "?")) else f"{part}." for part in text.split(". ") if part.strip()]


def clauses_about(text: str, clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """The clause of that number; else those that have the text in title or chapter; else those that have it at all."""
    wanted, known = text.casefold().strip(), tuple(clauses)
    numbered = tuple(each for each in known if each.number.casefold() == wanted)
    titled = tuple(each for each in known if wanted in f"{each.chapter} {each.title}".casefold())
    return numbered or titled or tuple(each for each in known if wanted in each.text.casefold())
