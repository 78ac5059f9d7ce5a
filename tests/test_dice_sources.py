"""Where faces come from: the keyed generator, the table, prompts answered one by one, and the record."""

from __future__ import annotations

from hashlib import sha256

import pytest

from engine.dice import AppDice, Differs, PromptedDice, RecordedDice, Source, TypedDice, keyed_faces
from engine.refusals import DiceMissing, Refusal
from engine.rolls import Rolled, Throw

SEED = bytes(range(32))
TEST = Throw("leadership", "scouts", "", 6, 2)
SAVES = Throw("save", "scouts", "men", 6, 3)
FIRST = Throw("check", "grey", "", 10, 1, follows=())
AFTER_TEN = Throw("check", "grey", "", 10, 1, follows=(10,))


def by_hand(key: str, sides: int, count: int) -> tuple[int, ...]:
    """The construction in other words: number after number of the key's blocks, those too large passed over."""
    name = key.encode()
    start = b"dice/1" + b"\x00" + SEED + bytes([len(name) // 256, len(name) % 256]) + name
    stream = b"".join(sha256(start + block.to_bytes(4, "big")).digest() for block in range(60))
    size = 1 if sides < 257 else 2
    numbers = [int.from_bytes(stream[at : at + size], "big") for at in range(0, len(stream), size)]
    largest = (256**size // sides) * sides
    return tuple(number % sides + 1 for number in numbers if number < largest)[:count]


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 100, 127, 128, 129, 255, 256, 257, 1000, 32768, 65535, 65536])
@pytest.mark.parametrize("key", ["t1/fire/u01/attack/u07/to-hit#0", "long " * 60])
def test_faces_by_seed_and_key(sides: int, key: str) -> None:
    """Two hundred dice, which take many blocks of 32 bytes; with more than 256 sides two bytes make a face."""
    faces = keyed_faces(SEED, key, sides, 200)
    assert faces == by_hand(key, sides, 200)
    assert len(faces) == 200


# Typed at the table


@pytest.mark.parametrize(
    ("sides", "good", "bad"),
    [
        (3, {1: 1, 3: 3}, (0, 4, -1)),
        (6, {1: 1, 6: 6}, (0, 7)),
        (10, {0: 10, 1: 1, 10: 10}, (11, -1)),
        (20, {20: 20}, (0, 21)),
    ],
)
def test_faces_that_a_die_has(sides: int, good: dict[int, int], bad: tuple[int, ...]) -> None:
    """From 1 to its sides; a D10 has a 0, which is its 10."""
    throw = Throw("shots", "guard", "", sides, 1)
    for typed, face in good.items():
        assert TypedDice((typed,)).faces(throw, "key") == ((face,), "table")
    for typed in bad:
        with pytest.raises(Refusal, match=f"{typed} is no face of a D{sides}") as refused:
            TypedDice((typed,)).faces(throw, "key")
        assert refused.value.clause == "dice"


@pytest.mark.parametrize(
    ("throw", "typed", "told"),
    [
        (TEST, (), "too few dice: leadership of scouts waits for 2 D6"),
        (TEST, (4,), "too few dice: leadership of scouts waits for 2 D6, 1 given: 1 missing"),
        (SAVES, (4,), "too few dice: save of scouts, men waits for 3 D6, 1 given: 2 missing"),
        (FIRST, (), "too few dice: check of grey waits for 1 D10"),
        (AFTER_TEN, (), "too few dice: check of grey waits for 1 more D10"),
    ],
)
def test_too_few(throw: Throw, typed: tuple[int, ...], told: str) -> None:
    """What waits for how many dice, and how many of them are there."""
    sources: list[Source] = [TypedDice(typed)]
    if typed:
        sources.append(PromptedDice((typed,), AppDice(SEED)))
    else:
        sources.append(PromptedDice((), AppDice(SEED)))
    for source in sources:
        with pytest.raises(DiceMissing) as missing:
            source.faces(throw, "key")
        assert (str(missing.value.message), missing.value.waiting, missing.value.key) == (told, throw, "key")


def test_too_many() -> None:
    """Counted over the whole order where all was typed at once; throw by throw where each was asked for."""
    typed = TypedDice((1, 2, 3, 4))
    assert typed.faces(TEST, "key") == ((1, 2), "table")
    with pytest.raises(Refusal, match="too many dice: 4 given, 2 rolled, 2 too many"):
        typed.finish()
    assert typed.faces(TEST, "key") == ((3, 4), "table")
    typed.finish()
    with pytest.raises(Refusal, match="too many dice: leadership of scouts takes 2") as refused:
        PromptedDice(((1, 2, 3),), AppDice(SEED)).faces(TEST, "key")
    assert refused.value.clause == "dice"


# Asked for one by one


def test_each_prompt_is_answered_by_itself() -> None:
    """The app rolls the first throw, the second is typed, and the third waits."""
    app = AppDice(SEED)
    source = PromptedDice((None, (1, 2, 3)), app)
    assert source.faces(TEST, "one") == app.faces(TEST, "one")
    assert source.faces(SAVES, "two") == ((1, 2, 3), "table")
    with pytest.raises(DiceMissing, match="save of scouts, men waits for 3 D6 "):
        source.faces(SAVES, "three")


def test_a_chain_is_rolled_by_whoever_rolled_its_first_die() -> None:
    """The app rolled an earlier chain; of one that began at the table each further die is asked for."""
    source = PromptedDice((None, (10,), (7,)), AppDice(SEED))
    assert source.faces(FIRST, "one")[1] == "app"
    assert source.faces(AFTER_TEN, "one") == (keyed_faces(SEED, "one", 10, 2)[1:], "app")
    assert source.faces(FIRST, "two") == ((10,), "table")
    assert source.faces(AFTER_TEN, "two") == ((7,), "table")
    with pytest.raises(DiceMissing):
        source.faces(FIRST, "three")


# Fed back from the record


def row(throw: Throw, *dice: int, key: str = "key", source: str = "table") -> Rolled:
    return Rolled(throw.purpose, throw.subject, throw.sides, dice, 0, source, (1, 2), key, None, throw.group)


def test_the_record_is_fed_back() -> None:
    source = RecordedDice((row(TEST, 1, 6), row(SAVES, 6, 1, 1, source="app")))
    assert source.faces(TEST, "key") == ((1, 6), "table")
    assert source.faces(SAVES, "key") == ((6, 1, 1), "app")
    source.finish()


@pytest.mark.parametrize(
    "rows",
    [
        (),
        (row(SAVES, 1, 2, 3),),
        (row(TEST, 1),),
        (row(TEST, 1, 2, 3),),
        (row(TEST, 1, 2, key="other"),),
        (row(Throw("leadership", "guard", "", 6, 2), 1, 2),),
        (row(Throw("leadership", "scouts", "men", 6, 2), 1, 2),),
        (row(Throw("leadership", "scouts", "", 10, 2), 1, 2),),
    ],
)
def test_a_record_of_something_else_differs(rows: tuple[Rolled, ...]) -> None:
    with pytest.raises(Differs, match="the rules roll leadership of scouts, "):
        RecordedDice(rows).faces(TEST, "key")


@pytest.mark.parametrize("dice", [(0, 1), (1, 0), (7, 1), (1, 7)])
def test_a_record_of_faces_that_no_die_has_differs(dice: tuple[int, int]) -> None:
    with pytest.raises(Differs, match="leadership of scouts has a face that a D6 does not have"):
        RecordedDice((row(TEST, *dice),)).faces(TEST, "key")


def test_a_record_of_more_than_was_rolled_differs() -> None:
    source = RecordedDice((row(TEST, 1, 6), row(SAVES, 6, 1, 1)))
    source.faces(TEST, "key")
    with pytest.raises(Differs, match="save was recorded, but the rules do not roll it"):
        source.finish()
