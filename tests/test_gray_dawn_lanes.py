"""Firing lanes: their width and level, covering lanes, saturation lanes and those who cross them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusals import Undecided
from tests.engine_battle import give
from tests.gray_dawn_battles import (
    HIT,
    MACHINE_GUN,
    PISTOL,
    RIFLE,
    SAFE,
    Game,
    at,
    events,
    lane_order,
    person,
    rolled,
    three,
    two,
    weapon,
)

GOES = [10, 9]
"""Dice of a check that is passed whatever the tests here lay: 9 + 19 = 28."""

STAYS = [1, 10, 1]
"""Dice of a check that fails."""


def no_lane(game: Game, **more: Any) -> str:
    return game.clause("lane", **{**lane_order(), **more})


def armed(gun: dict[str, Any], **stats: Any) -> Game:
    return Game(person("rook", "xcom", gun, **stats), person("grey"))


# Width and level


def test_only_automatic_weapons() -> None:
    """GD-21."""
    assert no_lane(two(), weapon="pistol", rounds=2) == "GD-21"


@pytest.mark.parametrize(
    ("rof", "width", "allowed"),
    [
        (30, 1.5, False), (30, 2, True), (30, 6, True), (30, 6.5, False), (30, 4.25, False), (30, 4.5, True),
        (25, 5, True), (25, 5.5, False), (12, 2, True), (12, 2.5, False), (13, 2.5, True),
        (9, 2, True), (9, 2.5, False), (3, 2, True), (3, 1.5, False), (10, 2, True),
    ],
)  # fmt: skip
def test_width(rof: int, width: float, allowed: bool) -> None:
    """GD-21: 2 m to a fifth of the rate of fire, in steps of half a metre; under 10 exactly 2 m."""
    game = armed(weapon("rifle", "auto", rof=rof))
    if allowed:
        game.fire_lane(width=width, rounds=3)
        assert game.lane()["width"] == width
    else:
        assert no_lane(game, width=width, rounds=3) == "GD-21"


@pytest.mark.parametrize(
    ("rof", "told"), [(30, "2 to 6 m"), (13, "2 to 2.5 m"), (10, "exactly 2 m"), (3, "exactly 2 m")]
)
def test_how_wide_a_lane_may_be_is_told(rof: int, told: str) -> None:
    """GD-21: a weapon of few rounds has one width only."""
    refusal = armed(weapon("rifle", "auto", rof=rof)).refused("lane", **{**lane_order(), "width": 7, "rounds": 3})
    assert refusal.message == f"a lane of rifle is {told} wide, not 7 m"


@pytest.mark.parametrize(
    ("rounds", "width", "level"),
    [(30, 2, 15), (30, 6, 5), (30, 4.5, 6), (29, 2, 14), (10, 3, 3), (1, 2, 1), (5, 6, 1)],
)
def test_level(rounds: int, width: float, level: int) -> None:
    """GD-22: rounds by width, rounded down, at least 1; 30 rounds in 2 m make 15."""
    game = two()
    game.fire_lane("saturation", rounds=rounds, width=width)
    assert (game.lane()["level"], game.lane()["rounds"]) == (level, rounds)


def test_the_full_rate_of_fire_and_never_more() -> None:
    """GD-22: rounds left out; more than the rate of fire; GD-20: more than the magazine holds."""
    game = armed(MACHINE_GUN)
    order = lane_order(weapon="machine gun")
    assert game.clause("lane", **{**order, "rounds": 31}) == "GD-22"
    del order["rounds"]
    game.give("lane", **order)
    assert (game.lane()["rounds"], game.of("rook", "loaded")) == (30, {"machine gun": 60})
    game = armed({**MACHINE_GUN, "loaded": 20})
    assert game.clause("lane", **order) == "GD-20"
    game.give("lane", **{**order, "rounds": 20})


@pytest.mark.parametrize(("stance", "metres", "clause"), [("open", 101, "GD-13"), ("bracing", 200, None)])
def test_lanes_reach_as_far_as_covering_fire(stance: str, metres: int, clause: str | None) -> None:
    """GD-13: both kinds, out to long range, twice as far when bracing."""
    for kind in ("covering", "saturation"):
        game = Game(person("rook", "xcom", stance=stance), person("grey"))
        if clause:
            assert no_lane(game, kind=kind, range=metres) == clause
        else:
            game.fire_lane(kind, range=metres)


# Covering lanes


def test_a_covering_lane() -> None:
    """GD-23: everyone inside gets the level and defends once; GD-29: the burst table follows at once."""
    game = three()
    entry = game.fire_lane("covering", "grey", "vex", dice=[*HIT, 4, *SAFE])
    assert rolled(entry) == [
        ("defence", "grey", (1, 10, 1), -9),
        ("burst", "grey", (4,), None),
        ("defence", "vex", (5,), -9),
    ]
    assert [game.of(each, "points") for each in ("grey", "vex", "rook")] == [5, 5, 0]
    assert [game.of(each, "hits") for each in ("grey", "vex")] == [2, 0]
    assert [event.combatant for event in events(entry, "missed")] == ["vex"]


def test_two_spaces_from_the_edge() -> None:
    """GD-19: those near get the level and roll nothing; those inside and near get it once."""
    game = three()
    entry = game.fire_lane("covering", "grey", "rook", near=["vex", "grey", "rook"], dice=SAFE)
    assert [game.of(each, "points") for each in ("grey", "vex", "rook")] == [5, 5, 0]
    assert len(entry.rolls) == 1
    assert (game.lane()["inside"], game.lane()["near"]) == (["grey"], ["grey", "vex"])


def test_friends_near_are_spared_by_switch_but_not_inside() -> None:
    """GD-19, switch splash_friends no."""
    game = three(splash_friends="no")
    game.fire_lane("covering", near=["vex"])
    assert game.of("vex", "points") == 0
    game.next_round()
    game.fire_lane("covering", "vex", dice=SAFE)
    assert game.of("vex", "points") == 5


def test_those_out_of_action_are_passed_over() -> None:
    """GD-19: in lists of bystanders they are no mistake; the unknown are."""
    game = three()
    game.give("wound", combatant="vex", out=True)
    game.fire_lane("covering", "vex", near=["vex"])
    assert (game.lane()["inside"], game.lane()["near"], game.of("vex", "points")) == ([], [], 0)
    assert no_lane(three(), inside=["nobody"]) == "order"


def test_a_covering_lane_is_done_with() -> None:
    """GD-24: it stays listed to the end of the round, stops nobody, and cannot be crossed."""
    game = three()
    game.fire_lane("covering", "grey", dice=SAFE)
    assert not game.lane()["open"]
    assert game.no_act("vex", "cross", lanes=["hall"], avoid="dodge") == "GD-24"
    game.check("grey", *GOES)
    assert not game.act("grey", "move").rolls
    game.give("end_round")
    assert game.show["lanes"] == {}


# Saturation lanes


def test_a_saturation_lane_lays_nothing() -> None:
    """GD-24: no points and no rolls, whoever is inside or near; it lasts to the end of the round."""
    game = three()
    entry = game.fire_lane("saturation", "grey", near=["vex"])
    assert not entry.rolls
    assert [game.of(each, "points") for each in ("grey", "vex")] == [0, 0]
    assert game.lane() == {
        "kind": "saturation", "width": 2, "rounds": 10, "level": 5, "shooters": ["rook"], "inside": ["grey"],
        "near": ["vex"], "open": True,
    }  # fmt: skip
    game.next_round()
    assert game.show["lanes"] == {}


def test_a_name_stands_for_one_kind() -> None:
    """GD-24: in a round; the next round it is free again."""
    game = three()
    game.fire_lane("saturation")
    assert no_lane(game, shooter="vex", kind="covering") == "GD-24"
    game.fire_lane("covering", "grey", shooter="vex", name="door", dice=SAFE)
    game.next_round()
    game.fire_lane("covering", "grey", dice=SAFE)


def test_lanes_are_named_by_those_that_are_there() -> None:
    """GD-24: a lane that was never laid is no lane."""
    game = two()
    assert game.no_act("grey", "cross", lanes=["hall"], avoid="dodge") == "order"


def test_which_lanes_there_are_is_told() -> None:
    """GD-24: by name, or that there are none."""
    game = two()
    order: dict[str, Any] = {"combatant": "grey", "action": "cross", "lanes": ["yard"], "avoid": "dodge"}
    assert game.refused("act", **order).message == "there is no lane yard this round; there are: none"
    game.fire_lane()
    assert game.refused("act", **order).message == "there is no lane yard this round; there are: hall"


# Crossing


@pytest.mark.parametrize(
    ("avoid", "dice", "hits"),
    [
        ("dodge", [*GOES, 2], 0),
        ("dodge", [*GOES, 1, 5], 0),
        ("dodge", [*GOES, 1, 6, 6], 3),
        ("athletics", [*GOES, 1, 5], 0),
        ("athletics", [*GOES, 1, 10, 1, 3], 1),
    ],
)
def test_crossing(avoid: str, dice: list[int], hits: int) -> None:
    """GD-25: check at 15 and the level, then Dodge/Cover 10 or Athletics 10 against level 5: below it is hit."""
    game = two()
    game.fire_lane()
    entry = game.act("grey", "cross", dice, lanes=["hall"], avoid=avoid)
    check, through, *table = rolled(entry)
    assert check == ("suppression", "grey", tuple(GOES), 20 - 9)
    assert (through[0], through[3]) == (avoid, 5 - 10)
    assert [row[0] for row in table] == (["burst"] if hits else [])
    assert game.of("grey", "hits") == hits
    assert not game.of("grey", "suppressed")


def test_a_failed_check_stops_it() -> None:
    """GD-25: with all that GD-8 and GD-9 say; it has not acted, and it counts as the check of the round."""
    game = two(cover=1)
    game.fire_lane()
    entry = game.act("grey", "cross", STAYS, lanes=["hall"], avoid="dodge")
    assert [type(event).__struct_config__.tag for event in entry.events] == ["checked", "stopped"]
    assert game.of("grey", "suppressed")
    assert game.of("grey", "stance") == "full_cover"
    assert not game.of("grey", "acted")
    assert game.clause("check", combatant="grey") == "GD-7"


def test_points_carried_are_added_and_used_up() -> None:
    """GD-25: the level on top of them; a bracing combatant counts all of it twice (GD-7)."""
    game = two()
    game.points("grey", 3)
    game.fire_lane()
    entry = game.act("grey", "cross", [*GOES, 9], lanes=["hall"], avoid="dodge")
    assert entry.rolls[0].needed == 15 + 3 + 5 - 9
    assert game.of("grey", "points") == 0
    game = two(stance="bracing")
    game.points("grey", 3)
    game.fire_lane("saturation", "grey")
    entry = game.act("grey", "other", [10, 10, 9, 9], avoid="dodge")
    assert entry.rolls[0].needed == 15 + 2 * (3 + 5) - 9


def test_every_crossing_has_its_own_check() -> None:
    """GD-25: also after the check of the round, and one that passes frees who was suppressed."""
    game = two()
    game.suppress("grey")
    game.fire_lane()
    for _ in range(2):
        entry = game.act("grey", "cross", [*GOES, 9], lanes=["hall"], avoid="dodge")
        assert [row.purpose for row in entry.rolls] == ["suppression", "dodge"]
    assert not game.of("grey", "suppressed")
    assert game.clause("check", combatant="grey") == "GD-7"


@pytest.mark.parametrize("action", ["aimed_fire", "melee", "move", "emerge", "cross", "lean_out", "reload", "other"])
def test_every_action_in_the_open_inside_is_a_crossing(action: str) -> None:
    """GD-25: of one who stands in a lane without cover; the lane need not be named."""
    game = two()
    game.fire_lane("saturation", "grey")
    entry = game.act("grey", action, [*GOES, 9], avoid="dodge", weapon="rifle")
    assert len(entry.rolls) == 2


@pytest.mark.parametrize(
    ("action", "crosses"),
    [("reload", False), ("other", False), ("aimed_fire", True), ("lean_out", True), ("emerge", True), ("move", True)],
)
def test_behind_cover_some_actions_are_none(action: str, crosses: bool) -> None:
    """GD-25: reloading and something else, with a cover level of 1 or more; named, the lane is crossed all the same."""
    game = two(cover=1)
    game.fire_lane("saturation", "grey")
    entry = game.act("grey", action, [*GOES, 9] if crosses else [], avoid="dodge", weapon="rifle")
    assert bool(entry.rolls) is crosses
    assert len(game.act("grey", action, [*GOES, 9], lanes=["hall"], avoid="dodge", weapon="rifle").rolls) == 2


def test_leaning_out_into_several_lanes() -> None:
    """GD-9: active stance is no way round a lane; the refusal names the one laid first."""
    game = Game(person("rook", "xcom"), person("vex", "xcom"), person("grey"))
    game.fire_lane("saturation", "grey")
    game.fire_lane("saturation", "grey", shooter="vex", name="yard")
    refusal = game.refused("stance", combatant="grey", stance="active")
    assert refusal.message == "Grey is inside hall: lean out as an action, and be met"


def test_lanes_one_stands_in_are_crossed_named_or_not() -> None:
    """GD-25, GD-27: naming another lane does not leave out the one around."""
    game = Game(*(person(name, "xcom") for name in ("rook", "vex")), person("grey"))
    game.fire_lane("saturation", "grey")
    game.fire_lane("saturation", shooter="vex", name="door", rounds=8)
    entry = game.act("grey", "cross", [10, 10, 9, 9], lanes=["door"], avoid="dodge")
    assert entry.rolls[0].needed == 15 + 9 - 9
    assert game.lane("hall")["inside"] == []


def test_the_skill_has_to_be_said() -> None:
    """GD-25: it is the mover's choice; a screen is told what may be answered."""
    game = two()
    game.fire_lane("saturation", "grey")
    refusal = game.refused("act", combatant="grey", action="move")
    assert isinstance(refusal, Undecided)
    assert (refusal.clause, refusal.field) == ("GD-25", "avoid")
    assert [option.value for option in refusal.options] == ["dodge", "athletics"]


