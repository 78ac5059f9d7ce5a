"""Gray Dawn as a rule set: which order is judged and resolved by which rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine import importing, scorekeeping
from engine.gray_dawn import (
    acting,
    by_hand,
    checks,
    covering_fire,
    enlisting,
    forms,
    lanes,
    mustering,
    orders,
    owners,
    panes,
    rounds,
    spotting,
    stances,
    telling,
)
from engine.gray_dawn.actions import ACTIONS, asks, available
from engine.gray_dawn.battle import Battle
from engine.gray_dawn.chronicle import NAMED, SECTIONS, STRENGTH_IN, SUPPRESSING, chapter, measures, strength
from engine.gray_dawn.clauses import CLAUSES
from engine.gray_dawn.events import AnyEvent
from engine.gray_dawn.evolve import evolve, fold
from engine.gray_dawn.odds import question_about
from engine.gray_dawn.orders import AnyOrder
from engine.gray_dawn.show import show
from engine.gray_dawn.spoken import SPOKEN
from engine.gray_dawn.standings import standings
from engine.gray_dawn.switches import SWITCHES
from engine.gray_dawn.why import odds_figures, preview, why
from engine.odds_views import figure_lines
from engine.resolution import Rule
from engine.ruleset import Cell, Preview, Question

JUDGES: dict[type[Any], Callable[[Battle, Any], Any]] = {
    orders.Muster: mustering.judge_muster,
    orders.Amend: mustering.judge_amend,
    orders.Dismiss: mustering.judge_dismiss,
    orders.BeginRound: rounds.judge_begin_round,
    orders.EndRound: rounds.judge_end_round,
    orders.CoveringFire: covering_fire.judge_covering_fire,
    orders.LayLane: lanes.judge_lane,
    orders.TakeCheck: checks.judge_check,
    orders.Act: acting.judge_act,
    orders.TakeStance: stances.judge_stance,
    orders.TakeCover: stances.judge_cover,
    orders.TakePosition: stances.judge_position,
    orders.SetByHand: by_hand.judge_set,
    orders.Spot: spotting.judge_spot,
    orders.LayPoints: by_hand.judge_points,
    orders.Wound: by_hand.judge_wound,
    scorekeeping.Score: scorekeeping.judge_score,
    scorekeeping.EndBattle: scorekeeping.judge_end_battle,
    scorekeeping.Note: scorekeeping.judge_note,
    scorekeeping.Mission: scorekeeping.judge_mission,
    orders.Import: lambda battle, order: importing.judge_import(
        battle,
        order,
        lambda state, each: JUDGES[type(each)](state, each),
        lambda state, plan: RESOLVERS[type(plan)](state, plan),
        evolve,
        owners.owner,
        owners.names,
    ),
}

RESOLVERS: dict[type[Any], Callable[[Battle, Any], Rule[Battle]]] = {
    rounds.Opening: rounds.begin_round,
    rounds.Closing: rounds.end_round,
    covering_fire.Barrage: covering_fire.lay_covering_fire,
    lanes.Strip: lanes.lay_lane,
    checks.Trial: checks.take_check,
    acting.Deed: acting.act,
    spotting.Lookout: spotting.spot,
    by_hand.Injury: by_hand.wound,
    scorekeeping.Entered: scorekeeping.enter,
    importing.Intake: importing.take_in,
}


class GrayDawn:
    """The rule set Gray Dawn, behind the protocol of `engine/ruleset.py`."""

    name = "gray-dawn"
    title = "Gray Dawn"
    version = 1
    least_sides = 2
    most_sides = 4
    switches = SWITCHES
    clauses = CLAUSES
    order_types: Any = AnyOrder
    event_types: Any = AnyEvent
    mustered_as = "combatant"
    armoury_weapons = "weapons"
    armoury = "engine.gray_dawn/armoury.toml"
    actions = ACTIONS
    spoken = SPOKEN
    sections = SECTIONS
    suppressing = SUPPRESSING
    strength_in = STRENGTH_IN
    named: Mapping[str, str] = NAMED

    def begin(self, sides: tuple[str, ...], switches: Mapping[str, str]) -> Battle:
        """A battle in which nothing has happened, under the house rules chosen."""
        chosen = {switch.name: switches.get(switch.name, switch.values[0]) for switch in SWITCHES}
        return Battle(sides=sides, switches=chosen, score=dict.fromkeys(sides, 0))

    def judge(self, battle: Battle, order: Any) -> Any:
        """All that is known of an order before a die falls; raises Refusal for whatever forbids it."""
        scorekeeping.refuse_after_the_end(battle, order)
        return JUDGES[type(order)](battle, order)

    def resolve(self, battle: Battle, plan: Any) -> Rule[Battle]:
        """The rule of a judged order."""
        return RESOLVERS[type(plan)](battle, plan)

    def turn(self, battle: Battle) -> str:
        """The round, as `r2`; before the first one `r0`."""
        return f"r{battle.round}"

    def question(self, battle: Battle, order: Any, plan: Any) -> Question:
        return question_about(battle, plan)

    def preview(self, battle: Battle, order: Any) -> Preview:
        return preview(battle, order, self.judge)

    def tell_odds(self, order: Any, odds: Mapping[str, Any]) -> tuple[Cell, ...]:
        return figure_lines(odds_figures(odds))

    odds_figures = staticmethod(odds_figures)
    evolve = staticmethod(evolve)
    fold = staticmethod(fold)
    show = staticmethod(show)
    order_title = staticmethod(telling.order_title)
    tell_event = staticmethod(telling.tell_event)
    tell_roll = staticmethod(telling.tell_roll)
    state_line = staticmethod(telling.state_line)
    units = staticmethod(panes.units)
    tracker = staticmethod(panes.tracker)
    pending = staticmethod(panes.pending)
    why = staticmethod(why)
    under_fire = staticmethod(owners.under_fire)
    owner = staticmethod(owners.owner)
    owner_of_action = staticmethod(owners.owner_of_action)
    roller = staticmethod(owners.roller)
    side_of = staticmethod(owners.side_of)
    names = staticmethod(owners.names)
    available = staticmethod(available)
    asks = staticmethod(asks)
    form = staticmethod(forms.form)
    fill_in = staticmethod(forms.fill_in)
    chapter = staticmethod(chapter)
    standings = staticmethod(standings)
    strength = staticmethod(strength)
    measures = staticmethod(measures)
    profiles = staticmethod(enlisting.profiles)
    profile_lines = staticmethod(enlisting.profile_lines)
    standing = staticmethod(enlisting.standing)
    enlist = staticmethod(enlisting.enlist)
