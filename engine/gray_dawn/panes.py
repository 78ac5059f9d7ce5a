"""What the panes show: combatants, who is under fire, the lanes, and what needs a decision."""

from __future__ import annotations

from collections.abc import Iterator

from engine.gray_dawn.battle import Battle, Combatant, Lane
from engine.gray_dawn.checks import trial_of
from engine.gray_dawn.hits import wound_state
from engine.gray_dawn.lanes import firing, is_open, level_of, open_lanes_around
from engine.gray_dawn.telling import STANCES, name_of, yet_to_act
from engine.ruleset import Cell, Column, Row, Table
from engine.score_views import mission_rows
from engine.wording import counted

COMBATANT_COLUMNS = (
    Column("Combatant", 0, least=11),
    Column("In", 2, rank=3, right=True, words="initiative"),
    Column("Pts", 3, rank=2, right=True, words="suppression points"),
    Column("Stance", 8, words="stance"),
    Column("Ammo", 4, rank=1, right=True, words="rounds loaded"),
    Column("State", 0, least=10),
)

TRACKER_COLUMNS = (
    Column("Who, lanes", 0),
    Column("Pts", 5, right=True, words="points"),
    Column("Check, effect", 0),
)

LANE = "lane "
"""What stands before a lane's name in the id of its row; no combatant's id holds a space."""


def owes_check(battle: Battle, combatant: Combatant) -> bool:
    """Whether a check comes before whatever the combatant does: points, and none made this round (GD-7)."""
    return battle.running and not combatant.out and combatant.points > 0 and not combatant.checked


def units(battle: Battle) -> Table:
    """The combatants of each side, while a round runs by initiative; those out of action last."""
    rows = mission_rows(battle)
    for at, side in enumerate(battle.sides):
        tone = ("side_a", "side_b")[at] if at < 2 else "strong"
        rows.append(Row(side, (Cell(side, tone),), heading=True))
        theirs = [combatant for combatant in battle.combatants.values() if combatant.side == side]
        if battle.running:
            theirs.sort(
                key=lambda combatant: -1 if combatant.initiative is None else combatant.initiative, reverse=True
            )
        rows.extend(_row(battle, combatant) for combatant in theirs if not combatant.out)
        rows.extend(_row(battle, combatant) for combatant in theirs if combatant.out)
    return Table(COMBATANT_COLUMNS, tuple(rows))


def _row(battle: Battle, combatant: Combatant) -> Row:
    first = next(iter(combatant.profile.weapons), None)
    ammo = str(combatant.loaded[first.name]) if first else ""
    empty = first is not None and not combatant.loaded[first.name]
    cover = f" {combatant.cover}" if combatant.cover else ""
    stance = f"{STANCES[combatant.stance].removeprefix('full ')}{cover}"
    cells = (
        Cell(combatant.name, "dim" if combatant.out else "plain"),
        Cell("" if combatant.initiative is None else str(combatant.initiative)),
        Cell(str(combatant.points) if combatant.points else "", "warning"),
        Cell("" if combatant.out else stance),
        Cell("" if combatant.out else ammo, "warning" if empty else "plain"),
        _state(battle, combatant),
    )
    return Row(combatant.id, cells, urgent=owes_check(battle, combatant))


def _state(battle: Battle, combatant: Combatant) -> Cell:
    """The most pressing things about a combatant, in a few words."""
    if combatant.out:
        return Cell("out of action", "dim")
    told = list(_states(battle, combatant))
    tones = [tone for _, tone in told]
    tone = next((tone for tone in ("bad", "warning", "good") if tone in tones), "dim" if told else "plain")
    return Cell(", ".join(word for word, _ in told), tone)


def _states(battle: Battle, combatant: Combatant) -> Iterator[tuple[str, str]]:
    if owes_check(battle, combatant):
        yield "CHECK DUE", "bad"
    if combatant.suppressed:
        yield "SUPPRESSED", "bad"
    if open_lanes_around(battle, combatant.id):
        yield "in a lane", "warning"
    if combatant.points and not owes_check(battle, combatant):
        yield "under fire", "warning"
    if state := wound_state(combatant.wounds):
        yield state, "bad" if state in ("critical", "mortal") else "warning"
    if combatant.hits and not combatant.wounds:
        yield counted(combatant.hits, "hit"), "warning"
    if combatant.covering:
        yield "covering", "good"
    for done, word in ((combatant.acted, "acted"), (combatant.lightning, "lightning")):
        if done:
            yield word, "dim"


def tracker(battle: Battle) -> Table:
    """Everyone who carries points or is suppressed, then each lane with its shooters and those inside."""
    rows: list[Row] = []
    for combatant in battle.combatants.values():
        if (combatant.points or combatant.suppressed) and not combatant.out:
            rows.append(_under_fire(battle, combatant))
    for lane in battle.lanes.values():
        rows.extend(_lane_rows(battle, lane))
    return Table(TRACKER_COLUMNS, tuple(rows))


def _under_fire(battle: Battle, combatant: Combatant) -> Row:
    due = owes_check(battle, combatant)
    return Row(
        combatant.id,
        (Cell(combatant.name, "strong"), Cell(str(combatant.points)), _effect(battle, combatant, due)),
        urgent=due,
    )


def _effect(battle: Battle, combatant: Combatant, due: bool) -> Cell:
    """What the points come to now: the check, and what the die has to reach in it."""
    trial = trial_of(battle, combatant)
    needs = f"die {trial.number - trial.bonus}+" if combatant.points else ""
    if due:
        return Cell(f"CHECK {needs}", "bad")
    if combatant.suppressed:
        return Cell(f"SUPPRESSED {needs}".strip(), "bad")
    return Cell(f"next check {needs}", "warning")


def _lane_rows(battle: Battle, lane: Lane) -> Iterator[Row]:
    fires = firing(battle, lane)
    state = "open" if is_open(battle, lane) else "done" if lane.kind == "covering" else "closed"
    tone = "warning" if state == "open" else "dim"
    effect = Cell(f"{state}, {lane.kind}", tone)
    yield Row(LANE + lane.name, (Cell(lane.name, "strong"), Cell(f"lv {level_of(fires)}"), effect))
    for fire in lane.fires:
        out = battle.combatants[fire.shooter].out
        what = Cell("out, fires no more" if out else f"{fire.rounds} in {fire.width} m", "dim" if out else "good")
        yield Row(fire.shooter, (Cell(name_of(battle, fire.shooter)), Cell("fires"), what), indent=2)
    for combatant in lane.inside:
        yield Row(combatant, (Cell(name_of(battle, combatant)), Cell("inside"), Cell("")), indent=2)


def pending(battle: Battle) -> tuple[str, ...]:
    """What needs a decision: a round to begin, checks that are due, and who is next by initiative."""
    if battle.ended or not battle.combatants:
        return ()
    if not battle.running:
        return (f"Round {battle.round + 1} can begin (GD-4)",)
    due = [c for c in battle.combatants.values() if owes_check(battle, c)]
    due.sort(key=lambda combatant: -(combatant.initiative or 0))
    waiting = [f"{c.name}: a check is due, {trial_of(battle, c).number} (GD-7)" for c in due]
    coming = yet_to_act(battle)
    if coming and coming[0] not in [c.id for c in due]:
        waiting.append(f"{name_of(battle, coming[0])} is next by initiative (GD-4)")
    return tuple(waiting)
