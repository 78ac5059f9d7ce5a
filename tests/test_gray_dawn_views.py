"""Gray Dawn as people see it: keys, forms, panes, words, previews, and why."""

from __future__ import annotations

import json
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from engine.dice import TypedDice
from engine.gray_dawn import events, orders
from engine.gray_dawn.telling import _TITLES, _TOLD
from engine.orders import read_order, resolve_order
from engine.refusals import Refusal, Undecided
from engine.registered import rule_set
from engine.ruleset import Action, Field
from tests.gray_dawn_battles import HIT, PISTOL, SAFE, Game, Told, at, lane_order, person, three, two, weapon
from tui.actions import KEPT_KEYS

RULES = rule_set("gray-dawn")
ARMOURY = tomllib.loads((Path(__file__).parent.parent / "engine" / "gray_dawn" / "armoury.toml").read_text())
ACTIONS = {action.name: action for action in RULES.actions}


def begun(action: Action, about: str, /, **given: Any) -> dict[str, Any]:
    """What the screen has filled in before anything is asked, and what a player gives on top."""
    unit = {action.unit_field: about} if action.unit_field else {}
    return {**action.fixed, **unit, **given}


def fields(game: Game, name: str, about: str = "rook", /, **given: Any) -> dict[str, Field]:
    action = ACTIONS[name]
    form = RULES.form(game.history.state, action.order, begun(action, about, **given), ARMOURY)
    assert form.title
    return {field.name: field for field in form.fields}


def filled(game: Game, name: str, about: str = "rook", /, **given: Any) -> Any:
    action = ACTIONS[name]
    return RULES.fill_in(game.history.state, action.order, begun(action, about, **given), ARMOURY)


def given_on_screen(game: Game, name: str, about: str = "rook", /, dice: list[int] | None = None, **given: Any) -> None:
    """Fill the form in and give the order as it would be written in a file."""
    order = msgspec.to_builtins(filled(game, name, about, **given))
    kind = order.pop("type")
    game.give(kind, dice=dice, **order)


def unavailable(game: Game, name: str, about: str | None = "rook") -> str:
    return RULES.available(game.history.state, ACTIONS[name], about)


def texts(cells: Any) -> str:
    return "\n".join(cell.text for cell in cells)


# Keys


def test_every_order_has_a_key_and_every_key_is_one() -> None:
    keys = [action.key for action in RULES.actions]
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 1 and key.isalpha() and key.isascii() and key not in KEPT_KEYS for key in keys)
    tags = {kind.__struct_config__.tag for kind in get_args(RULES.order_types)}
    assert {action.order for action in RULES.actions} == tags - {"import"}  # whose key is the screen's own


def test_every_action_says_what_it_is() -> None:
    assert all(action.label and action.help.endswith((".", "?")) for action in RULES.actions)


def test_what_makes_no_sense_now_says_why() -> None:
    """GD-4, GD-7, GD-11: with the clause."""
    game = Game(person("rook", "xcom", PISTOL), person("grey"), running=False)
    assert unavailable(game, "begin_round") == ""
    assert "(GD-4)" in unavailable(game, "end_round")
    assert "(GD-4)" in unavailable(game, "move")
    assert "(GD-4)" in unavailable(game, "covering_fire")
    game.give("begin_round")
    assert "(GD-21)" in unavailable(game, "lane")
    assert unavailable(game, "cross") == "there is no lane to cross"
    assert "(GD-7)" in unavailable(game, "check")
    game.points("grey", 1)
    assert unavailable(game, "check", "grey") == ""
    assert "(GD-7)" in unavailable(game, "aimed_fire", "grey")
    game.single_shots(at("grey"), dice=SAFE)
    assert "(GD-11)" in unavailable(game, "move")
    assert unavailable(game, "stance") == ""
    assert unavailable(game, "move", None) == "select a combatant first"
    assert unavailable(game, "move", "lane hall") == "select a combatant first"
    game.give("wound", combatant="grey", out=True)
    assert unavailable(game, "points", "grey") == "Grey is out of action"
    assert unavailable(game, "wound", "grey") == ""
    game.give("end_battle")
    assert unavailable(game, "muster") == "the battle is over; undo takes that back"
    assert unavailable(game, "note") == ""


