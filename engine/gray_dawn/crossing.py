"""Crossing saturation lanes: first the nerve for it, then getting through, then the action."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from engine.exploding import ExplodingCheck
from engine.gray_dawn.battle import Battle, Combatant, Lane
from engine.gray_dawn.checks import Trial, nerve, tell_check, trial_of
from engine.gray_dawn.events import Stopped, TakenOut
from engine.gray_dawn.happening import happen
from engine.gray_dawn.hits import burst, meet_fire
from engine.gray_dawn.lanes import firing, is_open, level_of, open_lanes_around
from engine.gray_dawn.orders import Action
from engine.gray_dawn.profiles import Weapon
from engine.gray_dawn.skills import avoiding_base, chain_of
from engine.refusals import Option, Refusal, Undecided
from engine.resolution import Choice, Rule, choose, roll

BEHIND_COVER = ("reload", "other")
"""The actions that are no crossing for one who stays behind cover (GD-25)."""


class Crossing(Struct, frozen=True):
    """A crossing: of which lanes, at which level, hit by which weapon, by which skill avoided, after which check."""

    combatant: str
    lanes: tuple[str, ...]
    level: int
    weapon: Weapon
    skill: str
    trial: Trial


def lanes_named(battle: Battle, names: Iterable[str]) -> tuple[Lane, ...]:
    """The saturation lanes of those names; raises Refusal for others (GD-24)."""
    lanes: list[Lane] = []
    for name in dict.fromkeys(names):
        lane = battle.lanes.get(name)
        if lane is None:
            raise Refusal(
                "order", f"there is no lane {name} this round; there are: {', '.join(battle.lanes) or 'none'}"
            )
        if lane.kind != "saturation":
            raise Refusal("GD-24", f"{name} is a covering lane: once resolved there is nothing left to cross")
        lanes.append(lane)
    return tuple(lanes)


def stays_behind_cover(combatant: Combatant, action: str) -> bool:
    """Whether an action inside a lane is no crossing: only reloading or something else, behind cover (GD-25)."""
    return combatant.cover >= 1 and action in BEHIND_COVER


def lanes_crossed(battle: Battle, combatant: Combatant, action: str, named: tuple[Lane, ...]) -> tuple[Lane, ...]:
    """The open lanes that an action leads through: those named, and all that the combatant stands in (GD-25, GD-28)."""
    around = () if stays_behind_cover(combatant, action) else open_lanes_around(battle, combatant.id)
    lanes = {lane.name: lane for lane in (*named, *around) if is_open(battle, lane)}
    return tuple(lanes.values())


def judge_crossing(battle: Battle, combatant: Combatant, lanes: tuple[Lane, ...], skill: str | None) -> Crossing | None:
    """What crossing those lanes means, None where there are none (GD-25, GD-27). Raises Undecided without a skill."""
    if not lanes:
        return None
    if skill is None:
        options = (Option("dodge", "Dodge/Cover"), Option("athletics", "Athletics"))
        message = f"{combatant.name} crosses {', '.join(lane.name for lane in lanes)}: avoid by dodge or athletics"
        raise Undecided("GD-25", message, "avoid", combatant.id, options)
    fires = sorted((fire for lane in lanes for fire in firing(battle, lane)), key=lambda fire: fire.laid)
    level = level_of(fires)
    trial = trial_of(battle, combatant, level)
    return Crossing(combatant.id, tuple(lane.name for lane in lanes), level, fires[0].weapon, skill, trial)


def brave(battle: Battle, crossing: Crossing) -> Rule[tuple[bool, int]]:
    """The check, then the roll to avoid against the level, then the burst table (GD-25, GD-29).

    Comes back with whether the combatant goes, and how many rounds hit it on the way.
    """
    if not (yield from nerve(battle, crossing.trial)):
        return False, 0
    if (yield from roll(avoiding_check(battle, crossing))):
        return True, 0
    return True, (yield from burst(battle, crossing.combatant))


def avoiding_check(battle: Battle, crossing: Crossing) -> ExplodingCheck:
    """Dodge/Cover or Athletics against the level: met or exceeded nothing hits (GD-1, GD-25)."""
    base = avoiding_base(battle, battle.combatants[crossing.combatant], crossing.skill)
    return ExplodingCheck(crossing.skill, crossing.combatant, crossing.level - base, chain_of(battle))


def cross(battle: Battle, crossing: Crossing, action: Action, taken_out: bool | None) -> Rule[Battle]:
    """The check counts as the round's; failed, nothing happens; the hits come before the action (GD-25, GD-26)."""
    goes, rounds = yield from brave(battle, crossing)
    battle = yield from tell_check(battle, crossing.combatant, goes)
    if not goes:
        return (yield from happen(Stopped(crossing.combatant, action)))
    battle = yield from meet_fire(battle, crossing.combatant, crossing.weapon, rounds)
    if rounds and (yield from is_taken_out(battle, crossing.combatant, taken_out)):
        return (yield from happen(TakenOut(crossing.combatant)))
    return battle


def is_taken_out(battle: Battle, combatant_id: str, told: bool | None) -> Rule[bool]:
    """Whether the hits took the combatant out of action: the game master says so, and its action is lost (GD-26)."""
    if told is not None:
        return told
    name = battle.combatants[combatant_id].name
    options = (Option(False, "stays in action and goes on"), Option(True, "is out of action: its action is lost"))
    question = f"{name} was hit: what does the game master say?"
    return (yield from choose(Choice("taken_out", combatant_id, "GD-26", question, lambda: options, False)))
