"""Why a unit is suppressed, and what is known of an order before it is given: numbers with their clauses."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from engine.odds_views import at_least, mean_of
from engine.refusals import Refusal, Undecided
from engine.ruleset import Cell, Figure, Preview
from engine.suppression_fire.acting import Exposure, Gauntlet, shrapnel_reaches
from engine.suppression_fire.battle import Battle, Fire, Suppression, Unit
from engine.suppression_fire.declaring import Barrage, Volley
from engine.suppression_fire.events import Contribution, Declared
from engine.suppression_fire.evolve import evolve
from engine.suppression_fire.guns import SHOTS_NEEDED, most_shots
from engine.suppression_fire.shrapnel import NO_BURSTS
from engine.suppression_fire.suppressing import (
    Shot,
    effective,
    hit_on,
    leadership_modifier,
    leading_gun_types,
    leading_shots,
    profile,
    why_not,
)
from engine.suppression_fire.telling import name_of
from engine.suppression_fire.testing import Reroll, Trial, leadership, trial_of
from engine.suppression_fire.wounds import Harm, Sharing, majority_toughness, saving, shot_harm, slays, wounding
from engine.wording import counted

SPEAKS = {"passed": "passed", "failed": "failed", "not_needed": "not needed", None: "not yet taken"}


def why(battle: Battle, unit_id: str) -> tuple[Cell, ...]:
    """Why a unit is suppressed or not, and what braving the fire would mean: a line each, with clauses."""
    unit = battle.units.get(unit_id)
    return tuple(_why(battle, unit)) if unit else ()


def _why(battle: Battle, unit: Unit) -> Iterator[Cell]:
    if unit.out:
        yield Cell(f"{unit.name} is out of play (SF-28).", "dim")
        return
    yield from standing_lines(unit)
    suppression = battle.suppressions.get(unit.embarked_in or unit.id)
    if suppression is None:
        yield Cell(f"Nobody suppresses {unit.name}.", "good")
    else:
        yield from _suppressed(battle, unit, suppression)
    yield from _suppressing(battle, unit)


def standing_lines(unit: Unit) -> Iterator[Cell]:
    """What keeps a unit from acting, and what being pinned means if it is attacked (SF-2, SF-18, SF-34)."""
    if unit.pinned:
        yield Cell(f"{unit.name} is pinned until the end of its own turn and may do nothing (SF-18).", "bad")
        yield Cell(f"If {unit.name} is attacked it counts as gone to ground (SF-18).", "dim")
    if unit.stayed_in:
        yield Cell(f"{unit.name} failed its test and stays inside this turn (SF-34).", "bad")
    for mark in unit.marks:
        yield Cell(f"{unit.name} is {mark.replace('_', ' ')}, set by hand (SF-2).", "warning")


def _suppressed(battle: Battle, unit: Unit, suppression: Suppression) -> Iterator[Cell]:
    fires = effective(battle, suppression)
    if suppression.target != unit.id:
        yield Cell(f"{unit.name} is inside {name_of(battle, suppression.target)}, which is suppressed (SF-33).")
    yield Cell(f"Suppressed by {counted(len(suppression.by), 'unit')}, {len(fires)} effective now (SF-14, SF-32):")
    for fire in suppression.by:
        yield from fire_lines(battle, fire)
    yield from _numbers(battle, unit, suppression, fires)


def fire_lines(battle: Battle, fire: Fire) -> Iterator[Cell]:
    """One suppressor: its guns, its shots, and why it does not count if it does not."""
    reason = why_not(battle, fire)
    guns = ", ".join(f"{line.models} {line.gun.name} x{line.shots} {profile(_shot(line))}" for line in fire.firing)
    yield Cell(
        f"  {name_of(battle, fire.unit)}: {counted(fire.shots, 'shot')} at {fire.range} inches"
        + (f", lapsed: {reason} (SF-32)" if reason else ""),
        "dim" if reason else "strong",
    )
    yield Cell(f"    {guns}", "dim")


def _shot(line: Contribution) -> Shot:
    return Shot(line.gun.gun_type, line.gun.strength, line.gun.ap)


def _numbers(battle: Battle, unit: Unit, suppression: Suppression, fires: Collection[Fire]) -> Iterator[Cell]:
    test = suppression.test_of(unit.id)
    modifier = leadership_modifier(len(fires))
    if test is None and not unit.is_vehicle:
        trial = trial_of(battle, unit, suppression.target, fires, Sharing())
        if unit.embarked_in and not shrapnel_reaches(battle.units[unit.embarked_in], "disembark"):
            yield from shrapnel_lines(trial, "Shrapnel first if it fires")
            trial = replace(trial, bursts=NO_BURSTS)
        yield from test_lines(unit, trial)
    else:
        yield Cell(f"Test: {SPEAKS[test]}; the modifier is {modifier:+d} now (SF-15).")
    if unit.is_vehicle:
        yield Cell("Nothing happens to the vehicle: its passengers are met when they get out or fire (SF-33).")
    elif unit.pinned or unit.stayed_in:
        return
    elif unit.struck:
        yield Cell("The fire has struck once: what it does now is free (SF-21).", "good")
    elif not fires:
        yield Cell("No suppressor is effective: acting is free (SF-21).", "good")
    else:
        yield Cell("If it acts (SF-20):", "warning")
        yield from gauntlet_lines(unit, len(fires), _tied_shots(fires))


def _tied_shots(fires: Collection[Fire]) -> tuple[Shot, ...]:
    return tuple(shot for gun_type in leading_gun_types(fires) for shot in leading_shots(fires, gun_type))


def shrapnel_lines(trial: Trial, when: str) -> Iterator[Cell]:
    """The shrapnel before a test, if any (SF-29, SF-30)."""
    if trial.bursts.count:
        ap = "" if trial.bursts.ap is None else f", armour by AP{trial.bursts.ap}"
        yield Cell(f"{when}: {trial.bursts.count} x D3 wounds{ap} (SF-29, SF-30)", "bad")


def test_lines(unit: Unit, trial: Trial) -> Iterator[Cell]:
    """What the test needs: leadership, modifier, shrapnel before it (SF-15, SF-17, SF-29)."""
    yield from shrapnel_lines(trial, "Shrapnel first")
    if trial.not_needed:
        clause = {"a vehicle takes no test": "SF-33", "no suppressor is effective": "SF-15"}
        yield Cell(f"No test: {trial.not_needed} ({clause.get(trial.not_needed, 'SF-17')})", "good")
        return
    best = leadership(unit)
    yield Cell(f"Test: 2D6 at most {best + trial.modifier}: leadership {best} (SF-15)")
    if trial.modifier:
        yield Cell(f"  {trial.modifier:+d} for {trial.suppressors} suppressors (SF-15)")


def gauntlet_lines(unit: Unit, suppressors: int, shots: tuple[Shot, ...], dice: int | None = None) -> Iterator[Cell]:
    """What acting under fire costs: dice and number, wounds, saves (SF-21 to SF-26)."""
    count = unit.models if dice is None else min(dice, unit.models)
    thrown = "1 die" if count == 1 else f"{count} dice"
    yield Cell(f"  {thrown} at {hit_on(suppressors)}+: {counted(suppressors, 'suppressor')} (SF-22)")
    if len(shots) > 1:
        tied = " or ".join(f"{shot.gun_type} {profile(shot)}" for shot in shots)
        yield Cell(f"  A tie: the owner picks {tied} (SF-23)", "warning")
    for shot in shots:
        yield from _shot_lines(unit, shot)


def _shot_lines(unit: Unit, shot: Shot) -> Iterator[Cell]:
    toughness = majority_toughness(unit)
    needed = wounding(shot.strength, toughness)
    on = "cannot wound" if needed is None else f"wounds on {needed}+"
    yield Cell(f"  {shot.gun_type} {profile(shot)} against T{toughness}: {on} (SF-24)")
    if needed is not None:
        for group in unit.standing:
            yield Cell(f"  {group.name}: {_saves(shot_harm(shot), group)} (SF-25, SF-26)", "dim")


def _saves(harm: Harm, group: Any) -> str:
    saves = ", ".join(f"{stage.purpose} {stage.needed}+" for stage in saving(group, harm) if stage.needed) or "no save"
    return f"{saves}, slain outright" if group.profile.wounds > 1 and slays(group, harm) else saves


def _suppressing(battle: Battle, unit: Unit) -> Iterator[Cell]:
    ours = battle.suppressing(unit.id)
    fire = ours.fire_of(unit.id) if ours else None
    if ours and fire:
        reason = why_not(battle, fire)
        yield Cell(
            f"It suppresses {name_of(battle, ours.target)} with {counted(fire.shots, 'shot')}"
            + (f", lapsed: {reason} (SF-32)." if reason else "."),
            "dim" if reason else "good",
        )


def preview(battle: Battle, order: Any, judge: Any) -> Preview:
    """Numbers, modifiers and gun type of an order before it is given, or why it would be refused."""
    try:
        plan = judge(battle, order)
    except Undecided as tie:
        names = " or ".join(option.label for option in tie.options)
        return Preview((Cell(f"A tie: the owner picks {names} before any die ({tie.clause})", "warning"),))
    except Refusal as refusal:
        return Preview((), f"{refusal.message} ({refusal.clause})")
    if isinstance(plan, Barrage):
        return Preview(tuple(_declaration_lines(battle, plan)))
    if isinstance(plan, Reroll):
        plan = plan.trial
    if isinstance(plan, Trial):
        return Preview(tuple(test_lines(battle.units[plan.unit], plan)))
    if isinstance(plan, Exposure):
        return Preview(tuple(_action_lines(battle, plan)))
    return Preview(())


def _declaration_lines(battle: Battle, barrage: Barrage) -> Iterator[Cell]:
    for volley in barrage.volleys:
        yield Cell(f"{name_of(battle, volley.unit)}: {_volley(volley)} (SF-9)", "strong")
        for line in volley.gunners:
            shots = line.shots if isinstance(line.shots, int) else line.shots.upper()
            yield Cell(f"  {line.models} {line.gun.name} x {shots}", "dim")
    after = _as_declared(battle, barrage)
    unit, suppression = after.units[barrage.target], after.suppressions[barrage.target]
    fires = effective(after, suppression)
    if suppression.test is not None:
        yield Cell("Tested already: the newcomer adds to the hits only (SF-16)")
    elif not unit.is_vehicle:
        yield from test_lines(unit, trial_of(after, unit, unit.id, fires, Sharing()))
    if unit.is_vehicle:
        yield Cell("It concerns the passengers when they get out or fire (SF-33)")
    elif fires:
        yield Cell("If it braves the fire:")
        yield from gauntlet_lines(unit, len(fires), _tied_shots(fires))


def _volley(volley: Volley) -> str:
    random = any(isinstance(line.shots, str) for line in volley.gunners)
    return f"up to {volley.most_shots} shots, rolled at once" if random else counted(volley.most_shots, "shot")


def _as_declared(battle: Battle, barrage: Barrage) -> Battle:
    """The battle as it would stand, random shots at their most."""
    for volley in barrage.volleys:
        firing = tuple(Contribution(g.group, g.gun, g.models, most_shots(g.shots)) for g in volley.gunners)
        battle = evolve(battle, Declared(barrage.target, volley.unit, volley.range, firing))
    return battle


def _action_lines(battle: Battle, exposure: Exposure) -> Iterator[Cell]:
    unit = battle.units[exposure.unit]
    if exposure.trial:
        yield from test_lines(unit, exposure.trial)
    if exposure.gauntlet is None:
        yield Cell("Free: no fire meets this action (SF-21)", "good")
        return
    yield Cell("Under fire: it is hit first, then acts (SF-21)", "warning")
    yield from _gauntlet(unit, exposure.gauntlet)


def _gauntlet(unit: Unit, gauntlet: Gauntlet) -> Iterator[Cell]:
    yield from gauntlet_lines(unit, gauntlet.suppressors, (gauntlet.shot,), gauntlet.firing_models)


def odds_figures(odds: Mapping[str, Any]) -> tuple[Figure, ...]:
    """The odds of an order in figures: its shots, the test, the casualties."""
    return tuple(_figures(odds))


def _figures(odds: Mapping[str, Any]) -> Iterator[Figure]:
    if "shots" in odds:
        yield mean_of("Shots", odds["shots"])
        yield at_least("Shots", SHOTS_NEEDED, odds["shots"])
    if "passed" in odds:
        yield Figure("", "holds", odds["passed"], tone="good")
        yield Figure("", "pinned", odds["failed"], tone="bad")
    if "stopped" in odds:
        yield Figure("", "stays inside", odds["stopped"], tone="warning")
    if "casualties" in odds:
        about = "Casualties" if "wiped_out" in odds else "Casualties of the shrapnel"
        yield from _losses(about, odds["casualties"], odds["models"])
    if "braving" in odds:
        yield from _losses("Braving the fire: casualties", odds["braving"], odds["models"])


def _losses(about: str, lost: Mapping[str, Any], models: int) -> Iterator[Figure]:
    """Models that fall: at least one, at least half of them, rounded up, all."""
    yield mean_of(about, lost)
    half = (models + 1) // 2
    if models > 1:
        yield at_least(about, 1, lost)
    if 1 < half < models:
        yield at_least(about, half, lost, "at least half")
    yield at_least(about, models, lost, "wiped out", "bad")
