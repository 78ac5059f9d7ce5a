"""Rosters in all shapes that list builders write, made of one description: invented units, oddities of real files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct, field

from engine.army_list import ArmyList, ListedUnit
from saves.rosters.reading import list_in

SCHEMAS = ("1.14b", "1.15", "2.00", "2.01", "2.02", "2.03")
SPACE = 'xmlns="http://www.battlescribe.net/schema/rosterSchema"'


class P(Struct):
    """A profile: its name, what its type is called, its characteristics."""

    name: str
    type: str
    values: dict[str, str]


class S(Struct):
    """A selection. `words` are special rules by name."""

    name: str
    kind: str = "upgrade"
    number: Any = 1
    profiles: list[P] = field(default_factory=list)
    inside: list[S] = field(default_factory=list)
    points: float = 0
    words: Mapping[str, str] = field(default_factory=dict)
    alias: str = ""
    id: str = ""


class F(Struct):
    """A force with its selections and the forces inside it."""

    selections: list[S]
    name: str = "Patrol"
    faction: str = "Harbour Watch"
    forces: list[F] = field(default_factory=list)


STATS = {"Unit Type": "Infantry", "WS": "3", "BS": "3", "S": "3", "T": "3", "W": "1", "I": "3", "A": "1", "Ld": "8",
         "Save": "4+"}  # fmt: skip


def stats(name: str, type: str = "Unit", **changed: str) -> P:  # noqa: A002  the word of the format
    """A stat line of the edition that Suppression Fire is for."""
    values = {key.replace("_", " "): value for key, value in changed.items()}
    return P(name, type, {**STATS, **values})


def vehicle(name: str, kind: str = "Tank, Transport") -> P:
    return P(name, "Vehicle", {"BS": "3", "Front": "11", "Side": "10", "Rear": "10", "HP": "3", "Type": kind})


def seats(name: str, capacity: str = "10", points: str = "Two - top hatch") -> P:
    return P(f"{name} (Transport)", "Transport", {"Capacity": capacity, "Fire Points": points, "Access Points": "One"})


def gun(name: str, range: str = '24"', s: str = "4", ap: str = "5", type: str = "Rapid Fire") -> P:  # noqa: A002
    return P(name, "Weapon", {"Range": range, "Strength": s, "AP": ap, "Type": type})


def wargear(name: str, text: str) -> P:
    return P(name, "Wargear Item", {"Description": text})


RIFLE = gun("Harbour rifle")
PISTOL = gun("Flare pistol", "12", type="Pistol")
HOOK = gun("Boat hook", "-", "+1", "-", "Melee, Two Handed.")


def armed(name: str, *profiles: P, number: Any = 1) -> S:
    """A selection of a weapon."""
    return S(name, "upgrade", number, list(profiles) or [RIFLE])


# Written down


def xml(*forces: F, schema: str = "2.03", told: float | None = None, head: str = "", more: str = "") -> bytes:
    """A roster as the programs of that generation write it; `told` is the total in it, by default the right one."""
    total = told if told is not None else sum(_sum(force) for force in forces)
    old = schema in ("1.14b", "1.15")
    points = f' points="{total}" pointsLimit="-1.0"' if old else ""
    costs = "" if old else _costs(total, schema)
    body = "".join(_force(force, schema, at) for at, force in enumerate(forces))
    if schema == "1.14b":
        links = "".join(
            f'<catalogueLink id="L{at}" catalogueName={quoteattr(f.faction)}/>' for at, f in enumerate(forces)
        )
        tops = "".join(_selection(each, schema, f' catalogueLinkId="L{at}"')
                       for at, f in enumerate(forces) for each in f.selections)  # fmt: skip
        inner = f"<catalogueLinks>{links}</catalogueLinks><selections>{tops}</selections>"
    else:
        inner = f"{costs}<forces>{body}</forces>"
    start = head or '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    about = f'id="r1" name="The list" battleScribeVersion="{schema}" gameSystemName="Boats and Bridges"'
    return f"{start}\n<roster {about}{points}{more} {SPACE}>{inner}</roster>".encode()


def _sum(force: F) -> float:
    return sum(map(_points, force.selections)) + sum(map(_sum, force.forces))


def _points(selection: S) -> float:
    return selection.points + sum(map(_points, selection.inside))


def _costs(points: float, schema: str) -> str:
    name = "costTypeId" if schema in ("2.00", "2.01") else "typeId"
    return f'<costs><cost name="pts" {name}="points" value="{points}"/></costs>'


def _force(force: F, schema: str, at: int) -> str:
    inner = "".join(_force(each, schema, at) for each in force.forces)
    selections = "".join(_selection(each, schema) for each in force.selections)
    name = "forceTypeName" if schema == "1.15" else "name"
    if schema in ("1.15", "2.00"):
        held = f'<categories><category name="Troops"><selections>{selections}</selections></category></categories>'
    else:
        held = f"<selections>{selections}</selections>"
    about = f'id="f{at}" {name}={quoteattr(force.name)} catalogueName={quoteattr(force.faction)}'
    return f"<force {about}>{held}<forces>{inner}</forces></force>"


def _selection(each: S, schema: str, more: str = "") -> str:
    old = schema in ("1.14b", "1.15")
    points = f' points="{each.points}"' if old else ""
    alias = f" customName={quoteattr(each.alias)}" if each.alias else ""
    own = f' id="{each.id}"' if each.id else ""
    rules = "".join(
        f"<rule name={quoteattr(name)}><description>{escape(text)}</description></rule>"
        for name, text in each.words.items()
    )
    profiles = "".join(_profile(profile, schema) for profile in each.profiles)
    category = (
        ""
        if schema in ("1.14b", "1.15", "2.00")
        else '<categories><category name="Troops" primary="true"/></categories>'
    )
    costs = "" if old else _costs(each.points, schema)
    inside = "".join(_selection(inner, schema) for inner in each.inside)
    about = f'name={quoteattr(each.name)} number="{each.number}" type="{each.kind}"{points}{alias}{own}{more}'
    return (
        f"<selection {about}><rules>{rules}</rules><profiles>{profiles}</profiles>{costs}{category}"
        f"<selections>{inside}</selections></selection>"
    )


def _profile(profile: P, schema: str) -> str:
    kind = {"1.14b": "type", "1.15": "type", "2.00": "profileTypeName", "2.01": "profileTypeName"}.get(
        schema, "typeName"
    )
    if kind == "typeName":
        values = "".join(
            f"<characteristic name={quoteattr(name)}>{escape(value)}</characteristic>"
            for name, value in profile.values.items()
        )
    else:
        values = "".join(
            f"<characteristic name={quoteattr(name)} value={quoteattr(value)}/>"
            for name, value in profile.values.items()
        )
    about = f"name={quoteattr(profile.name)} {kind}={quoteattr(profile.type)}"
    return f"<profile {about}><characteristics>{values}</characteristics></profile>"


def as_json(*forces: F) -> bytes:
    """The same as New Recruit writes it: lists without wrappers, zero costs and empty lists left out, numbers bare."""
    total = sum(_sum(force) for force in forces)
    roster = {
        "costs": [{"name": "pts", "typeId": "points", "value": total}],
        "forces": [_json_force(force) for force in forces],
        "id": "r1",
        "name": "The list",
        "battleScribeVersion": 2.03,
        "generatedBy": "https://newrecruit.eu",
        "gameSystemName": "Boats and Bridges",
    }
    return json.dumps({"roster": roster}).encode()


def _json_force(force: F) -> dict[str, Any]:
    told: dict[str, Any] = {"name": force.name, "catalogueName": force.faction}
    if force.selections:
        told["selections"] = [_json_selection(each) for each in force.selections]
    if force.forces:
        told["forces"] = [_json_force(each) for each in force.forces]
    return told


def _json_selection(each: S) -> dict[str, Any]:
    told: dict[str, Any] = {"name": each.name, "number": each.number, "type": each.kind}
    told["categories"] = [{"name": "Troops", "primary": True}]
    if each.id:
        told["id"] = int(each.id) if each.id.isdecimal() else each.id
    if each.alias:
        told["customName"] = each.alias
    if each.points:
        told["costs"] = [{"name": "pts", "typeId": "points", "value": each.points}]
    if each.words:
        told["rules"] = [{"name": name, "description": text} for name, text in each.words.items()]
    if each.profiles:
        told["profiles"] = [_json_profile(profile) for profile in each.profiles]
    if each.inside:
        told["selections"] = [_json_selection(inner) for inner in each.inside]
    return told


def _json_profile(profile: P) -> dict[str, Any]:
    values = [
        {"name": name, "typeId": f"t{at}", **({"$text": value} if value else {})}
        for at, (name, value) in enumerate(profile.values.items())
    ]
    return {"name": profile.name, "typeName": profile.type, "characteristics": values}


def zipped(raw: bytes, name: str = "another name.ros") -> bytes:
    """A list in a zip file, as .rosz is one."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, raw)
    return packed.getvalue()


