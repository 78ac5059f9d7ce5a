"""Wounds: how they are rolled, shared out, saved and shrugged off, and which models fall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from engine.dealing import shares
from engine.refusals import Option
from engine.resolution import Choice, Rule, choose, roll
from engine.rolls import Dealing, Lane, Pool, Stage
from engine.suppression_fire.battle import Battle, Fire, Group, Unit
from engine.suppression_fire.events import GroupLeft, ModelsFell, WentOut
from engine.suppression_fire.happening import happen
from engine.suppression_fire.suppressing import Shot
from engine.wording import counted


class Sharing(Struct, frozen=True):
    """What the owner said beforehand of sharing out wounds: the order of groups, and shares of the last round.

    `field` is where the order says the shares.
    """

    allocation: tuple[str, ...] | None = None
    shares: Mapping[str, int] | None = None
    field: str = "shares"


class Harm(Struct, frozen=True):
    """What makes the wounds: strength and AP of a shot, or shrapnel with the AP that counts against armour, if any."""

    strength: int
    ap: int | None
    shrapnel: bool = False


def shot_harm(shot: Shot) -> Harm:
    return Harm(shot.strength, shot.ap)


def majority_toughness(unit: Unit) -> int:
    """The toughness most models have; in a tie the higher (SF-24)."""
    models: dict[int, int] = {}
    for group in unit.standing:
        models[group.profile.toughness] = models.get(group.profile.toughness, 0) + group.models
    return max(models, key=lambda toughness: (models[toughness], toughness), default=0)


def wounding(strength: int, toughness: int) -> int | None:
    """The number to wound: 4 + T - S, from 2 to 6; None where T is 4 or more above S (SF-24)."""
    if toughness - strength >= 4:
        return None
    return min(6, max(2, 4 + toughness - strength))


def slays(group: Group, harm: Harm) -> bool:
    """Instant death: S is twice the model's own toughness or more, and it is no eternal warrior (SF-26)."""
    if harm.shrapnel or group.profile.eternal_warrior:
        return False
    return harm.strength >= 2 * group.profile.toughness


def saving(group: Group, harm: Harm) -> tuple[Stage, ...]:
    """The better of the saves allowed, then feel no pain; those a group does not have are not rolled (SF-25, SF-30)."""
    stats = group.profile
    armour = stats.armour if stats.armour and (harm.ap is None or harm.ap > stats.armour) else None
    save = min([allowed for allowed in (armour, stats.invulnerable) if allowed], default=None)
    pain_ignored = harm.shrapnel or (harm.ap not in (1, 2) and not slays(group, harm))
    return _stages(save, stats.feel_no_pain if pain_ignored else None)


@lru_cache(maxsize=64)
def _stages(save: int | None, feel_no_pain: int | None) -> tuple[Stage, Stage]:
    return Stage("save", save, failing=True), Stage("feel no pain", feel_no_pain, failing=True)


def in_order(unit: Unit, allocation: Sequence[str] | None) -> tuple[Group, ...]:
    """The groups that still stand, in the order in which they take wounds (SF-27)."""
    if allocation is None:
        return unit.standing
    return tuple(sorted(unit.standing, key=lambda group: allocation.index(group.name)))


def share_out(wounds: int, groups: Sequence[Group], wished: Mapping[str, int] | None = None) -> tuple[int, ...]:
    """Wounds for each group: every model takes one before any takes two; of the last round as the owner says (SF-27).

    `wished` is for the last round, as far as models and wounds go; what is left goes in the order of groups.
    """
    return shares(wounds, tuple([group.models for group in groups]), wishes(groups, wished))


def wishes(groups: Sequence[Group], wished: Mapping[str, int] | None) -> tuple[int, ...]:
    """What the owner says of each group, in the order in which they take wounds (SF-27)."""
    return tuple([wished.get(group.name, 0) for group in groups]) if wished else ()


@lru_cache(maxsize=4096)
def fallen(group: Group, unsaved: int, outright: bool) -> GroupLeft:
    """What unsaved wounds leave of a group: whole models first; slain outright, unhurt models first (SF-26, SF-27)."""
    if outright:
        models = max(0, group.models - unsaved)
        return GroupLeft(group.name, models, group.wounds_lost if models else 0)
    left = max(0, group.wounds_left - unsaved)
    models = standing(left, group.profile.wounds)
    return GroupLeft(group.name, models, models * group.profile.wounds - left)


