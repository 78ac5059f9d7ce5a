"""Which of several things a typed name means: its id, its whole name, or a beginning that no other has."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from msgspec import Struct

from engine.refusals import Refusal
from engine.ruleset import FieldOption
from engine.wording import clean, listed
from tui.line_mode.words import Word, plain_word, together

NEAREST = 3
"""So many names are told where none was understood."""

MOST_TOLD = 6
"""So many names are told where several were meant."""

LONGEST_NAME = 12
"""A name has at most so many words."""


class Offer(Struct, frozen=True):
    """One thing that may be meant: its value, the names it has, and the words it is told by."""

    value: str
    names: tuple[str, ...]
    label: str


def offers_of(options: Iterable[FieldOption]) -> tuple[Offer, ...]:
    """The options of a field as offers; what a label tells besides the name may be left out."""
    return tuple(_offer(option) for option in options)


def _offer(option: FieldOption) -> Offer:
    label = clean(option.label)
    short = label
    for mark in (" (", ": ", ", "):
        short = short.partition(mark)[0]
    names = dict.fromkeys(plain_word(name) for name in (option.value, label, short) if plain_word(name))
    if not option.value:
        names["none"] = None
    return Offer(option.value, tuple(names), label)


def units_on_offer(names: Iterable[tuple[str, str]]) -> tuple[Offer, ...]:
    """Units by id and name."""
    return tuple(Offer(id_, (plain_word(id_), plain_word(name)), clean(name) or id_) for id_, name in names)


def exact(text: str, offers: Sequence[Offer]) -> list[Offer]:
    """Those called exactly that, the id before the name."""
    by_id = [offer for offer in offers if text in offer.names[:1]]
    return by_id or [offer for offer in offers if text in offer.names]


def beginning(text: str, offers: Sequence[Offer]) -> list[Offer]:
    """Those whose name begins with that, else those with a word in the name that does."""
    if not text or text.isdigit():
        return []
    found = [offer for offer in offers if any(name.startswith(text) for name in offer.names)]
    return found or [offer for offer in offers if any(f" {text}" in f" {name}" for name in offer.names)]


def the_one(text: str, offers: Sequence[Offer], what: str = "", about: str = "") -> Offer:
    """The one meant by `text`; raises Refusal (`order`) with the nearest names where it is none or several.

    `what` is what all of them are, as `unit`; `about` is what the name is an answer to.
    """
    wanted = plain_word(text)
    found = exact(wanted, offers) or beginning(wanted, offers)
    if len(found) == 1:
        return found[0]
    named, head = f"{what} {_shown(text)}".strip(), f"{about}: " if about else ""
    if not wanted:
        raise Refusal("order", f"{head}a name is missing")
    if found:
        raise Refusal("order", f"{head}{named} may be {_either(found)}: type more of it, or the id")
    raise Refusal("order", f"{head}there is no {named}{_instead(wanted, offers)}")


def leading(words: Sequence[Word], offers: Sequence[Offer], ends: int) -> tuple[Offer, int] | None:
    """The offer that the first words name, and how many they are: the longest whole name, else a beginning.

    `ends` is how many words may belong to a beginning: from there on stands something else. None for no or several.
    """
    if not words:
        return None
    if words[0].quoted:
        found = exact(plain_word(words[0].text), offers) or beginning(plain_word(words[0].text), offers)
        return (found[0], 1) if len(found) == 1 else None
    for find, most in ((exact, LONGEST_NAME), (beginning, ends)):
        for count in range(min(most, len(words), LONGEST_NAME), 0, -1):
            found = find(together(words[:count]), offers)
            if len(found) == 1:
                return found[0], count
    return None


def _shown(text: str) -> str:
    return clean(text).strip()[:40]


def _either(found: Sequence[Offer]) -> str:
    labels = [offer.label for offer in found]
    told = [f"{each.label} ({each.value})" if labels.count(each.label) > 1 else each.label for each in found]
    more = [f"{len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
    *first, last = [*told[:MOST_TOLD], *more]
    return f"{', '.join(first)} or {last}"


def nearest(text: str, offers: Sequence[Offer]) -> tuple[str, ...]:
    """The labels that come closest to a name, none where all are far off."""
    by_name = {name: offer.label for offer in offers for name in offer.names}
    close = difflib.get_close_matches(plain_word(text)[:100], by_name, n=NEAREST * 2, cutoff=0.5)
    return tuple(dict.fromkeys(by_name[name] for name in close))[:NEAREST]


def _instead(text: str, offers: Sequence[Offer]) -> str:
    """What there is instead of a name that there is not."""
    if not offers:
        return "; there is none at all"
    labels = nearest(text, offers)
    if labels:
        return f"; nearest: {listed(labels)}"
    first = tuple(offer.label for offer in offers[:NEAREST])
    others = " and others" if len(offers) > NEAREST else ""
    return f"; there {'is' if len(first) == 1 else 'are'} {listed(first)}{others}"
