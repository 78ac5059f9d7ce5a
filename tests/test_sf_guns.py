"""Who may suppress, with which guns, and how many shots that makes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sf_battles import (
    BOLT_PISTOL,
    BOLTGUN,
    CATAPULT,
    FAIL,
    HEAVY_BOLTER,
    LASGUN,
    PASS,
    Game,
    Told,
    blue,
    by,
    carrier,
    fires,
    gun,
    inside,
    models,
    red,
    tagged,
    unit,
)


def ready(*blues: Told, **switches: str) -> Game:
    """Blue units in their shooting phase, facing red scouts."""
    game = Game(*blues, red("scouts"), **switches)
    game.to("blue", "shooting")
    return game


def armed(*guns: Told, count: int = 5, inches: float = 12, **switches: str) -> Game:
    """One blue unit that has declared its fire with these guns."""
    game = ready(blue("squad", count, *guns), **switches)
    game.declare("scouts", by("squad", inches))
    return game


def shots(game: Game) -> int:
    told: int = game.fire("scouts", "squad")["shots"]
    return told


def refusal(weapon: Told, count: int = 5, inches: float = 12, **switches: str) -> str:
    return ready(blue("squad", count, weapon), **switches).no_declare("scouts", by("squad", inches)).clause


# Five shots


@pytest.mark.parametrize(("count", "allowed"), [(1, False), (4, False), (5, True), (6, True)])
def test_five_shots_are_needed(count: int, allowed: bool) -> None:
    """SF-3: lasguns beyond 12 inches fire once each: four are refused, five are exactly enough."""
    game = ready(blue("squad", count, LASGUN))
    if allowed:
        game.declare("scouts", by("squad", 20))
        assert (shots(game), game.fire("scouts", "squad")["effective"]) == (count, True)
    else:
        assert game.no_declare("scouts", by("squad", 20)).clause == "SF-3"


def test_five_shots_of_guns_named() -> None:
    """SF-3: two of five men with catapults make four, though all five would make ten."""
    game = ready(blue("squad"))
    assert game.no_declare("scouts", by("squad", 12, fires("men", "catapult", 2))).clause == "SF-3"
    game.declare("scouts", by("squad", 12, fires("men", "catapult", 3)))


def test_shots_of_unlike_groups_add_up() -> None:
    """SF-3: two lasguns and one heavy bolter make five; without the bolter's gunner they are two."""
    game = ready(unit("squad", "blue", models("men", 2, LASGUN), models("gunner", 1, HEAVY_BOLTER)))
    game.declare("scouts", by("squad", 24))
    assert shots(game) == 5
    game.give("casualties", unit="squad", group="gunner", models=1)
    assert game.fire("scouts", "squad") == {"shots": 2, "effective": False, "why_not": "2 shots left, 5 needed (SF-32)"}


def test_no_unit_makes_up_for_another() -> None:
    """SF-3: each unit needs five shots of its own; nothing is recorded of the others in the order either."""
    game = ready(blue("squad"), blue("few", 2))
    assert game.no_declare("scouts", "squad", "few").clause == "SF-3"
    assert game.show["suppressions"] == {}


# In place of shooting


@pytest.mark.parametrize("phase", ["movement", "assault"])
def test_only_in_the_shooting_phase(phase: str) -> None:
    """SF-4: and never in the enemy's turn or between turns."""
    game = Game(blue("squad"), red("scouts"))
    assert game.no_declare("scouts", "squad").clause == "SF-4"
    game.to("blue", phase)
    assert game.no_declare("scouts", "squad").clause == "SF-4"
    game.to("red", "shooting")
    assert game.no_declare("scouts", "squad").clause == "SF-4"


def test_not_after_firing() -> None:
    """SF-4: a unit that has fired this turn may not suppress; next turn it may again."""
    game = ready(blue("squad"))
    game.act("squad", "shoot")
    assert game.no_declare("scouts", "squad").clause == "SF-4"
    game.to("red")
    game.to("blue", "shooting")
    game.declare("scouts", "squad")


def test_not_firing_afterwards() -> None:
    """SF-4: a unit that has suppressed may not fire this turn."""
    game = armed()
    assert game.clause("act", unit="squad", action="shoot") == "SF-4"


def test_passengers_do_not_fire_after_suppressing() -> None:
    """SF-4: nor from a vehicle."""
    game = ready(carrier("trukk", "blue", open_topped=True), inside(blue("squad"), "trukk"))
    game.declare("scouts", "squad")
    assert game.clause("act", unit="squad", action="fire_from_vehicle") == "SF-4"


