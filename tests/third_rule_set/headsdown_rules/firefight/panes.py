"""What the screen shows: the squads, who is pinned, what needs a decision, and why a squad stands as it does."""

from __future__ import annotations

from collections.abc import Iterator

from engine.ruleset import Cell, Column, Row, Standing, Table
from engine.score_views import kept_facts, mission_rows
from engine.wording import counted

from .acting import FIRE, RALLIES
from .squads import Battle, Squad
from .telling import GROUNDS, dice, state_line

SQUAD_COLUMNS = (
    Column("Squad", 0, least=11),
    Column("Left", 4, right=True, words="soldiers left"),
    Column("Pins", 4, rank=1, right=True),
    Column("Where", 5, rank=2),
    Column("State", 0, least=10),
)

TRACKER_COLUMNS = (Column("Pinned", 0), Column("Pins", 4, right=True), Column("Nerve", 0))


def units(battle: Battle) -> Table:
    """The squads of each side in muster order."""
    rows = mission_rows(battle)
    for side, tone in zip(battle.sides, ("side_a", "side_b"), strict=True):
        rows.append(Row(side, (Cell(side, tone),), heading=True))
        rows.extend(_row(squad) for squad in battle.squads.values() if squad.side == side)
    return Table(SQUAD_COLUMNS, tuple(rows))


def _row(squad: Squad) -> Row:
    name = Cell(squad.name, "dim" if squad.out else "plain")
    pins = Cell(str(squad.pins) if squad.pins else "", "warning")
    return Row(squad.id, (name, Cell(str(squad.soldiers)), pins, Cell(squad.ground), _state(squad)))


def _state(squad: Squad) -> Cell:
    if squad.out:
        return Cell("out of play", "dim")
    if squad.down:
        return Cell("HEADS DOWN", "bad")
    if squad.pins:
        return Cell("acted, pinned" if squad.acted else "PINNED", "warning")
    return Cell("acted" if squad.acted else "ready", "dim" if squad.acted else "good")


def tracker(battle: Battle) -> Table:
    """Every squad with pins, and what its two dice need."""
    rows = (
        Row(squad.id, (Cell(squad.name, "strong"), Cell(str(squad.pins)), _nerve(squad)))
        for squad in battle.squads.values()
        if under_fire(battle, squad.id)
    )
    return Table(TRACKER_COLUMNS, tuple(rows))


def _nerve(squad: Squad) -> Cell:
    needed = squad.profile.nerve - squad.pins
    return Cell(f"{needed} or less" if needed >= 2 else "cannot act", "warning" if needed >= 2 else "bad")


def pending(battle: Battle) -> tuple[str, ...]:
    """What needs a decision: a round to begin, and who has not acted yet."""
    if battle.ended or not battle.squads:
        return ()
    if not battle.running:
        return (f"Round {battle.round + 1} can begin (FF-2)",)
    waiting = [squad.name for squad in battle.squads.values() if not squad.acted and not squad.out]
    return tuple(f"{name} has its one thing to do (FF-2)" for name in waiting)


def why(battle: Battle, squad_id: str) -> tuple[Cell, ...]:
    """Why a squad stands as it does, a line each, with clauses."""
    squad = battle.squads.get(squad_id)
    return tuple(_why(squad)) if squad else ()


def _why(squad: Squad) -> Iterator[Cell]:
    if squad.out:
        yield Cell(f"{squad.name} is out of play: nobody is left (FF-1).", "dim")
        return
    if squad.down:
        yield Cell(f"{squad.name} failed its nerve: its heads stay down in this round (FF-6).", "bad")
    if squad.pins:
        yield Cell(f"{squad.name} carries {counted(squad.pins, 'pin')} (FF-5).", "warning")
        yield Cell(f"  to act, two dice: {squad.profile.nerve} - {squad.pins}, {_nerve(squad).text} (FF-6)", "strong")
        yield Cell(f"  rallying: {dice(squad.pins)}, each {RALLIES}+ takes a pin off (FF-8)")
    else:
        yield Cell(f"{squad.name} carries no pins: it acts freely (FF-6).", "good")
    yield Cell(f"It is {GROUNDS[squad.ground]}: fire at it needs {FIRE[squad.ground]}+ (FF-3).")


def under_fire(battle: Battle, squad_id: str) -> bool:
    """Whether a squad has pins or stays down."""
    squad = battle.squads.get(squad_id)
    return squad is not None and not squad.out and (squad.pins > 0 or squad.down)


def standings(battle: Battle) -> tuple[Standing, ...]:
    """The battle, then each squad, fact by fact: what changed between two moments is told by these."""
    whole = Standing("", "The battle", {"round": state_line(battle), **kept_facts(battle)})
    return (whole, *(Standing(squad.id, squad.name, _facts(squad)) for squad in battle.squads.values()))


def _facts(squad: Squad) -> dict[str, str]:
    return {
        "side": squad.side,
        "soldiers": str(squad.soldiers),
        "pins": str(squad.pins) if squad.pins else "",
        "where": GROUNDS[squad.ground],
        "this round": "heads stay down" if squad.down else "acted" if squad.acted else "",
    }
