"""What a unit is when it is mustered: its models, their stat lines and their guns."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from engine.fields import Id, Name, length

Inches: TypeAlias = Annotated[int, Meta(ge=0, le=240)] | Annotated[float, Meta(ge=0, le=240)]
Save = Annotated[int, Meta(ge=2, le=6)]
Models = Annotated[int, Meta(ge=1, le=200)]

Kind = Literal["infantry", "monstrous_creature", "vehicle"]
GunClass = Literal["assault", "heavy", "rapid_fire", "pistol", "ordnance"]
Tag = Literal["blast", "template", "gets_hot", "twin_linked"]
Grenades = Literal["assault", "defensive"]
Action = Literal["move", "run", "shoot", "assault", "embark", "disembark", "fire_from_vehicle", "other"]
Mark = Literal["pinned", "gone_to_ground", "falling_back", "in_combat", "shaken", "stunned", "destroyed"]
Die = Literal["d3", "d6"]


inches = length
"""A range in inches as an exact decimal; raises ValueError for more than two places."""


class Weapon(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A gun: range in inches, strength, AP (None: none), class, and shots a model (a number or a die).

    `gun_type` is the ammunition family: guns of the same family count as one gun type (SF-23).
    """

    name: Name
    gun_type: Name
    range: Inches
    strength: Annotated[int, Meta(ge=1, le=10)]
    type: GunClass
    shots: Annotated[int, Meta(ge=1, le=60)] | Die
    ap: Annotated[int, Meta(ge=1, le=6)] | None = None
    tags: Annotated[tuple[Tag, ...], Meta(max_length=10)] = ()

    def __post_init__(self) -> None:
        inches(self.range)


GRENADE = Weapon("grenade", "grenade", 6, 4, "assault", 2, ap=5)
"""What assault and defensive grenades count as when suppressing (SF-10)."""


class GroupProfile(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Identical models of a unit. Every model carries all the weapons and fires one."""

    name: Name
    models: Models
    toughness: Annotated[int, Meta(ge=1, le=10)] = 3
    wounds: Annotated[int, Meta(ge=1, le=20)] = 1
    leadership: Annotated[int, Meta(ge=1, le=10)] = 9
    armour: Save | None = None
    invulnerable: Save | None = None
    feel_no_pain: Save | None = None
    grenades: Grenades | None = None
    eternal_warrior: bool = False
    relentless: bool = False
    weapons: Annotated[tuple[Weapon, ...], Meta(max_length=20)] = ()

    def guns(self) -> tuple[Weapon, ...]:
        """The weapons as listed, then the grenades that may be used as one (SF-10)."""
        named = any(weapon.name == GRENADE.name for weapon in self.weapons)
        return self.weapons if self.grenades is None or named else (*self.weapons, GRENADE)

    def gun(self, name: str) -> Weapon | None:
        """The gun of that name, None where the group has none."""
        return next((gun for gun in self.guns() if gun.name == name), None)


class Transport(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a vehicle carries: capacity in models, whether it is open-topped, and its fire points."""

    capacity: Annotated[int, Meta(ge=0, le=200)]
    open_topped: bool = False
    fire_points: Annotated[int, Meta(ge=0, le=200)] = 0


class UnitProfile(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A unit as mustered. A vehicle's groups hold its guns and it may have none."""

    id: Id
    side: Name
    groups: Annotated[tuple[GroupProfile, ...], Meta(max_length=12)] = ()
    name: Annotated[str, Meta(max_length=100)] = ""
    kind: Kind = "infantry"
    fearless: bool = False
    embarked_in: Id | None = None
    transport: Transport | None = None
