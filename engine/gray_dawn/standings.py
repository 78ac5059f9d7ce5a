"""How combatants stand, fact by fact in the rulebook's words: what changed between two moments is told by these."""

from __future__ import annotations

from collections.abc import Iterator

from engine.gray_dawn.battle import Battle, Combatant, Lane
from engine.gray_dawn.chronicle import chapter
from engine.gray_dawn.hits import wound_state
from engine.gray_dawn.lanes import firing, is_open
from engine.gray_dawn.telling import STANCES, name_of
from engine.ruleset import Standing
from engine.score_views import kept_facts
from engine.wording import counted


def standings(battle: Battle) -> tuple[Standing, ...]:
    """The battle with its lanes, then each combatant in muster order."""
    lanes = {f"lane {lane.name}": _lane(battle, lane) for lane in battle.lanes.values()}
    whole = Standing("", "The battle", {"round": _round(battle), **lanes, **kept_facts(battle)})
    return (whole, *(Standing(each.id, each.name, dict(_facts(battle, each))) for each in battle.combatants.values()))


def _round(battle: Battle) -> str:
    return f"{chapter(battle)}{' is over' if battle.round and not battle.running else ''}"


def _lane(battle: Battle, lane: Lane) -> str:
    by = ", ".join(name_of(battle, fire.shooter) for fire in firing(battle, lane)) or "nobody any more"
    return f"{'open' if is_open(battle, lane) else 'closed'}, {lane.kind} fire by {by}"


def _facts(battle: Battle, combatant: Combatant) -> Iterator[tuple[str, str]]:
    yield "side", combatant.side
    yield "in action", "out of action" if combatant.out else "yes"
    yield "suppression points", str(combatant.points) if combatant.points else ""
    yield "suppressed", "SUPPRESSED" if combatant.suppressed else ""
    yield "stance", STANCES[combatant.stance]
    yield "cover", f"level {combatant.cover}" if combatant.cover else ""
    inside = ", ".join(lane.name for lane in battle.lanes.values() if combatant.id in lane.inside)
    yield "in lane", inside
    yield "hits", counted(combatant.hits, "hit") if combatant.hits else ""
    wounds = combatant.wounds
    yield "wounds", f"{counted(wounds, 'wound')}, {wound_state(wounds)}" if wounds else ""
    for weapon in combatant.profile.weapons:
        yield f"rounds in {weapon.name}", str(combatant.loaded[weapon.name])
    yield "place", ", ".join(str(metres) for metres in combatant.position) if combatant.position else ""
    yield "initiative", "" if combatant.initiative is None else str(combatant.initiative)
    done = (
        ("made the check", combatant.checked),
        ("acted", combatant.acted),
        ("lays covering fire", combatant.covering),
        ("strikes like lightning", combatant.lightning),
    )
    yield "this round", ", ".join(word for word, is_so in done if is_so)