def test_a_crossing_may_be_tried_with_points() -> None:
    """GD-25: moving is open where a lane could be crossed, since that makes its own check."""
    game = three()
    game.points("grey", 2)
    assert "(GD-7)" in unavailable(game, "move", "grey")
    game.fire_lane("saturation")
    assert unavailable(game, "move", "grey") == ""


@pytest.mark.parametrize(
    ("name", "inside", "asks"),
    [("move", False, True), ("other", False, False), ("other", True, True), ("melee", False, False),
     ("end_round", False, False), ("aimed_fire", False, True), ("reload", False, True), ("check", False, True)],
)  # fmt: skip
def test_when_a_form_is_shown(name: str, inside: bool, asks: bool) -> None:
    game = three()
    game.fire_lane("saturation", *(["grey"] if inside else []))
    assert RULES.asks(game.history.state, ACTIONS[name], "grey") is asks


# Covering fire and lanes


def test_the_form_of_covering_fire() -> None:
    """GD-16, GD-18: the only enemy, the first weapon that can, one action; ranges are to be checked."""
    game = two()
    form = fields(game, "covering_fire")
    assert {name: field.value for name, field in form.items()} == {
        "shooter": "rook", "weapon": "rifle", "mode": "semi", "targets": ("grey",), "count:grey": 1,
        "range:grey": Decimal(100), "adjacent": (),
    }  # fmt: skip
    assert form["count:grey"].most == 15
    assert form["range:grey"].inferred == "in reach: check it"
    given_on_screen(
        game, "covering_fire", weapon="pistol", **{"count:grey": 8, "range:grey": Decimal("12.5")}, dice=SAFE
    )
    assert (game.of("grey", "points"), game.of("rook", "loaded")["pistol"]) == (8, 0)
    game.next_round()
    assert fields(game, "covering_fire")["range:grey"].value == Decimal("12.5")
    assert fields(game, "covering_fire")["weapon"].options[1].forbidden == "its magazine is empty (GD-20)"


def test_bursts_by_the_form() -> None:
    """GD-17: a mode that the weapon does not have cannot be chosen."""
    game = Game(person("rook", "xcom", PISTOL, weapon("gun", "auto")), person("grey"), person("drone"))
    form = fields(game, "covering_fire", mode="burst")
    assert form["mode"].value == "semi"
    assert form["mode"].options[1].forbidden == "the weapon has none (GD-17)"
    assert form["weapon"].options[1].forbidden == "it has no such fire (GD-16, GD-17)"
    assert form["targets"].value == ()
    with pytest.raises(Refusal, match="say who is shot at"):
        filled(game, "covering_fire")


def test_neighbours_by_position_or_as_named() -> None:
    """GD-19: shown as inferred, and named in the order only where the player named them."""
    game = Game(
        person("rook", "xcom", position=[0, 0]), person("grey", position=[3, 4]), person("fox", position=[4, 4])
    )
    form = fields(game, "covering_fire", targets=("grey",))
    assert form["adjacent"].value == ("fox",)
    assert form["range:grey"].value == 5
    assert form["range:grey"].inferred == "by position"
    assert filled(game, "covering_fire", targets=("grey",)).adjacent is None
    assert filled(game, "covering_fire", targets=("grey",), adjacent=()).adjacent == ()


def test_the_form_of_a_lane() -> None:
    """GD-21, GD-22: widths with the level they make; the full rate of fire."""
    game = three()
    form = fields(game, "lane", kind="saturation")
    assert form["rounds"].value == 30
    assert [option.value for option in form["width"].options] == [
        "2", "2.5", "3", "3.5", "4", "4.5", "5", "5.5", "6",
    ]  # fmt: skip
    assert form["width"].options[1].label == "2.5 m, level 12"
    assert form["name"].value == "A"
    assert "near" not in form
    given_on_screen(game, "lane", kind="saturation", width="2.5", inside=("grey",), range=Decimal(40), rounds=20)
    assert (game.lane("A")["level"], game.lane("A")["inside"]) == (8, ["grey"])
    again = fields(game, "lane", "vex", kind="saturation")
    assert (again["name"].value, again["name"].inferred) == ("A", "is there already")
    covering = fields(game, "lane", "vex", inside=("grey",))
    assert covering["name"].value == "B"
    assert [option.value for option in covering["near"].options] == ["rook"]


