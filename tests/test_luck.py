"""Luck: expected against actual, the exact chances of worse and better, and what counts as a turning point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from engine.dice import TypedDice
from engine.entries import OrderEntry
from engine.fair_faces import FaceCount
from engine.history import History
from engine.luck import (
    Known,
    Luck,
    Reckoning,
    faces_in_words,
    in_words,
    losses_to_come,
    luck_of,
    of_side,
    once_in,
    steps,
    told,
)
from engine.odds import Cancelled
from engine.orders import resolve_order
from engine.refusals import DiceMissing
from engine.rolls import Rolled
from engine.ruleset import Measure
from saves.library import open_example
from tests import gray_dawn_battles, sf_battles
from tests.sf_battles import BOLT_PISTOL, LASGUN, blue, models, red, unit
from tests.test_sf_odds import SQUADS, Gun, Men, carried, passengers_chances


def the_farm() -> History:
    with open_example("suppression-fire") as battle:
        return battle.history


def the_landing() -> History:
    with open_example("gray-dawn") as battle:
        return battle.history


def line(luck: Luck, measure: str, side: str, unit_id: str = "", source: str = "") -> Reckoning:
    """The one line of the luck table about that."""
    (found,) = [
        each
        for each in luck.reckonings
        if (each.measure, each.side, each.unit, each.source) == (measure, side, unit_id, source)
    ]
    return found


# Twins


def added(one: Mapping[int, Fraction], other: Mapping[int, Fraction]) -> dict[int, Fraction]:
    sums: dict[int, Fraction] = {}
    for (a, of_a), (b, of_b) in product(one.items(), other.items()):
        sums[a + b] = sums.get(a + b, Fraction(0)) + of_a * of_b
    return sums


def counted_out(rows: Iterable[Rolled], worth: Any) -> dict[int, Fraction]:
    """The twin: all faces of each roll, what they would have been worth, added up over the rolls."""
    whole = {0: Fraction(1)}
    for row in rows:
        cases = Counter(worth(row, dice) for dice in product(range(1, row.sides + 1), repeat=len(row.dice)))
        whole = added(whole, {number: Fraction(count, cases.total()) for number, count in cases.items()})
    return whole


def die_by_die(rows: Iterable[Rolled]) -> list[Rolled]:
    """Each die as a roll of its own: ten at once have 60 million cases."""
    return [replace(row, dice=(die,)) for row in rows for die in row.dice]


def reached(row: Rolled, dice: tuple[int, ...]) -> int:
    return sum(die >= (row.needed or 0) for die in dice)


def failed(row: Rolled, dice: tuple[int, ...]) -> int:
    return int(sum(dice) > (row.needed or 0))


WORTH = {
    "tests failed": ("leadership", failed, False),
    "wounds by shrapnel": ("shrapnel", lambda row, dice: sum(dice), False),
    "hits suffered": ("hit", reached, False),
    "wounds suffered": ("wound", reached, False),
    "saves made": ("save", reached, True),
}


@pytest.mark.parametrize("measure", WORTH)
@pytest.mark.parametrize("side", ["Eldar", "Imperium"])
def test_the_farm_is_what_counting_all_faces_says(measure: str, side: str) -> None:
    purpose, worth, more_is_good = WORTH[measure]
    history = the_farm()
    rows = [row for _, entry, _ in steps(history) for row in entry.rolls]
    rows = [row for row in rows if row.purpose == purpose and history.rules.side_of(history.state, row.subject) == side]
    table = of_side(luck_of(history).reckonings, side)
    if not rows:
        assert measure not in {each.measure for each in table}
        return
    twin = counted_out(rows if worth is failed else die_by_die(rows), worth)
    actual = sum(worth(row, row.dice) for row in rows)
    fewer = sum(chance for number, chance in twin.items() if number <= actual)
    more = sum(chance for number, chance in twin.items() if number >= actual)
    (found,) = [each for each in table if each.measure == measure]
    assert (found.rolls, found.actual) == (len(rows), actual)
    assert found.expected == sum(number * chance for number, chance in twin.items())
    assert (found.as_bad, found.as_good) == ((fewer, more) if more_is_good else (more, fewer))


def played_out(history: History, order: Any, unit_id: str, dice: tuple[int, ...] = ()) -> dict[int, Fraction]:
    """The twin of losses: the order is given with every run of faces there is; what each leaves of the unit."""
    try:
        after = resolve_order(history, order, TypedDice(dice)).state
    except DiceMissing as missing:
        sides = missing.waiting.sides
        left: dict[int, Fraction] = {}
        for face in range(1, sides + 1):
            for strength, chance in played_out(history, order, unit_id, (*dice, face)).items():
                left[strength] = left.get(strength, Fraction(0)) + chance / sides
        return left
    return {history.rules.strength(after, unit_id): Fraction(1)}


def before(history: History, entry: OrderEntry) -> History:
    """The battle as it was before an entry."""
    earlier = History(history.header, history.rules)
    for each in history.entries[: entry.n - 1]:
        earlier.take(each)
    return earlier


def two_kinds(*, feel_no_pain: int | None = None) -> sf_battles.Game:
    """Two red models of unlike saves, under the fire of two blue units."""
    squad = unit(
        "squad",
        "red",
        models("men", 1, BOLT_PISTOL, toughness=4, armour=6, leadership=8, feel_no_pain=feel_no_pain),
        models("sergeant", 1, BOLT_PISTOL, toughness=4, armour=3, leadership=9),
    )
    game = sf_battles.Game(blue("one"), blue("two"), squad, shrapnel="off")
    game.suppress("squad", "one", "two")
    return game


@pytest.mark.parametrize("feel_no_pain", [None, 5])
def test_losses_of_braving_the_fire_are_what_playing_every_run_of_faces_says(feel_no_pain: int | None) -> None:
    game = two_kinds(feel_no_pain=feel_no_pain)
    state = game.history.state
    entry = game.act("squad", "move")
    spread = losses_to_come(game.history, state, entry)["squad"]
    twin = played_out(before(game.history, entry), entry.order, "squad")
    told = {number: Fraction(weight, spread.cases) for number, weight in spread.ways() if weight}
    assert told == {2 - strength: chance for strength, chance in twin.items()}
    lost = line(luck_of(game.history), "casualties", "red")
    assert lost.expected == sum((2 - strength) * chance for strength, chance in twin.items())
    assert lost.actual == 2 - game.unit("squad")["models"]


def test_losses_are_those_of_the_whole_order_shrapnel_and_test_included() -> None:
    """Entry 21 of the farm: a D3 of shrapnel, saves on 5+, feel no pain for nobody: 4/3 to be expected (SF-29)."""
    lost = line(luck_of(the_farm()), "casualties", "Imperium", "guardsmen")
    # 4/3 from the shrapnel; nine dice on 6+, then 2+, against armour that the shot denies: 9 * 1/6 * 5/6
    assert lost.expected == Fraction(4, 3) + Fraction(9, 6) * Fraction(5, 6)
    assert lost.actual == 1 + 2


@pytest.mark.parametrize("squad", ["two unlike groups", "three unlike groups", "eternal warriors"])
def test_losses_to_the_shrapnel_of_each_unit_by_convolving(squad: str) -> None:
    """SF-29 to SF-31, SF-34: per_unit: passengers get out; as fractions, without a difference."""
    men, arms = SQUADS[squad], Gun(8, 4)
    game = carried(men, arms, 3, True, shrapnel="per_unit")
    state = game.history.state
    entry = game.act("squad", "disembark")
    spread = losses_to_come(game.history, state, entry)["squad"]
    told = {number: Fraction(weight, spread.cases) for number, weight in spread.ways() if weight}
    twin = passengers_chances(men, arms, 3, 3)["casualties"]
    assert told == {number: chance for number, chance in twin.items() if chance}


def test_losses_of_thirty_models_in_four_groups_are_judged() -> None:
    """SF-29: six D3 of shrapnel and the fire on groups with several wounds: to be expected is what odds told."""
    men = (Men(8, armour=4, pain=5), Men(8, wounds=2, armour=3), Men(7, 3, wounds=3), Men(7, wounds=3, eternal=True))
    game = carried(men, Gun(8, 5), 6, True, shrapnel="per_unit")
    mean = game.odds("act", unit="squad", action="disembark")["casualties"]["mean"]
    game.act("squad", "disembark")
    luck = luck_of(game.history)
    assert luck.unjudged == 0
    assert float(line(luck, "casualties", "red").expected) == pytest.approx(mean, rel=1e-11)


# Whose luck, and which way


def test_few_hits_are_the_good_luck_of_those_they_were_meant_for() -> None:
    game = sf_battles.Game(blue("shooters"), red("squad", 4, LASGUN), shrapnel="off")
    game.suppress("squad", "shooters")
    game.act("squad", "move", [1, 1, 1, 1])
    hits = line(luck_of(game.history), "hits suffered", "red", "squad")
    assert (hits.actual, hits.expected) == (0, Fraction(4, 6))
    assert hits.as_bad == 1
    assert hits.as_good == Fraction(5, 6) ** 4
    assert not [each for each in luck_of(game.history).reckonings if each.side == "blue"]


def test_wounds_are_judged_by_the_hits_that_were_made() -> None:
    """Four models are hit four times, on 6+: rare; two wounds of four on 4+ are then just what was to be expected."""
    game = sf_battles.Game(blue("shooters"), red("squad", 4, LASGUN, armour=None), shrapnel="off")
    game.suppress("squad", "shooters")
    game.act("squad", "move", [6, 6, 6, 6, 4, 4, 3, 3])
    luck = luck_of(game.history)
    hits, wounds = line(luck, "hits suffered", "red"), line(luck, "wounds suffered", "red")
    assert (hits.as_bad, hits.in_words) == (Fraction(1, 6**4), "as unlucky as 1 battle in 1,300")
    assert wounds.expected == 2
    assert (wounds.actual, wounds.in_words) == (2, "about as expected")
    lost = line(luck, "casualties", "red")
    assert (lost.actual, lost.expected) == (2, Fraction(4, 12))


def test_what_was_taken_back_counts_for_nothing() -> None:
    game = two_kinds()
    luck = luck_of(game.history)
    game.act("squad", "move")
    assert luck_of(game.history) != luck
    game.history.take(game.history.undo("", 0))
    assert luck_of(game.history) == luck


def test_app_dice_and_table_dice_stand_apart() -> None:
    """The Imperium of the farm: nine dice of the app, ten from the table, each on 6+."""
    luck = luck_of(the_farm())
    app, table, both = (line(luck, "hits suffered", "Imperium", "", source) for source in ("app", "table", ""))
    assert (app.rolls, app.actual, app.expected) == (1, 3, Fraction(9, 6))
    assert (table.rolls, table.actual, table.expected) == (1, 2, Fraction(10, 6))
    assert (both.rolls, both.actual, both.expected) == (2, 5, Fraction(19, 6))
    assert {(count.sides, count.source): count.dice for count in luck.faces} == {
        (3, "table"): 1,
        (6, "app"): 12,
        (6, "table"): 26,
    }
    assert next(count.counts for count in luck.faces if count.source == "app") == (2, 0, 2, 1, 2, 5)


def test_the_landing_check_by_check() -> None:
    """Six checks of the Visitors failed thrice, at the chances that the log shows (GD-7)."""
    luck = luck_of(the_landing())
    checks = line(luck, "checks failed", "Visitors")
    rows = [row for _, entry, _ in steps(the_landing()) for row in entry.rolls if row.purpose == "suppression"]
    rows = [row for row in rows if row.subject != "rook"]
    fails = [Fraction(*row.chance) if row.outcome == "failed" else 1 - Fraction(*row.chance) for row in rows]
    twin = {0: Fraction(1)}
    for fail in fails:
        twin = added(twin, {0: 1 - fail, 1: fail})
    assert (checks.rolls, checks.actual, checks.expected) == (6, 3, sum(fails))
    assert checks.as_good == sum(chance for number, chance in twin.items() if number <= 3)
    assert checks.in_words == "as lucky as 1 battle in 27"


def test_the_burst_table_counts_rounds_not_pips() -> None:
    """One round on 1 to 3, two on 4 and 5, three on 6: 10/6 of them to be expected; with the switch 3.5 (GD-29)."""
    assert line(luck_of(the_landing()), "rounds that hit by the burst table", "Visitors").expected == Fraction(20, 6)
    game = gray_dawn_battles.three(lane_hits="1d6")
    game.fire_lane("covering", "grey", dice=[1, 10, 10, 1, 5])
    rounds = line(luck_of(game.history), "rounds that hit by the burst table", "aliens", "grey")
    assert (rounds.actual, rounds.expected) == (5, Fraction(7, 2))


def test_who_sneaks_past_is_lucky_not_the_observer() -> None:
    """Sable gets past Grey on -1 or more: 91 of 100 (GD-10)."""
    sneaked = line(luck_of(the_landing()), "sneaked past", "Watch", "sable")
    assert (sneaked.actual, sneaked.expected) == (1, Fraction(91, 100))


# In words


@pytest.mark.parametrize(
    ("as_bad", "as_good", "words"),
    [
        (Fraction(1, 9), Fraction(17, 18), "as unlucky as 1 battle in 9"),
        (Fraction(99, 100), Fraction(1, 27), "as lucky as 1 battle in 27"),
        (Fraction(1, 1), Fraction(1, 1), "about as expected"),
        (Fraction(1, 3), Fraction(5, 6), "about as expected"),
        (Fraction(329, 1000), Fraction(5, 6), "as unlucky as 1 battle in 3"),
        (Fraction(1, 1296), Fraction(1), "as unlucky as 1 battle in 1,300"),
        (Fraction(1, 6**900), Fraction(1), "as unlucky as less than 1 battle in 1,000,000"),
    ],
)
def test_luck_in_plain_words(as_bad: Fraction, as_good: Fraction, words: str) -> None:
    assert in_words(as_bad, as_good) == words


def test_rare_things_are_told_in_two_figures() -> None:
    assert [once_in(Fraction(1, often), "time") for often in (2, 20, 24, 994, 12_345)] == [
        "1 time in 2",
        "1 time in 20",
        "1 time in 24",
        "1 time in 990",
        "1 time in 12,000",
    ]


@pytest.mark.parametrize(
    ("often", "told"),
    [
        (1, "1 time in 1"), (9, "1 time in 9"), (10, "1 time in 10"), (21, "1 time in 21"), (99, "1 time in 99"),
        (100, "1 time in 100"), (104, "1 time in 100"), (106, "1 time in 110"), (999_999, "1 time in 1,000,000"),
        (1_000_000, "1 time in 1,000,000"), (1_000_001, "less than 1 time in 1,000,000"),
    ],
)  # fmt: skip
def test_one_of_how_many(often: int, told: str) -> None:
    """Up to 99 as it is, two figures beyond, and no farther than a million."""
    assert once_in(Fraction(1, often), "time") == told


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((4,) * 6, "too few dice to tell"),
        ((5,) * 6, "nothing unusual: fair dice come out at least as unevenly in 100 % of cases"),
        ((30, 0, 0, 0, 0, 0), "uneven: fair dice come out so less than 1 time in 1,000,000"),
        ((30,), "too few dice to tell"),
    ],
)
def test_faces_in_plain_words(counts: tuple[int, ...], told: str) -> None:
    """Fair faces, thirty times the same, and dice of one side, which tell nothing."""
    assert faces_in_words(FaceCount(len(counts), "app", counts)) == told


@pytest.mark.parametrize(("sixes", "word"), [(21, "nothing unusual"), (22, "nothing unusual"), (23, "uneven")])
def test_the_line_between_uneven_and_not(sixes: int, word: str) -> None:
    """One in twenty, which chi-square with five degrees of freedom has at 11.07: five faces fell ten times each."""
    count = FaceCount(6, "app", (*5 * (10,), sixes))
    assert (count.unevenness >= Fraction(1107, 100)) == (word == "uneven")
    assert faces_in_words(count).startswith(word)


# Turning points


def test_a_turning_point_is_what_hung_on_a_roll_times_the_chance_of_the_other_outcome() -> None:
    """Ten Guardians fail on 7 or less, which came 15 times in 36: 10 * 21/36."""
    luck = luck_of(the_farm())
    first = luck.turning_points[0]
    assert (first.entry, first.row, first.unit, first.side) == (34, 0, "guardians", "Eldar")
    assert (first.swing, first.chance) == (10 * Fraction(21, 36), Fraction(15, 36))
    assert [point.swing for point in luck.turning_points] == sorted(
        (point.swing for point in luck.turning_points), reverse=True
    )


def test_losses_swing_by_how_far_they_are_from_what_was_to_be_expected() -> None:
    luck = luck_of(the_farm())
    (run,) = [point for point in luck.turning_points if point.entry == 35]
    assert (run.row, run.lost, run.expected, run.swing) == (None, 2, Fraction(5, 4), Fraction(3, 4))
    fewer = Fraction(31, 36) ** 9 + 9 * Fraction(5, 36) * Fraction(31, 36) ** 8  # none or one of nine fall
    assert run.chance == 1 - fewer


def test_what_could_not_come_otherwise_is_no_turning_point() -> None:
    """A test on 12 or less."""
    game = sf_battles.Game(blue("shooters"), red("squad", 4, leadership=10), shrapnel="off")
    game.to("blue", "shooting")
    game.declare("squad", "shooters")
    game.test("squad", [6, 4])
    (point,) = luck_of(game.history).turning_points
    assert point.swing == 4 * Fraction(3, 36)


# What there may be besides


def test_a_battle_without_rolls_has_no_luck() -> None:
    assert luck_of(sf_battles.Game(blue("one")).history) == Luck((), (), (), 0)


def test_losses_that_todays_rules_refuse_are_counted_as_left_out() -> None:
    """An order in the record that could not be given now: the table says how many there are."""
    game = two_kinds()
    game.act("squad", "move")
    history = History(game.history.header, game.history.rules)
    for entry in game.history.entries:
        changed = entry
        if isinstance(entry, OrderEntry) and entry.rolls and entry.rolls[0].purpose == "hit":
            changed = replace(entry, order=replace(entry.order, action="shoot"))
        history.take(changed)
    luck = luck_of(history)
    assert luck.unjudged == 1
    assert line(luck, "hits suffered", "red").rolls == 1


def test_a_question_that_is_no_longer_wanted_is_dropped() -> None:
    game = two_kinds()
    game.act("squad", "move")
    with pytest.raises(Cancelled):
        luck_of(game.history, lambda: False)


def test_asked_again_only_what_is_new_is_looked_up() -> None:
    game = two_kinds()
    game.act("squad", "move")
    known: Known = {}
    luck = luck_of(game.history, known=known)
    game.give("end_turn")
    looked = dict(known)
    assert len(looked) == 2  # the test, and braving the fire
    assert luck_of(game.history, known=known) == luck
    assert known == looked


def row(purpose: str, **changes: Any) -> Rolled:
    usual: dict[str, Any] = {
        "subject": "squad", "sides": 6, "dice": (3, 4), "outcome": 1, "source": "app", "chance": (1, 2), "key": "k#0",
        "needed": 4,
    }  # fmt: skip
    return Rolled(purpose, **{**usual, **changes})


@pytest.mark.parametrize(
    ("measure", "strange"),
    [
        (Measure("m", ("hit",), "reached", True), row("hit", needed=None)),
        (Measure("m", ("hit",), "reached", True), row("hit", outcome="passed")),
        (Measure("m", ("hit",), "reached", True), row("hit", dice=())),
        (Measure("m", ("hit",), "reached", True), row("save")),
        (Measure("m", ("test",), "failed", True), row("test", outcome="failed", chance=(3, 2))),
        (Measure("m", ("test",), "failed", True), row("test", outcome=3)),
        (Measure("m", ("burst",), "sum", True, results=(1, 1, 2)), row("burst")),
        (Measure("m", ("sum",), "sum", True), row("sum", outcome="passed")),
    ],
)
def test_a_row_that_makes_no_sense_tells_nothing(measure: Measure, strange: Rolled) -> None:
    """Rows come from files, which anybody can write."""
    assert told(measure, strange) is None


def test_a_number_that_every_die_reaches_or_none_does() -> None:
    measure = Measure("m", ("hit",), "reached", True)
    sure, never = told(measure, row("hit", needed=1, outcome=2)), told(measure, row("hit", needed=7, outcome=0))
    assert sure is not None
    assert never is not None
    assert sure.each.mean == 1
    assert never.each.mean == 0
