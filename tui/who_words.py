"""Those who have a battle open, in words."""

from __future__ import annotations

from engine.seats import BOTH, SPECTATOR
from engine.wording import clean
from saves.presence import Here
from tui.moments import moment

NOBODY_TOLD = "Who is here cannot be told on this machine."
SEATS = {BOTH: "for all sides", SPECTATOR: "watching"}


def who_text(here: Here) -> str:
    """One who is there: name, seat, since when."""
    name, seat = clean(here.name), clean(here.seat)
    seats = {BOTH: "for all sides", SPECTATOR: "watching"}
    known = f"{name.removesuffix(f'({seat})').strip() or 'somebody'}, {seats.get(seat, f'for {seat}')}"
    if name == seat:
        known = f"somebody, {seats.get(seat, f'for {seat}')}"
    return f"{known}, since {moment(here.since)}"
