"""The burst table, where rounds hit, and the wounds they make."""

from __future__ import annotations

from typing import Any

import pytest

from engine.gray_dawn.hits import (
    DamageRoll,
    area_of,
    body_type_modifier,
    damage_roll,
    is_covered,
    wound_state,
    wounds_of,
)
from tests.gray_dawn_battles import HIT, SAFE, Game, at, events, person, rolled, weapon


def shot_at(damage: str | None = "1d10", switches: dict[str, Any] | None = None, **stats: Any) -> Game:
    """Rook's rifle with that damage against Grey, who wears nothing and has BODY 2 unless told otherwise."""
    rifle = weapon("rifle", "semi", "burst", "auto", damage=damage)
    grey = person("grey", **{"sp": {}, "body": 2, **stats})
    return Game(person("rook", "xcom", rifle), grey, **(switches or {}))


@pytest.mark.parametrize(("face", "hits"), [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
def test_burst_table(face: int, hits: int) -> None:
    """GD-29, GD-23."""
    game = shot_at(None)
    game.fire_lane("covering", "grey", dice=[*HIT, face])
    assert game.of("grey", "hits") == hits


@pytest.mark.parametrize("face", [1, 4, 6])
def test_a_plain_d6_by_switch(face: int) -> None:
    """GD-29, switch lane_hits 1d6."""
    game = shot_at(None, {"lane_hits": "1d6"})
    game.fire_lane("covering", "grey", dice=[*HIT, face])
    assert game.of("grey", "hits") == face


@pytest.mark.parametrize(
    ("damage", "roll"),
    [("5d6+2", DamageRoll(5, 6, 2)), ("2d6-1", DamageRoll(2, 6, -1)), ("1d10", DamageRoll(1, 10, 0)),
     ("20d20+99", DamageRoll(20, 20, 99))],
)  # fmt: skip
def test_damage_rolls(damage: str, roll: DamageRoll) -> None:
    """GD-30."""
    assert damage_roll(damage) == roll


@pytest.mark.parametrize("damage", ["5d6+", "d6", "0d6", "6", "5d6+2 ", "5d6\n", "21d6", "1d1", "5D6", ""])
def test_what_is_no_damage_roll(damage: str) -> None:
    """GD-30: refused when mustering."""
    game = Game()
    profile = person("rook", "xcom", weapon("rifle", "auto", damage=damage))
    assert game.clause("muster", combatant=profile) == "order"


LOCATIONS = [
    "head",
    "torso",
    "torso",
    "torso",
    "right arm",
    "left arm",
    "right leg",
    "right leg",
    "left leg",
    "left leg",
]


@pytest.mark.parametrize(("face", "location"), list(enumerate(LOCATIONS, 1)))
def test_location(face: int, location: str) -> None:
    """GD-30: d10; the face 0 typed is a 10."""
    game = shot_at()
    entry = _shoot(game, face % 10, 10)
    assert events(entry, "wounded")[0].location == location


@pytest.mark.parametrize("face", [1, 10])
def test_nothing_but_checks_explodes(face: int) -> None:
    """GD-2: one die tells where a round hits and one how hard, also where it shows a 10 or a 1."""
    entry = _shoot(shot_at(), face, face)
    assert [(row.purpose, row.dice) for row in entry.rolls[1:]] == [("location", (face,)), ("damage", (face,))]
    assert events(entry, "wounded")[0].damage == face


def _shoot(game: Game, *dice: int) -> Any:
    """One burst of the rifle that hits, with these dice for location and damage."""
    return game.bursts(at("grey"), dice=[*HIT, *dice])


def test_dice_follow_each_other_target_by_target() -> None:
    """GD-30: defence, burst table, then for each round its location and its damage; then the next target."""
    rifle = weapon("rifle", "auto", damage="2d6")
    game = Game(person("rook", "xcom", rifle), person("grey"), person("drone"))
    entry = game.fire_lane("covering", "grey", "drone", dice=[*HIT, 4, 2, 3, 4, 3, 5, 6, *SAFE])
    assert [(purpose, subject, dice) for purpose, subject, dice, _ in rolled(entry)] == [
        ("defence", "grey", (1, 10, 1)),
        ("burst", "grey", (4,)),
        ("location", "grey", (2,)),
        ("damage", "grey", (3, 4)),
        ("location", "grey", (3,)),
        ("damage", "grey", (5, 6)),
        ("defence", "drone", (5,)),
    ]


@pytest.mark.parametrize(
    ("damage", "stopping", "location", "body", "wounds"),
    [
        (10, 12, "torso", 7, 0),
        (12, 12, "torso", 7, 0),
        (13, 12, "torso", 7, 1),
        (20, 12, "torso", 7, 6),
        (20, 12, "torso", 2, 8),
        (20, 12, "head", 7, 12),
        (13, 12, "head", 7, 2),
        (21, 12, "right arm", 2, 4),
        (13, 12, "left leg", 2, 1),
        (20, 12, "left arm", 10, 1),
    ],
)
def test_wounds(damage: int, stopping: int, location: str, body: int, wounds: int) -> None:
    """GD-30: SP off, a limb halved (down, at least 1), BTM off, at least 1, the head double after that."""
    assert wounds_of(damage, stopping, location, body) == wounds


@pytest.mark.parametrize(
    ("body", "modifier"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (7, 2), (8, 3), (9, 3), (10, 4), (14, 4)]
)
def test_body_type(body: int, modifier: int) -> None:
    """GD-30."""
    assert body_type_modifier(body) == modifier


@pytest.mark.parametrize(
    ("stance", "head", "torso"),
    [("open", 14, 18), ("moving", 14, 18), ("bracing", 14, 18), ("active", 14, 26), ("full_cover", 22, 26)],
)
def test_cover_adds_armour(stance: str, head: int, torso: int) -> None:
    """GD-30: 4 SP a level on covered areas: all but the head in active stance, all in full cover, none in others."""
    game = shot_at(stance=stance, cover=2, sp={"head": 14, "torso": 18, "arms": 10, "legs": 10})
    entry = game.bursts(at("grey", 2), dice=[*HIT, 1, 5, *HIT, 3, 5])
    assert [event.stopping for event in events(entry, "wounded")] == [head, torso]


def test_what_is_covered() -> None:
    """GD-30."""
    assert {area for area in ("head", "torso", "arms", "legs") if is_covered("active", area)} == {
        "torso",
        "arms",
        "legs",
    }
    assert {area_of(location) for location in LOCATIONS} == {"head", "torso", "arms", "legs"}


@pytest.mark.parametrize(
    ("wounds", "state"),
    [(0, ""), (1, "light"), (4, "light"), (5, "serious"), (8, "serious"), (9, "critical"), (12, "critical"),
     (13, "mortal"), (99, "mortal")],
)  # fmt: skip
def test_how_bad_wounds_are(wounds: int, state: str) -> None:
    """GD-30."""
    assert wound_state(wounds) == state


def test_wounds_add_up_and_put_nobody_out() -> None:
    """GD-30: by rounds and by hand; the game master says who is out of action."""
    game = shot_at(damage="2d10+20")
    _shoot(game, 2, 10, 10)
    assert (game.of("grey", "hits"), game.of("grey", "wounds"), game.of("grey", "out")) == (1, 40, False)
    game.give("wound", combatant="grey", points=3)
    assert (game.of("grey", "wounds"), game.of("grey", "out")) == (43, False)
    game.give("wound", combatant="grey", out=True)
    assert (game.of("grey", "wounds"), game.of("grey", "out")) == (43, True)


def test_damage_below_nothing_is_nothing() -> None:
    """GD-30: 1d6-5 and a 1."""
    game = shot_at(damage="1d6-5")
    assert events(_shoot(game, 2, 1), "wounded")[0].damage == 0


def test_without_a_damage_roll_hits_are_counted() -> None:
    """GD-30: no location, no damage, no wounds."""
    game = shot_at(damage=None)
    entry = _shoot(game)
    assert [row.purpose for row in entry.rolls] == ["defence"]
    assert (game.of("grey", "hits"), game.of("grey", "wounds")) == (1, 0)
