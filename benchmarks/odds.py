"""How long the odds of an order take at their worst: `python -m benchmarks.odds`.

The aim is 100 ms or less for each on an idle machine, 200 ms for four unlike groups. Each order is judged, read and
told as `headsdown odds` does it, without reading the file. Times are those of the processor, not of the clock, since
others may be at work on the machine; how long ten million additions take tells how quick it is just now.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.history import History
from engine.orders import odds_of, read_order
from tests.gray_dawn_battles import Game as GrayDawn
from tests.gray_dawn_battles import at, lane_order, person, weapon
from tests.sf_battles import PASS, Game, blue, by, carrier, gun, inside, models, unit

RUNS = 9
MODELS = 30
SUPPRESSORS = tuple(f"b{number}" for number in range(6))
RIFLE = gun("rifle", "bolt", 36, 4, 5, "assault", 5)
CANNON = gun("cannon", "shell", 36, 8, 5, "heavy", 5)
UNLIKE: tuple[dict[str, Any], ...] = (
    {"toughness": 4, "armour": 4, "feel_no_pain": 5, "leadership": 8},
    {"toughness": 4, "armour": 3, "wounds": 2, "leadership": 9},
    {"toughness": 3, "armour": 5, "invulnerable": 4, "leadership": 7, "wounds": 3},
    {"toughness": 4, "armour": 5, "feel_no_pain": 4, "wounds": 3, "leadership": 10, "eternal_warrior": True},
)
"""Groups with unlike saves, feel no pain and several wounds."""


HEROES: tuple[tuple[int, ...], ...] = ((12, 18), (6, 6, 18), (4, 4, 5, 17))
"""Sizes of groups of which shrapnel leaves the most unlike remains, where no model is slain outright."""


class Case(NamedTuple):
    """One order whose odds are asked for, and the most milliseconds that they may take."""

    name: str
    history: History
    order: dict[str, Any]
    aim: int


def mob(groups: int) -> dict[str, Any]:
    sizes = [MODELS // groups + (number < MODELS % groups) for number in range(groups)]
    return unit("mob", "red", *(models(f"g{number}", size, **UNLIKE[number]) for number, size in enumerate(sizes)))


def heroes(sizes: tuple[int, ...]) -> dict[str, Any]:
    profile = {"wounds": 2, "eternal_warrior": True}
    return unit(
        "mob", "red", *(models(f"g{number}", size, **UNLIKE[number] | profile) for number, size in enumerate(sizes))
    )


def suppressors(weapon: dict[str, Any]) -> list[dict[str, Any]]:
    return [blue(name, 1, weapon) for name in SUPPRESSORS]


def suppression_fire(target: dict[str, Any], weapon: dict[str, Any], shrapnel: str) -> Iterator[Case]:
    """The declaration of six units on thirty models, the test, braving the fire."""
    what, aim = described(target, weapon, shrapnel)
    game = Game(*suppressors(weapon), target, shrapnel=shrapnel)
    game.to("blue", "shooting")
    declared = {"type": "declare", "target": "mob", "by": [by(name) for name in SUPPRESSORS]}
    yield Case(f"declare: {what}", game.history, declared, aim)
    game = Game(*suppressors(weapon), target, shrapnel=shrapnel)
    game.to("blue", "shooting")
    game.declare("mob", *SUPPRESSORS)
    yield Case(f"test:    {what}", game.history, {"type": "test", "target": "mob"}, aim)
    game = Game(*suppressors(weapon), target, shrapnel="off")
    game.suppress("mob", *SUPPRESSORS, dice=PASS)
    yield Case(f"act:     {what}", game.history, {"type": "act", "unit": "mob", "action": "move"}, aim)


def described(target: dict[str, Any], weapon: dict[str, Any], shrapnel: str) -> tuple[str, int]:
    """What sets a case apart, and its aim."""
    groups, warriors = len(target["groups"]), all(group.get("eternal_warrior") for group in target["groups"])
    who = f"{groups} group{'s' * (groups > 1)}{' of heroes' * warriors}"
    return f"{who}, {weapon['name']}, {shrapnel}", 200 if groups == 4 else 100


def passengers(target: dict[str, Any], shrapnel: str, **says: Any) -> Case:
    """Thirty models get out of an open-topped vehicle: shrapnel, their test, the fire."""
    vehicle = carrier("truck", capacity=MODELS, open_topped=True)
    game = Game(*suppressors(CANNON), vehicle, inside(target, "truck"), shrapnel=shrapnel)
    game.to("blue", "shooting")
    game.declare("truck", *SUPPRESSORS)
    game.to("red")
    what, aim = described(target, CANNON, shrapnel)
    name = f"get out: {what}{', shares said' * bool(says)}"
    return Case(name, game.history, {"type": "act", "unit": "mob", "action": "disembark", **says}, aim)


def random_shots(count: int) -> Case:
    """Units with a D6 of shots each."""
    names = SUPPRESSORS[:count]
    game = Game(*(blue(name, 3, gun("gun", "bolt", 36, 4, 5, "assault", "d6")) for name in names), mob(2))
    game.to("blue", "shooting")
    order = {"type": "declare", "target": "mob", "by": [by(name) for name in names]}
    return Case(f"declare: {count} units with D6 shots", game.history, order, 100)


def gray_dawn() -> Iterator[Case]:
    """Eight in a lane, bursts on four, a crossing."""
    names = [f"grey-{number}" for number in range(8)]
    rifle = weapon("rifle", "semi", "burst", "auto", magazine=300, damage="6d6+2")
    game = GrayDawn(person("rook", "xcom", rifle), *(person(name, dodge=at) for at, name in enumerate(names)))
    yield Case("lane: 8 combatants", game.history, {"type": "lane", **lane_order("covering", *names)}, 100)
    aims = [at(name, 25) for name in names[:4]]
    shots = {"type": "covering_fire", "shooter": "rook", "weapon": "rifle", "mode": "burst", "targets": aims}
    yield Case("covering fire: 100 bursts on 4", game.history, shots, 100)
    game.fire_lane()
    crossing = {"type": "act", "combatant": names[0], "action": "cross", "lanes": ["hall"], "avoid": "dodge"}
    yield Case("act: crossing a lane", game.history, crossing, 100)


def cases() -> Iterator[Case]:
    for groups in range(1, 5):
        for arms, shrapnel in ((RIFLE, "any_gun"), (CANNON, "any_gun"), (CANNON, "per_unit")):
            yield from suppression_fire(mob(groups), arms, shrapnel)
        yield passengers(mob(groups), "any_gun")
        yield passengers(mob(groups), "per_unit")
    for sizes in HEROES:
        yield from suppression_fire(heroes(sizes), CANNON, "per_unit")
        yield passengers(heroes(sizes), "per_unit")
    yield passengers(mob(4), "per_unit", shares={"g1": 2})
    for count in (3, 6):
        yield random_shots(count)
    yield from gray_dawn()


def milliseconds(case: Case) -> list[float]:
    """The processor's time for each run in milliseconds, the first and then the others sorted.

    The first has to find out much that the others remember.
    """
    order = read_order(case.history.rules, json.dumps(case.order))
    times = []
    for _ in range(RUNS + 1):
        start = time.process_time()
        odds_of(case.history, order)
        times.append(1000 * (time.process_time() - start))
    return [times[0], *sorted(times[1:])]


def loop() -> float:
    """Seconds for ten million additions."""
    start, total = time.process_time(), 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - start


def main() -> None:
    heads = "".join(f" {head:>8}" for head in ("first", "min", "median", "max"))
    print(f"{'odds of':48}{heads} {'aim':>6}   milliseconds, 1 and {RUNS} runs each")
    for case in cases():
        first, *times = milliseconds(case)
        told = "".join(f" {each:8.1f}" for each in (first, times[0], statistics.median(times), times[-1]))
        print(f"{case.name:48}{told} {case.aim:6}")
    print(f"\nten million additions: {loop():.2f} s")


if __name__ == "__main__":
    main()
