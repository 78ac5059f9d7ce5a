"""Firefight as a rule set: which order is judged and resolved by which rule, and who answers each question about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine import importing, scorekeeping
from engine.odds_views import figure_lines
from engine.resolution import Rule
from engine.ruleset import Cell, Preview

from . import acting, chronicle, enlisting, events, forms, mustering, odds, orders, panes, rulebook, telling
from .actions import ACTIONS, SPOKEN, asks, available, preview
from .squads import Battle, side_of

JUDGES: dict[type[Any], Callable[[Battle, Any], Any]] = {
    orders.Muster: mustering.judge_muster,
    orders.Amend: mustering.judge_amend,
    orders.Dismiss: mustering.judge_dismiss,
    orders.Losses: mustering.judge_losses,
    orders.BeginRound: mustering.judge_begin_round,
    orders.EndRound: mustering.judge_end_round,
    orders.Suppress: acting.judge_suppress,
    orders.Advance: acting.judge_advance,
    orders.Rally: acting.judge_rally,
    scorekeeping.Score: scorekeeping.judge_score,
    scorekeeping.EndBattle: scorekeeping.judge_end_battle,
    scorekeeping.Note: scorekeeping.judge_note,
    scorekeeping.Mission: scorekeeping.judge_mission,
    orders.Import: lambda battle, order: importing.judge_import(
        battle,
        order,
        lambda state, each: JUDGES[type(each)](state, each),
        lambda state, plan: RESOLVERS[type(plan)](state, plan),
        events.evolve,
        chronicle.owner,
        chronicle.names,
    ),
}

RESOLVERS: dict[type[Any], Callable[[Battle, Any], Rule[Battle]]] = {
    acting.Volley: acting.suppress,
    acting.Move: acting.advance,
    acting.Rallying: acting.rally,
    scorekeeping.Entered: scorekeeping.enter,
    importing.Intake: importing.take_in,
}


class Firefight:
    """The rule set, behind the protocol of `engine/ruleset.py`. Raise `version` when the rules change."""

    name = "firefight"
    title = "Firefight"
    version = 1
    least_sides = 2
    most_sides = 2
    switches = rulebook.SWITCHES
    clauses = rulebook.CLAUSES
    order_types: Any = orders.AnyOrder
    event_types: Any = events.AnyEvent
    mustered_as = "squad"
    armoury = f"{__package__}/armoury.toml"
    armoury_weapons = ""
    actions = ACTIONS
    spoken = SPOKEN
    sections = chronicle.SECTIONS
    suppressing = chronicle.SUPPRESSING
    strength_in = chronicle.STRENGTH_IN
    named: Mapping[str, str] = chronicle.NAMED

    def begin(self, sides: tuple[str, ...], switches: Mapping[str, str]) -> Battle:
        """A battle in which nothing has happened, under the house rules chosen."""
        chosen = {switch.name: switches.get(switch.name, switch.values[0]) for switch in self.switches}
        return Battle(sides=sides, switches=chosen, score=dict.fromkeys(sides, 0))

    def judge(self, battle: Battle, order: Any) -> Any:
        """All that is known of an order before a die falls; raises Refusal for whatever forbids it."""
        scorekeeping.refuse_after_the_end(battle, order)
        return JUDGES[type(order)](battle, order)

    def resolve(self, battle: Battle, plan: Any) -> Rule[Battle]:
        """The rule of a judged order."""
        return RESOLVERS[type(plan)](battle, plan)

    def turn(self, battle: Battle) -> str:
        """The round's part of a dice key."""
        return f"r{battle.round}"

    def preview(self, battle: Battle, order: Any) -> Preview:
        return preview(battle, order, self.judge)

    def tell_odds(self, order: Any, odds_of_it: Mapping[str, Any]) -> tuple[Cell, ...]:
        return figure_lines(odds.odds_figures(odds_of_it))

    evolve = staticmethod(events.evolve)
    fold = staticmethod(events.fold)
    question = staticmethod(odds.question_about)
    odds_figures = staticmethod(odds.odds_figures)
    show = staticmethod(chronicle.show)
    order_title = staticmethod(telling.order_title)
    tell_event = staticmethod(telling.tell_event)
    tell_roll = staticmethod(telling.tell_roll)
    state_line = staticmethod(telling.state_line)
    chapter = staticmethod(telling.chapter)
    units = staticmethod(panes.units)
    tracker = staticmethod(panes.tracker)
    pending = staticmethod(panes.pending)
    why = staticmethod(panes.why)
    under_fire = staticmethod(panes.under_fire)
    standings = staticmethod(panes.standings)
    available = staticmethod(available)
    asks = staticmethod(asks)
    form = staticmethod(forms.form)
    fill_in = staticmethod(forms.fill_in)
    owner = staticmethod(chronicle.owner)
    owner_of_action = staticmethod(chronicle.owner_of_action)
    roller = staticmethod(chronicle.roller)
    side_of = staticmethod(side_of)
    names = staticmethod(chronicle.names)
    strength = staticmethod(chronicle.strength)
    measures = staticmethod(chronicle.measures)
    profiles = staticmethod(enlisting.profiles)
    profile_lines = staticmethod(enlisting.profile_lines)
    standing = staticmethod(enlisting.standing)
    enlist = staticmethod(enlisting.enlist)
