"""What a combatant is when mustered: stats, skills, armour and weapons."""

from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from engine.fields import Id, Name, length

Metres: TypeAlias = Annotated[int, Meta(ge=0, le=5000)] | Annotated[float, Meta(ge=0, le=5000)]
Coordinate: TypeAlias = Annotated[int, Meta(ge=-10000, le=10000)] | Annotated[float, Meta(ge=-10000, le=10000)]
Place: TypeAlias = tuple[Coordinate, Coordinate]
Stat = Annotated[int, Meta(ge=0, le=30)]
Protection = Annotated[int, Meta(ge=0, le=100)]
CoverLevel = Annotated[int, Meta(ge=0, le=20)]
RateOfFire = Annotated[int, Meta(ge=1, le=1000)]
Rounds = Annotated[int, Meta(ge=0, le=1000)]
Damage = Annotated[str, Meta(pattern=r"^([1-9]|1[0-9]|20)d([2-9]|1[0-9]|20)([+-][0-9]{1,2})?$(?!\n)")]

Mode = Literal["semi", "burst", "auto"]
Stance = Literal["open", "active", "full_cover", "moving", "bracing"]


class Weapon(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A weapon: range in metres is its long range (GD-5), `rof` the rounds of one automatic action (GD-22).

    `semi_rof` is the rate of fire in semi-automatic fire (GD-16). `loaded` None is a full magazine. `damage` is
    like 5d6+2, None where the game master enters the wounds (GD-30).
    """

    name: Name
    modes: Annotated[tuple[Mode, ...], Meta(min_length=1, max_length=3)]
    rof: RateOfFire
    range: Metres
    magazine: Annotated[int, Meta(ge=1, le=1000)]
    semi_rof: Annotated[int, Meta(ge=1, le=100)] = 2
    loaded: Rounds | None = None
    damage: Damage | None = None

    def __post_init__(self) -> None:
        length(self.range)

    @property
    def long_range(self) -> Decimal:
        """The listed range in metres (GD-5)."""
        return length(self.range)

    @property
    def as_loaded(self) -> int:
        """Rounds in the magazine when mustered."""
        return self.magazine if self.loaded is None else self.loaded


class Armour(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Stopping power of what is worn, by area."""

    head: Protection = 0
    torso: Protection = 0
    arms: Protection = 0
    legs: Protection = 0


class CombatantProfile(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One person as mustered."""

    id: Id
    side: Name
    ref: Stat
    cl: Stat
    ma: Stat
    intelligence: Stat = field(name="int")
    body: Stat
    name: Annotated[str, Meta(max_length=100)] = ""
    dodge: Stat = 0
    athletics: Stat = 0
    awareness: Stat = 0
    stealth: Stat = 0
    sp: Armour = Armour()
    cover: CoverLevel = 0
    stance: Stance = "open"
    position: Place | None = None
    weapons: Annotated[tuple[Weapon, ...], Meta(max_length=20)] = ()

    def __post_init__(self) -> None:
        place(self.position)

    def weapon(self, name: str) -> Weapon | None:
        """The weapon of that name, None where there is none."""
        return next((weapon for weapon in self.weapons if weapon.name == name), None)


def place(at: Place | None) -> tuple[Decimal, Decimal] | None:
    """A place in metres as exact decimals; raises ValueError for more than two places."""
    return None if at is None else (length(at[0]), length(at[1]))
