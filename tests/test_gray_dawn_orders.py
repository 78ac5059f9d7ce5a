"""Orders of Gray Dawn that no clause is about: mustering, mending, setting right, the end; and what is malformed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.dice import keyed_faces
from engine.registered import rule_set
from engine.rolls import Rolled
from tests.gray_dawn_battles import RIFLE, SAFE, Game, at, events, lane_order, person, three, two, weapon

BARE = {"id": "red-one", "side": "xcom", "ref": 5, "cl": 5, "ma": 5, "int": 5, "body": 5}


def test_stats_are_enough_to_muster() -> None:
    """The rest has its usual value, and a name is made from the id."""
    game = Game(BARE)
    assert game.show["combatants"]["red-one"] == {
        "side": "xcom", "name": "Red One", "initiative": game.of("red-one", "initiative"), "points": 0,
        "suppressed": False, "stance": "open", "cover": 0, "position": None, "loaded": {}, "hits": 0, "wounds": 0,
        "out": False, "covering": False, "checked": False, "acted": False, "lightning": False,
    }  # fmt: skip


def test_what_is_mustered_is_shown() -> None:
    game = Game(person("grey", stance="full_cover", cover=3, position=[1.5, -2]))
    assert [game.of("grey", what) for what in ("stance", "cover", "position")] == ["full_cover", 3, [1.5, -2]]
    assert game.of("grey", "loaded") == {"rifle": 30, "pistol": 16}


@pytest.mark.parametrize(
    "broken",
    [
        {"id": "Rook"}, {"id": "rook\n"}, {"id": ""}, {"side": "nobody"}, {"ref": -1}, {"ref": 31}, {"ref": 6.5},
        {"body": None}, {"stance": "prone"}, {"cover": 21}, {"position": [1]}, {"position": [1.001, 2]},
        {"sp": {"torso": 101}}, {"sp": {"neck": 1}}, {"name": "x" * 101}, {"luck": 3},
        {"weapons": [RIFLE, RIFLE]}, {"weapons": [{**RIFLE, "loaded": 31}]}, {"weapons": [{**RIFLE, "modes": []}]},
        {"weapons": [{**RIFLE, "modes": ["beam"]}]}, {"weapons": [{**RIFLE, "rof": 0}]},
        {"weapons": [{**RIFLE, "range": -1}]}, {"weapons": [{**RIFLE, "range": "far"}]},
    ],
)  # fmt: skip
def test_who_cannot_be_mustered(broken: dict[str, Any]) -> None:
    assert Game().clause("muster", combatant={**BARE, **broken}) == "order"


@pytest.mark.parametrize("missing", ["id", "side", "ref", "cl", "ma", "int", "body"])
def test_what_is_needed_to_muster(missing: str) -> None:
    assert Game().clause("muster", combatant={k: v for k, v in BARE.items() if k != missing}) == "order"


def test_an_id_is_somebodys_own() -> None:
    game = Game(BARE)
    assert game.clause("muster", combatant=BARE) == "order"


def test_two_hundred_are_the_most() -> None:
    game = Game(*({**BARE, "id": f"red-{number}"} for number in range(200)))
    assert game.clause("muster", combatant=BARE) == "order"
    assert len(game.show["combatants"]) == 200


def test_amending_leaves_what_happened() -> None:
    """Stance, cover, position and rounds loaded stay, and so do points, wounds and being suppressed."""
    game = two(cover=2, position=[3, 4])
    game.act("grey", "aimed_fire", weapon="rifle", rounds=10)
    game.give("wound", combatant="grey", points=4)
    game.suppress("grey")
    game.points("grey", 2)
    before = game.show["combatants"]["grey"]
    smaller = {**RIFLE, "magazine": 15}
    cannon = weapon("cannon", "auto", magazine=50)
    game.give("amend", combatant=person("grey", "aliens", smaller, cannon, name="Gray", ref=9, cover=0, stance="open"))
    after = game.show["combatants"]["grey"]
    assert after == {**before, "name": "Gray", "loaded": {"rifle": 15, "cannon": 50}}
    assert game.clause("amend", combatant=person("grey", "xcom")) == "order"
    assert game.clause("amend", combatant=person("nobody")) == "order"


@pytest.mark.parametrize(
    ("weapons", "message"),
    [
        ([RIFLE, RIFLE], "grey has two weapons named rifle: give each its own name"),
        ([{**RIFLE, "loaded": 31}], "rifle of grey holds 30 rounds, not 31"),
    ],
)
def test_weapons_that_cannot_be(weapons: list[dict[str, Any]], message: str) -> None:
    """Neither mustered nor amended: two of one name, a magazine too full; full to the last round it may be."""
    profile = person("grey", "aliens", *weapons)
    assert Game(running=False).refused("muster", combatant=profile).message == message
    assert Game(person("grey")).refused("amend", combatant=profile).message == message
    assert Game(person("grey", "aliens", {**RIFLE, "loaded": 30})).of("grey", "loaded") == {"rifle": 30}


def test_who_comes_in_the_middle_of_a_round_is_free() -> None:
    """No points, no mark of anything done: it may lay covering fire at once."""
    game = two()
    game.give("muster", combatant=person("late"))
    flags = ("covering", "checked", "acted", "lightning", "suppressed", "out")
    assert [game.of("late", flag) for flag in flags] == 6 * [False]
    assert (game.of("late", "points"), game.of("late", "wounds"), game.of("late", "hits")) == (0, 0, 0)
    assert game.of("late", "initiative") is None
    game.single_shots(at("rook"), shooter="late", dice=SAFE)


def test_sides_that_cannot_be() -> None:
    """A side is one of the battle's, and stays."""
    assert Game(running=False).clause("muster", combatant=person("grey", "martians")) == "order"
    assert Game(person("grey")).clause("amend", combatant=person("grey", "martians")) == "order"
    assert Game(person("grey")).clause("amend", combatant=person("grey", "xcom")) == "order"