@pytest.mark.parametrize("target", ["scouts", "guard"])
def test_one_declaration_a_turn(target: str) -> None:
    """SF-4: no second target, and no second declaration on the same one either."""
    game = ready(blue("squad"), red("guard"))
    game.declare("scouts", "squad")
    assert game.no_declare(target, "squad").clause == "SF-4"


def test_named_twice_in_one_declaration() -> None:
    """SF-4: a unit declares once, in one order too."""
    half = by("squad", 12, fires("men", "catapult", 3))
    assert ready(blue("squad", 6)).no_declare("scouts", half, half).clause == "SF-4"


def test_it_may_declare_again_next_turn() -> None:
    """SF-4: once a turn, every turn."""
    game = armed()
    game.test("scouts", PASS)
    game.to("red")
    game.to("blue", "shooting")
    game.declare("scouts", "squad")
    assert shots(game) == 10


def test_a_futile_attempt_is_an_attempt() -> None:
    """SF-4, SF-9: random shots that fell short use up the shooting all the same."""
    game = ready(blue("squad", 2, gun("scatter gun", "shot", 24, 4, 5, "assault", "d3")))
    game.declare("scouts", "squad", dice=[2])
    assert game.no_declare("scouts", "squad").clause == "SF-4"
    assert game.clause("act", unit="squad", action="shoot") == "SF-4"


# Range and sight


@pytest.mark.parametrize(("inches", "allowed"), [(17.99, True), (18, True), (18.01, False)])
def test_exact_range(inches: float, allowed: bool) -> None:
    """SF-5: a catapult reaches 18 inches and not a hundredth more."""
    if allowed:
        assert shots(armed(inches=inches)) == 10
    else:
        assert refusal(CATAPULT, inches=inches) == "SF-5"


def test_sight_of_the_unit() -> None:
    """SF-5: without line of sight no gun fires."""
    game = ready(blue("squad"))
    assert game.no_declare("scouts", by("squad", line_of_sight=False)).clause == "SF-5"


def test_sight_and_range_of_one_gun() -> None:
    """SF-5: a gun may have its own range and line of sight, better or worse than the unit's."""
    game = ready(unit("squad", "blue", models("men", 5), models("gunner", 2, HEAVY_BOLTER)))
    far, hidden = fires("gunner", "heavy bolter", 2, range=37), fires("gunner", "heavy bolter", 2, line_of_sight=False)
    for line in (far, hidden):
        refused = game.no_declare("scouts", by("squad", 12, fires("men", "catapult", 5), line))
        assert refused.clause == "SF-5"
    seeing = fires("gunner", "heavy bolter", 2, range=30, line_of_sight=True)
    game.declare("scouts", by("squad", 240, seeing, line_of_sight=False))
    assert shots(game) == 6
    assert game.fire("scouts", "squad")["effective"]


@pytest.mark.parametrize(
    ("shooter", "clause"),
    [
        (fires("gunner", "heavy bolter", 1), "SF-7"),
        (fires("gunner", "bolt pistol", 1), "SF-8"),
        (fires("gunner", "catapult", 1, range=20), "SF-5"),
        (fires("gunner", "catapult", 2), "SF-9"),
        (fires("gunner", "grenade", 1), "SF-10"),
        (fires("gunner", "lascannon", 1), "order"),
        (fires("sergeant", "catapult", 1), "order"),
    ],
)
def test_every_gun_named_must_be_able_to_fire(shooter: Told, clause: str) -> None:
    """SF-5: one that cannot spoils the order, with the clause of that gun, although the others suffice."""
    squad = unit("squad", "blue", models("men", 5), models("gunner", 1, CATAPULT, HEAVY_BOLTER, BOLT_PISTOL))
    game = Game(squad, red("scouts"))
    game.to("blue")
    game.act("squad", "move")
    game.to("blue", "shooting")
    refused = game.no_declare("scouts", by("squad", 12, fires("men", "catapult", 5), shooter))
    assert refused.clause == clause


def test_none_named_and_some_may() -> None:
    """SF-5: where no guns are named all that may fire do, and the others keep silent."""
    squad = unit("squad", "blue", models("men", 5), models("gunner", 1, BOLT_PISTOL), models("sniper", 1, HEAVY_BOLTER))
    game = ready(squad)
    game.declare("scouts", by("squad", 18))
    assert shots(game) == 13