def test_forms_without_anybody_selected() -> None:
    game = two()
    for name in ("covering_fire", "lane"):
        assert list(fields(game, name, "nobody")) == ["shooter"]
        with pytest.raises(Refusal, match="select a combatant"):
            filled(game, name, "nobody")


# Acting


def test_aimed_fire_by_the_form() -> None:
    """GD-20: at the only enemy, one action of the first loaded weapon; GD-13: points are asked for afterwards."""
    game = two()
    form = fields(game, "aimed_fire")
    assert (form["target"].value, form["weapon"].value, form["rounds"].value) == ("grey", "rifle", 2)
    order = filled(game, "aimed_fire", target="")
    assert (order.target, order.rounds) == (None, 2)
    assert filled(game, "aimed_fire", weapon="").rounds is None


def test_the_game_master_is_asked_for_points_right_after_aimed_fire() -> None:
    """GD-13: where somebody is named and no switch has settled it."""
    game = two()
    order = read_order(RULES, '{"type": "act", "combatant": "rook", "action": "aimed_fire", "target": "grey"}')
    with pytest.raises(Undecided) as asked:
        resolve_order(game.history, order, ask=True)
    assert (asked.value.clause, asked.value.field) == ("GD-13", "points")
    assert [option.value for option in asked.value.options] == list(range(11))


def test_the_game_master_is_asked_after_a_hit() -> None:
    """GD-26: whether it is out of action."""
    game = two()
    game.fire_lane()
    raw = '{"type": "act", "combatant": "grey", "action": "cross", "lanes": ["hall"], "avoid": "dodge"}'
    order = read_order(RULES, raw)
    with pytest.raises(Undecided) as asked:
        resolve_order(game.history, order, TypedDice((10, 9, 1, 6, 1)), ask=True)
    assert (asked.value.clause, asked.value.field) == ("GD-26", "taken_out")
    resolve_order(game.history, order, TypedDice((10, 9, 5)), ask=True)


def test_crossing_by_the_form() -> None:
    """GD-25: the lanes around are crossed, the better skill is inferred, others may be named."""
    game = Game(person("rook", "xcom"), person("vex", "xcom"), person("grey", athletics=5))
    game.fire_lane("saturation", "grey")
    game.fire_lane("saturation", shooter="vex", name="door")
    form = fields(game, "move", "grey")
    assert (form["lanes"].value, form["lanes"].inferred) == (("hall",), "stands inside")
    assert (form["avoid"].value, form["avoid"].inferred) == ("athletics", "the better")
    order = filled(game, "move", "grey", lanes=("door",), avoid="dodge")
    assert (order.lanes, order.avoid) == (("hall", "door"), "dodge")
    assert "avoid" not in fields(game, "cross", "rook")
    with pytest.raises(Refusal, match="say which lane is crossed"):
        filled(game, "cross", "rook")


def test_the_only_open_lane_is_the_one_crossed() -> None:
    """GD-25: nobody crosses nothing because a box was not ticked."""
    game = Game(person("rook", "xcom"), person("vex", "xcom"), person("grey"))
    game.fire_lane("saturation", shooter="vex", name="door")
    form = fields(game, "cross", "rook")
    assert (form["lanes"].value, form["lanes"].inferred) == (("door",), "the only open one")
    assert filled(game, "cross", "rook").lanes == ("door",)


def test_reloading_by_the_form() -> None:
    """GD-20: the emptiest magazine."""
    game = two()
    game.act("rook", "aimed_fire", weapon="pistol", rounds=9)
    assert fields(game, "reload")["weapon"].value == "pistol"
    given_on_screen(game, "reload")
    assert game.of("rook", "loaded")["pistol"] == 16


# Checks, stances, the game master's hand


def test_a_check_by_the_form() -> None:
    """GD-7: of the one selected if it needs one, else of the first that does."""
    game = three()
    game.points("vex", 1)
    game.points("grey", 1)
    assert fields(game, "check", "grey")["combatant"].value == "grey"
    assert fields(game, "check", "rook")["combatant"].value == "vex"
    given_on_screen(game, "check", "rook", dice=[9])
    assert game.of("vex", "checked")