@pytest.mark.parametrize(("action", "leaves"), [("move", True), ("cross", True), ("emerge", False), ("other", False)])
def test_who_moves_out_is_no_longer_inside(action: str, leaves: bool) -> None:
    """GD-25: after a move or a cross that went ahead; the next action is free."""
    game = two()
    game.fire_lane("saturation", "grey")
    game.act("grey", action, [*GOES, 9], avoid="dodge")
    assert game.lane()["inside"] == ([] if leaves else ["grey"])
    assert bool(game.act("grey", "other", None if leaves else [*GOES, 9], avoid="dodge").rolls) is not leaves


def test_who_is_stopped_stays_inside() -> None:
    """GD-25."""
    game = two()
    game.fire_lane("saturation", "grey")
    game.act("grey", "move", STAYS, avoid="dodge")
    assert game.lane()["inside"] == ["grey"]


def test_no_aiming_while_suppressed_through_a_crossing() -> None:
    """GD-8, GD-25: refused before its check."""
    game = two()
    game.suppress("grey")
    game.fire_lane("saturation", "grey")
    assert game.no_act("grey", "aimed_fire", avoid="dodge") == "GD-8"


def test_hits_come_first_and_the_action_goes_on() -> None:
    """GD-26: the game master says nothing, so nobody is out of action."""
    game = two()
    game.fire_lane()
    entry = game.act("grey", "cross", [*GOES, 1, 6, 1], lanes=["hall"], avoid="dodge")
    tags = [type(event).__struct_config__.tag for event in entry.events]
    assert tags == ["checked", "struck", "acted"]


