"""What players order in Firefight. The tag is the order's type in files; fields and bounds are checked on reading."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from engine.fields import Id
from engine.importing import MOST_ORDERS, ListImport
from engine.orders import Order
from engine.scorekeeping import EndBattle, Mission, Note, Score

from .squads import MOST_SOLDIERS, Ground, SquadProfile


class Muster(Order, frozen=True, tag="muster"):
    squad: SquadProfile


class Amend(Order, frozen=True, tag="amend"):
    squad: SquadProfile


class Dismiss(Order, frozen=True, tag="dismiss"):
    squad: Id


class Import(ListImport, frozen=True, kw_only=True, tag="import"):
    """An army list for a side, as the orders that it comes to."""

    orders: Annotated[tuple[Muster | Amend | Dismiss, ...], Meta(max_length=MOST_ORDERS)]


class BeginRound(Order, frozen=True, tag="begin_round"):
    pass


class EndRound(Order, frozen=True, tag="end_round"):
    pass


class Suppress(Order, frozen=True, tag="suppress"):
    squad: Id
    target: Id


class Advance(Order, frozen=True, tag="advance"):
    squad: Id
    to: Ground


class Rally(Order, frozen=True, tag="rally"):
    squad: Id


class Losses(Order, frozen=True, tag="losses"):
    """Soldiers who fell to something that these rules do not roll, say hand to hand."""

    squad: Id
    soldiers: Annotated[int, Meta(ge=1, le=MOST_SOLDIERS)]


AnyOrder: TypeAlias = (
    Muster
    | Amend
    | Dismiss
    | Import
    | BeginRound
    | EndRound
    | Suppress
    | Advance
    | Rally
    | Losses
    | Score
    | EndBattle
    | Note
    | Mission
)
