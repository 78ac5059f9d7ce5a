"""Losing the right to suppress, and having it back."""

from __future__ import annotations

import pytest

from tests.sf_battles import (
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
    events,
    fires,
    inside,
    models,
    red,
    unit,
)


def suppressed(*suppressors: Told, target: Told | None = None) -> Game:
    """Red's movement: the scouts have passed their test under these units."""
    game = Game(*suppressors, target or red("scouts"))
    game.suppress("scouts", *(told["id"] for told in suppressors))
    return game


def why(game: Game, suppressor: str = "avengers") -> str | None:
    told: str | None = game.fire("scouts", suppressor)["why_not"]
    return told


# Five shots


def test_three_avengers_fall() -> None:
    """SF-32: five avengers make ten shots; three die, four shots are left, and the scouts run free."""
    game = suppressed(blue("avengers"))
    assert game.fire("scouts", "avengers") == {"shots": 10, "effective": True, "why_not": None}
    entry = game.give("casualties", unit="avengers", group="men", models=3)
    assert [event.why for event in events(entry, "lapsed")] == ["4 shots left, 5 needed"]
    assert game.fire("scouts", "avengers")["shots"] == 4
    game.to("red", "shooting")
    assert game.act("scouts", "run").rolls == ()
    assert not game.suppression("scouts")["spent"]


@pytest.mark.parametrize(("fallen", "effective"), [(1, True), (2, True), (3, False), (4, False)])
def test_five_shots_or_more(fallen: int, effective: bool) -> None:
    """SF-32: six shots still suppress, four do not."""
    game = suppressed(blue("avengers"))
    game.give("casualties", unit="avengers", group="men", models=fallen)
    assert game.fire("scouts", "avengers")["effective"] == effective


