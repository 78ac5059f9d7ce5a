"""Dice, the round, suppression points, the check, stances, and noticing a flanker."""

from __future__ import annotations

from decimal import Decimal

import pytest

from engine.gray_dawn.battle import Battle
from engine.gray_dawn.ranges import bracket
from engine.gray_dawn.skills import blended
from tests.gray_dawn_battles import SAFE, Game, at, events, lane_order, person, rolled, three, two

CHECK_BONUS = 9
"""CL 6 and 3 for torso SP 18, without cover."""


# Dice


@pytest.mark.parametrize(("die", "passed"), [(6, False), (7, True), (8, True)])
def test_a_check_meets_or_exceeds_its_number(die: int, passed: bool) -> None:
    """GD-1: 9 and a 7 meet 16; GD-7: 15 and one point."""
    game = two()
    game.points("grey", 1)
    game.check("grey", die)
    assert game.of("grey", "suppressed") is not passed


def test_dice_explode_both_ways() -> None:
    """GD-2: a 10 adds, and a natural 1 counts nothing and subtracts: base 11, dice 1, 10, 4 come to -3."""
    game = two()
    game.points("grey", 5)
    (row,) = game.check("grey", 10, 10, 3).rolls
    assert (row.dice, row.total, row.outcome, row.needed) == ((10, 10, 3), 23, "passed", 11)
    game.next_round()
    game.points("grey", 1)
    (row,) = game.check("grey", 1, 10, 4).rolls
    assert (row.total, row.outcome) == (-14, "failed")


def test_a_natural_one_counts_one_by_switch() -> None:
    """GD-2, switch explode_down no: nobody ever comes to 0 or less, and the lowest die passes where 1 is enough."""
    game = Game(person("rook", "xcom"), person("grey"), explode_down="no", check_base="8")
    game.points("grey", 2)
    (row,) = game.check("grey", 1).rolls
    assert (row.dice, row.total, row.outcome) == ((1,), 1, "passed")
    assert game.odds("covering_fire", shooter="rook", weapon="pistol", mode="semi", targets=[at("grey")])["hits"] == {
        "grey": {"mean": 0.0, "distribution": {"0": 1.0}}
    }


@pytest.mark.parametrize(("one", "other", "mean"), [(6, 6, 6), (6, 7, 7), (5, 6, 6), (0, 1, 1)])
def test_blended_stats_round_up(one: int, other: int, mean: int) -> None:
    """GD-3."""
    assert blended(one, other) == mean


# The round


def test_everybody_in_action_rolls_initiative() -> None:
    """GD-2, GD-4: a plain d10 and REF, in muster order; a 10 does not explode and a 1 counts 1."""
    game = Game(person("rook", "xcom", ref=8), person("vex", "xcom"), person("grey", ref=5), running=False)
    game.give("wound", combatant="vex", out=True)
    entry = game.give("begin_round", dice=[10, 1])
    assert [(row.purpose, row.subject, row.dice) for row in entry.rolls] == [
        ("initiative", "rook", (10,)),
        ("initiative", "grey", (1,)),
    ]
    assert (game.of("rook", "initiative"), game.of("vex", "initiative"), game.of("grey", "initiative")) == (18, None, 6)


def test_lightning_strike() -> None:
    """GD-4: 3 on initiative, and -3 on the check, defence, avoiding and spotting of that round."""
    game = Game(person("rook", "xcom"), person("grey"), running=False)
    game.give("begin_round", lightning=["grey"], dice=[4, 4])
    assert game.of("grey", "initiative") == 7 + 4 + 3
    game.points("grey", 1)
    assert game.check("grey", 10, 1).rolls[0].needed == 16 - (CHECK_BONUS - 3)
    assert game.give("spot", observer="grey", flanker="rook", dice=[5, 5]).rolls[1].needed == 5 + (9 - 3) - 9 + 1
    assert game.single_shots(at("grey"), dice=[9]).rolls[0].needed == 1 - (10 - 3)
    game.next_round()
    assert game.single_shots(at("grey"), dice=[9]).rolls[0].needed == 1 - 10


