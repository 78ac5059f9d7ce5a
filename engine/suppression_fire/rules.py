"""Suppression Fire as a rule set: which order is judged and resolved by which rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine import importing, scorekeeping
from engine.odds_views import figure_lines
from engine.resolution import Rule
from engine.ruleset import Cell, Preview, Question
from engine.suppression_fire import (
    acting,
    by_hand,
    declaring,
    enlisting,
    forms,
    mustering,
    orders,
    owners,
    panes,
    profile_words,
    telling,
    testing,
    turns,
)
from engine.suppression_fire.actions import ACTIONS, asks, available
from engine.suppression_fire.battle import Battle
from engine.suppression_fire.chronicle import NAMED, SECTIONS, STRENGTH_IN, SUPPRESSING, chapter, measures, strength
from engine.suppression_fire.clauses import CLAUSES
from engine.suppression_fire.events import AnyEvent
from engine.suppression_fire.evolve import evolve, fold
from engine.suppression_fire.lapses import tell_lapses
from engine.suppression_fire.odds import question_about
from engine.suppression_fire.orders import AnyOrder
from engine.suppression_fire.show import show
from engine.suppression_fire.spoken import SPOKEN
from engine.suppression_fire.standings import standings
from engine.suppression_fire.switches import SWITCHES
from engine.suppression_fire.why import odds_figures, preview, why

JUDGES: dict[type[Any], Callable[[Battle, Any], Any]] = {
    orders.Muster: mustering.judge_muster,
    orders.Amend: mustering.judge_amend,
    orders.Dismiss: mustering.judge_dismiss,
    orders.BeginTurn: turns.judge_begin_turn,
    orders.Phase: turns.judge_phase,
    orders.EndTurn: turns.judge_end_turn,
    orders.Declare: declaring.judge_declare,
    orders.Test: testing.judge_test,
    orders.RerollTest: testing.judge_reroll,
    orders.Act: acting.judge_act,
    orders.Casualties: by_hand.judge_casualties,
    orders.LineOfSight: by_hand.judge_line_of_sight,
    orders.Status: by_hand.judge_status,
    orders.Wounds: by_hand.judge_wounds,
    orders.Restore: by_hand.judge_restore,
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
    mustering.Arrival: mustering.muster,
    mustering.Mending: mustering.amend,
    mustering.Departure: mustering.dismiss,
    turns.Opening: turns.begin_turn,
    turns.NextPhase: turns.next_phase,
    turns.Closing: turns.end_turn,
    declaring.Barrage: declaring.declare,
    testing.Trial: testing.take_test,
    testing.Reroll: testing.reroll_test,
    acting.Exposure: acting.act,
    by_hand.Losses: by_hand.suffer_losses,
    by_hand.Destruction: by_hand.destroy,
    scorekeeping.Entered: scorekeeping.enter,
    importing.Intake: importing.take_in,
}


class SuppressionFire:
    """The rule set Suppression Fire, behind the protocol of `engine/ruleset.py`."""

    name = "suppression-fire"
    title = "Suppression Fire"
    version = 1
    least_sides = 2
    most_sides = 2
    switches = SWITCHES
    clauses = CLAUSES
    order_types: Any = AnyOrder
    event_types: Any = AnyEvent
    mustered_as = "unit"
    armoury_weapons = "guns"
    armoury = "engine.suppression_fire/armoury.toml"
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
        """The rule of a judged order, and the lapses it brings (SF-32)."""
        after = yield from RESOLVERS[type(plan)](battle, plan)
        return (yield from tell_lapses(battle, after))

    def turn(self, battle: Battle) -> str:
        """Game turn and side, as `t3-red`; between turns the side is that of the turn before."""
        return f"t{battle.turn}-{battle.side or battle.went or ''}"

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
    profile_lines = staticmethod(profile_words.profile_lines)
    standing = staticmethod(enlisting.standing)
    enlist = staticmethod(enlisting.enlist)
