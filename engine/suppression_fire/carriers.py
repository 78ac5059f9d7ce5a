"""Which models of a unit of an army list carry which weapons: of a group every model carries all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from engine.army_list import Carried, ListedUnit
from engine.ruleset import Field, FieldOption
from engine.suppression_fire.gun_lines import gun_key
from engine.suppression_fire.profiles import Weapon
from engine.wording import counted

EVERYONE = "everyone"


class Held(Struct, frozen=True):
    """A weapon that a unit has: where in the list it stands, and the ways to fire it, which stay together."""

    carried: Carried
    guns: tuple[Weapon, ...]


class Handed(Struct, frozen=True):
    """The guns of each model, by the place of its kind in the list, and what could be said about who carries what."""

    guns: tuple[tuple[tuple[Weapon, ...], ...], ...]
    fields: tuple[Field, ...]
    assumed: tuple[str, ...]
    notes: tuple[str, ...]


class _Hands:
    """Hands guns out, model by model."""

    def __init__(self, unit: ListedUnit) -> None:
        self.unit = unit
        self.models: list[list[list[Weapon]]] = [[[] for _ in range(each.number)] for each in unit.models]
        self.special: list[set[int]] = [set() for _ in unit.models]

    def lacking(self, among: tuple[int, ...], held: Held) -> list[tuple[int, int]]:
        """The models among these that have no gun of that sort yet: a pistol, or a gun for both hands."""
        sort = held.guns[0].type == "pistol"
        return [
            (at, number)
            for at in among
            for number, guns in enumerate(self.models[at])
            if not any((each.type == "pistol") == sort for each in guns)
        ]

    def everyone(self, held: Held) -> None:
        """To all that lack a gun of that sort; to all where none does."""
        among = held.carried.among
        everybody = [(at, number) for at in among for number in range(len(self.models[at]))]
        for at, number in self.lacking(among, held) or everybody:
            self._give(at, number, held)

    def some(self, held: Held, count: int) -> None:
        """To so many of the most numerous kind, first to those who carry nothing special yet."""
        for at in sorted(held.carried.among, key=lambda place: -len(self.models[place])):
            lacking = {number for _, number in self.lacking((at,), held)}
            order = sorted(
                range(len(self.models[at])),
                key=lambda number: (number in self.special[at], number not in lacking, -number),
            )
            for number in order[:count]:
                self._give(at, number, held)
                self.special[at].add(number)
            count -= min(count, len(order))

    def _give(self, at: int, number: int, held: Held) -> None:
        guns = self.models[at][number]
        guns.extend(gun for gun in held.guns if gun not in guns)


def hand_out(unit: ListedUnit, unit_id: str, held: list[Held], given: Mapping[str, Any]) -> Handed:
    """Give the guns of a list to the models of a unit.

    As many as there are models, or a multiple: one each. Fewer: so many carriers. A single line for several models may
    be one carrier or everyone, which only a player can say.
    """
    hands = _Hands(unit)
    fields: list[Field] = []
    assumed: list[str] = []
    notes: list[str] = []
    clear = [each for each in held if not _unclear(unit, each)]
    unclear = [each for each in held if _unclear(unit, each)]
    for each in clear:
        models = _models(unit, each)
        if each.carried.number >= models:
            hands.everyone(each)
        else:
            hands.some(each, each.carried.number)
        if models and each.carried.number > models:
            notes.append(f"{each.carried.number} {each.guns[0].name} for {counted(models, 'model')}: each fires one")
    for each in unclear:
        if len(hands.lacking(each.carried.among, each)) == 1:  # all others have their guns: it can only be that one
            hands.everyone(each)
            continue
        field, is_assumed = _question(hands, unit_id, each, given)
        fields.append(field)
        assumed += [field.name] if is_assumed else []
        if field.value == EVERYONE:
            hands.everyone(each)
        else:
            hands.some(each, 1)
    guns = tuple(tuple(tuple(model) for model in models) for models in hands.models)
    return Handed(guns, tuple(fields), tuple(assumed), tuple(notes))


def _models(unit: ListedUnit, held: Held) -> int:
    return sum(unit.models[at].number for at in held.carried.among)


def _unclear(unit: ListedUnit, held: Held) -> bool:
    return held.carried.number == 1 and _models(unit, held) > 1


def _question(hands: _Hands, unit_id: str, held: Held, given: Mapping[str, Any]) -> tuple[Field, bool]:
    """Who carries a gun of which the list has a single line, by default as such lists usually mean it."""
    everyone = held.carried.standard or bool(hands.lacking(held.carried.among, held))
    why = "it is standard wargear" if held.carried.standard else "they have no other such gun"
    why = why if everyone else "the others have guns"
    options = (FieldOption(EVERYONE, "everyone"), FieldOption("one", "one model"))
    field_name = f"{unit_id}.{gun_key(held.guns[0].name)}.carried"
    told = field_name in given
    value = given.get(field_name, EVERYONE if everyone else "one")
    inferred = "" if told else f"assumed: {why}"
    label = f"{held.guns[0].name} is carried by"
    field = Field(field_name, label, "choice", value, options, inferred=inferred, indent=2)
    return field, not told
