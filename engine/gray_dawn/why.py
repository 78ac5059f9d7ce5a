"""Why a combatant is suppressed, and what is known of an order before it is given: numbers with their clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.fields import name_from_id
from engine.gray_dawn.acting import Deed
from engine.gray_dawn.battle import Battle, Combatant, Lane, LaneFire
from engine.gray_dawn.checks import SP_FOR_ONE, Trial, check_stat, trial_of
from engine.gray_dawn.covering_fire import Barrage
from engine.gray_dawn.crossing import Crossing
from engine.gray_dawn.events import Laid
from engine.gray_dawn.hits import wound_state
from engine.gray_dawn.lanes import Strip, firing, is_open, level_of, open_lanes_around, own_level
from engine.gray_dawn.panes import LANE
from engine.gray_dawn.rounds import Opening
from engine.gray_dawn.skills import avoiding_base, defence_base, haste
from engine.gray_dawn.spotting import Lookout
from engine.gray_dawn.telling import STANCES, name_of, named
from engine.odds_views import at_least, mean_of
from engine.refusals import Refusal
from engine.ruleset import Cell, Figure, Preview
from engine.wording import counted, listed, with_clause

STANCE_MEANS = {
    "open": "no cover is used, nothing is forbidden",
    "active": "leaning out: cover protects all but the head",
    "full_cover": "covering fire is the only attack; cover protects everything",
    "moving": "on the run",
    "bracing": "may not move; no Dodge/Cover skill; points count twice; range one bracket better",
}


def why(battle: Battle, row: str) -> tuple[Cell, ...]:
    """Why a combatant is suppressed or not, and what acting would mean; of a lane what it does: with clauses."""
    if row.startswith(LANE):
        lane = battle.lanes.get(row.removeprefix(LANE))
        return tuple(_lane(battle, lane)) if lane else ()
    combatant = battle.combatants.get(row)
    return tuple(_why(battle, combatant)) if combatant else ()


def _why(battle: Battle, combatant: Combatant) -> Iterator[Cell]:
    name = combatant.name
    if combatant.out:
        yield Cell(f"{name} is out of action; its lanes are closed (GD-28).", "dim")
        return
    if combatant.suppressed:
        yield Cell(
            f"{name} is suppressed until its next check: no aimed fire, no melee, no leaving cover (GD-8).", "bad"
        )
    if combatant.points:
        yield Cell(f"{name} carries {counted(combatant.points, 'suppression point')} (GD-6).", "warning")
        yield from check_lines(battle, combatant, trial_of(battle, combatant))
        if combatant.checked:
            yield Cell("Its check of this round is made: these points wait for the next one (GD-8).", "dim")
    elif not combatant.suppressed:
        yield Cell(f"{name} carries no suppression points: it acts freely (GD-7).", "good")
    else:
        yield Cell("It carries no points: at its next check it is free without a roll (GD-7).")
    yield Cell(f"Stance {STANCES[combatant.stance]}: {STANCE_MEANS[combatant.stance]} (GD-9).")
    yield defence_line(battle, combatant)
    yield from dodging_lines(combatant)
    if lanes := open_lanes_around(battle, combatant.id):
        yield from _inside(battle, combatant, lanes)
    yield from _doing(battle, combatant)


def check_lines(battle: Battle, combatant: Combatant, trial: Trial) -> Iterator[Cell]:
    """What a check needs: stat, cover and armour against the number, and what that leaves to the die (GD-7)."""
    stat = "CL and INT" if battle.switches["check_stat"] == "cl_int" else "CL"
    base, torso = battle.switches["check_base"], combatant.profile.sp.torso
    yield Cell(
        f"  {trial.bonus} and the die against {base} + {trial.points}: {stat} {check_stat(battle, combatant)} (GD-7)"
    )
    if combatant.cover:
        yield Cell(f"  {combatant.cover:+d} for cover (GD-7)")
    if torso >= SP_FOR_ONE:
        yield Cell(f"  {torso // SP_FOR_ONE:+d} for {torso} SP on the torso (GD-7)")
    yield from haste_lines(combatant)
    if combatant.bracing:
        yield Cell("  points count twice: it is bracing (GD-9)", "warning")
    yield Cell(f"  the die must come to {trial.number - trial.bonus} or more (GD-2)", "strong")


def haste_lines(combatant: Combatant) -> Iterator[Cell]:
    """What a lightning strike costs, where it does (GD-4)."""
    if combatant.lightning:
        yield Cell(f"  {haste(combatant):+d} for its lightning strike (GD-4)", "warning")


def dodging_lines(combatant: Combatant) -> Iterator[Cell]:
    """What takes off the base of defence and Dodge/Cover (GD-4, GD-9)."""
    yield from haste_lines(combatant)
    if combatant.bracing:
        yield Cell("  without Dodge/Cover: it is bracing (GD-9)", "warning")


def defence_line(battle: Battle, combatant: Combatant) -> Cell:
    """What a combatant defends with, and what would hit it (GD-15)."""
    base = defence_base(battle, combatant)
    return Cell(f"{combatant.name} defends with {base} and the die: 0 or less is hit (GD-15).")


def _inside(battle: Battle, combatant: Combatant, lanes: tuple[Lane, ...]) -> Iterator[Cell]:
    """What acting there takes: one crossing of all the lanes together (GD-25, GD-27)."""
    level = level_of(fire for lane in lanes for fire in firing(battle, lane))
    names = listed([lane.name for lane in lanes])
    safe = ", but for reloading and other actions behind cover" if combatant.cover else ""
    yield Cell(f"It stands inside {names}, level {level}: what it does there is a crossing{safe} (GD-25).", "warning")
    yield from check_lines(battle, combatant, trial_of(battle, combatant, level))
    bases = [avoiding_base(battle, combatant, skill) for skill in ("dodge", "athletics")]
    yield Cell(f"  then Dodge/Cover {bases[0]} or Athletics {bases[1]} and the die against {level} (GD-25)")


def _doing(battle: Battle, combatant: Combatant) -> Iterator[Cell]:
    if combatant.covering:
        yield Cell("It lays covering fire: it may only change stance this round (GD-11).", "good")
    if combatant.wounds:
        state = wound_state(combatant.wounds)
        yield Cell(
            f"{counted(combatant.wounds, 'wound')}: {state}; {counted(combatant.hits, 'hit')} (GD-30).", "warning"
        )
    for weapon in combatant.profile.weapons:
        loaded = combatant.loaded[weapon.name]
        yield Cell(f"{weapon.name}: {loaded} of {weapon.magazine} rounds (GD-20).", "plain" if loaded else "warning")


def _lane(battle: Battle, lane: Lane) -> Iterator[Cell]:
    """What a lane does, who fires into it and who is in it (GD-24, GD-27, GD-28)."""
    if is_open(battle, lane):
        yield Cell(
            f"{lane.name} is open until the round ends: who crosses checks and is shot at (GD-24, GD-25).", "warning"
        )
    elif lane.kind == "covering":
        yield Cell(f"{lane.name} was a covering lane: it is done with (GD-24).", "dim")
    else:
        yield Cell(f"{lane.name} is closed: its shooter is out of action (GD-28).", "dim")
    yield Cell(f"Level {level_of(firing(battle, lane))} (GD-22, GD-27):")
    for fire in lane.fires:
        rounds = f"{counted(fire.rounds, 'round')} of {fire.weapon.name} in {fire.width} m"
        own = f"level {own_level(fire.rounds, fire.width)}"
        out = ", out of action" if battle.combatants[fire.shooter].out else ""
        yield Cell(f"  {name_of(battle, fire.shooter)}: {rounds}, {own}{out}", "dim" if out else "plain")
    if lane.inside:
        yield Cell(f"Inside: {named(battle, lane.inside)}")
    if lane.near:
        yield Cell(f"Near: {named(battle, lane.near)} (GD-19)")


# Before an order is given


def preview(battle: Battle, order: Any, judge: Callable[[Battle, Any], Any]) -> Preview:
    """Numbers and modifiers of an order before it is given, or why it would be refused."""
    try:
        plan = judge(battle, order)
    except Refusal as refusal:
        return Preview((), with_clause(refusal.message, refusal.clause))
    return Preview(tuple(_LINES[type(plan)](battle, plan)) if type(plan) in _LINES else ())


def _points_lines(battle: Battle, points: tuple[Laid, ...], defending: tuple[str, ...]) -> Iterator[Cell]:
    """Who gets how many points, what check that makes, and what each of those shot at defends with."""
    for laid in points:
        combatant = battle.combatants[laid.combatant]
        trial = trial_of(battle, combatant, laid.points)
        near = "" if laid.combatant in defending else ", only near"
        yield Cell(f"{combatant.name}: +{counted(laid.points, 'point')}{near} (GD-6, GD-19)", "strong")
        yield Cell(f"  its check is then {trial.number}: the die {trial.number - trial.bonus} or more (GD-7)")
        if laid.combatant in defending:
            yield Cell(f"  defends with {defence_base(battle, combatant)} and the die: 0 or less is hit (GD-15)", "dim")
            yield from dodging_lines(combatant)


def _barrage_lines(battle: Battle, barrage: Barrage) -> Iterator[Cell]:
    left = battle.combatants[barrage.shooter].loaded[barrage.weapon.name] - barrage.rounds
    yield Cell(f"{counted(barrage.rounds, 'round')} from {barrage.weapon.name}, {left} left (GD-20)")
    yield from _points_lines(battle, barrage.points, tuple(aimed.target for aimed in barrage.targets))


def _strip_lines(battle: Battle, strip: Strip) -> Iterator[Cell]:
    left = battle.combatants[strip.shooter].loaded[strip.weapon.name] - strip.rounds
    level = own_level(strip.rounds, strip.width)
    yield Cell(f"{counted(strip.rounds, 'round')} from {strip.weapon.name}, {left} left (GD-20)")
    yield Cell(f"{strip.rounds} rounds in {strip.width} m: level {level} (GD-22)", "strong")
    if strip.kind == "saturation":
        others = firing(battle, battle.lanes[strip.lane]) if strip.lane in battle.lanes else ()
        if others:
            own = LaneFire(strip.shooter, strip.weapon, strip.width, strip.rounds, len(others))
            together = level_of((*others, own))
            yield Cell(f"{strip.lane} has level {level_of(others)} already: together level {together} (GD-27)")
        yield Cell("It waits for those who cross it, until the round ends (GD-24, GD-25)")
        return
    if not strip.points:
        yield Cell("Nobody is inside or near: it suppresses nobody (GD-23)", "warning")
    yield from _points_lines(battle, strip.points, strip.inside)


def _trial_lines(battle: Battle, trial: Trial) -> Iterator[Cell]:
    combatant = battle.combatants[trial.combatant]
    if not trial.points:
        yield Cell(f"{combatant.name} carries no points: no roll, and it is not suppressed any more (GD-7)", "good")
        return
    yield Cell(f"{combatant.name} carries {counted(combatant.points, 'point')} (GD-6)")
    yield from check_lines(battle, combatant, trial)


def _deed_lines(battle: Battle, deed: Deed) -> Iterator[Cell]:
    if deed.weapon and deed.rounds:
        left = battle.combatants[deed.combatant].loaded[deed.weapon.name] - deed.rounds
        yield Cell(f"{counted(deed.rounds, 'round')} from {deed.weapon.name}, {left} left (GD-20)")
    if deed.crossing is None:
        yield Cell("Free: no lane is crossed (GD-25)", "good")
        return
    yield from _crossing_lines(battle, deed.crossing)


def _crossing_lines(battle: Battle, crossing: Crossing) -> Iterator[Cell]:
    combatant = battle.combatants[crossing.combatant]
    yield Cell(f"Crosses {', '.join(crossing.lanes)}: level {crossing.level} (GD-25, GD-27)", "warning")
    yield Cell("First the check, with the level added to the points:")
    yield from check_lines(battle, combatant, crossing.trial)
    base = avoiding_base(battle, combatant, crossing.skill)
    skill = "Dodge/Cover" if crossing.skill == "dodge" else "Athletics"
    yield Cell(f"Then {skill} {base} and the die against {crossing.level}: {crossing.level - base} or more (GD-25)")
    yield from dodging_lines(combatant) if crossing.skill == "dodge" else haste_lines(combatant)
    yield Cell(f"Less is hit by {crossing.weapon.name}, before it acts (GD-26, GD-29)", "dim")


def _lookout_lines(battle: Battle, lookout: Lookout) -> Iterator[Cell]:
    observer, flanker = battle.combatants[lookout.observer], battle.combatants[lookout.flanker]
    yield Cell(f"{observer.name}: INT and Awareness {lookout.awareness}, and the die (GD-10)")
    yield from haste_lines(observer)
    yield Cell(f"{flanker.name}: REF and Stealth {lookout.stealth}, and the die; a tie notices (GD-10)")
    yield from haste_lines(flanker)


def _opening_lines(battle: Battle, opening: Opening) -> Iterator[Cell]:
    yield Cell(f"Round {opening.round}: {counted(len(opening.combatants), 'combatant')} roll d10 + REF (GD-4)")
    for combatant in opening.lightning:
        yield Cell(f"{name_of(battle, combatant)}: +3 initiative, -3 on every roll of the round (GD-4)", "warning")


_LINES: dict[type[Any], Callable[[Battle, Any], Iterator[Cell]]] = {
    Barrage: _barrage_lines,
    Strip: _strip_lines,
    Trial: _trial_lines,
    Deed: _deed_lines,
    Lookout: _lookout_lines,
    Opening: _opening_lines,
}


MOST_HITS_TOLD = 3


def odds_figures(odds: Mapping[str, Any]) -> tuple[Figure, ...]:
    """The odds of an order in figures: checks, noticing, hits, initiative. Combatants are named after their ids."""
    return tuple(_figures(odds))


def _figures(odds: Mapping[str, Any]) -> Iterator[Figure]:
    if "passed" in odds:
        yield Figure("", "holds", odds["passed"], tone="good")
        yield Figure("", "suppressed", odds["failed"], tone="bad")
    if "noticed" in odds:
        yield Figure("", "noticed", odds["noticed"])
        yield Figure("", "unnoticed", odds["unnoticed"])
    if "stopped" in odds:
        yield Figure("", "does not dare", odds["stopped"], tone="warning")
    hits = odds.get("hits", {})
    if "mean" in hits:
        yield from _hits("Hits", hits)
    else:
        for combatant, counts in hits.items():
            yield from _hits(f"Hits on {name_from_id('', combatant)}", counts)
    for combatant, counts in odds.get("initiative", {}).items():
        yield mean_of(f"Initiative of {name_from_id('', combatant)}", counts)


def _hits(about: str, counts: Mapping[str, Any]) -> Iterator[Figure]:
    """Rounds that hit: at least one, two, three, as far as there may be so many."""
    yield mean_of(about, counts)
    most = max(int(count) for count in counts["distribution"])
    for least in range(1, max(1, min(most, MOST_HITS_TOLD)) + 1):
        yield at_least(about, least, counts)
