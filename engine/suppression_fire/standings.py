"""How units stand, fact by fact in the rulebook's words: what changed between two moments is told by these."""

from __future__ import annotations

from collections.abc import Iterator

from engine.ruleset import Standing
from engine.score_views import kept_facts
from engine.suppression_fire.battle import Battle, Group, Unit
from engine.suppression_fire.chronicle import chapter
from engine.suppression_fire.suppressing import effective as effective_fires
from engine.suppression_fire.suppressing import hit_on, why_not
from engine.suppression_fire.telling import MARKS, name_of
from engine.wording import counted

TESTS = {"passed": "passed", "failed": "failed", "not_needed": "not needed"}


def standings(battle: Battle) -> tuple[Standing, ...]:
    """The battle, then each unit in muster order."""
    whole = Standing("", "The battle", {"turn": chapter(battle), "phase": battle.phase or "", **kept_facts(battle)})
    return (whole, *(Standing(unit.id, unit.name, dict(_facts(battle, unit))) for unit in battle.units.values()))


def _facts(battle: Battle, unit: Unit) -> Iterator[tuple[str, str]]:
    yield "side", unit.side
    yield "in play", "destroyed" if unit.out and unit.is_vehicle else "out" if unit.out else "yes"
    for group in unit.groups:
        yield from _group_facts(unit, group)
    yield "pinned", "PINNED" if unit.pinned else ""
    yield from _fire_facts(battle, unit)
    for mark in MARKS:
        yield MARKS[mark], "yes" if mark in unit.marks else ""
    ours = battle.suppressing(unit.id)
    fire = ours.fire_of(unit.id) if ours else None
    if ours and fire:
        lapse = why_not(battle, fire)
        yield "suppresses", f"{name_of(battle, ours.target)}{f', lapsed: {lapse}' if lapse else ''}"
    yield "aboard", name_of(battle, unit.embarked_in) if unit.embarked_in else ""
    done = (("moved", unit.moved), ("ran", unit.ran), ("fired", unit.shot), ("stayed inside", unit.stayed_in))
    yield "this turn", ", ".join(word for word, is_so in done if is_so)


def _group_facts(unit: Unit, group: Group) -> Iterator[tuple[str, str]]:
    about = f" ({group.name})" if len(unit.groups) > 1 else ""
    what = "gun" if unit.is_vehicle else "model"
    yield f"{what}s{about}", counted(group.models, what)
    yield f"wounds lost{about}", counted(group.wounds_lost, "wound") if group.wounds_lost else ""


def _fire_facts(battle: Battle, unit: Unit) -> Iterator[tuple[str, str]]:
    """The fire on a unit: who suppresses it, what each of its models is hit on, and how its test went."""
    suppression = battle.suppressions.get(unit.id)
    if suppression is None:
        return
    fires = effective_fires(battle, suppression)
    by = ", ".join(f"{name_of(battle, fire.unit)} ({counted(fire.shots, 'shot')})" for fire in fires)
    yield "suppressed by", by or "nobody any more"
    needed = hit_on(len(fires))
    yield "hit on", "" if unit.struck or not needed else f"{needed}+"
    yield "test", TESTS.get(suppression.test or "", "none yet")
