"""Gray Dawn: which orders are open to a player now, and which clause stands against the others."""

from __future__ import annotations

import pytest

from engine.gray_dawn import RULES
from tests.gray_dawn_battles import MACHINE_GUN, PISTOL, RIFLE, SAFE, Game, Told, at, person, two, weapon

ACTIONS = {action.name: action for action in RULES.actions}
ABOUT_PEOPLE = [action.name for action in RULES.actions if action.about == "unit"]
DEEDS = {"aimed_fire", "melee", "move", "emerge", "cross", "lean_out", "reload", "other"}
FIRE = {"covering_fire", "lane"}
BY_HAND = {"stance", "cover", "position", "points", "wound", "set", "copy", "amend", "dismiss"}


def against(game: Game, name: str, about: str | None = None) -> str:
    """What stands against an order, empty where it is open."""
    return RULES.available(game.history.state, ACTIONS[name], about)


def open_to(game: Game, person_id: str = "grey") -> set[str]:
    return {name for name in ABOUT_PEOPLE if not against(game, name, person_id)}


def is_asked(game: Game, name: str, about: str | None = "grey") -> bool:
    return RULES.asks(game.history.state, ACTIONS[name], about)


def test_a_round_runs_or_does_not() -> None:
    """GD-4: fire, checks and deeds belong to a round; the game master's hand does not."""
    game = two()
    assert open_to(game) == DEEDS - {"cross"} | FIRE | BY_HAND | {"spot"}
    assert against(game, "begin_round") == "round 1 is still running: end it first (GD-4)"
    assert against(game, "end_round") == ""
    game.give("end_round")
    assert open_to(game) == BY_HAND | {"spot"}
    assert against(game, "begin_round") == ""
    assert against(game, "end_round") == "no round is running: there is none to end (GD-4)"
    assert against(game, "move", "grey") == "an action needs a running round: begin one first (GD-4)"
    assert against(game, "check", "grey") == "a check needs a running round: begin one first (GD-4)"
    assert against(game, "lane", "grey") == "covering fire needs a running round: begin one first (GD-4)"


def test_the_check_comes_first() -> None:
    """GD-7: with points nothing is done before the check, but covering fire; without any there is no check."""
    game = two()
    assert against(game, "check", "grey") == "nobody carries points: there is no check to make (GD-7)"
    game.points("grey", 2)
    assert open_to(game) == FIRE | BY_HAND | {"spot", "check"}
    assert against(game, "move", "grey") == "Grey carries 2 suppression points: the check comes first (GD-7)"
    assert against(game, "check", "rook") == ""
    game.check("grey", 10, 1)
    assert against(game, "check", "grey") == "Grey has made its check this round (GD-7)"
    assert against(game, "check", "rook") == "nobody carries points: there is no check to make (GD-7)"
    assert open_to(game) == DEEDS - {"cross"} | FIRE | BY_HAND | {"spot"}


@pytest.mark.parametrize(
    ("cover", "closed"),
    [
        (0, {"aimed_fire", "melee", "emerge", "lean_out"}),
        (1, {"aimed_fire", "melee", "emerge", "lean_out", "move"}),
    ],
)
def test_the_suppressed(cover: int, closed: set[str]) -> None:
    """GD-8, GD-9: no attack but covering fire, no leaving of cover; without any, going on is no leaving."""
    game = two()
    game.give("cover", combatant="grey", level=cover)
    game.suppress("grey")
    assert DEEDS - open_to(game) == closed | {"cross"}
    assert open_to(game) >= FIRE
    game.next_round()
    assert against(game, "check", "grey") == ""


@pytest.mark.parametrize(
    ("stance", "closed"),
    [
        ("active", set()),
        ("moving", set()),
        ("full_cover", {"aimed_fire", "melee"}),
        ("bracing", {"move", "emerge"}),
    ],
)
def test_each_stance_closes_its_deeds(stance: str, closed: set[str]) -> None:
    """GD-9: full cover takes the attacks, bracing takes the ways."""
    game = two()
    game.give("stance", combatant="grey", stance=stance)
    assert DEEDS - open_to(game) == closed | {"cross"}


