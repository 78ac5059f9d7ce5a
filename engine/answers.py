"""Answers that are typed to the questions of an army list, as values of their fields."""

from __future__ import annotations

import difflib
from decimal import Decimal, InvalidOperation
from typing import Any

from engine.refusals import Refusal
from engine.ruleset import Field

YES_NO = {"yes": True, "true": True, "y": True, "no": False, "false": False, "n": False}


def unknown_answer(names: list[str], fields: tuple[Field, ...]) -> Refusal:
    """That a question was answered which is not asked, with the name nearest to it."""
    name = names[0]
    near = difflib.get_close_matches(name, [field.name for field in fields], 1)
    meant = f"; nearest is {near[0]}" if near else ""
    return Refusal("order", f"nothing named {name[:60]} is asked{meant}; import --dry-run lists the questions")


def read_answer(field: Field, text: str) -> Any:
    """A typed answer as a value of its field; raises Refusal (`order`) for one that the field cannot have."""
    value: Any = None
    if field.kind == "flag":
        value = YES_NO.get(text.casefold())
    elif field.kind == "choice":
        value = next((each.value for each in field.options if text.casefold() in _names(each.value, each.label)), None)
    elif field.kind == "number":
        value = _number(text, field)
    else:
        value = text
    if value is None:
        raise Refusal("order", f"{field.name} cannot be {text[:40] or 'empty'}; it may be {_allowed(field)}")
    return value


def _names(value: str, label: str) -> tuple[str, str]:
    return value.casefold() or "none", label.casefold()


def _number(text: str, field: Field) -> int | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    whole = number.is_finite() and field.least <= number <= field.most and number == number.to_integral_value()
    return int(number) if whole else None


def _allowed(field: Field) -> str:
    if field.kind == "flag":
        return "yes or no"
    if field.kind == "choice":
        return ", ".join(each.value or "none" for each in field.options)
    return f"a whole number from {field.least} to {field.most}"
