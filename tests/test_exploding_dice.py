"""Dice that explode: what a chain comes to, how likely that is, and how its dice are asked for, kept and checked."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from engine.dice import AppDice, Differs, Keys, PromptedDice, RecordedDice, Source, TypedDice, keyed_faces
from engine.exploding import Chain, Contest, ExplodingCheck
from engine.refusals import DiceMissing, Refusal
from engine.resolution import Correction, Resolution, Rule, carry_out, roll
from engine.rolls import Faces, Roll, Rolled, TableLine, Throw

SEED = bytes(range(32))
DEPTH = 9


def chains(chain: Chain) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every chain of at most DEPTH dice with its chance."""
    begun: list[tuple[int, ...]] = [()]
    while begun:
        dice = begun.pop()
        for face in range(1, chain.sides + 1):
            longer = (*dice, face)
            if not chain.goes_on(longer):
                yield longer, Fraction(1, chain.sides ** len(longer))
            elif len(longer) < DEPTH:
                begun.append(longer)


def reading(request: Roll[bool], dice: tuple[int, ...]) -> bool:
    """What a roll makes of faces, all of which it must take."""
    left = list(dice)

    def give(throw: Throw) -> Faces:
        return Faces((*(throw.follows or ()), left.pop(0)), "table", "key")

    outcome, _ = request.read(give)
    assert not left
    return outcome


@pytest.mark.parametrize(
    ("dice", "worth"), [((5,), 5), ((10, 3), 13), ((10, 10, 1), 21), ((1, 4), -4), ((1, 10, 4), -14), ((1, 1), -1)]
)
def test_what_a_chain_comes_to(dice: tuple[int, ...], worth: int) -> None:
    """GD-2: a 10 adds another die, a natural 1 counts nothing and subtracts."""
    assert Chain().worth(dice) == worth
    assert not Chain().goes_on(dice)
    assert all(Chain().goes_on(dice[:n]) for n in range(1, len(dice)))


def test_a_one_is_a_one_where_nothing_explodes_down() -> None:
    """GD-2, switch explode_down: no."""
    assert not Chain(down=False).goes_on((1,))
    assert Chain(down=False).worth((1,)) == 1


@pytest.mark.parametrize("chain", [Chain(), Chain(down=False), Chain(sides=4), Chain(sides=4, down=False)])
def test_closed_form_is_the_sum_over_all_chains(chain: Chain) -> None:
    """GD-2: `chances` against `read` over every sequence of faces, to a depth that bounds the rest."""
    known = list(chains(chain))
    rest = 1 - sum(chance for _, chance in known)
    for needed in range(-25, 26):
        check = ExplodingCheck("check", "grey", needed, chain)
        passing = sum(chance for dice, chance in known if reading(check, dice))
        weights = check.chances()
        assert 0 <= Fraction(weights.get(True, 0), sum(weights.values())) - passing <= rest


@pytest.mark.parametrize("chain", [Chain(sides=4), Chain(sides=4, down=False)])
def test_contest_is_the_sum_over_all_pairs(chain: Chain) -> None:
    """GD-10: the first needs only to meet the second."""
    known = list(chains(chain))
    rest = 1 - sum(chance for _, chance in known) ** 2
    for ahead in range(-9, 10, 3):
        contest = Contest(("awareness", "stealth"), "rook", ahead, chain)
        passing = sum(p * q for first, p in known for second, q in known if reading(contest, first + second))
        weights = contest.chances()
        assert 0 <= Fraction(weights.get(True, 0), sum(weights.values())) - passing <= rest


def test_even_contest() -> None:
    """GD-10: with nothing between them the one who needs only to meet wins ties too."""
    chance = Chain().ahead(0)
    assert chance + Chain().ahead(1) == 1
    assert chance > Fraction(1, 2)


@pytest.mark.parametrize(
    ("base", "per_mille"),
    [(3, 80), (4, 70), (5, 60), (6, 50), (7, 40), (8, 30), (9, 20), (10, 10), (11, 10), (12, 9), (13, 8), (14, 7)],
)
def test_chance_of_nothing_or_less_by_base(base: int, per_mille: int) -> None:
    """GD-2, GD-15: the rules page's table of defence rolls that come to 0 or less."""
    assert 1 - Chain().reaching(1 - base) == Fraction(per_mille, 1000)


@pytest.mark.parametrize(
    ("more", "per_mille"),
    [(2, 900), (3, 800), (6, 500), (9, 200), (10, 100), (11, 100), (12, 90), (13, 80), (20, 10), (21, 10), (22, 9)],
)
def test_chance_to_reach_more_than_the_base(more: int, per_mille: int) -> None:
    """GD-1, GD-2: the rules page's table of checks."""
    assert Chain().reaching(more) == Fraction(per_mille, 1000)


def test_certain_checks_leave_the_impossible_out() -> None:
    assert ExplodingCheck("check", "grey", 1, Chain(down=False)).chances() == {True: 1}


def resolve_line(line: TableLine, face: int) -> int:
    result, _ = line.read(lambda throw: Faces((face,), "table", "key"))
    return result


def test_table_line_reads_every_face() -> None:
    """GD-29: `chances` against `read` over all faces."""
    line = TableLine("burst", "grey", (1, 1, 1, 2, 2, 3))
    results = [resolve_line(line, face) for face in range(1, 7)]
    assert {result: results.count(result) for result in results} == line.chances() == {1: 3, 2: 2, 3: 1}


