"""What stands in a field of a form as text, and what typed text means in it."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

from engine.ruleset import Field


def waits(field: Field) -> bool:
    """Whether a field waits for a value."""
    if field.kind == "choice" and any(option.value == field.value for option in field.options):
        return False  # an empty text may be what is chosen: nobody, none
    return field.value in (None, "", ()) and not field.optional and not field.forbidden


def bounds(field: Field) -> str:
    """What a number of that field may be, in words."""
    what = "a whole number" if field.kind == "number" else "a number with at most two decimals"
    return f"{what} from {field.least} to {field.most}"


def shown_value(field: Field) -> str:
    """What stands in a field, as text."""
    if field.value is None:
        return ""
    if field.kind == "decimal":
        return format(Decimal(str(field.value)).normalize(), "f")
    return str(field.value)


def read_value(field: Field, text: str) -> Any:
    """What `text` means in that field, None where it means nothing or is out of bounds."""
    if field.kind == "text":
        return text or None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite() or not field.least <= number <= field.most:
        return None
    if field.kind == "number":
        return int(number) if number == number.to_integral_value() else None
    return number if number == round(number, 2) else None