def test_exactly_five_shots_are_left() -> None:
    """SF-32: of six lasguns at long range one may fall."""
    game = Game(blue("guard", 6, LASGUN), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", by("guard", 20))
    game.give("casualties", unit="guard", group="men", models=1)
    assert game.fire("scouts", "guard") == {"shots": 5, "effective": True, "why_not": None}
    game.give("casualties", unit="guard", group="men", models=1)
    assert game.fire("scouts", "guard")["effective"] is False


def test_wounds_make_it_lapse_too() -> None:
    """SF-32: models that fall to wounds, shrapnel or hits fire no more."""
    game = suppressed(unit("avengers", "blue", models("men", 3, wounds=2)))
    game.give("wounds", unit="avengers", group="men", wounds=1)
    assert game.fire("scouts", "avengers")["shots"] == 6
    game.give("wounds", unit="avengers", group="men", wounds=1)
    assert game.fire("scouts", "avengers") == {
        "shots": 4, "effective": False, "why_not": "4 shots left, 5 needed (SF-32)"
    }  # fmt: skip


def test_hits_make_it_lapse() -> None:
    """SF-32: a unit that is caught in the fire when it acts loses contributors, here to enemy hits."""
    game = Game(blue("avengers", 3), red("scouts", 10, CATAPULT))
    game.suppress("scouts", "avengers")
    game.to("red", "shooting")
    game.declare("avengers", "scouts")
    game.test("avengers", PASS)
    game.to("blue")
    entry = game.act("avengers", "other", [6, 1, 1, 6])
    assert game.unit("avengers")["models"] == 2
    assert game.show["suppressions"].keys() == {"avengers"}
    assert [type(event).__struct_config__.tag for event in entry.events] == ["struck", "models_fell", "acted"]


# Contributors


def contributing(*lines: Told, count: int = 10, guns: tuple[Told, ...] = (CATAPULT, HEAVY_BOLTER)) -> Game:
    game = Game(blue("avengers", count, *guns), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", by("avengers", 12, *lines))
    return game


@pytest.mark.parametrize(("fallen", "shots"), [(1, 6), (7, 6), (8, 4), (9, 2), (10, 0)])
def test_non_contributors_fall_first(fallen: int, shots: int) -> None:
    """SF-32: three of ten contribute; seven others may fall before it costs a shot."""
    game = contributing(fires("men", "catapult", 3))
    game.give("casualties", unit="avengers", group="men", models=fallen)
    assert game.fire("scouts", "avengers")["shots"] == shots


@pytest.mark.parametrize(("fallen", "contributors", "shots"), [(3, 0, 6), (3, 1, 4), (3, 3, 0), (8, 1, 4), (9, 3, 0)])
def test_unless_the_owner_says_otherwise(fallen: int, contributors: int, shots: int) -> None:
    """SF-32: the order says how many of those that fell contributed."""
    game = contributing(fires("men", "catapult", 3))
    game.give("casualties", unit="avengers", group="men", models=fallen, contributors=contributors)
    assert game.fire("scouts", "avengers")["shots"] == shots


@pytest.mark.parametrize(("fallen", "contributors"), [(3, 4), (2, 3), (8, 0), (9, 1), (10, 2)])
def test_contributors_that_cannot_be(fallen: int, contributors: int) -> None:
    """SF-32: no more than fell or contribute, and no fewer than must have."""
    game = contributing(fires("men", "catapult", 3))
    order: Told = {"unit": "avengers", "group": "men", "models": fallen, "contributors": contributors}
    assert game.clause("casualties", **order) == "order"


@pytest.mark.parametrize(("fallen", "least", "most"), [(1, 0, 1), (4, 0, 3), (8, 1, 3), (10, 3, 3)])
def test_how_many_contributors_can_have_fallen_is_told(fallen: int, least: int, most: int) -> None:
    """SF-32: three of ten contribute: of few that fall none need have, of nine two must."""
    game = contributing(fires("men", "catapult", 3))
    refused = game.refused("casualties", unit="avengers", group="men", models=fallen, contributors=most + 1)
    told = f"3 of 10 men contribute: of {fallen} that fall {least} to {most} can have, not {most + 1}"
    assert refused.message == told


def test_a_unit_that_does_not_suppress_has_no_contributors() -> None:
    """SF-32: nobody contributes where nothing was declared."""
    game = Game(blue("avengers"))
    assert game.clause("casualties", unit="avengers", group="men", models=1, contributors=1) == "order"
    game.give("casualties", unit="avengers", group="men", models=1, contributors=0)


def test_others_cannot_stand_in() -> None:
    """SF-32: seven models with guns of their own do not make up for a lost contributor."""
    game = contributing(fires("men", "catapult", 3))
    game.give("casualties", unit="avengers", group="men", models=1, contributors=1)
    assert game.unit("avengers")["models"] == 9
    assert game.fire("scouts", "avengers")["effective"] is False


def test_the_last_line_loses_first() -> None:
    """SF-32: of two lines of one group the one declared last."""
    game = contributing(fires("men", "catapult", 4), fires("men", "heavy bolter", 2), count=6)
    assert game.fire("scouts", "avengers")["shots"] == 14
    for shots in (11, 8, 6, 4):
        game.give("casualties", unit="avengers", group="men", models=1)
        assert game.fire("scouts", "avengers")["shots"] == shots


def test_each_group_loses_its_own() -> None:
    """SF-32: models of one group do not stand in for those of another, nor fall for them."""
    squad = unit("avengers", "blue", models("men", 4), models("guns", 2, HEAVY_BOLTER))
    game = suppressed(squad)
    game.give("casualties", unit="avengers", group="guns", models=1)
    assert game.fire("scouts", "avengers")["shots"] == 8 + 3


@pytest.mark.parametrize(("falls", "shots"), [("crew", 8 + 6), ("guns", 8 + 3), ("men", 6 + 6)])
def test_the_fire_of_other_groups_stays(falls: str, shots: int) -> None:
    """SF-32: one model falls: of a group that fires with all, or of one that does not fire at all."""
    squad = unit("avengers", "blue", models("crew", 3), models("guns", 2, HEAVY_BOLTER), models("men", 4))
    game = Game(squad, red("scouts"))
    game.suppress("scouts", by("avengers", 12, fires("men", "catapult", 4), fires("guns", "heavy bolter", 2)))
    game.give("casualties", unit="avengers", group=falls, models=1)
    assert game.fire("scouts", "avengers")["shots"] == shots


def test_the_record_tells_of_fire_only_where_it_changed() -> None:
    """SF-32: models that did not contribute fall, then one that did: guns left are on record the second time only."""
    game = contributing(fires("men", "catapult", 3))
    (unchanged,) = events(game.give("casualties", unit="avengers", group="men", models=7), "models_fell")
    (changed,) = events(game.give("casualties", unit="avengers", group="men", models=1), "models_fell")
    assert (unchanged.firing, changed.firing) == ((), (2,))


@pytest.mark.parametrize(
    ("fallen", "told"), [(4, "1 shot left, 5 needed (SF-32)"), (3, "2 shots left, 5 needed (SF-32)")]
)
def test_one_shot_is_one(fallen: int, told: str) -> None:
    """SF-32: five lasguns at long range."""
    game = Game(blue("guard", 5, LASGUN), red("scouts"))
    game.suppress("scouts", by("guard", 20))
    game.give("casualties", unit="guard", group="men", models=fallen)
    assert why(game, "guard") == told


def test_restored_models_do_not_contribute() -> None:
    """SF-32: brought back, they are there, but their fire is not."""
    game = suppressed(blue("avengers"))
    game.give("casualties", unit="avengers", group="men", models=3)
    game.give("restore", unit="avengers", group="men", models=3)
    assert (game.unit("avengers")["models"], game.fire("scouts", "avengers")["shots"]) == (5, 4)
    game.give("casualties", unit="avengers", group="men", models=3)
    assert game.fire("scouts", "avengers")["shots"] == 4


def test_guns_of_a_vehicle() -> None:
    """SF-32: taken away gun by gun; the last one leaves a vehicle in play that does not suppress."""
    game = suppressed(unit("tank", "blue", models("bolters", 2, HEAVY_BOLTER), kind="vehicle"))
    game.give("casualties", unit="tank", group="bolters", models=1)
    assert why(game, "tank") == "3 shots left, 5 needed (SF-32)"
    game.give("casualties", unit="tank", group="bolters", models=1)
    assert (game.fire("scouts", "tank")["shots"], game.unit("tank")["out"]) == (0, False)


# Marks and sight


@pytest.mark.parametrize(
    ("mark", "reason"),
    [
        ("pinned", "pinned"),
        ("gone_to_ground", "gone to ground"),
        ("falling_back", "falling back"),
        ("in_combat", "locked in combat"),
    ],
)
def test_marks(mark: str, reason: str) -> None:
    """SF-32: each makes it lapse, says why, and taken off makes it effective again."""
    game = suppressed(blue("avengers"))
    entry = game.give("status", unit="avengers", status=mark, on=True)
    assert [event.why for event in events(entry, "lapsed")] == [reason]
    assert why(game) == f"{reason} (SF-32)"
    assert game.suppression("scouts")["hit_on"] is None
    entry = game.give("status", unit="avengers", status=mark, on=False)
    assert len(events(entry, "resumed")) == 1
    assert game.suppression("scouts")["hit_on"] == 6


@pytest.mark.parametrize("mark", ["shaken", "stunned"])
def test_marks_of_vehicles(mark: str) -> None:
    """SF-32, SF-12: of the vehicle that suppresses, and of the one that carries the suppressor."""
    tank = unit("tank", "blue", models("bolters", 2, HEAVY_BOLTER), kind="vehicle")
    crew = inside(blue("crew"), "trukk")
    game = Game(tank, carrier("trukk", "blue", open_topped=True), crew, red("scouts"))
    game.suppress("scouts", "tank", "crew")
    for vehicle, left in (("tank", {"crew"}), ("trukk", {"tank"})):
        game.give("status", unit=vehicle, status=mark, on=True)
        assert game.effective("scouts") == left
        game.give("status", unit=vehicle, status=mark, on=False)
        assert game.effective("scouts") == {"tank", "crew"}


def test_pinned_by_the_enemy() -> None:
    """SF-32: a suppressor that fails its own test suppresses no more, and again once its turn is over."""
    game = Game(blue("avengers"), red("scouts", 10, CATAPULT))
    game.suppress("scouts", "avengers")
    game.to("red", "shooting")
    game.declare("avengers", "scouts")
    entry = game.give("test", target="avengers", dice=FAIL)
    assert [event.suppressor for event in events(entry, "lapsed")] == ["avengers"]
    assert why(game) == "pinned (SF-32)"
    assert game.act("scouts", "run").rolls == ()


def test_sight_is_a_switch_per_pair() -> None:
    """SF-32: a tank drives between one suppressor and the target, and away again; the other still sees it."""
    game = suppressed(blue("avengers"), blue("others"))
    entry = game.give("line_of_sight", suppressor="avengers", target="scouts", clear=False)
    assert [event.why for event in events(entry, "lapsed")] == ["no line of sight"]
    assert game.effective("scouts") == {"others"}
    assert (why(game), game.suppression("scouts")["hit_on"]) == ("no line of sight (SF-32)", 6)
    entry = game.give("line_of_sight", suppressor="avengers", target="scouts", clear=True)
    assert [event.suppressor for event in events(entry, "resumed")] == ["avengers"]
    assert game.effective("scouts") == {"avengers", "others"}


def test_only_a_declared_pair_has_a_line_of_sight() -> None:
    """SF-32: nobody else's sight is kept."""
    game = Game(blue("avengers"), blue("others"), red("scouts"), red("guard"))
    game.suppress("scouts", "avengers")
    for suppressor, target in (("others", "scouts"), ("avengers", "guard"), ("scouts", "avengers"), ("x", "scouts")):
        assert game.clause("line_of_sight", suppressor=suppressor, target=target, clear=True) == "order"


def test_two_reasons_go_one_by_one() -> None:
    """SF-32: a mark taken off does not give back the sight."""
    game = suppressed(blue("avengers"))
    game.give("status", unit="avengers", status="falling_back", on=True)
    game.give("line_of_sight", suppressor="avengers", target="scouts", clear=False)
    entry = game.give("status", unit="avengers", status="falling_back", on=False)
    assert events(entry, "resumed") == []
    assert why(game) == "no line of sight (SF-32)"


# For good


@pytest.mark.parametrize(
    ("action", "phase", "reason"), [("run", "shooting", "ran"), ("assault", "assault", "assaulted")]
)
def test_a_suppressor_that_acts_stops_for_good(action: str, phase: str, reason: str) -> None:
    """SF-32: running or assaulting after the declaration, it contributes no more."""
    game = Game(blue("avengers"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    game.test("scouts", PASS)
    game.to("blue", phase)
    entry = game.act("avengers", action)
    assert [event.why for event in events(entry, "lapsed")] == [f"it {reason}"]
    assert why(game) == f"it {reason} (SF-32)"
    game.to("red")
    assert game.act("scouts", "move").rolls == ()


def test_the_first_reason_stands() -> None:
    """SF-32: a suppressor that ran and then assaulted stopped when it ran."""
    game = Game(blue("avengers"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    game.act("avengers", "run")
    game.test("scouts")
    game.to("blue", "assault")
    game.act("avengers", "assault")
    assert why(game) == "it ran (SF-32)"


@pytest.mark.parametrize("action", ["move", "embark", "shoot"])
def test_other_ways_to_stop_are_barred_while_it_lasts(action: str) -> None:
    """SF-32, SF-1, SF-4: moving, embarking and shooting cannot follow a declaration before the suppression is over."""
    game = Game(blue("avengers"), carrier("rhino", "blue"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    assert game.clause("act", unit="avengers", action=action) in ("SF-1", "SF-4")
    game.test("scouts", PASS)
    game.to("red", "assault")
    assert game.clause("act", unit="avengers", action=action) in ("SF-1", "SF-4")
    game.to("blue")
    assert game.show["suppressions"] == {}


def test_an_other_action_does_not_stop_it() -> None:
    """SF-32: only the actions of the clause do."""
    game = Game(blue("avengers"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    game.act("avengers", "other")
    assert game.effective("scouts") == {"avengers"}


def test_for_good_means_for_good() -> None:
    """SF-32: no sight regained and no mark taken off brings back a suppressor that ran."""
    game = Game(blue("avengers"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    game.act("avengers", "run")
    for clear in (False, True):
        game.give("line_of_sight", suppressor="avengers", target="scouts", clear=clear)
    for on in (True, False):
        game.give("status", unit="avengers", status="in_combat", on=on)
    assert why(game) == "it ran (SF-32)"
    assert game.test("scouts") == "not_needed"


def test_an_action_that_did_not_happen_stops_nobody() -> None:
    """SF-32: what is refused has no consequences."""
    game = Game(blue("avengers"), red("scouts"))
    game.to("blue", "shooting")
    game.declare("scouts", "avengers")
    assert game.clause("act", unit="avengers", action="assault") == "SF-1"
    assert game.effective("scouts") == {"avengers"}


def test_a_destroyed_suppressor() -> None:
    """SF-32, SF-28: out of play it puts out nothing; it is still listed until that suppression ends."""
    game = suppressed(blue("avengers"))
    entry = game.give("status", unit="avengers", status="destroyed", on=True)
    assert [event.why for event in events(entry, "lapsed")] == ["out of play"]
    assert game.fire("scouts", "avengers") == {"shots": 0, "effective": False, "why_not": "out of play (SF-32)"}
    assert game.unit("avengers")["suppressing"] == "scouts"
    assert game.clause("line_of_sight", suppressor="avengers", target="scouts", clear=True) == "order"


# When it is judged


def test_judged_at_the_moment_of_exposure() -> None:
    """SF-32, SF-21: whatever changed before, those count who are effective when the unit acts."""
    game = suppressed(blue("b1"), blue("b2"), blue("b3"))
    game.give("status", unit="b1", status="falling_back", on=True)
    game.give("status", unit="b2", status="falling_back", on=True)
    game.give("status", unit="b1", status="falling_back", on=False)
    (hits, *_) = game.act("scouts", "move", 10 * [1]).rolls
    assert hits.needed == 5


def test_lapses_are_told_once() -> None:
    """SF-32: each lapse is told in the order that brought it, and not again."""
    game = suppressed(blue("avengers"))
    first = game.give("status", unit="avengers", status="falling_back", on=True)
    second = game.give("status", unit="avengers", status="in_combat", on=True)
    assert (len(events(first, "lapsed")), len(events(second, "lapsed"))) == (1, 0)
