"""Acting, and what braving the fire costs."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from engine.refusals import Reason, Refusal, refuse_for
from engine.resolution import Rule, roll
from engine.rolls import Lane, Pool, Stage
from engine.suppression_fire.battle import Battle, Fire, Suppression, Unit
from engine.suppression_fire.declaring import may_fire
from engine.suppression_fire.events import Acted, Struck
from engine.suppression_fire.happening import happen
from engine.suppression_fire.naming import unit_in_play
from engine.suppression_fire.orders import Act
from engine.suppression_fire.profiles import Action
from engine.suppression_fire.riding import judge_seats
from engine.suppression_fire.shrapnel import NO_BURSTS
from engine.suppression_fire.suppressing import Shot, effective, hit_on, striking_shot
from engine.suppression_fire.testing import Trial, face_the_test, judge_sharing, suffer_shrapnel, trial_of
from engine.suppression_fire.wounds import Sharing, dealing, majority_toughness, shot_harm, suffer_wounds, wounding

PHASES = {
    "move": "movement",
    "embark": "movement",
    "disembark": "movement",
    "run": "shooting",
    "shoot": "shooting",
    "fire_from_vehicle": "shooting",
    "assault": "assault",
}
ON_FOOT = ("move", "run", "shoot", "assault", "embark")
INSIDE = ("disembark", "fire_from_vehicle")


class Gauntlet(Struct, frozen=True):
    """The fire a unit runs into: on whose suppression, each model struck on which number, by which shot.

    `firing_models` limits the dice to the models at the fire ports, None for the whole unit (SF-36).
    """

    target: str
    suppressors: int
    needed: int
    shot: Shot
    firing_models: int | None = None


class Exposure(Struct, frozen=True):
    """An action that may be ordered, with the passengers' test and the fire that come before it, if any."""

    unit: str
    action: Action
    into: str | None
    trial: Trial | None
    gauntlet: Gauntlet | None
    sharing: Sharing


def why_no_action(battle: Battle, unit: Unit, action: str) -> tuple[Reason, ...]:
    """Every reason why a unit may not take an action now, whatever else the order says (SF-1, SF-4, SF-12, SF-18)."""
    found: list[Reason] = []
    if battle.side != unit.side:
        found.append(Reason("SF-1", f"{unit.name} acts in the turn of {unit.side}"))
    elif action in PHASES and PHASES[action] != battle.phase:
        phase = PHASES[action]
        found.append(Reason("SF-1", f"{_words(action)} belongs to the {phase} phase; this is {battle.phase}"))
    if unit.pinned:
        found.append(Reason("SF-18", f"{unit.name} is pinned until the end of its own turn"))
    if "gone_to_ground" in unit.marks:
        found.append(Reason("SF-18", f"{unit.name} has gone to ground"))
    if unit.stayed_in:
        found.append(Reason("SF-34", f"{unit.name} failed its test and does nothing more this turn"))
    if action in ("shoot", "fire_from_vehicle") and unit.declared:
        found.append(Reason("SF-4", f"{unit.name} has suppressed this turn and may not fire"))
    if action in ON_FOOT and unit.embarked_in:
        found.append(Reason("order", f"{unit.name} is inside {battle.units[unit.embarked_in].name}: get out first"))
    if action in INSIDE and not unit.embarked_in:
        found.append(Reason("order", f"{unit.name} is not inside a vehicle"))
    if action == "embark" and unit.is_vehicle:
        found.append(Reason("order", f"{unit.name} is a vehicle and rides in none"))
    if action == "fire_from_vehicle" and unit.embarked_in:
        found.extend(_why_no_fire(battle, unit, battle.units[unit.embarked_in]))
    return tuple(found)


def _why_no_fire(battle: Battle, unit: Unit, vehicle: Unit) -> list[Reason]:
    found = [
        Reason("SF-12", f"{vehicle.name} is {mark}: nobody fires from it")
        for mark in vehicle.marks
        if mark in ("shaken", "stunned")
    ]
    if not may_fire(battle, unit):
        found.append(Reason("SF-12", f"{vehicle.name} has no fire points"))
    return found


def _words(action: str) -> str:
    return action.replace("_", " ")


def judge_act(battle: Battle, order: Act) -> Exposure:
    """An action with all that stands before it (SF-20 to SF-23, SF-34 to SF-36). Raises Refusal."""
    unit = unit_in_play(battle, order.unit)
    refuse_for(list(why_no_action(battle, unit, order.action)))
    if order.action == "embark":
        judge_room(battle, unit, order.into)
    firing_models = _judge_firing_models(battle, unit, order)
    sharing = judge_sharing(unit, order.allocation, order.shares)
    of_shrapnel = judge_sharing(unit, order.allocation, order.shrapnel_shares, "shrapnel_shares")
    suppression = suppression_on(battle, unit, order.action)
    _judge_onlookers(unit, suppression, order.visible_to)
    fires = fires_met(battle, unit, order.action, order.visible_to)
    trial = passenger_trial(battle, unit, order.action, fires, of_shrapnel)
    gauntlet = gauntlet_of(battle, unit, suppression, fires, order, firing_models)
    into = order.into if order.action == "embark" else None
    return Exposure(unit.id, order.action, into, trial, gauntlet, sharing)


def judge_room(battle: Battle, unit: Unit, into: str | None) -> None:
    """A transport of its own side in play, with room; raises Refusal (`order`) otherwise."""
    if into is None:
        raise Refusal("order", f"say into which transport {unit.name} gets")
    judge_seats(battle, unit.id, unit.name, unit.side, unit.models, into)