def test_none_named_and_none_may() -> None:
    """SF-5: refused with the clauses of the guns; every one of them is told, and SF-3 too."""
    squad = unit("squad", "blue", models("men", 5), models("gunner", 5, BOLT_PISTOL))
    refused = ready(squad).no_declare("scouts", by("squad", 20))
    assert refused.clause in ("SF-3", "SF-5", "SF-8")
    assert {reason.clause for reason in refused.reasons} == {"SF-3", "SF-5", "SF-8"}
    assert any("bolt pistol" in reason.message for reason in refused.reasons if reason.clause == "SF-8")


REACHES = (("bolt pistol", 12), ("catapult", 18))


def test_none_named_and_none_may_in_the_order_of_the_guns() -> None:
    """SF-5: the clause of the first gun that may not, then each of the others once, SF-3 last."""
    banned = ("SF-8", "bolt pistol: pistols may not suppress")
    short = [("SF-5", f"{name} reaches {far} inches, the target is at 20") for name, far in REACHES]
    few = ("SF-3", "Squad puts out 0 shots, 5 are needed")
    for guns, told in (
        ((BOLT_PISTOL, CATAPULT), [banned, short[0], short[1], few]),
        ((CATAPULT, BOLT_PISTOL), [short[1], banned, short[0], few]),
    ):
        refused = ready(blue("squad", 5, *guns)).no_declare("scouts", by("squad", 20))
        assert [(reason.clause, reason.message) for reason in refused.reasons] == told
        assert (refused.clause, refused.message) == told[0]


def test_none_named_and_too_few_may() -> None:
    """SF-3: some may fire, but they make no five shots."""
    squad = unit("squad", "blue", models("men", 2), models("gunner", 5, BOLT_PISTOL))
    assert ready(squad).no_declare("scouts", "squad").clause == "SF-3"