def test_dismissing_a_mistake() -> None:
    """Not while a lane names it: as its shooter, inside or near."""
    game = Game(*(person(name) for name in ("rook", "vex", "grey", "fox")))
    game.fire_lane("covering", "vex", near=["grey"], dice=SAFE)
    for name in ("rook", "vex", "grey"):
        assert game.clause("dismiss", combatant=name) == "order"
    game.give("dismiss", combatant="fox")
    assert "fox" not in game.show["combatants"]
    assert game.clause("dismiss", combatant="fox") == "order"
    game.next_round()
    game.give("dismiss", combatant="rook")


def test_setting_right() -> None:
    """Any of initiative, points, wounds, out and rounds, with a reason; nothing else changes."""
    game = two()
    before = game.show["combatants"]["grey"]
    game.give(
        "set", combatant="grey", initiative=20, points=3, wounds=2, loaded={"rifle": 7}, reason="we forgot"
    )  # fmt: skip
    loaded = {"rifle": 7, "pistol": 16}
    assert game.show["combatants"]["grey"] == {**before, "initiative": 20, "points": 3, "wounds": 2, "loaded": loaded}
    game.give("set", combatant="grey", out=True, reason="dead")
    game.give("set", combatant="grey", out=False, points=0, reason="no, it lives")
    assert game.of("grey", "points") == 0
    assert not game.of("grey", "out")


@pytest.mark.parametrize(
    "broken",
    [{}, {"points": -1}, {"initiative": -1}, {"wounds": 1001}, {"loaded": {"rifle": 31}}, {"loaded": {"bow": 1}},
     {"points": 1, "reason": ""}, {"out": "yes"}],
)  # fmt: skip
def test_what_cannot_be_set(broken: dict[str, Any]) -> None:
    assert two().clause("set", **{"combatant": "grey", "reason": "so", **broken}) == "order"


def test_the_game_masters_orders_need_a_reason() -> None:
    assert two().clause("points", combatant="grey", points=1) == "order"
    assert two().clause("set", combatant="grey", points=1) == "order"


@pytest.mark.parametrize("broken", [{"points": -1}, {"points": 1001}, {}, {"out": False}])
def test_wounds_that_are_none(broken: dict[str, Any]) -> None:
    assert two().clause("wound", **{"combatant": "grey", **broken}) == "order"


