"""Two orders side by side, before either is given: what each would lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.odds_views import figure_text
from engine.ruleset import Figure, RuleSet


class Compared(Struct, frozen=True):
    """One figure of two orders: what it is about, its name, and its number with each, None where it has none.

    `kind` is that of the figure: `chance` or `mean`. `texts` are the two numbers in words, `-` for none.
    """

    about: str
    label: str
    kind: str
    first: float | None
    second: float | None
    texts: tuple[str, str]


def compared(rules: RuleSet, first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[Compared, ...]:
    """The odds of two orders, figure by figure; both are trees as `odds_of` gives them."""
    ours, theirs = (_by_name(rules.odds_figures(odds)) for odds in (first, second))
    return tuple(_side_by_side(ours.get(name), theirs.get(name)) for name in _in_order(tuple(ours), tuple(theirs)))


_Name = tuple[str, str]


def _by_name(figures: Sequence[Figure]) -> dict[_Name, Figure]:
    return {(figure.about, figure.label): figure for figure in figures}


def _in_order(first: Sequence[_Name], second: Sequence[_Name]) -> tuple[_Name, ...]:
    """All names once: those of the first, and after what they are about those that only the second has."""
    abouts = dict.fromkeys(about for about, _ in (*first, *second))
    return tuple(dict.fromkeys(name for about in abouts for name in (*first, *second) if name[0] == about))


def _side_by_side(first: Figure | None, second: Figure | None) -> Compared:
    some = first or second
    assert some is not None
    texts = tuple("-" if figure is None else figure_text(figure) for figure in (first, second))
    return Compared(
        about=some.about,
        label=some.label,
        kind=some.kind,
        first=first.value if first else None,
        second=second.value if second else None,
        texts=(texts[0], texts[1]),
    )