def test_out_of_action_the_action_is_lost() -> None:
    """GD-26: the game master says so beforehand, or is asked once it is hit; no rounds are fired then."""
    game = two()
    game.fire_lane("saturation", "grey")
    order = {"avoid": "dodge", "weapon": "rifle", "rounds": 4, "taken_out": True}
    game.act("grey", "aimed_fire", [*GOES, 9], **order)
    assert not game.of("grey", "out")
    assert game.of("grey", "loaded")["rifle"] == 26
    entry = game.act("grey", "aimed_fire", [*GOES, 1, 6, 1], **order)
    assert game.of("grey", "out")
    assert game.of("grey", "loaded")["rifle"] == 26
    assert not events(entry, "acted")


def test_what_the_game_master_is_asked_once_it_is_hit() -> None:
    """GD-26: whether the hit one goes on; nothing is asked where nothing hit, or where it was said beforehand."""
    game = two()
    game.fire_lane("saturation", "grey")
    order = {"type": "act", "combatant": "grey", "action": "move", "avoid": "dodge"}
    with pytest.raises(Undecided) as asked:
        give(game.history, {**order, "dice": [*GOES, 1, 6, 1]}, ask=True)
    assert (asked.value.clause, asked.value.field, asked.value.owner) == ("GD-26", "taken_out", "grey")
    assert {option.value: option.label for option in asked.value.options} == {
        False: "stays in action and goes on",
        True: "is out of action: its action is lost",
    }
    give(game.history, {**order, "dice": [*GOES, 1, 6, 1], "taken_out": False}, ask=True)
    assert not game.of("grey", "out")