def test_who_is_out_of_action_cannot_be_named() -> None:
    """Stance, cover, position, set and wound apart."""
    game = three()
    game.give("wound", combatant="grey", out=True)
    naming: dict[str, dict[str, Any]] = {
        "check": {"combatant": "grey"},
        "act": {"combatant": "grey", "action": "move"},
        "points": {"combatant": "grey", "points": 1, "reason": "so"},
        "spot": {"observer": "rook", "flanker": "grey"},
        "dismiss": {"combatant": "grey"},
        "amend": {"combatant": person("grey")},
        "covering_fire": {"shooter": "grey", "weapon": "rifle", "mode": "semi", "targets": [at("rook")]},
        "lane": lane_order(shooter="grey"),
    }
    for kind, fields in naming.items():
        assert game.clause(kind, **fields) == "order", kind
    assert game.no_act("rook", "aimed_fire", target="grey") == "order"
    game.give("stance", combatant="grey", stance="full_cover")
    game.give("cover", combatant="grey", level=4)
    game.give("position", combatant="grey", at=[0, 0.25])
    game.give("wound", combatant="grey", points=2, out=True)
    game.give("set", combatant="grey", initiative=3, reason="so")
    shown = game.show["combatants"]["grey"]
    assert [shown[what] for what in ("stance", "cover", "position", "wounds", "initiative")] == [
        "full_cover", 4, [0, 0.25], 2, 3,
    ]  # fmt: skip


@pytest.mark.parametrize("action", ["aimed_fire", "melee", "move", "other"])
def test_whoever_an_action_names_as_target_is_there(action: str) -> None:
    """Unknown, out of action or itself: refused, whatever the action."""
    game = Game(person("rook", "xcom"), person("grey"), person("egg"))
    game.give("wound", combatant="egg", out=True)
    for target in ("nobody", "egg", "rook"):
        assert game.clause("act", combatant="rook", action=action, target=target) == "order"
    entry = game.act("rook", action, target="grey")
    assert events(entry, "acted")[0].target == ("grey" if action == "aimed_fire" else None)


def test_cover_and_position_by_the_game_master_have_a_reason() -> None:
    game = two()
    for kind, fields in (("cover", {"level": 1}), ("position", {"at": None})):
        assert game.clause(kind, combatant="grey", override=True, **fields) == "order"
        game.give(kind, combatant="grey", override=True, reason="as he says", **fields)
        assert game.clause(kind, combatant="nobody", **fields) == "order"


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        ("covering_fire", {"targets": []}), ("covering_fire", {"targets": [at("grey", 0)]}),
        ("covering_fire", {"targets": [at("grey", 1, 1.234)]}), ("covering_fire", {"mode": "auto"}),
        ("covering_fire", {"weapon": "bow"}), ("covering_fire", {"shooter": "nobody"}),
        ("lane", {"kind": "smoke"}), ("lane", {"name": ""}), ("lane", {"rounds": 0}), ("lane", {"width": "wide"}),
        ("lane", {"weapon": "bow"}), ("lane", {"near": "grey"}), ("act", {"action": "fly"}), ("act", {"avoid": "luck"}),
        ("act", {"combatant": "nobody"}), ("check", {"combatant": "nobody"}), ("stance", {"stance": "prone"}),
        ("begin_round", {"lightning": "grey"}), ("score", {"side": "nobody"}), ("end_battle", {"winner": "nobody"}),
        ("note", {"text": ""}), ("fireball", {}), ("check", {"combatant": "grey", "why": 1}),
    ],
)  # fmt: skip
def test_malformed_orders(kind: str, broken: dict[str, Any]) -> None:
    usual: dict[str, dict[str, Any]] = {
        "covering_fire": {"shooter": "rook", "weapon": "pistol", "mode": "semi", "targets": [at("grey")]},
        "lane": lane_order(),
        "act": {"combatant": "grey", "action": "move"},
        "stance": {"combatant": "grey"},
        "score": {"points": 1},
    }
    assert two().clause(kind, **{**usual.get(kind, {}), **broken}) == "order"


def test_dice_that_do_not_fit() -> None:
    """Too few, too many, and faces that the die does not have; refused by the rules first."""
    game = two()
    order = {"shooter": "rook", "weapon": "pistol", "mode": "semi", "targets": [at("grey")]}
    for dice in ([], [1], [1, 10], [5, 5], [11]):
        assert game.clause("covering_fire", dice=dice, **order) == "dice"
    assert game.clause("covering_fire", dice=[11], **{**order, "weapon": "rifle", "mode": "burst", "targets": [
        at("grey", 99)]}) == "GD-20"  # fmt: skip
    assert game.clause("act", combatant="rook", action="move", dice=[1]) == "dice"