def test_stances_by_the_form() -> None:
    """GD-9: forbidden ones say why; overruled by the game master, with a reason, none is."""
    game = two()
    game.suppress("grey")
    options = {option.value: option.forbidden for option in fields(game, "stance", "grey")["stance"].options}
    assert options["full_cover"] == options["moving"] == ""
    assert "(GD-9)" in options["bracing"]
    overruled = fields(game, "stance", "grey", override=True)
    assert all(not option.forbidden for option in overruled["stance"].options)
    with pytest.raises(Refusal, match="why"):
        filled(game, "stance", "grey", override=True, stance="bracing")
    given_on_screen(game, "stance", "grey", override=True, stance="bracing", reason="a hero")
    assert game.of("grey", "stance") == "bracing"


@pytest.mark.parametrize(
    ("name", "given", "shown"),
    [
        ("cover", {"level": 3}, {"cover": 3}),
        ("position", {"x": Decimal("1.5"), "y": 2}, {"position": [1.5, 2]}),
        ("position", {"somewhere": False}, {"position": None}),
        ("points", {"points": 4}, {"points": 4}),
        ("wound", {}, {"wounds": 1, "out": False}),
        ("wound", {"out": True}, {"wounds": 0, "out": True}),
        ("set", {"initiative": 19, "loaded:rifle": 3}, {"initiative": 19, "wounds": 0}),
        ("set", {"out": True}, {"out": True}),
    ],
)
def test_what_is_entered_by_hand(name: str, given: Told, shown: Told) -> None:
    game = two()
    assert fields(game, name, "grey", **given)
    given_on_screen(game, name, "grey", **given)
    assert {what: game.of("grey", what) for what in shown} == shown


@pytest.mark.parametrize("name", ["score", "note", "end_battle", "begin_round", "end_round"])
def test_orders_about_the_battle(name: str) -> None:
    game = Game(person("rook", "xcom"), person("grey"), running=name != "begin_round")
    given: Told = {"text": "well"} if name == "note" else {}
    if ACTIONS[name].form:
        assert fields(game, name, **given)
    given_on_screen(game, name, **given)


def test_spotting_by_the_form() -> None:
    """GD-10: the only other one is meant."""
    game = two()
    assert fields(game, "spot")["flanker"].value == "grey"
    given_on_screen(game, "spot", dice=[5, 5])
    with pytest.raises(Refusal, match="who sneaks up"):
        filled(three(), "spot")


def test_dismissing_needs_no_form() -> None:
    game = two()
    given_on_screen(game, "dismiss", "grey")
    assert "grey" not in game.show["combatants"]


# Mustering


@pytest.mark.parametrize("entry", ARMOURY["combatants"])
def test_the_armoury_can_be_mustered(entry: str) -> None:
    game = Game(running=False)
    given_on_screen(game, "muster", entry=entry)
    given_on_screen(game, "muster", entry=entry)
    assert list(game.show["combatants"]) == [entry, f"{entry}-2"]
    shown = game.show["combatants"][entry]
    names = [ARMOURY["weapons"][name]["name"] for name in ARMOURY["combatants"][entry]["weapons"]]
    assert list(shown["loaded"]) == names


def test_every_weapon_of_the_armoury_may_be_chosen() -> None:
    game = Game(running=False)
    options = fields(game, "muster", entry="soldier")["weapons"].options
    assert {option.value for option in options} == {entry["name"] for entry in ARMOURY["weapons"].values()}


def test_a_combatant_of_ones_own() -> None:
    game = Game(running=False)
    given: Told = {
        "entry": "own", "side": "aliens", "name": "The Thing", "ref": 9, "sp:torso": 25, "cover": 2, "own": True,
        "own:name": "spitter", "own:modes": ("semi", "auto"), "own:range": Decimal("37.5"), "own:damage": "3d6",
        "somewhere": True, "x": Decimal("-2.5"), "weapons": (),
    }  # fmt: skip
    assert "own:magazine" in fields(game, "muster", **given)
    given_on_screen(game, "muster", **given)
    (profile,) = [c.profile for c in game.history.state.combatants.values()]
    assert (profile.id, profile.name, profile.side, profile.ref, profile.sp.torso) == (
        "the-thing",
        "The Thing",
        "aliens",
        9,
        25,
    )
    assert (profile.weapons[0].name, profile.weapons[0].range, profile.weapons[0].damage) == ("spitter", 37.5, "3d6")
    assert game.of("the-thing", "position") == [-2.5, 0]