def test_the_first_gun_that_may() -> None:
    """SF-5: of each group all models fire the first of their weapons that may; grenades come last."""
    game = Game(blue("squad", 5, BOLT_PISTOL, HEAVY_BOLTER, CATAPULT, LASGUN), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", by("squad", 18))
    assert (shots(game), game.suppression("scouts")["gun_type"]) == (15, "bolt")
    game = Game(blue("squad", 5, BOLT_PISTOL, HEAVY_BOLTER, CATAPULT, LASGUN), red("scouts"))
    game.to("blue")
    game.act("squad", "move")
    game.to("blue", "shooting")
    game.declare("scouts", by("squad", 18))
    assert (shots(game), game.suppression("scouts")["gun_type"]) == (10, "shuriken")


# Fit to suppress


def test_not_after_running() -> None:
    """SF-6: a unit that ran this turn may not suppress."""
    game = ready(blue("squad"))
    game.act("squad", "run")
    assert game.no_declare("scouts", "squad").clause == "SF-6"


@pytest.mark.parametrize("mark", ["pinned", "gone_to_ground", "falling_back", "in_combat"])
def test_not_while(mark: str) -> None:
    """SF-6: pinned, gone to ground, falling back, locked in combat; once the mark is off it may."""
    game = ready(blue("squad"))
    game.give("status", unit="squad", status=mark, on=True)
    assert game.no_declare("scouts", "squad").clause in ("SF-6", "SF-18")
    game.give("status", unit="squad", status=mark, on=False)
    game.declare("scouts", "squad")


@pytest.mark.parametrize("mark", ["stunned", "shaken"])
def test_no_vehicle_that_is(mark: str) -> None:
    """SF-6: a stunned or shaken vehicle does not suppress; otherwise a vehicle does like any unit."""
    tank = unit("tank", "blue", models("turret", 2, HEAVY_BOLTER), kind="vehicle")
    game = ready(tank)
    game.give("status", unit="tank", status=mark, on=True)
    assert game.no_declare("scouts", "tank").clause == "SF-6"
    game.give("status", unit="tank", status=mark, on=False)
    game.declare("scouts", "tank")
    assert game.fire("scouts", "tank")["shots"] == 6


# After moving


def after_moving(weapon: Told, action: str = "move", relentless: bool = False, **switches: str) -> Game:
    squad = unit("squad", "blue", models("men", 5, weapon, relentless=relentless))
    game = Game(squad, red("scouts"), **switches)
    game.to("blue")
    game.act("squad", action)
    game.to("blue", "shooting")
    return game


@pytest.mark.parametrize("weapon", [HEAVY_BOLTER, LASGUN], ids=["heavy", "rapid fire"])
@pytest.mark.parametrize("inches", [6, 12, 20])
def test_moved_heavy_and_rapid_fire_guns(weapon: Told, inches: float) -> None:
    """SF-7: not if the unit moved, at whatever range."""
    assert after_moving(weapon).no_declare("scouts", by("squad", inches)).clause == "SF-7"


def test_moved_assault_guns() -> None:
    """SF-7: assault guns still may."""
    game = after_moving(CATAPULT)
    game.declare("scouts", "squad")
    assert shots(game) == 10


@pytest.mark.parametrize(("weapon", "count"), [(HEAVY_BOLTER, 15), (LASGUN, 10)], ids=["heavy", "rapid fire"])
def test_relentless_models_have_not_moved(weapon: Told, count: int) -> None:
    """SF-7: relentless models count as not having moved."""
    game = after_moving(weapon, relentless=True)
    game.declare("scouts", "squad")
    assert shots(game) == count


def test_relentless_goes_by_group() -> None:
    """SF-7: in a unit that moved only its relentless models fire heavy guns."""
    squad = unit(
        "squad", "blue", models("men", 5, HEAVY_BOLTER), models("exo", 2, HEAVY_BOLTER, relentless=True)
    )  # fmt: skip
    game = Game(squad, red("scouts"))
    game.to("blue")
    game.act("squad", "move")
    game.to("blue", "shooting")
    game.declare("scouts", "squad")
    assert shots(game) == 6


def test_embarking_and_disembarking_are_moving() -> None:
    """SF-7: a unit that got out this turn has moved."""
    game = Game(carrier("rhino", "blue"), inside(blue("squad", 5, LASGUN), "rhino"), red("scouts"))
    game.to("blue")
    game.act("squad", "disembark")
    game.to("blue", "shooting")
    assert game.no_declare("scouts", "squad").clause == "SF-7"


def test_an_other_action_is_no_move() -> None:
    """SF-7: only moving keeps the guns silent."""
    game = after_moving(LASGUN, "other")
    game.declare("scouts", "squad")
    assert shots(game) == 10


@pytest.mark.parametrize(("inches", "count"), [(6, 10), (12, 10), (12.01, None), (20, None)])
def test_moved_rapid_fire_within_twelve(inches: float, count: int | None) -> None:
    """SF-7, switch moved_rapid_fire within_12: 2 shots at exactly 12 inches or less, none beyond."""
    game = after_moving(LASGUN, moved_rapid_fire="within_12")
    if count is None:
        assert game.no_declare("scouts", by("squad", inches)).clause == "SF-7"
    else:
        game.declare("scouts", by("squad", inches))
        assert shots(game) == count


def test_the_switch_is_not_for_heavy_guns() -> None:
    """SF-7: within_12 frees rapid-fire guns only; unmoved ones fire at any range."""
    assert after_moving(HEAVY_BOLTER, moved_rapid_fire="within_12").no_declare("scouts", "squad").clause == "SF-7"
    assert shots(armed(LASGUN, inches=20, moved_rapid_fire="within_12")) == 5


# Banned guns

HEAVY_1 = gun("sniper cannon", "sniper", 36, 8, 2, "heavy", 1)
BANNED = {
    "blast": tagged(gun("frag launcher", "frag", 24, 4, 6, "assault", 4), "blast"),
    "template": tagged(gun("flamer", "flame", 24, 4, 5, "assault", 4), "template"),
    "Gets Hot": tagged(gun("plasma gun", "plasma", 24, 7, 2, "rapid_fire", 1), "gets_hot"),
    "Heavy 1": HEAVY_1,
    "pistol": BOLT_PISTOL,
    "ordnance": gun("battle cannon", "shell", 72, 8, 3, "ordnance", 4),
}


@pytest.mark.parametrize("kind", BANNED)
def test_guns_that_never_may(kind: str) -> None:
    """SF-8: blast, template, Heavy 1, pistol, Gets Hot and ordnance, however many there are."""
    assert refusal(BANNED[kind], count=20) == "SF-8"


@pytest.mark.parametrize("kind", BANNED)
def test_a_banned_gun_named(kind: str) -> None:
    """SF-8: named among good guns it is refused with its name and reason."""
    squad = unit("squad", "blue", models("men", 5), models("gunner", 1, BANNED[kind]))
    name = BANNED[kind]["name"]
    refused = ready(squad).no_declare("scouts", by("squad", 12, fires("men", "catapult", 5), fires("gunner", name, 1)))
    assert refused.clause == "SF-8"
    assert name in refused.message


def test_every_refused_gun_is_shown_with_its_reason() -> None:
    """SF-8: the form of a declaration lists each gun; the silent ones say why, with the clause."""
    squad = unit("squad", "blue", *(models(kind, 1, weapon) for kind, weapon in BANNED.items()), models("men", 5))
    game = ready(squad)
    form = game.history.rules.form(game.history.state, "declare", {"about": "squad"}, {})
    told = {field.label: field.forbidden for field in form.fields if field.name.startswith("guns:")}
    assert told.pop("men: catapult") == ""
    assert len(told) == len(BANNED)
    assert all("(SF-8)" in reason for reason in told.values())


def test_twin_linked_guns_and_random_heavies_are_not_banned() -> None:
    """SF-8: only what the clause names; Heavy D3 is not Heavy 1, Assault 1 may."""
    assert shots(armed(tagged(CATAPULT, "twin_linked"))) == 10
    assert shots(armed(gun("carbine", "las", 12, 3, None, "assault", 1))) == 5
    game = ready(blue("squad", 5, gun("quake gun", "shell", 24, 8, 3, "heavy", "d3")))
    game.declare("scouts", "squad", dice=[1])
    assert shots(game) == 5


@pytest.mark.parametrize(("per_model", "count"), [(1, 5), (2, 10)])
def test_pistols_allowed(per_model: int, count: int) -> None:
    """SF-8, SF-9, switch pistols allowed: Pistol N makes N shots."""
    assert shots(armed({**BOLT_PISTOL, "shots": per_model}, pistols="allowed")) == count


def test_hot_pistols_stay_banned() -> None:
    """SF-8: the switch is about pistols, not about guns that get hot."""
    assert refusal(tagged(BOLT_PISTOL, "gets_hot"), pistols="allowed") == "SF-8"


# Shots


@pytest.mark.parametrize(
    ("weapon", "inches", "count"),
    [
        (gun("a1", "x", 24, 4, 5, "assault", 1), 24, 5),
        (gun("a3", "x", 24, 4, 5, "assault", 3), 24, 15),
        (gun("h2", "x", 24, 4, 5, "heavy", 2), 24, 10),
        (gun("h3", "x", 24, 4, 5, "heavy", 3), 1, 15),
        (LASGUN, 0, 10),
        (LASGUN, 11.99, 10),
        (LASGUN, 12, 10),
        (LASGUN, 12.01, 5),
        (LASGUN, 24, 5),
        (gun("long rifle", "x", 48, 4, 5, "rapid_fire", 1), 48, 5),
        (tagged(LASGUN, "twin_linked"), 24, 5),
        (tagged(LASGUN, "twin_linked"), 12, 10),
    ],
)
def test_shots_per_model(weapon: Told, inches: float, count: int) -> None:
    """SF-9: Assault N and Heavy N make N; rapid fire 2 up to exactly 12 inches, else 1; twin-linked changes nothing."""
    assert shots(armed(weapon, inches=inches)) == count


def test_rapid_fire_by_the_range_of_the_gun() -> None:
    """SF-9: a gun's own range decides how often it fires."""
    game = ready(blue("squad", 6, LASGUN))
    near, far = fires("men", "lasgun", 2, range=12), fires("men", "lasgun", 4, range=13)
    game.declare("scouts", by("squad", 20, near, far))
    assert shots(game) == 8


def test_a_model_fires_one_weapon() -> None:
    """SF-9: five models with two guns each are no ten shooters, in one line or in two."""
    game = ready(blue("squad", 5, CATAPULT, HEAVY_BOLTER))
    both = by("squad", 12, fires("men", "catapult", 3), fires("men", "heavy bolter", 3))
    assert game.no_declare("scouts", both).clause == "SF-9"
    assert game.no_declare("scouts", by("squad", 12, fires("men", "catapult", 6))).clause == "SF-9"
    game.declare("scouts", by("squad", 12, fires("men", "catapult", 3), fires("men", "heavy bolter", 2)))
    assert shots(game) == 12


@pytest.mark.parametrize(("die", "face"), [("d3", 1), ("d3", 3), ("d6", 1), ("d6", 6)])
def test_random_shots(die: str, face: int) -> None:
    """SF-9: one die for all models of a line, rolled at the declaration; face by face."""
    game = ready(blue("squad", 5, gun("scatter gun", "shot", 24, 4, 5, "assault", die)))
    entry = game.declare("scouts", "squad", dice=[face])
    assert [(row.purpose, row.sides, row.dice) for row in entry.rolls] == [("shots", int(die[1:]), (face,))]
    assert shots(game) == 5 * face


def test_random_shots_line_by_line() -> None:
    """SF-9: each line of the contribution has a die of its own, in the order in which they are listed."""
    weapon = gun("scatter gun", "shot", 24, 4, 5, "assault", "d6")
    game = ready(
        unit("squad", "blue", models("men", 2, weapon), models("gunner", 3, weapon)), blue("other", 4, weapon)
    )  # fmt: skip
    lines = (fires("men", "scatter gun", 1), fires("gunner", "scatter gun", 2), fires("men", "scatter gun", 1))
    game.declare("scouts", by("squad", 12, *lines), "other", dice=[6, 2, 1, 5])
    assert shots(game) == 6 + 2 * 2 + 1
    assert game.fire("scouts", "other")["shots"] == 20


def test_random_shots_stay_as_rolled() -> None:
    """SF-9: the number is fixed after the declaration; casualties take whole models' shots."""
    game = ready(blue("squad", 5, gun("scatter gun", "shot", 24, 4, 5, "assault", "d6")))
    game.declare("scouts", "squad", dice=[3])
    game.give("casualties", unit="squad", group="men", models=2)
    assert shots(game) == 9


def test_random_shots_short_of_five() -> None:
    """SF-9: the attempt stands recorded, is not effective, and says why; the target needs no test."""
    game = ready(blue("squad", 2, gun("scatter gun", "shot", 24, 4, 5, "assault", "d3")))
    entry = game.declare("scouts", "squad", dice=[2])
    assert game.fire("scouts", "squad") == {"shots": 4, "effective": False, "why_not": "4 shots left, 5 needed (SF-32)"}
    assert [event.__struct_config__.tag for event in entry.events] == ["declared", "lapsed"]
    assert game.suppression("scouts")["hit_on"] is None
    assert game.test("scouts") == "not_needed"


def test_random_shots_that_never_suffice() -> None:
    """SF-9: refused only where the highest faces make no five: one D3 line of one model, not of two."""
    weapon = gun("scatter gun", "shot", 24, 4, 5, "assault", "d3")
    assert ready(blue("squad", 1, weapon)).no_declare("scouts", "squad").clause == "SF-3"
    mixed = unit("squad", "blue", models("men", 1, weapon), models("gunner", 2, gun("c", "x", 24, 3, 6, "assault", 1)))
    game = ready(mixed)
    game.declare("scouts", "squad", dice=[3])
    assert (shots(game), game.fire("scouts", "squad")["effective"]) == (5, True)


# Grenades


def grenadiers(kind: str | None, **more: Any) -> Game:
    return ready(unit("squad", "blue", models("men", 3, BOLT_PISTOL, grenades=kind, **more)))


@pytest.mark.parametrize("kind", ["assault", "defensive"])
def test_grenades_as_guns(kind: str) -> None:
    """SF-10: Assault 2 at 6 inches, S4 AP5, gun type grenade: three models make six shots."""
    game = grenadiers(kind)
    game.declare("scouts", by("squad", 6))
    assert (shots(game), game.suppression("scouts")["gun_type"]) == (6, "grenade")
    game.test("scouts", PASS)
    game.to("red")
    entry = game.act("scouts", "move", [6] + 9 * [1] + [4, 4])
    struck = next(event for event in entry.events if type(event).__name__ == "Struck")
    assert (struck.gun_type, struck.strength, struck.ap) == ("grenade", 4, 5)


@pytest.mark.parametrize("kind", ["assault", "defensive"])
def test_grenades_reach_six_inches(kind: str) -> None:
    """SF-10: and not a hundredth more."""
    assert grenadiers(kind).no_declare("scouts", by("squad", 6.01, fires("men", "grenade", 3))).clause == "SF-5"


def test_no_grenades() -> None:
    """SF-10: a group that has neither assault nor defensive grenades throws none."""
    assert grenadiers(None).no_declare("scouts", by("squad", 6, fires("men", "grenade", 3))).clause == "SF-10"


@pytest.mark.parametrize("weapon", ["axe", "zapper"])
def test_a_gun_nobody_has(weapon: str) -> None:
    """Whatever its name: it is no grenade, and no clause forbids it; it is not there."""
    refused = ready(blue("squad")).no_declare("scouts", by("squad", 6, fires("men", weapon, 5)))
    assert (refused.clause, refused.message) == ("order", f"men of Squad have no {weapon}")


def test_krak_melta_and_haywire_are_neither() -> None:
    """SF-10: only the two kinds can be mustered as grenades at all."""
    game = Game()
    for kind in ("krak", "melta", "haywire"):
        squad = unit("squad", "blue", models("men", 3, grenades=kind))
        assert game.clause("muster", unit=squad) == "order"


def test_grenades_after_moving() -> None:
    """SF-10, SF-7: they are assault weapons, so a unit that moved may still use them."""
    game = Game(unit("squad", "blue", models("men", 3, LASGUN, grenades="assault")), red("scouts"))
    game.to("blue")
    game.act("squad", "move")
    game.to("blue", "shooting")
    game.declare("scouts", by("squad", 6))
    assert shots(game) == 6


# Only some


def test_only_some_weapons() -> None:
    """SF-11: to keep a weak gun from setting the profile, only the strong ones contribute."""
    squad = unit("squad", "blue", models("men", 5, LASGUN), models("gunner", 2, HEAVY_BOLTER))
    game = ready(squad)
    game.declare("scouts", by("squad", 12, fires("gunner", "heavy bolter", 2)))
    assert (shots(game), game.suppression("scouts")["gun_type"]) == (6, "bolt")


def test_contribution_is_fixed() -> None:
    """SF-11: who was left out at the declaration cannot join later, nor stand in for the fallen (SF-32)."""
    game = ready(blue("squad", 10))
    game.declare("scouts", by("squad", 12, fires("men", "catapult", 3)))
    assert shots(game) == 6
    assert game.no_declare("scouts", by("squad", 12, fires("men", "catapult", 7))).clause == "SF-4"
    game.give("casualties", unit="squad", group="men", models=1, contributors=1)
    assert game.fire("scouts", "squad")["effective"] is False
    assert (game.unit("squad")["models"], shots(game)) == (9, 4)


# Passengers


def riding(count: int = 10, *guns: Told, **transport: Any) -> Game:
    """A blue unit inside its transport, in its shooting phase."""
    rider = inside(blue("squad", count, *(guns or (CATAPULT,))), "carrier")
    return ready(carrier("carrier", "blue", **transport), rider)


def test_all_fire_from_an_open_top() -> None:
    """SF-12: fire points do not matter there."""
    game = riding(open_topped=True, fire_points=0)
    game.declare("scouts", "squad")
    assert shots(game) == 20


def test_as_many_as_fire_points() -> None:
    """SF-12: from a closed vehicle, by default until the fire points are full."""
    game = riding(fire_points=3)
    game.declare("scouts", "squad")
    assert shots(game) == 6


def test_fire_points_are_filled_group_by_group() -> None:
    """SF-12: groups as listed: two at the first, one left for the second."""
    squad = unit("squad", "blue", models("men", 2), models("gunner", 2, HEAVY_BOLTER), models("third", 2))
    game = ready(carrier("carrier", "blue", fire_points=3), inside(squad, "carrier"))
    game.declare("scouts", "squad")
    assert shots(game) == 2 * 2 + 3


def test_more_than_fire_points() -> None:
    """SF-12: named, they are refused, also in two lines that are too many together."""
    game = riding(fire_points=3)
    assert game.no_declare("scouts", by("squad", 12, fires("men", "catapult", 4))).clause == "SF-12"
    two = by("squad", 12, fires("men", "catapult", 2), fires("men", "catapult", 2))
    assert game.no_declare("scouts", two).clause == "SF-12"
    game.declare("scouts", by("squad", 12, fires("men", "catapult", 3)))


def test_fewer_than_fire_points() -> None:
    """SF-12: as many are named as the player likes; those who stay silent leave their fire point empty."""
    game = riding(fire_points=5)
    game.declare("scouts", by("squad", 12, fires("men", "catapult", 3)))
    assert shots(game) == 6


def test_no_fire_points() -> None:
    """SF-12: nobody suppresses from a closed vehicle without them."""
    game = riding(fire_points=0)
    assert game.no_declare("scouts", "squad").clause == "SF-12"
    assert game.no_declare("scouts", by("squad", 12, fires("men", "catapult", 3))).clause == "SF-12"


def test_fire_points_are_counted_for_each_unit() -> None:
    """SF-12: two units inside may both use them in full."""
    riders = (inside(blue("one"), "carrier"), inside(blue("two"), "carrier"))
    game = ready(carrier("carrier", "blue", fire_points=3), *riders)
    game.declare("scouts", "one", "two")
    assert [game.fire("scouts", rider)["shots"] for rider in ("one", "two")] == [6, 6]


@pytest.mark.parametrize("mark", ["stunned", "shaken"])
@pytest.mark.parametrize("open_topped", [False, True])
def test_not_from_a_shaken_or_stunned_vehicle(mark: str, open_topped: bool) -> None:
    """SF-12: neither suppressing nor firing."""
    game = riding(open_topped=open_topped, fire_points=5)
    game.give("status", unit="carrier", status=mark, on=True)
    assert game.no_declare("scouts", "squad").clause == "SF-12"
    assert game.clause("act", unit="squad", action="fire_from_vehicle") == "SF-12"


def test_firing_from_a_vehicle_has_the_same_limits() -> None:
    """SF-12: no more models than fire points, none without; all of them from an open top."""
    order: Told = {"unit": "squad", "action": "fire_from_vehicle"}
    game = riding(fire_points=3)
    assert game.clause("act", **order, firing_models=4) == "SF-12"
    game.give("act", **order, firing_models=3)
    assert riding(fire_points=0).clause("act", **order) == "SF-12"
    riding(open_topped=True, fire_points=0).give("act", **order, firing_models=10)
    assert riding(open_topped=True).clause("act", **order, firing_models=11) == "SF-12"


def moved_vehicle(*riders: Told, **switches: str) -> Game:
    game = Game(carrier("carrier", "blue", open_topped=True), *riders, red("scouts"), **switches)
    game.to("blue")
    game.act("carrier", "move")
    game.to("blue", "shooting")
    return game


def test_passengers_of_a_vehicle_that_moved_have_moved() -> None:
    """SF-12, SF-7: no heavy or rapid-fire guns, unless relentless; assault guns may."""
    heavy = moved_vehicle(inside(blue("squad", 5, HEAVY_BOLTER, LASGUN), "carrier"))
    assert heavy.no_declare("scouts", "squad").clause == "SF-7"
    moved_vehicle(inside(blue("squad"), "carrier")).declare("scouts", "squad")
    exo = unit("squad", "blue", models("exo", 2, HEAVY_BOLTER, relentless=True), embarked_in="carrier")
    moved_vehicle(exo).declare("scouts", "squad")
    rapid = moved_vehicle(inside(blue("squad", 5, LASGUN), "carrier"), moved_rapid_fire="within_12")
    rapid.declare("scouts", by("squad", 12))


def test_passengers_of_a_vehicle_that_stood_have_not_moved() -> None:
    """SF-12: heavy guns fire from a vehicle at rest."""
    game = riding(5, HEAVY_BOLTER, open_topped=True)
    game.declare("scouts", "squad")
    assert shots(game) == 15


def test_the_vehicle_is_not_moved_by_its_passengers() -> None:
    """SF-7: only the unit that moved counts as having moved."""
    tank = carrier("carrier", "blue", models("turret", 2, HEAVY_BOLTER))
    game = Game(tank, inside(blue("squad"), "carrier"), red("scouts"))
    game.to("blue")
    game.act("squad", "disembark")
    game.to("blue", "shooting")
    game.declare("scouts", "carrier")


def test_a_failed_test_leaves_no_suppressor() -> None:
    """SF-6: whoever is pinned by enemy fire does not suppress in its own turn."""
    game = ready(blue("squad"))
    game.declare("scouts", "squad")
    game.test("scouts", FAIL)
    game.to("red", "shooting")
    refused = game.no_declare("squad", "scouts")
    assert refused.clause in ("SF-6", "SF-18")


def test_a_boltgun_reaches_twenty_four() -> None:
    """SF-5, SF-9: one shot each at exactly 24, refused beyond."""
    assert shots(armed(BOLTGUN, inches=24)) == 5
    assert refusal(BOLTGUN, inches=24.01) == "SF-5"