def test_lightning_costs_in_lanes_too() -> None:
    """GD-4, GD-25: both rolls of a crossing."""
    game = Game(person("rook", "xcom"), person("grey"), running=False)
    game.give("begin_round", lightning=["grey"], dice=[4, 4])
    game.fire_lane()
    entry = game.act("grey", "cross", [10, 10, 1, 9], lanes=["hall"], avoid="athletics")
    assert [row.needed for row in entry.rolls] == [20 - (CHECK_BONUS - 3), 5 - (10 - 3)]


def test_lightning_is_for_those_in_action() -> None:
    """GD-4: who is unknown or out strikes not; named twice counts once."""
    game = Game(person("rook", "xcom"), person("grey"), running=False)
    assert game.clause("begin_round", lightning=["nobody"]) == "order"
    game.give("wound", combatant="grey", out=True)
    assert game.clause("begin_round", lightning=["grey"]) == "order"
    game.give("begin_round", lightning=["rook", "rook"], dice=[1])
    assert game.of("rook", "initiative") == 7 + 1 + 3


def test_rounds_follow_each_other() -> None:
    """GD-4: a round begins when none is running and ends when one is."""
    game = two()
    assert game.clause("begin_round") == "GD-4"
    game.give("end_round")
    assert game.clause("end_round") == "GD-4"
    assert game.show["round"] == 1
    game.give("begin_round")
    assert game.show["round"] == 2


def test_nothing_is_done_between_rounds() -> None:
    """GD-4: covering fire, lanes, checks and actions need a running round; the game master's hand does not."""
    game = Game(person("rook", "xcom"), person("grey"), running=False)
    game.points("grey", 2)
    assert game.clause("covering_fire", shooter="rook", weapon="pistol", mode="semi", targets=[at("grey")]) == "GD-4"
    assert game.clause("lane", **lane_order()) == "GD-4"
    assert game.clause("check", combatant="grey") == "GD-4"
    assert game.no_act("rook", "move") == "GD-4"
    game.give("stance", combatant="rook", stance="bracing")


def test_the_end_of_a_round_clears() -> None:
    """GD-4: who acted, who covers, checks, lightning and lanes; suppressed and points stay."""
    game = three()
    game.points("grey", 3)
    game.suppress("vex")
    game.fire_lane("saturation")
    game.act("vex", "other")
    game.give("end_round")
    shown = game.show["combatants"]
    assert game.show["lanes"] == {}
    assert not any(each["covering"] or each["acted"] or each["checked"] for each in shown.values())
    assert shown["vex"]["suppressed"]
    assert shown["grey"]["points"] == 3


@pytest.mark.parametrize("deed", ["checked", "acted", "covering", "lightning"])
def test_the_end_of_a_round_clears_each_by_itself(deed: str) -> None:
    """GD-4: whoever has done one thing only is as free between the rounds as whoever did all of them."""
    game = Game(person("rook", "xcom"), person("grey"), running=False)
    game.give("begin_round", lightning=["grey"] if deed == "lightning" else [])
    if deed == "checked":
        game.points("grey", 1)
        game.check("grey", 10, 9)
    elif deed == "acted":
        game.act("grey", "other")
    elif deed == "covering":
        game.single_shots(at("rook"), shooter="grey", dice=SAFE)
    flags = ("checked", "acted", "covering", "lightning")
    assert [flag for flag in flags if game.of("grey", flag)] == [deed]
    game.give("end_round")
    assert [flag for flag in flags if game.of("grey", flag)] == []


def test_the_order_of_initiative_is_not_enforced() -> None:
    """GD-4: the slower one may act first."""
    game = Game(person("rook", "xcom"), person("grey"), running=False)
    game.give("begin_round", dice=[1, 10])
    game.act("rook", "move")


