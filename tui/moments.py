"""Moments as people read them, from milliseconds since 1970; files may hold any number there."""

from __future__ import annotations

from datetime import datetime


def moment(milliseconds: int, seconds: bool = False) -> str:
    """Day and time where the machine stands; `some day` for a number that no calendar has."""
    try:
        when = datetime.fromtimestamp(milliseconds / 1000)
        return when.strftime("%Y-%m-%d %H:%M:%S" if seconds else "%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "some day"