@pytest.mark.parametrize(
    "given", [{}, {"entry": "own"}, {"entry": "own", "name": "x", "own": True},
              {"entry": "own", "name": "x", "own": True, "own:name": "y", "own:damage": "lots"}]
)  # fmt: skip
def test_what_is_missing_is_said(given: Told) -> None:
    with pytest.raises(Refusal):
        filled(Game(running=False), "muster", **given)


def test_amending_by_the_form() -> None:
    game = two()
    given_on_screen(game, "amend", "grey", name="Gray", cl=9, weapons=("rifle",))
    assert game.of("grey", "name") == "Gray"
    assert list(game.of("grey", "loaded")) == ["rifle"]


# Panes


def test_the_panes_of_an_empty_battle() -> None:
    game = Game(running=False)
    assert [row.id for row in RULES.units(game.history.state).rows] == ["xcom", "aliens"]
    assert RULES.tracker(game.history.state).rows == ()
    assert RULES.pending(game.history.state) == ()
    assert RULES.state_line(game.history.state) == "Before the first round"


def played() -> Game:
    """A round with everything in it: points, a check due, somebody suppressed, lanes, wounds, somebody out."""
    people = [person("rook", "xcom"), person("vex", "xcom"), person("finch", "xcom")]
    aliens = [person("grey", cover=2), person("drone"), person("fox"), person("egg")]
    game = Game(*people, *aliens, running=False)
    game.give("begin_round", lightning=["fox"], dice=[5, 3, 9, 7, 2, 8, 1])
    game.suppress("drone")
    game.single_shots(at("grey", 4), dice=HIT)
    game.fire_lane("saturation", "fox", "drone", shooter="vex")
    game.fire_lane("covering", "egg", shooter="finch", name="door", dice=SAFE)
    game.give("wound", combatant="grey", points=6)
    game.give("wound", combatant="egg", points=2, out=True)
    return game


def test_the_combatants_pane() -> None:
    """GD-4: by initiative while a round runs; what needs a decision is urgent; those out are last."""
    game = played()
    table = RULES.units(game.history.state)
    rows = {row.id: row for row in table.rows}
    assert list(rows) == ["xcom", "finch", "rook", "vex", "aliens", "fox", "grey", "drone", "egg"]
    assert [row.id for row in table.rows if row.urgent] == ["grey"]
    states = {name: row.cells[-1].text for name, row in rows.items() if not row.heading}
    assert states["grey"] == "CHECK DUE, serious"
    assert states["drone"] == "SUPPRESSED, in a lane"
    assert states["fox"] == "in a lane, lightning"
    assert states["rook"] == "covering"
    assert states["egg"] == "out of action"
    assert all(len(row.cells) == len(table.columns) for row in table.rows if not row.heading)


def test_the_tracker_pane() -> None:
    """GD-7, GD-24: what the die has to come to, and each lane with its shooters and those inside."""
    table = RULES.tracker(played().history.state)
    shown = [(row.indent, *(cell.text for cell in row.cells)) for row in table.rows]
    assert shown == [
        (0, "Grey", "4", "CHECK die 8+"),
        (0, "Drone", "0", "SUPPRESSED"),
        (0, "hall", "lv 5", "open, saturation"),
        (2, "Vex", "fires", "10 in 2 m"),
        (2, "Drone", "inside", ""),
        (2, "Fox", "inside", ""),
        (0, "door", "lv 5", "done, covering"),
        (2, "Finch", "fires", "10 in 2 m"),
        (2, "Egg", "inside", ""),
    ]