# Several lanes, shooters out of action


def test_three_guns_in_one_lane() -> None:
    """GD-27: rounds add up over the common width, 3 x 30 in 2 m make 45; one check, one roll to get through."""
    game = Game(*(person(name, "xcom") for name in ("rook", "vex", "finch")), person("grey"))
    for shooter in ("finch", "rook", "vex"):
        game.fire_lane("saturation", shooter=shooter, rounds=30)
    shown = game.lane()
    assert (shown["rounds"], shown["level"], shown["width"]) == (90, 45, 2)
    assert shown["shooters"] == ["finch", "rook", "vex"]
    entry = game.act("grey", "cross", [10, 10, 10, 10, 10, 9, 10, 10, 10, 9], lanes=["hall"], avoid="dodge")
    assert [row.needed for row in entry.rolls] == [15 + 45 - 9, 45 - 10]


def test_rounds_that_make_no_whole_level_alone() -> None:
    """GD-27: 3 and 3 rounds in 4 m are level 1 together; 7 and 7 in 4 m are 3, not 1 and 1."""
    game = three()
    game.fire_lane(width=4, rounds=7)
    game.fire_lane(shooter="vex", width=4, rounds=7)
    assert game.lane()["level"] == 3


def test_unlike_widths() -> None:
    """GD-27: the level of each shooter's own fire is added, at least 1 each; the lane has no width of its own."""
    game = three()
    game.fire_lane(width=2, rounds=9)
    game.fire_lane(shooter="vex", width=6, rounds=5)
    assert (game.lane()["level"], game.lane()["width"], game.lane()["rounds"]) == (4 + 1, None, 14)