# Read back


def read(*selections: S, **more: Any) -> ArmyList:
    """The list that some selections in one force make."""
    return list_in(xml(F(list(selections)), **more), "list.ros")


def counted(army: ArmyList) -> list[tuple[str, int]]:
    """The units that have models, each with how many."""
    return [(unit.name, unit.number) for unit in army.units if unit.models]


def carried(unit: ListedUnit) -> Iterator[tuple[str, int]]:
    """The weapons of a unit that have a profile, each with how many."""
    return ((each.name, each.number) for each in unit.carried if each.profiles)


# A list that shows what lists are like


STUBBER = gun("Twin-linked Deck stubber", '36"', "4", "6", "Heavy 3, Twin-Linked")


def watch() -> F:
    """Five units: a squad with a special gun in a boat, a leader with a retinue, guns, an engine, and configuration."""
    men = [armed("Harbour rifle", number=8), armed("Quay cannon", gun("Quay cannon", '36"', "5", "4", "Heavy 3"))]
    launch = S("Launch", inside=[armed("Twin-linked Deck stubber", STUBBER)], points=35, id="launch")
    launch.profiles = [vehicle("Launch"), seats("Launch")]
    wrapper = S("Standard Wargear")
    wrapper.inside = [S("Grenades", profiles=[wargear("Frag Grenades", "Thrown.")]), armed("Boat hook", HOOK)]
    squad = S("Harbour Squad", "unit", id="squad", points=20)
    squad.inside = [
        S("Watchman", "model", 9, [stats("Watchman", Ld="7")], men, points=90),
        S("Sergeant", "model", 1, [stats("Sergeant", A="2")], [armed("Flare pistol", PISTOL)], points=15),
        wrapper,
        launch,
    ]
    guards = S("Guard", "model", 4, [stats("Guard", T="4", Save="2+")], [armed("Harbour rifle", number=4)], points=80)
    captain = S("Captain", "unit", id="captain", points=65, words={"Fearless": "Never flees."})
    captain.profiles = [stats("Captain", Unit_Type="Infantry (Character)", W="2", Ld="10", Save="3+/4++")]
    captain.inside = [armed("Flare pistol", PISTOL), S("Escort", "unit", id="escort", inside=[guards])]
    crane = S("Crane Engine", "model", points=120, words={"Feel No Pain (5+)": "Ignores wounds."})
    crane.profiles = [stats("Crane Engine", Unit_Type="Monstrous Creature", T="6", W="4", Save="3+")]
    flail, launcher = (
        gun("Chain flail", "Melee", "User", "2", "Melee"),
        gun("Hook launcher", '18"', "6", "4", "Assault D3"),
    )
    crane.inside = [armed("Chain flail", flail), armed("Hook launcher", launcher, number=2)]
    men_of_the_docks = S("Levy", "model", 10, [stats("Levy", Ld="6", Save="-", WS="2", BS="2")], points=30)
    musket = armed("Levy musket", gun("Levy musket", '24"', "3", "-", "Rapid Fire"))
    levy = S("Dock Levy", "unit", inside=[men_of_the_docks, musket])
    tide = S("Tide and Weather", inside=[S("High Tide")])
    return F([tide, squad, captain, crane, levy, S("Harbour Pilot", points=25)])
