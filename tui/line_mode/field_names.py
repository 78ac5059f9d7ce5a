"""The words that name fields of a form, and what tells fields of one name apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.ruleset import Field, Form
from engine.spoken import Spoken
from engine.wording import clean
from tui.line_mode.words import plain_word


def field_word(field: Field) -> str:
    """The word that a field is named by: its name up to the colon, or what stands behind where that only counts."""
    base, _, rest = field.name.partition(":")
    return plain_word(rest.rpartition(":")[2] if rest and any(char.isdigit() for char in base) else base)


def keywords(form: Form, spoken: Spoken) -> dict[str, list[list[Field]]]:
    """The words that name fields of a form, with the fields that each may mean."""
    known: dict[str, list[list[Field]]] = {}
    by_base: dict[str, list[Field]] = {}
    by_label: dict[str, list[Field]] = {}
    for field in form.fields:
        base, _, rest = field.name.partition(":")
        for name in dict.fromkeys((base, rest.rpartition(":")[2]) if rest else (base,)):
            by_base.setdefault(plain_word(name), []).append(field)
        if not any(mark in field.label for mark in ",:("):
            by_label.setdefault(plain_word(field.label), []).append(field)
    for names in (by_base, by_label):
        for name, fields in names.items():
            whole = [field for field in fields if plain_word(field.name) == name]
            known.setdefault(name, [whole or fields])
    for word, names_meant in spoken.prepositions.items():
        meant = [by_base[name] for name in map(plain_word, names_meant) if name in by_base]
        if meant:
            known.setdefault(word, meant)
    return known


def qualifiers(field: Field, others: Sequence[Field]) -> tuple[str, ...]:
    """What tells a field from those of its kind: the parts of its name, its label, and what its neighbours are called.

    Neighbours are those of the others that are about the same thing: with the same beginning of the name, or end.
    """
    names = [*field.name.split(":"), field.label]
    for other in others:
        if _about_the_same(field.name, other.name):
            names.append(other.label)
            if other.kind == "text" and other.value:
                names.append(str(other.value))
    names += [re.split(r"[,:(]", clean(name))[0] for name in names]
    return tuple(dict.fromkeys(plain_word(name) for name in names if plain_word(name)))


def _about_the_same(one: str, other: str) -> bool:
    first, _, rest = one.partition(":")
    begins, _, goes_on = other.partition(":")
    return bool(rest and goes_on) and (first == begins or rest == goes_on)
