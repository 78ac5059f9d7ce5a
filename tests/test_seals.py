"""The seals of a battle's dice, entry by entry: what follows what, and under which seed which entry was rolled."""

from __future__ import annotations

import pytest

from engine.dice import ALGORITHM
from engine.entries import FORMAT, VERSION, DiceTerms, Header, RevealEntry, SealEntry, WordsEntry
from engine.refusals import Refusal
from engine.sealed_dice import LOST, REVEALED, SAID, UNSAID, Seals, commitment_to, seed_of

ONE, OTHER = b"1" * 32, b"2" * 32


def seals(mode: str = "sealed", keeping: bytes | None = ONE) -> Seals:
    terms = DiceTerms(ALGORITHM, mode, "", commitment_to(ONE) if mode == "sealed" else "")
    made = Seals(Header(FORMAT, VERSION, 1, "id", 0, "", "rules", 1, "test", ("blue", "red"), {}, terms))
    if keeping:
        made.keep(keeping)
    return made


def seal(n: int, secret: bytes = OTHER) -> SealEntry:
    return SealEntry(n, "", 0, commitment_to(secret))


def words(n: int, text: str = "grey geese") -> WordsEntry:
    return WordsEntry(n, "", 0, text, "red")


def reveal(n: int, secret: bytes = ONE) -> RevealEntry:
    return RevealEntry(n, "", 0, secret.hex())


def told(made: Seals, what: str) -> str:
    with pytest.raises(Refusal) as refused:
        getattr(made, what)()
    return f"{refused.value.clause}: {refused.value.message}"


def test_a_seal_from_the_header_to_its_end() -> None:
    made = seals()
    assert made.stands == UNSAID
    assert told(made, "seed_for_roll").startswith("dice: the other side has not said its words")
    assert made.take_words(words(3))
    assert made.stands == SAID
    assert made.seed_for_roll() == seed_of(ONE, "grey geese")
    assert told(made, "refuse_words") == "dice: the words of these dice were said in entry 3"
    assert made.seed_to_check(7) is None
    assert made.secret_to_reveal() == ONE
    assert made.take_reveal(reveal(8))
    assert made.stands == REVEALED
    assert told(made, "seed_for_roll").startswith("dice: these dice were revealed, so all could reckon them")
    assert told(made, "secret_to_reveal") == "dice: these dice were revealed already"
    assert made.seed_to_check(7) == seed_of(ONE, "grey geese")


def test_words_are_said_once_and_before_the_secret() -> None:
    """Words said again, or with the secret known, would choose the faces."""
    made = seals()
    assert made.take_words(words(1))
    assert not made.take_words(words(2, "other words"))
    assert made.seed_for_roll() == seed_of(ONE, "grey geese")
    made = seals()
    assert made.take_reveal(reveal(1))
    assert told(made, "refuse_words") == "dice: these dice were revealed already"
    assert not made.take_words(words(2))


def test_only_the_secret_committed_to_and_only_once() -> None:
    made = seals()
    assert not made.take_reveal(reveal(1, OTHER))
    assert made.take_reveal(reveal(1))
    assert not made.take_reveal(reveal(2))


def test_who_keeps_the_secret_says_no_words() -> None:
    made = seals()
    made.refuse_words()
    with pytest.raises(Refusal) as refused:
        made.refuse_words(keeper=True)
    assert refused.value.clause == "seat"


def test_a_new_seal_where_the_secret_is_lost_or_known() -> None:
    """Rolls made before it are checked by the old seed, those after it by the new one."""
    made = seals(keeping=None)
    assert made.stands == LOST
    assert told(made, "secret_to_reveal").startswith("dice: the secret of these dice is not here")
    made.refuse_new_seal()
    made.keep(ONE)
    assert told(made, "refuse_new_seal").startswith("dice: these dice are sealed, and the secret is here")
    made.take_words(words(1))
    made.take_reveal(reveal(4))
    made.refuse_new_seal()
    assert made.take_seal(seal(5))
    made.keep(OTHER)
    assert made.stands == UNSAID
    made.take_words(words(6, "brown owls"))
    assert made.seed_for_roll() == seed_of(OTHER, "brown owls")
    made.take_reveal(reveal(9, OTHER))
    checked = {number: made.seed_to_check(number) for number in (1, 3, 5, 6, 8)}
    old, new = seed_of(ONE, "grey geese"), seed_of(OTHER, "brown owls")
    assert checked == {1: old, 3: old, 5: old, 6: new, 8: new}


@pytest.mark.parametrize("mode", ["app", "table"])
def test_other_dice_take_no_seal(mode: str) -> None:
    made = seals(mode)
    assert (made.stands, made.now, made.of_entry(5), made.seed_to_check(5)) == ("", None, None, None)
    assert not made.take_seal(seal(1))
    assert not made.take_words(words(1))
    assert not made.take_reveal(reveal(1))
    assert told(made, "refuse_words") == "dice: the dice of this battle are not sealed"
