"""The report as JSON: the whole account, field by field."""

from __future__ import annotations

import msgspec

from saves.battle import OpenBattle
from saves.reports.accounting import account_of


def write(battle: OpenBattle, anonymise: bool) -> bytes:
    """The report as indented JSON in UTF-8."""
    return msgspec.json.format(msgspec.json.encode(account_of(battle, anonymise))) + b"\n"
