"""Making a battle: its file, with the header that says by which rules, between whom and with which dice."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import uuid4

from engine import __version__
from engine.dice import ALGORITHM, seed_from_text
from engine.entries import (
    FORMAT,
    VERSION,
    DiceTerms,
    Header,
)
from engine.refusals import Refusal
from engine.registered import rule_set
from engine.ruleset import RuleSet, Switch
from engine.sealed_dice import SEALED, commitment_to
from engine.seats import (
    RESERVED,
    UNDO,
)
from engine.wording import printable
from saves import battle
from saves.faults import AlreadyThere
from saves.journal import Journal
from saves.secrets_kept import keep_secret, secret_file

DICE_MODES = ("app", "table", SEALED)
LONGEST_NAME = 100


def create(
    path: str | Path,
    *,
    rules: str,
    sides: Sequence[str],
    switches: Mapping[str, str] | None = None,
    seed: str | None = None,
    dice: str = "app",
    name: str = "",
) -> None:
    """Make a new battle in `path`, in which nothing has happened.

    `rules` names the rule set; `switches` are house rules that differ from its defaults; `dice` is `app`, `table` or
    `sealed`; without a `seed` the dice are seeded by chance. The secret of sealed dice is kept beside the file.
    Raises Refusal (`order`) for whatever the rule set does not have, AlreadyThere where the file exists, and
    Unreadable where it cannot be written.
    """
    house = rule_set(rules)
    secret = _seed(seed)
    mode = _checked_mode(dice)
    terms = (
        DiceTerms(ALGORITHM, mode, "", commitment_to(secret))
        if mode == SEALED
        else DiceTerms(ALGORITHM, mode, secret.hex())
    )
    header = Header(
        format=FORMAT,
        v=VERSION,
        min_reader=VERSION,
        id=str(uuid4()),
        created=battle.now(),
        name=checked_name(name),
        rules=house.name,
        rules_version=house.version,
        engine=__version__,
        sides=_checked_sides(house, sides),
        switches=_checked_switches(house, switches or {}),
        dice=terms,
    )
    house.begin(header.sides, header.switches)
    if mode == SEALED:
        _create_sealed(Path(path), header, secret)
    else:
        Journal(Path(path)).create(header)


def _create_sealed(path: Path, header: Header, secret: bytes) -> None:
    """The secret first: a battle whose secret is nowhere could never be rolled for."""
    if path.exists():
        raise AlreadyThere(f"{path} exists already; a battle is never overwritten")
    keep_secret(path, secret, first=True)
    try:
        Journal(path).create(header)
    except BaseException:
        secret_file(path).unlink(missing_ok=True)
        raise


def _seed(text: str | None) -> bytes:
    if text is None:
        return os.urandom(32)
    try:
        return seed_from_text(text)
    except UnicodeError:
        raise Refusal("order", "the seed is no valid text") from None


def checked_name(name: str) -> str:
    """A battle's name as it is written down; raises Refusal (`order`) where it is too long."""
    shown = printable(name)
    if len(shown) > LONGEST_NAME:
        raise Refusal("order", f"the name is too long: {LONGEST_NAME} characters at most")
    return shown


def _checked_mode(dice: str) -> str:
    if dice not in DICE_MODES:
        raise Refusal("order", f"there are no {dice} dice; there are: {', '.join(DICE_MODES)}")
    return dice


def _checked_sides(rules: RuleSet, sides: Sequence[str]) -> tuple[str, ...]:
    shown = tuple(printable(side) for side in sides)
    for side in shown:
        if side.casefold() in RESERVED:
            raise Refusal("order", f"a side cannot be called {side}: that is a seat of another kind")
        if not 1 <= len(side) <= LONGEST_NAME:
            raise Refusal("order", f"a side needs a name of 1 to {LONGEST_NAME} characters")
    if len(set(shown)) < len(shown):
        raise Refusal("order", f"two sides have the same name: {', '.join(shown)}")
    if not rules.least_sides <= len(shown) <= rules.most_sides:
        few, many = rules.least_sides, rules.most_sides
        wanted = str(few) if few == many else f"{few} to {many}"
        raise Refusal("order", f"{rules.title} is fought by {wanted} sides, not {len(shown)}")
    return shown


def _checked_switches(rules: RuleSet, given: Mapping[str, str]) -> dict[str, str]:
    """All switches of the rule set with their values, so that later defaults do not change the battle."""
    values = {switch.name: switch.values[0] for switch in rules.switches}
    known = {switch.name: switch for switch in (*rules.switches, UNDO)}
    for name, value in given.items():
        if name not in known:
            there = ", ".join(known) or "none"
            raise Refusal("order", f"{rules.title} has no switch {printable(name)}; there are: {there}")
        values[name] = _checked_value(known[name], value)
    return values


def _checked_value(switch: Switch, value: str) -> str:
    if value in switch.values:
        return value
    if switch.number and value.isascii() and value.isdecimal() and len(value) <= 4 and int(value) <= 1000:
        return str(int(value))
    allowed = ", ".join(switch.values) + (", or a number from 0 to 1000" if switch.number else "")
    raise Refusal("order", f"the switch {switch.name} cannot be {printable(value)}; it may be: {allowed}")