@pytest.mark.parametrize(
    ("metres", "usual", "braced"),
    [
        ("0", "close", "close"),
        ("25", "close", "close"),
        ("25.01", "medium", "close"),
        ("50", "medium", "close"),
        ("50.5", "long", "medium"),
        ("100", "long", "medium"),
        ("100.01", "extreme", "long"),
        ("200", "extreme", "long"),
        ("200.01", "extreme", "extreme"),
    ],
)
def test_range_brackets(metres: str, usual: str, braced: str) -> None:
    """GD-5: a quarter, half and all of the listed range; GD-9, GD-13: bracing one better, to twice the range."""
    game = two()
    battle: Battle = game.history.state
    rifle = battle.combatants["rook"].profile.weapons[0]
    assert bracket(Decimal(metres), rifle) == usual
    assert bracket(Decimal(metres), rifle, bracing=True) == braced


# Points and the check


def test_points_pile_up() -> None:
    """GD-6: from several orders and by hand, until the check uses them up."""
    game = three()
    game.single_shots(at("grey", 3), dice=[5])
    game.bursts(at("grey", 2), shooter="vex", dice=[5, 5])
    game.points("grey", 1)
    assert game.of("grey", "points") == 6
    assert game.check("grey", 10, 2).rolls[0].needed == 15 + 6 - CHECK_BONUS
    assert game.of("grey", "points") == 0


@pytest.mark.parametrize(
    ("stats", "bonus"),
    [
        ({}, 9),
        ({"cover": 2}, 11),
        ({"cl": 8}, 11),
        ({"sp": {"torso": 20}}, 10),
        ({"sp": {"torso": 19}}, 9),
        ({"sp": {"head": 99, "torso": 4}}, 6),
    ],
)
def test_what_a_check_adds(stats: dict[str, int], bonus: int) -> None:
    """GD-7: CL, the cover level, and 1 for each full 5 SP on the torso."""
    game = two(**stats)
    game.points("grey", 8)
    assert game.check("grey", 5).rolls[0].needed == 23 - bonus


def test_the_worked_example_of_the_source() -> None:
    """GD-7, GD-16: a 16-round pistol emptied at one target lays 8 points, the check number is 23."""
    game = two(sp={})
    game.single_shots(at("grey", 8), dice=[5])
    assert game.check("grey", 5).rolls[0].needed == 23 - 6


def test_bracing_counts_points_twice() -> None:
    """GD-7, GD-9."""
    game = two(stance="bracing")
    game.points("grey", 4)
    assert game.check("grey", 5).rolls[0].needed == 15 + 8 - CHECK_BONUS


def test_no_points_no_check() -> None:
    """GD-7: nothing is rolled, nobody stays suppressed, and it is not the check of the round."""
    game = two()
    game.suppress("grey")
    game.next_round()
    entry = game.check("grey")
    assert not entry.rolls
    assert events(entry, "checked")[0].result == "not_needed"
    assert not game.of("grey", "suppressed")
    game.points("grey", 1)
    assert game.no_act("grey", "move") == "GD-7"
    game.check("grey", 9)
    assert game.of("grey", "checked")


def test_one_check_a_round() -> None:
    """GD-7: a second one is refused, also to get rid of being suppressed without points."""
    game = two()
    game.suppress("grey")
    assert game.clause("check", combatant="grey") == "GD-7"
    game.points("grey", 3)
    assert game.clause("check", combatant="grey") == "GD-7"
    game.next_round()
    game.check("grey", 10, 9)
    assert not game.of("grey", "suppressed")


@pytest.mark.parametrize("action", ["aimed_fire", "melee", "move", "emerge", "lean_out", "reload", "other"])
def test_no_action_before_the_check(action: str) -> None:
    """GD-7: points carried and no check made; afterwards the action goes on, whatever arrives later (GD-8)."""
    game = two()
    game.points("grey", 1)
    assert game.no_act("grey", action, weapon="rifle") == "GD-7"
    game.check("grey", 9)
    game.points("grey", 5)
    game.act("grey", action, weapon="rifle")
    assert game.of("grey", "points") == 5


def test_covering_fire_needs_no_check() -> None:
    """GD-7, GD-12: points carried are no hindrance to it."""
    game = two()
    game.points("rook", 9)
    game.single_shots(at("grey"), dice=[5])


