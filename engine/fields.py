"""What the fields of orders and profiles hold in every rule set: ids, names, texts, and lengths with two places."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from msgspec import Meta

# `$` alone would let a newline at the end pass
Id = Annotated[str, Meta(pattern=r"^[a-z0-9_-]{1,40}$(?!\n)")]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Text = Annotated[str, Meta(max_length=2000)]
Words = Annotated[str, Meta(min_length=1, max_length=2000)]


def length(value: float | Decimal) -> Decimal:
    """A length as an exact decimal; raises ValueError for more than two places."""
    exact = Decimal(str(value))
    if exact != round(exact, 2):
        raise ValueError(f"{value} has more than two decimal places")
    return exact.normalize() if exact != exact.to_integral() else Decimal(int(exact))


def as_number(exact: Decimal) -> int | float:
    """A decimal as the number that JSON has for it."""
    return int(exact) if exact == exact.to_integral() else float(exact)


def name_from_id(name: str, given_id: str) -> str:
    """The name as given; where none is, one made from the id: `red-one` becomes Red One."""
    return name.strip() or given_id.replace("-", " ").replace("_", " ").strip().title() or given_id
