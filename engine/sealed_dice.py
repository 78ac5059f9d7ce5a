"""Sealed dice, for people who do not sit at one table: nobody can steer them, and the guest cannot know them.

Whoever keeps the battle commits to a secret before the other side says any words; the seed is made of both. The secret
is kept beside the battle's file and revealed at the end, when everybody can check every roll. Until then its keeper
could reckon ahead: that is what sealing does not prevent.
"""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from engine.entries import Header, RevealEntry, SealEntry, WordsEntry
from engine.refusals import Refusal

SEALED = "sealed"

UNSAID, SAID, REVEALED, LOST = SEAL_STATES = ("words missing", "sealed", "revealed", "secret not here")
"""How a seal stands: the other side has not said its words; the app can roll; all can be checked; nobody can roll."""


def commitment_to(secret: bytes) -> str:
    """What is published of a secret (32 bytes) beforehand: its SHA-256 in hex."""
    return sha256(secret).hexdigest()


def seed_of(secret: bytes, words: str) -> bytes:
    """The seed (32 bytes): SHA-256 over `seed/1`, the secret (32 bytes) and the words as UTF-8."""
    return sha256(b"seed/1" + secret + words.encode()).digest()


class Seal(Struct, frozen=True):
    """The dice between one commitment and the next. `entry` is where it was made, 0 for the header.

    `words` are empty until the other side has said them, `secret` until it is revealed.
    """

    entry: int
    commitment: str
    words: str = ""
    said_in: int = 0
    secret: bytes = b""


class Seals:
    """The seals of a battle, from the header on; none where its dice are not sealed."""

    def __init__(self, header: Header) -> None:
        self._seals = [Seal(0, header.dice.commitment)] if header.dice.mode == SEALED else []
        self._kept: dict[str, bytes] = {}

    def keep(self, secret: bytes) -> None:
        """Somebody has the secret of a seal: the app can roll with it."""
        self._kept[commitment_to(secret)] = secret

    @property
    def now(self) -> Seal | None:
        return self._seals[-1] if self._seals else None

    @property
    def stands(self) -> str:
        """How the present seal stands: one of SEAL_STATES; empty where dice are not sealed."""
        seal = self.now
        if seal is None:
            return ""
        if seal.secret:
            return REVEALED
        if seal.commitment not in self._kept:
            return LOST
        return SAID if seal.words else UNSAID

    def of_entry(self, number: int) -> Seal | None:
        """The seal under which an entry was made; None where dice are not sealed."""
        return next((seal for seal in reversed(self._seals) if seal.entry < number), None)

    def seed_for_roll(self) -> bytes:
        """The seed of the next roll; raises Refusal (`dice`) where nobody can roll, and says what to do."""
        seal = self.now
        assert seal is not None
        secret = self._kept.get(seal.commitment)
        if seal.secret:
            raise Refusal("dice", "these dice were revealed, so all could reckon them: headsdown seal makes new ones")
        if not seal.words:
            told = "the other side has not said its words for the sealed dice: headsdown words says them"
            raise Refusal("dice", told)
        if secret is None:
            told = "the secret of the sealed dice is not here: order where the battle is kept, or, where it was lost, "
            raise Refusal("dice", told + "headsdown seal makes new ones; the rolls so far can then not be checked")
        return seed_of(secret, seal.words)

    def seed_to_check(self, number: int) -> bytes | None:
        """The seed under which entry `number` was rolled; None while that is not revealed."""
        seal = self.of_entry(number)
        return seed_of(seal.secret, seal.words) if seal and seal.secret and seal.words else None

    def secret_to_reveal(self) -> bytes:
        """The secret of the present seal; raises Refusal (`dice`) where there is none to reveal."""
        seal = self._present()
        if seal.secret:
            raise Refusal("dice", "these dice were revealed already")
        secret = self._kept.get(seal.commitment)
        if secret is None:
            raise Refusal("dice", "the secret of these dice is not here: reveal them where the battle is kept")
        return secret

    def refuse_words(self, keeper: bool = False) -> None:
        """Raise Refusal (`dice`) where words are not wanted, and (`seat`) from the side that keeps the secret."""
        seal = self._present()
        if seal.words:
            raise Refusal("dice", f"the words of these dice were said in entry {seal.said_in}")
        if seal.secret:
            raise Refusal("dice", "these dice were revealed already")
        if keeper:
            raise Refusal("seat", "the words are for the other side to say: yours keeps the secret")

    def refuse_new_seal(self) -> None:
        """Raise Refusal (`dice`) where the present seal is good for rolling."""
        seal = self._present()
        if not seal.secret and seal.commitment in self._kept:
            raise Refusal("dice", "these dice are sealed, and the secret is here: there is no need for another one")

    def _present(self) -> Seal:
        if self.now is None:
            raise Refusal("dice", "the dice of this battle are not sealed")
        return self.now

    # Taking entries in: false where they cannot be

    def take_seal(self, entry: SealEntry) -> bool:
        if self._seals:
            self._seals.append(Seal(entry.n, entry.commitment))
        return bool(self._seals)

    def take_words(self, entry: WordsEntry) -> bool:
        seal = self.now
        if seal is None or seal.words or seal.secret:
            return False
        self._seals[-1] = replace(seal, words=entry.text, said_in=entry.n)
        return True

    def take_reveal(self, entry: RevealEntry) -> bool:
        seal, secret = self.now, bytes.fromhex(entry.secret)
        if seal is None or seal.secret or commitment_to(secret) != seal.commitment:
            return False
        self._seals[-1] = replace(seal, secret=secret)
        return True