def test_cl_blended_with_int_by_switch() -> None:
    """GD-3, GD-7, switch check_stat cl_int: CL 6 and INT 9 make 8."""
    game = Game(person("rook", "xcom"), person("grey", int=9), check_stat="cl_int")
    game.points("grey", 1)
    assert game.check("grey", 9).rolls[0].needed == 16 - 8 - 3


def test_another_base_by_switch() -> None:
    """GD-7, switch check_base."""
    game = Game(person("rook", "xcom"), person("grey"), check_base="12")
    game.points("grey", 1)
    assert game.check("grey", 9).rolls[0].needed == 13 - CHECK_BONUS


@pytest.mark.parametrize(
    ("cover", "action", "clause"),
    [
        (0, "aimed_fire", "GD-8"),
        (0, "melee", "GD-8"),
        (0, "emerge", "GD-8"),
        (0, "lean_out", "GD-8"),
        (1, "move", "GD-8"),
        (1, "cross", "GD-8"),
        (0, "move", None),
        (0, "cross", None),
        (1, "reload", None),
        (1, "other", None),
    ],
)
def test_what_the_suppressed_may_not_do(cover: int, action: str, clause: str | None) -> None:
    """GD-8: aimed fire, melee, leaving cover."""
    game = two(cover=cover)
    game.suppress("grey")
    if clause:
        assert game.no_act("grey", action, weapon="rifle") == clause
    else:
        game.act("grey", action, weapon="rifle")


def test_suppressed_until_the_next_check() -> None:
    """GD-8: the end of the round does not help; a check that is passed does."""
    game = two()
    game.suppress("grey")
    game.next_round()
    assert game.no_act("grey", "aimed_fire") == "GD-8"
    game.points("grey", 1)
    game.check("grey", 9)
    game.act("grey", "aimed_fire")


def test_points_after_the_check_wait() -> None:
    """GD-8: they count at the next one, with what comes on top."""
    game = two()
    game.points("grey", 1)
    game.check("grey", 9)
    game.points("grey", 4)
    game.next_round()
    game.points("grey", 2)
    assert game.check("grey", 9).rolls[0].needed == 15 + 6 - CHECK_BONUS


def test_points_end_with_the_round_by_switch() -> None:
    """GD-8, switch points_last end_of_round."""
    game = Game(person("rook", "xcom"), person("grey"), points_last="end_of_round")
    game.points("grey", 4)
    game.suppress("rook")
    game.give("end_round")
    assert game.of("grey", "points") == 0
    assert game.of("rook", "suppressed")


# Stances


@pytest.mark.parametrize(("cover", "stance"), [(0, "moving"), (1, "full_cover"), (4, "full_cover")])
def test_a_failed_check_forces_the_stance(cover: int, stance: str) -> None:
    """GD-9: full cover where there is cover, else moving."""
    game = two(cover=cover)
    game.suppress("grey")
    assert game.of("grey", "stance") == stance


def test_a_passed_check_forces_nothing() -> None:
    """GD-9."""
    game = two(cover=2, stance="active")
    game.points("grey", 1)
    game.check("grey", 9)
    assert game.of("grey", "stance") == "active"


@pytest.mark.parametrize("stance", ["open", "active", "full_cover", "moving", "bracing"])
def test_stances_are_free_unless_suppressed(stance: str) -> None:
    """GD-9: while suppressed only full cover and moving, until the next check."""
    game = two()
    game.give("stance", combatant="grey", stance=stance)
    assert game.of("grey", "stance") == stance
    game.suppress("grey")
    if stance in ("full_cover", "moving"):
        game.give("stance", combatant="grey", stance=stance)
    else:
        assert game.clause("stance", combatant="grey", stance=stance) == "GD-9"


@pytest.mark.parametrize(
    ("stance", "action", "clause"),
    [
        ("full_cover", "aimed_fire", "GD-9"),
        ("full_cover", "melee", "GD-9"),
        ("full_cover", "move", None),
        ("bracing", "move", "GD-9"),
        ("bracing", "emerge", "GD-9"),
        ("bracing", "cross", "GD-9"),
        ("bracing", "aimed_fire", None),
        ("bracing", "melee", None),
        ("moving", "aimed_fire", None),
    ],
)
def test_what_stances_forbid(stance: str, action: str, clause: str | None) -> None:
    """GD-9: no aiming from full cover, no leaving while bracing; actions change no stance."""
    game = two(stance=stance, cover=1)
    if clause:
        assert game.no_act("grey", action) == clause
    else:
        game.act("grey", action)
        assert game.of("grey", "stance") == stance