def test_no_chain_goes_on_for_ever() -> None:
    assert Chain().goes_on((10,) * 99)
    assert not Chain().goes_on((10,) * 100)


# How the dice of a chain are asked for


def resolve(source: Source, *requests: Roll[bool], earlier: dict[str, Correction] | None = None) -> Resolution[int]:
    def rule() -> Rule[int]:
        for request in requests:
            yield from roll(request)
        return 0

    return carry_out(rule(), 0, lambda state, event: state, lambda state: "r1", source, Keys({}), earlier or {})


CHECK = ExplodingCheck("check", "grey", 12)


def test_typed_dice_of_one_chain_follow_each_other() -> None:
    """GD-2: dice of one exploding roll follow each other, and the log keeps them in one row."""
    rows = resolve(TypedDice((10, 0, 3, 1, 10, 4)), CHECK, CHECK).rolls
    assert [(row.dice, row.total, row.outcome, row.key) for row in rows] == [
        ((10, 10, 3), 23, "passed", "r1/grey//check#0"),
        ((1, 10, 4), -14, "failed", "r1/grey//check#1"),
    ]
    assert rows[0].chance == (9, 100)
    assert rows[0].needed == 12


def test_a_chain_that_breaks_off_waits_for_one_more_die() -> None:
    with pytest.raises(DiceMissing, match="waits for 1 more D10") as missing:
        resolve(TypedDice((10, 10)), CHECK)
    assert missing.value.waiting.follows == (10, 10)
    assert missing.value.key == "r1/grey//check#0"


def test_dice_after_the_end_of_a_chain_are_too_many() -> None:
    with pytest.raises(Refusal, match="1 too many"):
        resolve(TypedDice((10, 3, 3)), CHECK)


def test_app_dice_of_a_chain_come_from_one_key() -> None:
    seeds = (bytes([n]) * 32 for n in range(256))
    seed = next(s for s in seeds if keyed_faces(s, "r1/grey//check#0", 10, 1) == (10,))
    (row,) = resolve(AppDice(seed), CHECK).rolls
    assert len(row.dice) > 1
    assert row.dice == keyed_faces(seed, row.key, 10, len(row.dice))
    assert row.source == "app"


def test_prompted_chain_is_asked_die_by_die() -> None:
    app = AppDice(SEED)
    with pytest.raises(DiceMissing) as missing:
        resolve(PromptedDice(((10,),), app), CHECK)
    assert missing.value.waiting.follows == (10,)
    (row,) = resolve(PromptedDice(((10,), (3,)), app), CHECK).rolls
    assert (row.dice, row.source) == ((10, 3), "table")


def test_where_the_app_rolls_the_first_die_it_rolls_the_chain() -> None:
    seeds = (bytes([n]) * 32 for n in range(256))
    seed = next(s for s in seeds if keyed_faces(s, "r1/grey//check#0", 10, 1) == (10,))
    (row,) = resolve(PromptedDice((None,), AppDice(seed)), CHECK).rolls
    assert row == resolve(AppDice(seed), CHECK).rolls[0]


def test_a_chain_begun_at_the_table_counts_as_typed() -> None:
    app = AppDice(SEED)
    (row,) = resolve(PromptedDice(((1,), None), app), CHECK).rolls
    assert row.dice[:2] == (1, keyed_faces(SEED, row.key, 10, 2)[1])
    assert row.source == "table"


def recorded(*rows: Rolled) -> RecordedDice:
    return RecordedDice(rows)


def test_recorded_chains_are_fed_back() -> None:
    rows = resolve(TypedDice((10, 10, 3, 1, 10, 4)), CHECK, CHECK).rolls
    assert resolve(recorded(*rows), CHECK, CHECK).rolls == rows


def test_a_recorded_chain_that_breaks_off_differs() -> None:
    (row,) = resolve(TypedDice((10, 10, 3)), CHECK).rolls
    short = Rolled(row.purpose, row.subject, row.sides, (10, 10), "passed", "table", row.chance, row.key)
    with pytest.raises(Differs):
        resolve(recorded(short), CHECK)


def test_other_faces_of_a_chain_correct_the_earlier_ones() -> None:
    earlier = {"r1/grey//check#0": Correction(7, 10, (10, 3))}
    assert resolve(TypedDice((10, 3)), CHECK, earlier=earlier).rolls[0].corrects is None
    assert resolve(TypedDice((10, 4)), CHECK, earlier=earlier).rolls[0].corrects == 7
    assert resolve(TypedDice((5,)), CHECK, earlier=earlier).rolls[0].corrects == 7


def test_faces_that_fell_before_are_offered_along_the_chain() -> None:
    before = Correction(7, 10, (10, 3))
    first = Throw("check", "grey", "", 10, 1, follows=())
    assert before.faces_for(first) == (10,)
    assert before.faces_for(Throw("check", "grey", "", 10, 1, follows=(10,))) == (3,)
    assert before.faces_for(Throw("check", "grey", "", 10, 1, follows=(1,))) == ()
    assert before.faces_for(Throw("check", "grey", "", 6, 1, follows=())) == ()
    assert Correction(7, 6, (2, 2)).faces_for(Throw("hit", "grey", "", 6, 2)) == (2, 2)
    assert Correction(7, 6, (2, 2)).faces_for(Throw("hit", "grey", "", 6, 3)) == ()