def standing(wounds_left: int, wounds: int) -> int:
    """Models that stand with so many wounds left among them, of so many each: only one of them is hurt (SF-27)."""
    return -(-wounds_left // wounds)


def losses(group: Group, wounds: int, outright: bool) -> tuple[int, ...]:
    """Models of a group that fall where none, one, two, up to all of these wounds go unsaved (SF-26, SF-27)."""
    return _losses(group.models, 1 if outright else group.profile.wounds, 0 if outright else group.wounds_lost, wounds)


@lru_cache(maxsize=4096)
def _losses(models: int, wounds_each: int, wounds_lost: int, wounds: int) -> tuple[int, ...]:
    all_left = models * wounds_each - wounds_lost
    return tuple(models - standing(max(0, all_left - unsaved), wounds_each) for unsaved in range(wounds + 1))


def still_firing(fire: Fire, left: Sequence[GroupLeft], contributors: int | None = None) -> tuple[int, ...]:
    """Models left on each line of a unit's fire after losses (SF-32).

    Non-contributors fall first unless `contributors` says how many of those that fell contributed; of several
    lines of one group the last declared loses first.
    """
    models = [line.models for line in fire.firing]
    for after in left:
        firing = sum(line.models for line in fire.firing if line.group == after.name)
        lost = max(0, firing - after.models) if contributors is None else contributors
        for at in reversed(range(len(models))):
            if fire.firing[at].group == after.name:
                taken = min(lost, models[at])
                models[at] -= taken
                lost -= taken
    return tuple(models)


def lose(battle: Battle, unit_id: str, left: Sequence[GroupLeft], contributors: int | None = None) -> Rule[Battle]:
    """Models fall, their fire with them; a unit without models is out of play (SF-28, SF-32)."""
    unit = battle.units[unit_id]
    suppression = battle.suppressing(unit_id)
    fire = suppression.fire_of(unit_id) if suppression else None
    firing = still_firing(fire, left, contributors) if fire else ()
    if fire and firing == tuple(line.models for line in fire.firing):
        firing = ()
    battle = yield from happen(ModelsFell(unit_id, tuple(left), firing))
    if battle.units[unit_id].models or unit.is_vehicle:
        return battle
    return (yield from go_out(battle, unit_id))


def go_out(battle: Battle, unit_id: str) -> Rule[Battle]:
    """A unit leaves play: its suppression ends, its passengers stand on foot (SF-28)."""
    passengers = tuple(unit.id for unit in battle.passengers(unit_id))
    return (yield from happen(WentOut(unit_id, passengers)))


def suffer_wounds(battle: Battle, unit_id: str, wounds: int, harm: Harm, sharing: Sharing) -> Rule[Battle]:
    """Wounds are shared out, saved, shrugged off, and models fall (SF-25 to SF-28, SF-30)."""
    unit = battle.units[unit_id]
    if not wounds or not unit.models:
        return battle
    groups = in_order(unit, sharing.allocation)
    wished = sharing.shares
    if asks_owner(wounds, groups, sharing):
        wished = yield from choose(last_round(unit, groups, wounds % unit.models, sharing.field))
    dealt = [(group, n) for group, n in zip(groups, share_out(wounds, groups, wished), strict=True) if n]
    lanes = tuple([saves_of(unit_id, group, n, harm) for group, n in dealt])
    unsaved = yield from roll(Pool(lanes, settles=True))
    left = tuple([fallen(group, n, slays(group, harm)) for (group, _), n in zip(dealt, unsaved, strict=True) if n])
    return (yield from lose(battle, unit_id, left)) if left else battle


@lru_cache(maxsize=4096)
def saves_of(unit_id: str, group: Group, wounds: int, harm: Harm) -> Lane:
    """The saves of a group against its share of wounds, and what those that go unsaved cost it (SF-25 to SF-28)."""
    return Lane(unit_id, group.name, wounds, saving(group, harm), losses(group, wounds, slays(group, harm)))


def dealing(unit: Unit, harm: Harm, sharing: Sharing) -> Dealing:
    """How wounds that each model suffers once at most are shared out and saved, if nobody asks the owner (SF-27)."""
    groups = in_order(unit, sharing.allocation)
    lanes = tuple([saves_of(unit.id, group, group.models, harm) for group in groups])
    return Dealing(lanes, wishes(groups, sharing.shares))


def asks_owner(wounds: int, groups: Sequence[Group], sharing: Sharing) -> bool:
    """Whether the owner decides: unlike groups, wounds that do not fall evenly, nothing said yet (SF-27)."""
    if len(groups) < 2 or sharing.allocation is not None or sharing.shares is not None:
        return False
    return wounds % sum([group.models for group in groups]) > 0


MOST_SPLITS = 40


def last_round(unit: Unit, groups: Sequence[Group], rest: int, field: str) -> Choice[Mapping[str, int] | None]:
    """The question which models take the wounds of the last round (SF-27)."""
    return Choice(
        field=field,
        owner=unit.id,
        clause="SF-27",
        question=f"{unit.name}: who takes {counted(rest, 'wound')}, one a model?",
        options=lambda: tuple(Option(split, _in_words(split)) for split in _splits(groups, rest)),
        default=None,
    )


def _splits(groups: Sequence[Group], rest: int) -> list[dict[str, int]]:
    """Every way to deal `rest` wounds, one a model; where there are too many, each group first in turn."""
    ways: list[dict[str, int]] = [{}]
    for at, group in enumerate(groups):
        behind = sum(later.models for later in groups[at + 1 :])
        ways = [
            {**way, group.name: taken}
            for way in ways
            for taken in range(min(group.models, rest - sum(way.values())), -1, -1)
            if rest - sum(way.values()) - taken <= behind
        ]
        if len(ways) > MOST_SPLITS:
            return [{first.name: min(first.models, rest)} for first in groups]
    return [{name: taken for name, taken in way.items() if taken} for way in ways]


def _in_words(split: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in split.items())