@pytest.mark.parametrize("stance", ["open", "full_cover", "bracing"])
def test_leaning_out_makes_active(stance: str) -> None:
    """GD-9."""
    game = two(stance=stance, cover=1)
    game.act("grey", "lean_out")
    assert game.of("grey", "stance") == "active"


def test_the_game_master_overrules() -> None:
    """GD-9: with a reason, whatever forbids it; without a reason not."""
    game = three()
    game.suppress("grey")
    game.fire_lane("saturation", "grey")
    assert game.clause("stance", combatant="grey", stance="active", override=True) == "order"
    assert game.clause("stance", combatant="grey", stance="active", override=True, reason="  ") == "order"
    game.give("stance", combatant="grey", stance="active", override=True, reason="a hero")
    assert game.of("grey", "stance") == "active"


def test_only_what_the_game_master_overrules_is_recorded_as_his() -> None:
    """GD-9: stance, cover and position; words that come with a player's own choice make it nobody else's."""
    game = two()
    for kind, fields in (("stance", {"stance": "moving"}), ("cover", {"level": 2}), ("position", {"at": [1, 2]})):
        for override, recorded in ((True, "a hero"), (False, "")):
            entry = game.give(kind, combatant="grey", override=override, reason="a hero", **fields)
            assert [event.reason for event in entry.events] == [recorded]


def test_no_leaning_out_by_a_stance_order_inside_a_lane() -> None:
    """GD-9: refused inside an open saturation lane only."""
    game = three()
    game.fire_lane("saturation", "grey")
    assert game.clause("stance", combatant="grey", stance="active") == "GD-9"
    game.give("stance", combatant="grey", stance="bracing")
    game.give("wound", combatant="rook", out=True)
    game.give("stance", combatant="grey", stance="active")


def test_bracing_defends_without_the_skill() -> None:
    """GD-9: no Dodge/Cover skill in defence rolls, also to get through a lane (GD-25)."""
    game = three()
    game.give("stance", combatant="grey", stance="bracing")
    assert game.single_shots(at("grey"), dice=[9]).rolls[0].needed == 1 - 6
    game.fire_lane("saturation", "grey", shooter="vex")
    entry = game.act("grey", "aimed_fire", [10, 10, 2, 9], avoid="dodge")
    assert [row.needed for row in entry.rolls] == [15 + 2 * 6 - CHECK_BONUS, 5 - 6]


# Flankers


@pytest.mark.parametrize(("dice", "noticed"), [([5, 5], True), ([5, 6], False), ([6, 5], True), ([1, 2, 3], False)])
def test_noticing_a_flanker(dice: list[int], noticed: bool) -> None:
    """GD-10: INT and Awareness 9 against REF and Stealth 9, the observer first; meeting it notices."""
    game = two()
    entry = game.give("spot", observer="rook", flanker="grey", dice=dice)
    assert events(entry, "spotted")[0].noticed is noticed
    assert [(purpose, subject) for purpose, subject, _, _ in rolled(entry)] == [
        ("awareness", "rook"),
        ("stealth", "rook"),
    ]
    assert entry.rolls[0].group == "grey"


def test_spotting_changes_nothing_and_may_always_come() -> None:
    """GD-10: between rounds too, by a covering or suppressed observer too; not of oneself."""
    game = two()
    game.suppress("grey")
    game.single_shots(at("grey"), dice=[5])
    for observer, flanker in (("rook", "grey"), ("grey", "rook")):
        before = game.show
        game.give("spot", observer=observer, flanker=flanker)
        assert game.show == before
    game.give("end_round")
    game.give("spot", observer="rook", flanker="grey")
    assert game.clause("spot", observer="rook", flanker="rook") == "order"
