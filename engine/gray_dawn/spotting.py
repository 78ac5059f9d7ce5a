"""Noticing a flanker."""

from __future__ import annotations

from msgspec import Struct

from engine.exploding import Contest
from engine.gray_dawn.battle import Battle
from engine.gray_dawn.events import Spotted
from engine.gray_dawn.happening import happen
from engine.gray_dawn.naming import in_action
from engine.gray_dawn.orders import Spot
from engine.gray_dawn.skills import awareness_base, chain_of, stealth_base
from engine.refusals import Refusal
from engine.resolution import Rule, roll


class Lookout(Struct, frozen=True):
    """Who looks out, who sneaks up, and what each adds to the die."""

    observer: str
    flanker: str
    awareness: int
    stealth: int


def judge_spot(battle: Battle, order: Spot) -> Lookout:
    """Any combatant may have to look out for any other (GD-10). Raises Refusal (`order`)."""
    observer, flanker = in_action(battle, order.observer), in_action(battle, order.flanker)
    if observer.id == flanker.id:
        raise Refusal("order", f"{observer.name} cannot sneak up on itself")
    return Lookout(observer.id, flanker.id, awareness_base(observer), stealth_base(flanker))


def notice(battle: Battle, lookout: Lookout) -> Rule[bool]:
    """Awareness against Stealth, the observer's die first: meeting it notices (GD-10)."""
    ahead = lookout.awareness - lookout.stealth
    contest = Contest(("awareness", "stealth"), lookout.observer, ahead, chain_of(battle), lookout.flanker)
    return (yield from roll(contest))


def spot(battle: Battle, lookout: Lookout) -> Rule[Battle]:
    noticed = yield from notice(battle, lookout)
    return (yield from happen(Spotted(lookout.observer, lookout.flanker, noticed)))
