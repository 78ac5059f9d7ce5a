"""An army list as it was read, whatever program wrote it: plain data that knows no rule set.

Values stand as they were written. What they mean, and which of them are of use, says the rule set (`enlist` of
`engine/ruleset.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from msgspec import Struct


class Profile(Struct, frozen=True):
    """A table of values in a list: a stat line, a weapon, a transport. `type` is what the list calls such tables."""

    name: str
    type: str
    values: tuple[tuple[str, str], ...]

    def value(self, *names: str) -> str | None:
        """The value under the first of these names that the profile has, however it is capitalised; else None."""
        for wanted in map(str.casefold, names):
            for name, value in self.values:
                if name.casefold() == wanted:
                    return value
        return None


class Remark(Struct, frozen=True):
    """A special rule or a piece of wargear: its name, and its words as far as they are of use."""

    name: str
    text: str = ""


class Models(Struct, frozen=True):
    """Models of one kind in a unit. `stats` are None where the list says nothing about them.

    `brackets` are further stat lines of the same models, which hold once they are damaged.
    """

    name: str
    number: int
    stats: Profile | None = None
    remarks: tuple[Remark, ...] = ()
    brackets: int = 0


class Carried(Struct, frozen=True):
    """A weapon of a unit: how many, and the places in `models` of those among whom its carriers are.

    `profiles` are its ways to fire; there are none where only its name is known. `standard` tells that it stands
    among what the whole unit has.
    """

    name: str
    number: int
    among: tuple[int, ...]
    profiles: tuple[Profile, ...] = ()
    standard: bool = False


class ListedUnit(Struct, frozen=True):
    """A unit of the list. `key` tells it from all others of the list, also after the list was changed.

    `inside` is the key of the transport that came with it, `follows` that of the unit whose retinue it is.
    `table` is the unit as the rule set musters it, where the list is one of our own that says so.
    """

    key: str
    name: str
    models: tuple[Models, ...] = ()
    carried: tuple[Carried, ...] = ()
    transport: Profile | None = None
    remarks: tuple[Remark, ...] = ()
    category: str = ""
    points: Decimal | None = None
    inside: str = ""
    follows: str = ""
    warnings: tuple[str, ...] = ()
    table: Mapping[str, Any] | None = None

    @property
    def number(self) -> int:
        """How many models it has."""
        return sum(models.number for models in self.models)


class PassedOver(Struct, frozen=True):
    """Something in the list that is no unit, and why."""

    name: str
    why: str
    points: Decimal = Decimal(0)


class Total(Struct, frozen=True):
    """A kind of cost: what was read in all, and what the list says it comes to, None where it says nothing."""

    name: str
    read: Decimal
    told: Decimal | None

    @property
    def agrees(self) -> bool:
        return self.told is None or self.told == self.read


class Origin(Struct, frozen=True):
    """Where a list comes from: the name of its file, the SHA-256 of its bytes in hex, and what wrote it."""

    name: str
    sha256: str
    program: str


class ArmyList(Struct, frozen=True):
    """A list as read. `game` and `factions` are in the words of whoever wrote it.

    `rules` names the rule set whose words the list is in, empty where it is no list of our own.
    """

    origin: Origin
    name: str = ""
    game: str = ""
    factions: tuple[str, ...] = ()
    units: tuple[ListedUnit, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    totals: tuple[Total, ...] = ()
    warnings: tuple[str, ...] = ()
    rules: str = ""

    @property
    def models(self) -> int:
        """How many models all its units have."""
        return sum(unit.number for unit in self.units)