def test_what_needs_a_decision() -> None:
    """GD-4, GD-7."""
    game = played()
    assert RULES.pending(game.history.state) == (
        "Grey: a check is due, 19 (GD-7)",
        "Fox is next by initiative (GD-4)",
    )
    assert RULES.state_line(game.history.state) == "Round 1  next Fox 18"
    game.give("end_round")
    assert RULES.pending(game.history.state) == ("Round 2 can begin (GD-4)",)
    game.give("end_battle", winner="xcom")
    assert RULES.pending(game.history.state) == ()


def test_why() -> None:
    """GD-6 to GD-9, GD-15, GD-25: points, the check with its numbers, stance, defence, lanes around."""
    state = played().history.state
    grey = texts(RULES.why(state, "grey"))
    assert "carries 4 suppression points (GD-6)" in grey
    assert "11 and the die against 15 + 4: CL 6 (GD-7)" in grey
    assert "+2 for cover (GD-7)" in grey
    assert "+3 for 18 SP on the torso (GD-7)" in grey
    assert "the die must come to 8 or more (GD-2)" in grey
    assert "defends with 10 and the die: 0 or less is hit (GD-15)" in grey
    drone = texts(RULES.why(state, "drone"))
    assert "suppressed until its next check" in drone
    assert "inside hall, level 5" in drone
    assert "Dodge/Cover 10 or Athletics 10 and the die against 5 (GD-25)" in drone
    assert "-3 for its lightning strike (GD-4)" in texts(RULES.why(state, "fox"))
    assert "out of action" in texts(RULES.why(state, "egg"))
    assert "(GD-11)" in texts(RULES.why(state, "rook"))
    assert "open until the round ends" in texts(RULES.why(state, "lane hall"))
    assert "done with (GD-24)" in texts(RULES.why(state, "lane door"))
    assert RULES.why(state, "xcom") == RULES.why(state, "lane nothing") == ()


def test_why_inside_several_lanes() -> None:
    """GD-25, GD-27: one crossing of all of them; behind cover not every action is one."""
    game = three()
    game.fire_lane("saturation", "grey")
    game.fire_lane("saturation", "grey", shooter="vex", name="door", width=3)
    told = texts(RULES.why(game.history.state, "grey"))
    assert "It stands inside hall and door, level 8: what it does there is a crossing (GD-25)." in told
    assert "9 and the die against 15 + 8: CL 6 (GD-7)" in told
    assert "and the die against 8 (GD-25)" in told
    game.give("cover", combatant="grey", level=1)
    told = texts(RULES.why(game.history.state, "grey"))
    assert "is a crossing, but for reloading and other actions behind cover (GD-25)." in told


def preview(game: Game, kind: str, /, **order: Any) -> str:
    told = RULES.preview(game.history.state, read_order(RULES, json.dumps({"type": kind, **order})))
    return told.refused or texts(told.lines)


def test_previews() -> None:
    """Numbers with their clauses, or why the order would be refused."""
    game = three()
    shots = {"shooter": "rook", "weapon": "pistol", "mode": "semi"}
    told = preview(game, "covering_fire", targets=[at("grey", 8)], adjacent=["vex"], **shots)
    assert "16 rounds from pistol, 0 left (GD-20)" in told
    assert "Grey: +8 points (GD-6, GD-19)" in told
    assert "its check is then 23: the die 14 or more (GD-7)" in told
    assert "Vex: +8 points, only near" in told
    assert "(GD-13)" in preview(game, "covering_fire", targets=[at("grey", 1, 60)], **shots)
    assert "level 5 (GD-22)" in preview(game, "lane", **lane_order("covering", "grey"))
    assert "it suppresses nobody (GD-23)" in preview(game, "lane", **lane_order("covering"))
    game.fire_lane("saturation")
    for width, level in ((2, 10), (3, 8)):
        told = preview(game, "lane", **lane_order("saturation", shooter="vex", width=width))
        assert f"hall has level 5 already: together level {level} (GD-27)" in told
    told = preview(game, "act", combatant="grey", action="cross", lanes=["hall"], avoid="dodge")
    assert "Crosses hall: level 5 (GD-25, GD-27)" in told
    assert "Then Dodge/Cover 10 and the die against 5: -5 or more (GD-25)" in told
    assert "Free: no lane is crossed" in preview(game, "act", combatant="grey", action="move")
    assert "1 round from rifle" in preview(
        game, "act", combatant="grey", action="aimed_fire", weapon="rifle", rounds=1
    )  # fmt: skip
    assert "no roll" in preview(game, "check", combatant="grey")
    game.points("grey", 1)
    assert "the die must come to 7 or more" in preview(game, "check", combatant="grey")
    assert "a tie notices" in preview(game, "spot", observer="vex", flanker="grey")
    game.give("end_round")
    assert "3 combatants roll d10 + REF" in preview(game, "begin_round", lightning=["grey"])
    assert preview(game, "note", text="hm") == ""


