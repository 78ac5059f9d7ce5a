"""The dice of the app are part of the save format: the same seed and key give the same faces for ever."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from engine.dice import Keys, key_of, keyed_faces, seed_from_text
from engine.rolls import Throw

SEED = bytes(range(32))
KEY = "t1/fire/u01/attack/u07/to-hit#0"


@pytest.mark.parametrize(
    ("sides", "faces"),
    [
        (3, (1, 2, 2, 2, 2, 2, 1, 1)),
        (6, (1, 5, 2, 5, 2, 2, 4, 4)),
        (10, (9, 3, 2, 5, 8, 6, 10, 8)),
        (1000, (881, 301, 858, 422, 291, 734, 5, 969)),
    ],
)
def test_golden_vectors(sides: int, faces: tuple[int, ...]) -> None:
    assert keyed_faces(SEED, KEY, sides, 8) == faces


def test_fewer_dice_are_the_first_of_more() -> None:
    assert keyed_faces(SEED, KEY, 6, 500)[:8] == keyed_faces(SEED, KEY, 6, 8)


def test_by_hand() -> None:
    """The construction once more, written differently: block 0 of the golden key, bytes below 252 taken mod 6."""
    key = KEY.encode()
    block = sha256(b"dice/1" + b"\x00" + SEED + bytes([0, len(key)]) + key + bytes(4)).digest()
    assert keyed_faces(SEED, KEY, 6, 8) == tuple(byte % 6 + 1 for byte in block if byte < 252)[:8]


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 20, 100, 256, 257, 1000, 65536])
def test_every_face_is_one_of_the_die(sides: int) -> None:
    faces = keyed_faces(SEED, "bounds", sides, 2000)
    assert min(faces) >= 1
    assert max(faces) <= sides


def test_faces_are_even() -> None:
    """60,000 D6: chi-square with 5 degrees of freedom, whose one-in-a-thousand limit is 20.5."""
    counts = Counter(keyed_faces(SEED, "even", 6, 60_000))
    assert sum((n - 10_000) ** 2 / 10_000 for n in counts.values()) < 20.5


def test_text_seed() -> None:
    assert seed_from_text("gray dawn") == sha256(b"seed/text/1\x00gray dawn").digest()
    assert seed_from_text("a") != seed_from_text("a ")


def test_keys_count_by_purpose() -> None:
    hits = Throw("hits", "scouts", "marines", 6, 10)
    saves = Throw("saves", "scouts", "marines", 6, 2)
    assert key_of("t3-red", hits) == "t3-red/scouts/marines/hits"
    keys = Keys({"t3-red/scouts/marines/hits": 2})
    assert [keys.next("t3-red", throw) for throw in (hits, saves, hits)] == [
        "t3-red/scouts/marines/hits#2",
        "t3-red/scouts/marines/saves#0",
        "t3-red/scouts/marines/hits#3",
    ]
