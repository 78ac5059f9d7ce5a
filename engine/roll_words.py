"""A roll in words: what it needs, what came of it, how likely that was, and where its faces come from."""

from __future__ import annotations

from engine.rolls import Rolled, Throw


def chance_text(chance: tuple[int, int]) -> str:
    """A chance in per cent, in as many digits as tell something; never 0 or 100 for what is not certain."""
    ways, of = chance
    percent = 100 * ways / of
    if ways not in (0, of) and not 0.1 <= percent <= 99.9:
        return "<0.1 %" if percent < 50 else ">99.9 %"
    return f"{percent:.1f} %" if percent < 10 and ways else f"{percent:.0f} %"


def needed_text(roll: Rolled | Throw) -> str:
    """What is needed: `7 or less` of a sum, `at least 13` of a chain of dice, `5+` of each die; empty for nothing."""
    if roll.needed is None:
        return ""
    if isinstance(roll, Throw):
        summed, chain = roll.together, roll.follows is not None
    else:
        summed, chain = isinstance(roll.outcome, str), roll.total is not None
    if chain:
        return f"at least {roll.needed}"
    return f"{roll.needed} or less" if summed else f"{roll.needed}+"


def outcome_text(roll: Rolled) -> str:
    """What came of a roll: `8, failed`, `3 of 5`, `= 4`."""
    if isinstance(roll.outcome, str):
        total = sum(roll.dice) if roll.total is None else roll.total
        return f"{total}, {roll.outcome}" if len(roll.dice) > 1 else roll.outcome
    return f"= {roll.outcome}" if roll.needed is None else f"{roll.outcome} of {len(roll.dice)}"


def faces_text(roll: Rolled, most: int = 0) -> str:
    """The faces: `4 6 6`, counted where there are more than `most`; a chain as what it adds up: `10+3`, `1 then -8`."""
    if roll.total is None or len(roll.dice) < 2:
        return shown_faces(roll.dice, most)
    first, *rest = roll.dice
    if roll.total < 0:
        return f"{first} then {''.join(f'-{die}' for die in rest)}"
    return "+".join(map(str, roll.dice))


def whence_text(roll: Rolled) -> str:
    """Where faces come from, unless the app rolled them: from the table, perhaps other ones than before."""
    if roll.source != "table":
        return ""
    return " (table)" if roll.corrects is None else f" (table, corrects {roll.corrects})"


def dice_text(throw: Throw) -> str:
    """Which dice: `5 D6`, `1 more D10`."""
    return f"{throw.count}{' more' if throw.follows else ''} D{throw.sides}"


def shown_faces(faces: tuple[int, ...], most: int = 0) -> str:
    """Faces for people to read: `4 6 6 5 5`; where there are more than `most` (if given), counted: `14x1 9x6`."""
    if not most or len(faces) <= most:
        return " ".join(map(str, faces))
    counts = {face: faces.count(face) for face in sorted(set(faces))}
    return " ".join(f"{many}x{face}" for face, many in counts.items())
