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


class Case(NamedTuple):
    """One order whose odds are asked for, and the most milliseconds that they may take."""

    name: str
    history: History
    order: dict[str, Any]
    aim: int


def mob(groups: int) -> dict[str, Any]:
    sizes = [MODELS // groups + (number < MODELS % groups) for number in range(groups)]
    return unit("mob", "red", *(models(f"g{number}", size, **UNLIKE[number]) for number, size in enumerate(sizes)))


def suppressors(weapon: dict[str, Any]) -> list[dict[str, Any]]:
    return [blue(name, 1, weapon) for name in SUPPRESSORS]


def suppression_fire(groups: int, weapon: dict[str, Any], shrapnel: str) -> Iterator[Case]:
    """The declaration of six units on thirty models, the test, braving the fire."""
    what, aim = f"{groups} group{'s' * (groups > 1)}, {weapon['name']}, {shrapnel}", 200 if groups == 4 else 100
    game = Game(*suppressors(weapon), mob(groups), shrapnel=shrapnel)
    game.to("blue", "shooting")
    declared = {"type": "declare", "target": "mob", "by": [by(name) for name in SUPPRESSORS]}
    yield Case(f"declare: {what}", game.history, declared, aim)
    game = Game(*suppressors(weapon), mob(groups), shrapnel=shrapnel)
    game.to("blue", "shooting")
    game.declare("mob", *SUPPRESSORS)
    yield Case(f"test:    {what}", game.history, {"type": "test", "target": "mob"}, aim)
    game = Game(*suppressors(weapon), mob(groups), shrapnel="off")
    game.suppress("mob", *SUPPRESSORS, dice=PASS)
    yield Case(f"act:     {what}", game.history, {"type": "act", "unit": "mob", "action": "move"}, aim)


def passengers(groups: int, shrapnel: str) -> Case:
    """Thirty models get out of an open-topped vehicle: shrapnel, their test, the fire."""
    vehicle = carrier("truck", capacity=MODELS, open_topped=True)
    game = Game(*suppressors(CANNON), vehicle, inside(mob(groups), "truck"), shrapnel=shrapnel)
    game.to("blue", "shooting")
    game.declare("truck", *SUPPRESSORS)
    game.to("red")
    name = f"get out: {groups} group{'s' * (groups > 1)}, cannon, {shrapnel}"
    return Case(name, game.history, {"type": "act", "unit": "mob", "action": "disembark"}, 200 if groups == 4 else 100)


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
            yield from suppression_fire(groups, arms, shrapnel)
        yield passengers(groups, "any_gun")
        yield passengers(groups, "per_unit")
    for count in (3, 6):
        yield random_shots(count)
    yield from gray_dawn()


def milliseconds(case: Case) -> list[float]:
    """The processor's time for each run in milliseconds, sorted; the first one is not counted."""
    order = read_order(case.history.rules, json.dumps(case.order))
    times = []
    for _ in range(RUNS + 1):
        start = time.process_time()
        odds_of(case.history, order)
        times.append(1000 * (time.process_time() - start))
    return sorted(times[1:])


def loop() -> float:
    """Seconds for ten million additions."""
    start, total = time.process_time(), 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - start


def main() -> None:
    print(f"{'odds of':40} {'min':>8} {'median':>8} {'max':>8} {'aim':>6}   milliseconds, {RUNS} runs each")
    for case in cases():
        times = milliseconds(case)
        print(f"{case.name:40} {times[0]:8.1f} {statistics.median(times):8.1f} {times[-1]:8.1f} {case.aim:6}")
    print(f"\nten million additions: {loop():.2f} s")


if __name__ == "__main__":
    main()
