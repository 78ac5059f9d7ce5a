"""What a player fills in: the fields of each order, what stands in them at first, and the order that comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.form_fields import Catalogue, Given, choice_field, demanded, free_id, free_name, number_field
from engine.ruleset import Field, FieldOption, Form
from engine.score_views import (
    end_fields,
    filled_end,
    filled_mission,
    filled_note,
    filled_score,
    mission_fields,
    note_fields,
    score_fields,
    side_options,
)

from . import orders
from .squads import MOST_SOLDIERS, Battle, SquadProfile, in_play, name_of
from .telling import GROUNDS

GROUND_OPTIONS = tuple(FieldOption(ground, words) for ground, words in GROUNDS.items())
OWN = "own"


def form(battle: Battle, order: str, given: Given, catalogue: Catalogue) -> Form:
    """The form of an order with what is given so far."""
    title, fields, _ = FORMS[order]
    about = given.get("squad") or given.get("id") if order != "muster" else None
    words = f"{name_of(battle, about)}: {title.lower()}" if about else title
    return Form(order, words, tuple(fields(battle, given, catalogue)))


def fill_in(battle: Battle, order: str, given: Given, catalogue: Catalogue) -> Any:
    """The order that a filled-in form stands for; raises Refusal (`order`) where something is missing."""
    return FORMS[order][2](battle, given, catalogue)


def _no_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    return []


def suppress_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """The enemies in play; the only one is meant where there is one."""
    squad = in_play(battle, given["squad"])
    enemies = [other for other in battle.squads.values() if other.side != squad.side and not other.out]
    options = tuple(FieldOption(other.id, f"{other.name}, {GROUNDS[other.ground]}") for other in enemies)
    only = enemies[0].id if len(enemies) == 1 else None
    return [choice_field("target", "Target", options, given, only, "the only enemy" if only else "")]


def filled_suppress(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Suppress:
    (target,) = suppress_fields(battle, given, catalogue)
    return orders.Suppress(squad=given["squad"], target=demanded({"target": target.value}, "target", "at whom"))


def advance_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    return [choice_field("to", "Ends", GROUND_OPTIONS, given, "cover", "usual")]


def filled_advance(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Advance:
    return orders.Advance(squad=given["squad"], to=advance_fields(battle, given, catalogue)[0].value)


def losses_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    return [number_field("soldiers", "Soldiers", given, 1, in_play(battle, given["squad"]).soldiers, 1, "one")]


def filled_losses(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Losses:
    return orders.Losses(squad=given["squad"], soldiers=losses_fields(battle, given, catalogue)[0].value)


def muster_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """A squad of the armoury or one's own, its side, and its numbers, which begin with what is chosen."""
    known = catalogue.get("squads", {})
    options = (*(FieldOption(entry, each["name"]) for entry, each in known.items()), FieldOption(OWN, "of your own"))
    entry = given.get("entry") if given.get("entry") in (*known, OWN) else next(iter(known), OWN)
    usual = known.get(entry, {})
    name = free_name({squad.name for squad in battle.squads.values()}, usual.get("name", "Squad"))
    side = next((squad.side for squad in reversed(battle.squads.values())), battle.sides[0])
    return [
        choice_field("entry", "Squad", options, given, entry, "the first"),
        choice_field("side", "Side", side_options(battle), given, side, "as before"),
        Field("name", "Name", "text", given.get("name") or name, inferred="" if given.get("name") else "usual"),
        *_number_fields(given, SquadProfile(id="new", side=side, **{"name": name, **usual})),
    ]


def _number_fields(given: Given, usual: SquadProfile) -> list[Field]:
    return [
        number_field("soldiers", "Soldiers", given, 1, MOST_SOLDIERS, usual.soldiers, "usual"),
        number_field("firepower", "Firepower", given, 1, 12, usual.firepower, "usual"),
        number_field("nerve", "Nerve", given, 3, 11, usual.nerve, "usual"),
        choice_field("ground", "Stands", GROUND_OPTIONS, given, usual.ground, "usual"),
    ]


def filled_muster(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Muster:
    told = {field.name: field.value for field in muster_fields(battle, given, catalogue) if field.name != "entry"}
    return orders.Muster(squad=SquadProfile(id=free_id(battle.squads, told["name"], "squad"), **told))


def amend_fields(battle: Battle, given: Given, catalogue: Catalogue) -> list[Field]:
    """The profile as it stands; where a squad stands is changed by advancing."""
    profile = battle.squads[given["id"]].profile
    name = Field("name", "Name", "text", given.get("name") or profile.name)
    return [name, *(field for field in _number_fields(given, profile) if field.name != "ground")]


def filled_amend(battle: Battle, given: Given, catalogue: Catalogue) -> orders.Amend:
    profile = battle.squads[given["id"]].profile
    told = {field.name: field.value for field in amend_fields(battle, given, catalogue)}
    return orders.Amend(squad=SquadProfile(id=profile.id, side=profile.side, ground=profile.ground, **told))


Fields = Callable[[Battle, Given, Catalogue], list[Field]]
Filled = Callable[[Battle, Given, Catalogue], Any]

FORMS: dict[str, tuple[str, Fields, Filled]] = {
    "suppress": ("Suppress", suppress_fields, filled_suppress),
    "advance": ("Advance", advance_fields, filled_advance),
    "rally": ("Rally", _no_fields, lambda battle, given, catalogue: orders.Rally(squad=given["squad"])),
    "losses": ("Losses", losses_fields, filled_losses),
    "begin_round": ("Begin round", _no_fields, lambda battle, given, catalogue: orders.BeginRound()),
    "end_round": ("End round", _no_fields, lambda battle, given, catalogue: orders.EndRound()),
    "muster": ("Muster", muster_fields, filled_muster),
    "amend": ("Amend", amend_fields, filled_amend),
    "dismiss": ("Dismiss", _no_fields, lambda battle, given, catalogue: orders.Dismiss(squad=given["squad"])),
    "score": ("Score", lambda b, given, _: score_fields(b, given), lambda b, given, _: filled_score(b, given)),
    "end_battle": ("End of the battle", end_fields, filled_end),
    "note": ("Note", note_fields, filled_note),
    "mission": ("Mission", mission_fields, filled_mission),
}
"""Of each order: its title, its fields, and what it comes to."""