def _judge_firing_models(battle: Battle, unit: Unit, order: Act) -> int | None:
    """How many models fire from the vehicle: as many as may, or as the order says (SF-12)."""
    if order.action != "fire_from_vehicle":
        return None
    most = may_fire(battle, unit)
    if order.firing_models is not None and order.firing_models > most:
        raise Refusal("SF-12", f"{most} models of {unit.name} may fire from the vehicle, not {order.firing_models}")
    return order.firing_models or most


def suppression_on(battle: Battle, unit: Unit, action: str) -> Suppression | None:
    """What an action exposes a unit to: what is aimed at it, for passengers at their vehicle (SF-20, SF-33)."""
    if unit.is_vehicle:
        return None
    if unit.embarked_in is None:
        return battle.suppressions.get(unit.id)
    return battle.suppressions.get(unit.embarked_in) if action in INSIDE else None


def fires_met(battle: Battle, unit: Unit, action: str, visible_to: Collection[str] | None = None) -> tuple[Fire, ...]:
    """The suppressors whose fire an action runs into (SF-21, SF-34).

    None once suppressing fire has struck the unit this turn, be it aimed at the unit or at a vehicle it was in.
    """
    return () if unit.struck else effective(battle, suppression_on(battle, unit, action), visible_to)


def _judge_onlookers(unit: Unit, suppression: Suppression | None, visible_to: tuple[str, ...] | None) -> None:
    for onlooker in visible_to or ():
        if suppression is None or suppression.fire_of(onlooker) is None:
            raise Refusal("order", f"visible_to: {onlooker} does not suppress {unit.name} here")


def passenger_trial(battle: Battle, unit: Unit, action: str, fires: Collection[Fire], sharing: Sharing) -> Trial | None:
    """The passengers' own test before they get out or fire; None where there is none to take (SF-34 to SF-36)."""
    suppression = suppression_on(battle, unit, action)
    if suppression is None or unit.embarked_in is None or not fires:
        return None
    if suppression.test_of(unit.id) is not None:
        return None
    trial = trial_of(battle, unit, suppression.target, fires, sharing)
    return trial if shrapnel_reaches(battle.units[unit.embarked_in], action) else replace(trial, bursts=NO_BURSTS)


def shrapnel_reaches(vehicle: Unit, action: str) -> bool:
    """Whether passengers suffer shrapnel: under an open top, and at the ports as under an open top (SF-30, SF-36)."""
    transport = vehicle.profile.transport
    return action == "fire_from_vehicle" or (transport is not None and transport.open_topped)


def gauntlet_of(
    battle: Battle,
    unit: Unit,
    suppression: Suppression | None,
    fires: Collection[Fire],
    order: Act,
    firing_models: int | None,
) -> Gauntlet | None:
    """The fire that meets the action: once a turn, and only while somebody suppresses effectively (SF-21 to SF-23)."""
    needed = hit_on(len(fires))
    if suppression is None or needed is None:
        return None
    shot = striking_shot(fires, unit.id, order.gun_type, order.weapon)
    return Gauntlet(suppression.target, len(fires), needed, shot, _at_the_ports(battle, unit, firing_models))


def _at_the_ports(battle: Battle, unit: Unit, firing_models: int | None) -> int | None:
    """How many dice at most: with the switch, only for the models at the ports of a closed vehicle (SF-36)."""
    transport = battle.units[unit.embarked_in].profile.transport if unit.embarked_in else None
    if transport is None or transport.open_topped or battle.switches["port_rolls"] == "whole_unit":
        return None
    return firing_models


def act(battle: Battle, exposure: Exposure) -> Rule[Battle]:
    """The shrapnel and the test of passengers, then the rest of it (SF-34)."""
    if exposure.trial:
        battle = yield from suffer_shrapnel(battle, exposure.trial)
    return (yield from act_with_survivors(battle, exposure))


def act_with_survivors(battle: Battle, exposure: Exposure) -> Rule[Battle]:
    """Passengers take their test; those who passed meet the fire and act (SF-21, SF-28), the others do not (SF-34)."""
    if exposure.trial:
        battle = yield from face_the_test(battle, exposure.trial)
    if battle.units[exposure.unit].out or battle.units[exposure.unit].stayed_in:
        return battle
    if exposure.gauntlet:
        battle = yield from run_the_gauntlet(battle, exposure.unit, exposure.gauntlet, exposure.sharing)
        if battle.units[exposure.unit].out:
            return battle
    return (yield from happen(Acted(exposure.unit, exposure.action, exposure.into)))


def run_the_gauntlet(battle: Battle, unit_id: str, gauntlet: Gauntlet, sharing: Sharing) -> Rule[Battle]:
    """With this the suppression is spent: one die for each model, then wounds and saves (SF-21 to SF-27)."""
    unit, shot = battle.units[unit_id], gauntlet.shot
    battle = yield from happen(Struck(unit_id, gauntlet.target, shot.gun_type, shot.strength, shot.ap))
    dice = unit.models if gauntlet.firing_models is None else min(gauntlet.firing_models, unit.models)
    stages = (Stage("hit", gauntlet.needed), Stage("wound", wounding(shot.strength, majority_toughness(unit))))
    lane, harm = Lane(unit_id, "", dice, stages), shot_harm(shot)
    (wounds,) = yield from roll(Pool((lane,), dealing=dealing(unit, harm, sharing)))
    return (yield from suffer_wounds(battle, unit_id, wounds, harm, sharing))