def test_two_lanes_crossed_at_once() -> None:
    """GD-27: of one width their rounds add up before they are divided."""
    game = three()
    game.fire_lane(width=4, rounds=7)
    game.fire_lane(shooter="vex", name="door", width=4, rounds=7)
    entry = game.act("grey", "cross", [*GOES, 9], lanes=["hall", "door", "hall"], avoid="dodge")
    assert len(entry.rolls) == 2
    assert entry.rolls[0].needed == 15 + 3 - 9


def test_damage_is_by_the_weapon_laid_first() -> None:
    """GD-27: of those still firing, whatever the order in which lanes are named; GD-28: not of one who is out."""
    laser, cannon = weapon("rifle", "auto", damage="1d6"), weapon("rifle", "auto", damage="1d10")
    for out, sides in ((None, 10), ("vex", 6)):
        game = Game(person("rook", "xcom", laser), person("vex", "xcom", cannon), person("grey"))
        game.fire_lane(shooter="vex", name="door")
        game.fire_lane(shooter="rook", name="hall")
        if out:
            game.give("wound", combatant=out, out=True)
        dice = [*GOES, 1, 10, 10, 1, 1, 1]
        entry = game.act("grey", "cross", [*dice, 6], lanes=["hall", "door"], avoid="dodge")
        assert [row.sides for row in entry.rolls if row.purpose == "damage"] == [sides]


def test_covering_lanes_of_one_name_lay_their_own_level() -> None:
    """GD-27: each order gives the points of its own fire, to those inside it names."""
    game = three()
    game.fire_lane("covering", "grey", rounds=10, dice=SAFE)
    game.fire_lane("covering", "grey", shooter="vex", rounds=8, dice=SAFE)
    assert game.of("grey", "points") == 5 + 4
    assert (game.lane()["level"], game.lane()["rounds"]) == (9, 18)


def test_a_shooter_out_of_action_closes_its_lane() -> None:
    """GD-28: it stops nobody; points laid stay; brought back by hand it fires again."""
    game = three()
    game.fire_lane("saturation", "grey")
    game.single_shots(at("grey", 2), shooter="vex", dice=SAFE)
    game.give("wound", combatant="rook", points=9, out=True)
    shown = game.lane()
    assert (shown["open"], shown["rounds"], shown["level"], shown["shooters"]) == (False, 0, 0, ["rook"])
    assert game.of("grey", "points") == 2
    game.check("grey", *GOES)
    assert not game.act("grey", "move", lanes=["hall"]).rolls
    assert game.lane()["inside"] == []
    game.give("set", combatant="rook", out=False, reason="it lives")
    assert game.lane()["open"]


def test_of_several_shooters_only_the_rounds_of_the_one_go() -> None:
    """GD-28."""
    game = three()
    game.fire_lane()
    game.fire_lane(shooter="vex", rounds=20)
    game.give("wound", combatant="rook", out=True)
    assert (game.lane()["rounds"], game.lane()["level"], game.lane()["open"]) == (20, 10, True)


def test_suppressed_shooters_go_on_firing() -> None:
    """GD-28: only being out of action closes a lane."""
    game = two()
    game.fire_lane("saturation", "grey")
    game.suppress("rook")
    assert game.lane()["open"]


def test_a_pistol_and_a_rifle() -> None:
    """GD-21: the weapon named must be one of the shooter's own."""
    game = armed(PISTOL)
    assert no_lane(game, weapon=RIFLE["name"]) == "order"