def test_zero_is_ten() -> None:
    game = two()
    assert game.single_shots(at("grey"), dice=[0, 3]).rolls[0].dice == (10, 3)


def test_after_an_undo_the_same_order_brings_the_same_dice() -> None:
    """A chain is one throw with one key, whatever is rolled in between."""
    game = two()
    first = game.bursts(at("grey", 5))
    game.history.take(game.history.undo("", 0))
    game.give("spot", observer="rook", flanker="grey")
    again = game.bursts(at("grey", 5))
    assert [row.dice for row in first.rolls] == [row.dice for row in again.rolls]
    seed = bytes.fromhex(game.history.header.dice.seed)
    assert [row.key for row in first.rolls] == [f"r1/grey//defence#{k}" for k in range(5)]
    for row in first.rolls:
        assert row.dice == keyed_faces(seed, row.key, 10, len(row.dice))


def test_numbers_that_no_game_has_can_still_be_written_down() -> None:
    """Points by the thousand, and whole runs of tens: the record holds them, and the odds too."""
    game = two(stance="bracing")
    for _ in range(12):
        game.points("grey", 1000)
    assert game.of("grey", "points") == 9999
    assert game.odds("check", combatant="grey")["passed"] == 0
    entry = game.give("check", combatant="grey", dice=[10] * 100)
    assert msgspec.json.decode(msgspec.json.encode(entry.rolls), type=tuple[Rolled, ...]) == entry.rolls
    entry = game.give("spot", observer="rook", flanker="grey", dice=[10] * 200)
    assert msgspec.json.decode(msgspec.json.encode(entry.rolls), type=tuple[Rolled, ...]) == entry.rolls
    assert game.clause("spot", observer="rook", flanker="grey", dice=[10] * 201) == "dice"


def test_score_notes_and_the_end() -> None:
    game = two()
    game.give("score", side="xcom", points=3)
    game.give("score", side="xcom", points=-1)
    assert game.show["score"] == {"xcom": 2, "aliens": 0}
    game.give("note", text="the aliens flee")
    game.give("end_battle", winner="xcom", reason="fled")
    assert game.show["ended"] == {"winner": "xcom", "reason": "fled"}
    assert game.clause("end_round") == "order"
    game.give("note", text="well played")


def test_every_switch_has_its_default() -> None:
    """The switches of the rulebook, and the clauses that they name."""
    rules = rule_set("gray-dawn")
    assert {switch.name: switch.values for switch in rules.switches} == {
        "explode_down": ("yes", "no"),
        "check_stat": ("cl", "cl_int"),
        "check_base": ("15",),
        "points_last": ("until_checked", "end_of_round"),
        "aimed_points": ("0",),
        "defence_stats": ("cl_ma", "ref_ma"),
        "max_firing_actions": ("none",),
        "splash_friends": ("yes", "no"),
        "lane_hits": ("burst_table", "1d6"),
    }
    texts = {clause.number: clause.text for clause in rules.clauses}
    for switch in rules.switches:
        assert f"Switch {switch.name}" in texts[switch.clause]
    assert {switch.name for switch in rules.switches if switch.number} == {
        "check_base", "aimed_points", "max_firing_actions",
    }  # fmt: skip


def test_thirty_clauses_in_order() -> None:
    assert [clause.number for clause in rule_set("gray-dawn").clauses] == [f"GD-{n}" for n in range(1, 31)]


def test_what_is_not_forbidden_is_allowed() -> None:
    """GD-1: how many actions a round has, and who is a friend, is the table's own affair."""
    game = three()
    for action in ("move", "move", "aimed_fire", "melee", "lean_out", "emerge", "other"):
        game.act("grey", action)
    game.act("rook", "aimed_fire", target="vex", points=0)


def test_of_several_clauses_all_are_told() -> None:
    """GD-1: any of the clauses that forbid an order may be named; the others are told beside it."""
    game = two(cover=1)
    game.suppress("grey")
    refusal = game.refused("act", combatant="grey", action="aimed_fire")
    assert {refusal.clause, *(reason.clause for reason in refusal.reasons)} == {"GD-8", "GD-9"}