# Words


def test_everything_has_words() -> None:
    """Every order has a title, every event a sentence or none on purpose."""
    assert set(_TITLES) == set(get_args(orders.AnyOrder))
    assert set(_TOLD) == set(get_args(events.AnyEvent))


def told(game: Game) -> str:
    """All that has happened, in words: titles, rolls and events."""
    history, lines = game.history, []
    state = history.rules.begin(history.header.sides, history.header.switches)
    for node in history.path(history.head):
        entry = history.order(node)
        lines.append(RULES.order_title(state, entry.order))
        lines.extend(RULES.tell_roll(state, row) for row in entry.rolls)
        for event in entry.events:
            state = RULES.evolve(state, event)
            lines.append(RULES.tell_event(state, event))
    return "\n".join(line for line in lines if line)


def test_a_battle_in_words() -> None:
    rifle = weapon("rifle", "semi", "burst", "auto", damage="2d6+10")
    game = Game(person("rook", "xcom", rifle, PISTOL), person("grey"), running=False)
    game.give("begin_round", lightning=["rook"], dice=[5, 7])
    game.single_shots(at("grey", 2), dice=SAFE)
    game.check("grey", 10, 9)
    game.act("grey", "aimed_fire", target="rook", weapon="rifle", rounds=3, points=1)
    game.give("spot", observer="grey", flanker="rook", dice=[5, 5])
    game.next_round()
    game.fire_lane("saturation", "grey", dice=None)
    game.act("grey", "move", [10, 9, 1, 6, 4, 2, 3, 4, 1, 6, 6], avoid="dodge")
    game.act("grey", "reload", weapon="rifle")
    game.give("stance", combatant="grey", stance="bracing", override=True, reason="a hero")
    game.give("cover", combatant="grey", level=2, override=True, reason="a wall")
    game.give("cover", combatant="grey", level=1)
    game.give("position", combatant="grey", at=[1, 2.5], override=True, reason="moved on")
    game.give("set", combatant="grey", points=4, loaded={"rifle": 3}, out=True, reason="as agreed")
    words = told(game)
    for line in (
        "Like lightning: Rook (GD-4).",
        "Rook: initiative 15.",
        "Rook: covering fire at Grey",
        "Rook: 4 rounds from pistol, 12 left; points: Grey +2 (GD-19).",
        "Grey, defence",
        "Grey: not hit.",
        "Grey, suppression check",
        "Grey: check passed, free to act (GD-8).",
        "Grey: aimed fire at Rook",
        "Grey: 3 rounds from rifle, 27 left.",
        "Rook: 1 point (aimed fire), 1 in all (GD-13).",
        "Grey, awareness against Rook",
        "Rook, stealth against Grey",
        "Rook is noticed by Grey (GD-10).",
        "hall: 10 rounds in 2 m, level 5, until the round ends (GD-24).",
        "Grey, getting through by Dodge/Cover",
        "Grey, burst table",
        "Grey, hit location",
        "Grey: hit by 2 rounds from rifle.",
        "Grey: torso, damage 17 against SP 18, nothing gets through (GD-30).",
        "Grey: head, damage 22 against SP 14: 12 wounds, 12 in all, critical (GD-30).",
        "Grey: moved, no longer inside hall.",
        "Grey: rifle holds 30 rounds.",
        "Grey: bracing, by the game master: a hero (GD-9).",
        "Grey: cover 2, by the game master: a wall (GD-9).",
        "Grey: cover 1\n",
        "Grey: at 1, 2.5, by the game master: moved on (GD-9).",
        "Grey: points 4, out of action, rifle 3 (as agreed).",
    ):
        assert line in words, line