def test_covering_fire_takes_the_round() -> None:
    """GD-11: whoever lays it does nothing else, and who has acted lays none."""
    game = two()
    game.act("grey", "other")
    assert (
        against(game, "covering_fire", "grey")
        == "Grey has acted this round: covering fire takes the whole round (GD-11)"
    )
    game.single_shots(at("grey"), dice=SAFE)
    assert against(game, "lane", "rook") == "Rook lays covering fire already: it takes the whole round (GD-11)"
    assert DEEDS & open_to(game, "rook") == set()


@pytest.mark.parametrize(
    ("carried", "open_fire"),
    [
        ([RIFLE], {"covering_fire", "lane"}),
        ([PISTOL], {"covering_fire"}),
        ([MACHINE_GUN], {"lane"}),
        ([weapon("carbine", "burst")], {"covering_fire"}),
        ([PISTOL, MACHINE_GUN], {"covering_fire", "lane"}),
    ],
)
def test_fire_by_the_weapons_carried(carried: list[Told], open_fire: set[str]) -> None:
    """GD-16, GD-17, GD-21: single shots or bursts make covering fire, automatic fire a lane."""
    game = Game(person("grey", "aliens", *carried))
    assert FIRE & open_to(game) == open_fire
    told = {"covering_fire": "single shots or bursts (GD-16)", "lane": "automatic fire (GD-21)"}
    for name in FIRE - open_fire:
        assert against(game, name, "grey") == f"Grey has no weapon with {told[name]}"


def test_alone() -> None:
    """GD-10: nobody can sneak up where nobody else is in action."""
    game = two()
    assert against(game, "spot", "grey") == ""
    game.give("wound", combatant="rook", out=True)
    assert against(game, "spot", "grey") == "there is nobody to notice"


def test_out_of_action() -> None:
    """GD-30: the game master may still set things right."""
    game = two()
    game.points("grey", 1)
    game.give("wound", combatant="grey", out=True)
    assert open_to(game) == {"stance", "cover", "position", "wound", "set", "copy"}
    assert against(game, "move", "grey") == "Grey is out of action"
    assert against(game, "check", "rook") == "nobody carries points: there is no check to make (GD-7)"


def test_after_the_end() -> None:
    """A battle that is over takes notes, and nothing else."""
    game = two()
    for name in ("muster", "score", "note", "mission", "end_battle"):
        assert against(game, name) == ""
    game.give("end_battle")
    for action in RULES.actions:
        about = "grey" if action.about == "unit" else None
        told = "" if action.name == "note" else "the battle is over; undo takes that back"
        assert RULES.available(game.history.state, action, about) == told


WAYS = {"move", "emerge", "cross", "lean_out"}


def test_what_is_asked_before_a_deed() -> None:
    """GD-20: an aim always; which magazine where there are two; a way only where a lane is open (GD-24)."""
    game = Game(person("rook", "xcom"), person("grey", "aliens", RIFLE, PISTOL), person("vex", "xcom", RIFLE))
    assert {name for name in DEEDS if is_asked(game, name)} == {"aimed_fire", "reload"}
    assert {name for name in DEEDS if is_asked(game, name, "vex")} == {"aimed_fire"}
    game.fire_lane("saturation")
    assert {name for name in DEEDS if is_asked(game, name, "vex")} == WAYS | {"aimed_fire"}
    game.give("wound", combatant="rook", out=True)
    assert {name for name in DEEDS if is_asked(game, name, "vex")} == {"aimed_fire"}
    for name, asked in (("end_round", False), ("begin_round", True), ("note", True)):
        assert is_asked(game, name, None) is asked
    assert not is_asked(game, "dismiss")


@pytest.mark.parametrize(("cover", "free"), [(0, set()), (1, {"other", "reload"}), (3, {"other", "reload"})])
def test_what_is_asked_inside_a_lane(cover: int, free: set[str]) -> None:
    """GD-25: whoever stands in it crosses it by any deed, but for reloading and the like behind cover."""
    game = Game(person("rook", "xcom"), person("grey", "aliens", RIFLE))
    game.give("cover", combatant="grey", level=cover)
    game.fire_lane("saturation", "grey")
    assert {name for name in DEEDS if is_asked(game, name)} == DEEDS - free


def test_a_covering_lane_is_no_way_to_cross() -> None:
    """GD-24: once resolved there is nothing left of it."""
    game = two()
    game.fire_lane("covering", "grey", dice=SAFE)
    assert {name for name in DEEDS if is_asked(game, name)} == {"aimed_fire", "reload"}
    assert against(game, "move", "grey").endswith("the check comes first (GD-7)")
