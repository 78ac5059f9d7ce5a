"""The round: initiative, lightning strikes, and what its end clears."""

from __future__ import annotations

from msgspec import Struct

from engine.gray_dawn.battle import Battle
from engine.gray_dawn.events import InitiativeRolled, RoundBegan, RoundEnded
from engine.gray_dawn.happening import happen
from engine.gray_dawn.naming import in_action
from engine.gray_dawn.orders import BeginRound, EndRound
from engine.refusals import Reason, Refusal
from engine.resolution import Rule, roll
from engine.rolls import Total

LIGHTNING_GAIN = 3


class Opening(Struct, frozen=True):
    """A round that may begin: its number, who rolls, and who strikes like lightning."""

    round: int
    combatants: tuple[str, ...]
    lightning: tuple[str, ...]


class Closing(Struct, frozen=True):
    """A round that may end, and whether points end with it."""

    round: int
    points_lapse: bool


def why_no_round(battle: Battle, what: str) -> tuple[Reason, ...]:
    """Covering fire, checks and actions need a running round (GD-4)."""
    return () if battle.running else (Reason("GD-4", f"{what} needs a running round: begin one first"),)


def judge_begin_round(battle: Battle, order: BeginRound) -> Opening:
    """A round begins when none is running (GD-4). Raises Refusal."""
    if battle.running:
        raise Refusal("GD-4", f"round {battle.round} is still running: end it first")
    lightning = tuple(dict.fromkeys(in_action(battle, combatant).id for combatant in order.lightning))
    rolling = tuple(combatant.id for combatant in battle.combatants.values() if not combatant.out)
    return Opening(battle.round + 1, rolling, lightning)


def begin_round(battle: Battle, opening: Opening) -> Rule[Battle]:
    """Everybody in action rolls for initiative, in muster order (GD-4)."""
    battle = yield from happen(RoundBegan(opening.round, opening.lightning))
    for combatant in opening.combatants:
        initiative = yield from roll_initiative(battle, combatant, combatant in opening.lightning)
        battle = yield from happen(InitiativeRolled(combatant, initiative))
    return battle


def roll_initiative(battle: Battle, combatant: str, lightning: bool) -> Rule[int]:
    """A plain d10, which never explodes, and REF; a lightning strike adds 3 (GD-2, GD-4)."""
    die = yield from roll(Total("initiative", combatant, 1, 10))
    return die + battle.combatants[combatant].profile.ref + (LIGHTNING_GAIN if lightning else 0)


def judge_end_round(battle: Battle, order: EndRound) -> Closing:
    """Only a running round ends; with the switch points end with it (GD-4, GD-8). Raises Refusal."""
    if not battle.running:
        raise Refusal("GD-4", "no round is running: there is none to end")
    return Closing(battle.round, battle.switches["points_last"] == "end_of_round")


def end_round(battle: Battle, closing: Closing) -> Rule[Battle]:
    """Cleared are who acted, who covers, checks, lightning strikes and lanes; the suppressed stay so (GD-4)."""
    return (yield from happen(RoundEnded(closing.round, closing.points_lapse)))
