"""An import as an order: all or nothing, one undo, the source kept, and what a second import changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.enlisting import answered, earlier_import, planned
from engine.orders import read_order
from engine.refusals import Refusal
from engine.registered import RULE_SETS, rule_set
from saves.armoury import armoury
from saves.battle import OpenBattle
from saves.creating import create
from saves.reports import report_on
from saves.rosters.reading import list_in
from saves.verifying import verify
from tests.roster_files import F, S, armed, gun, stats, watch, xml


@pytest.fixture
def battle(tmp_path: Path) -> Any:
    path = tmp_path / "a.battle.jsonl"
    create(path, rules="suppression-fire", sides=("Red", "Blue"), seed="lists")
    with OpenBattle.open(path) as opened:
        yield opened


def brought_in(battle: OpenBattle, raw: bytes, name: str = "watch.ros", side: str = "Red", **answers: str) -> Any:
    """Import a list as the command with --update does; the plan."""
    history = battle.history
    army = list_in(raw, name)
    earlier = earlier_import(history.state, side, army)
    catalogue = armoury(history.rules.armoury)
    made, given = answered(history.rules, history.state, army, side, answers, catalogue, earlier)
    plan = planned(history.rules, history.state, army, side, made, earlier, given)
    if plan.order is not None:
        battle.give(plan.order)
    return plan


def kinds(plan: Any) -> dict[str, str]:
    return {change.unit: change.kind for change in plan.changes}


def test_one_entry_and_one_undo(battle: OpenBattle) -> None:
    brought_in(battle, xml(watch()))
    assert len(battle.history.entries) == 1
    assert list(battle.history.state.units) == [
        "launch", "captain", "escort", "crane-engine", "dock-levy", "harbour-squad"
    ]  # fmt: skip
    assert battle.history.title(1) == "import for Red: watch.ros (6 new)"
    battle.undo()
    assert battle.history.state.units == {}
    assert battle.history.state.imports == ()
    battle.redo()
    assert len(battle.history.state.units) == 6
    assert verify(battle.path).ok


def test_the_save_keeps_name_and_digest_of_the_source(battle: OpenBattle) -> None:
    raw = xml(watch())
    brought_in(battle, raw)
    from hashlib import sha256

    (kept,) = battle.history.rules.show(battle.history.state)["imports"]
    assert (kept["side"], kept["name"], kept["sha256"]) == ("Red", "watch.ros", sha256(raw).hexdigest())
    assert kept["program"] == "BattleScribe 2.03, XML"
    line = json.loads(battle.path.read_text().splitlines()[1])
    assert line["order"]["source"]["sha256"] == sha256(raw).hexdigest()
    assert {order["type"] for order in line["order"]["orders"]} == {"muster"}


def test_the_orders_inside_are_ordinary_ones(battle: OpenBattle) -> None:
    """Each of them, given by itself, makes the same unit."""
    plan = brought_in(battle, xml(watch()))
    units = battle.history.state.units
    battle.undo()
    for order in plan.order.orders:
        battle.give(order)
    assert battle.history.state.units == units


def test_a_second_import_of_the_same_list_changes_nothing(battle: OpenBattle) -> None:
    brought_in(battle, xml(watch()))
    again = brought_in(battle, xml(watch()))
    assert again.order is None
    assert set(kinds(again).values()) == {"same"}


def test_a_changed_list_changes_only_what_is_new(battle: OpenBattle) -> None:
    brought_in(battle, xml(watch()))
    force = watch()
    force.selections = [each for each in force.selections if each.name != "Crane Engine"]
    watchmen = force.selections[1].inside[0]
    watchmen.number, watchmen.inside[0].number = 8, 7
    force.selections.append(S("Scouts", "unit", inside=[S("Scout", "model", 3, [stats("Scout")])]))
    plan = brought_in(battle, xml(force))
    assert kinds(plan) == {
        "captain": "same", "crane-engine": "gone", "dock-levy": "same", "escort": "same", "harbour-squad": "changed",
        "launch": "same", "scouts": "new",
    }  # fmt: skip
    (changed,) = (change for change in plan.changes if change.kind == "changed")
    assert "Watchman, models: 8, now 7" in changed.details
    assert "crane-engine" not in battle.history.state.units
    assert battle.history.state.units["harbour-squad"].embarked_in == "launch"
    battle.undo()
    assert "crane-engine" in battle.history.state.units


def test_losses_stay_when_a_list_is_brought_up_to_date(battle: OpenBattle) -> None:
    brought_in(battle, xml(watch()))
    rules = battle.history.rules
    fell = {"type": "casualties", "unit": "dock-levy", "group": "Levy", "models": 4}
    battle.give(read_order(rules, json.dumps(fell)))
    force = watch()
    force.selections[4].inside[0].number = 12
    brought_in(battle, xml(force))
    assert battle.history.state.units["dock-levy"].models == 8


def test_what_players_amended_stays_where_the_list_says_nothing_new(battle: OpenBattle) -> None:
    brought_in(battle, xml(watch()))
    rules = battle.history.rules
    import msgspec

    profile = msgspec.to_builtins(battle.history.state.units["dock-levy"].profile)
    battle.give(read_order(rules, json.dumps({"type": "amend", "unit": {**profile, "fearless": True}})))
    again = brought_in(battle, xml(watch()))
    assert again.order is None
    assert battle.history.state.units["dock-levy"].profile.fearless


def test_answers_are_kept_for_the_next_import(battle: OpenBattle) -> None:
    brought_in(battle, xml(watch()), **{"dock-levy.levy-musket.carried": "one"})
    again = brought_in(battle, xml(watch()))
    assert again.order is None
    assert [(g.name, g.models) for g in battle.history.state.units["dock-levy"].groups] == [
        ("Levy", 9),
        ("Levy (Levy musket)", 1),
    ]


def test_a_unit_that_cannot_be_changed_now_is_kept_and_told(battle: OpenBattle) -> None:
    brought_in(battle, xml(watch()))
    rules = battle.history.rules
    for order in ({"type": "status", "unit": "dock-levy", "status": "destroyed", "on": True},):
        battle.give(read_order(rules, json.dumps(order)))
    force = watch()
    force.selections[4].inside[0].number = 12
    plan = brought_in(battle, xml(force))
    (kept,) = (change for change in plan.changes if change.kind == "kept")
    assert kept.unit == "dock-levy"
    assert "out" in kept.details[0]


def test_what_was_kept_is_tried_again_at_the_next_import(battle: OpenBattle) -> None:
    brought_in(battle, xml(watch()))
    rules = battle.history.rules
    for order in (
        {"type": "begin_turn", "side": "Red"},
        {"type": "phase", "to": "shooting"},
        {"type": "muster", "unit": {"id": "foe", "side": "Blue", "groups": [{"name": "men", "models": 5}]}},
        {"type": "declare", "target": "foe", "by": [{"unit": "dock-levy", "range": 20}]},
    ):
        battle.give(read_order(rules, json.dumps(order)))
    force = watch()
    force.selections = [each for each in force.selections if each.name != "Dock Levy"]
    assert kinds(brought_in(battle, xml(force)))["dock-levy"] == "kept"
    for order in ({"type": "test", "target": "foe"}, {"type": "end_turn"}, {"type": "begin_turn", "side": "Blue"},
                  {"type": "end_turn"}, {"type": "begin_turn", "side": "Red"}):  # fmt: skip
        battle.give(read_order(rules, json.dumps(order)))
    assert kinds(brought_in(battle, xml(force)))["dock-levy"] == "gone"
    assert "dock-levy" not in battle.history.state.units


def test_lists_with_new_ids_are_matched_by_name(battle: OpenBattle) -> None:
    """Some programs give every entry a new id each time: units are then known by their names."""
    brought_in(battle, xml(watch()).replace(b'id="squad"', b'id="one"'))
    again = brought_in(battle, xml(watch()).replace(b'id="squad"', b'id="two"'))
    assert kinds(again)["harbour-squad"] == "same"


def test_both_sides_may_have_the_same_list(battle: OpenBattle) -> None:
    brought_in(battle, xml(watch()))
    brought_in(battle, xml(watch()), side="Blue")
    units = battle.history.state.units
    assert len(units) == 12
    assert units["dock-levy-2"].side == "Blue"
    assert units["harbour-squad-2"].embarked_in == "launch-2"


def test_all_or_nothing(battle: OpenBattle) -> None:
    """One order inside that is refused refuses the whole."""
    plan = brought_in(battle, xml(watch()))
    with pytest.raises(Refusal, match="there is a unit launch already"):
        battle.give(plan.order)
    assert len(battle.history.entries) == 1


GOOD: dict[str, Any] = {
    "type": "import",
    "side": "Red",
    "source": {"name": "a.ros", "sha256": "0" * 64},
    "units": [{"unit": "a", "key": "k", "called": "A", "mark": "0" * 16}],
    "orders": [{"type": "muster", "unit": {"id": "a", "side": "Red", "groups": [{"name": "g", "models": 1}]}}],
}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"side": "Green"}, "there is no side Green"),
        ({"side": "Blue"}, "an import for Blue cannot order for another side"),
        ({"units": [{"unit": "b", "key": "k", "called": "A", "mark": "0" * 16}]}, "there is no unit b"),
        ({"source": {"name": "a.ros", "sha256": "xyz"}}, "not an order"),
        ({"orders": [{"type": "note", "text": "x"}]}, "not an order"),
        ({"orders": [{**GOOD["orders"][0], "dice": [1]}]}, "no dice are rolled for an army list"),
        ({"orders": GOOD["orders"] * 2}, "there is a unit a already"),
    ],
)
def test_an_import_that_cannot_be_is_refused(battle: OpenBattle, change: dict[str, Any], why: str) -> None:
    with pytest.raises(Refusal, match=why):
        battle.give(read_order(battle.history.rules, json.dumps({**GOOD, **change})))
    battle.give(read_order(battle.history.rules, json.dumps(GOOD)))


@pytest.mark.parametrize("form", ["md", "html", "json", "csv"])
def test_reports_tell_of_the_list_and_masks_hide_it(battle: OpenBattle, form: str) -> None:
    brought_in(battle, xml(watch()), name="annas-list.ros")
    assert "annas-list.ros" in report_on(battle, form).decode()
    hidden = report_on(battle, form, anonymise=True).decode()
    for word in ("annas-list", "Harbour Squad", "Crane Engine", "crane-engine"):
        assert word not in hidden


def test_a_third_rule_set_takes_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing outside a rule set's folder knows which it is: one with another name and other units imports as well."""
    from types import SimpleNamespace

    import engine.gray_dawn.rules as third
    from engine.ruleset import Enlisted, Enlistment

    class Mice(third.GrayDawn):
        name = "mice"
        title = "Mice"

        @staticmethod
        def enlist(battle: Any, army: Any, register: Any, given: Any, catalogue: Any) -> Enlistment:
            from engine.gray_dawn.profiles import CombatantProfile

            made = []
            for unit in army.units:
                mouse, name = register.listed(unit.key, unit.name)
                made.append(Enlisted(unit.key, unit.name, CombatantProfile(mouse, given["side"], 1, 2, 3, 4, 5, name)))
            return Enlistment(tuple(made), (), (), ())

    monkeypatch.setitem(RULE_SETS, "mice", "mice_rules")
    monkeypatch.setitem(__import__("sys").modules, "mice_rules", SimpleNamespace(RULES=Mice()))
    path = tmp_path / "m.battle.jsonl"
    create(path, rules="mice", sides=("Red", "Blue"), seed="x")
    with OpenBattle.open(path) as opened:
        brought_in(opened, xml(watch()))
        assert len(opened.history.state.combatants) == 7
        assert rule_set("mice").title == "Mice"


def test_a_list_too_large_for_a_line_is_refused_whole(battle: OpenBattle) -> None:
    """Hundreds of units with long names: one sentence, nothing written."""
    guns = [f"Gun {number} {'y' * 60}" for number in range(12)]
    men = [S(f"{name} man", "model", 1, [stats(name)], [armed(name, gun(name))]) for name in guns]
    many = [S(f"{'Very long name ' * 5}{number}", "unit", inside=men) for number in range(150)]
    from saves.faults import Fault

    with pytest.raises((Refusal, Fault)) as refused:
        brought_in(battle, xml(F(many)))
    assert str(refused.value)
    assert len(battle.history.entries) == 0
