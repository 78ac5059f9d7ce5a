"""How long luck and reports take on long battles: `python -m benchmarks.reports`.

The battle is one of Suppression Fire in which two squads of twelve models in unlike groups brave the fire turn after
turn, with shrapnel, tests, hits, wounds and saves; models are brought back so that it goes on.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from engine.luck import luck_of
from engine.orders import read_order
from saves.battle import OpenBattle
from saves.creating import create
from saves.reports import FORMATS, report_on

TURNS = (6, 25, 50)

GUN = {"name": "gun", "gun_type": "bolt", "range": 24, "strength": 4, "ap": 5, "type": "assault", "shots": 2}


def squad(name: str, side: str) -> dict[str, Any]:
    """Twelve models in two groups of unlike saves."""
    usual = {"weapons": [GUN], "toughness": 4, "leadership": 9, "feel_no_pain": 6}
    groups = [
        {"name": "men", "models": 10, "armour": 4, **usual},
        {"name": "heroes", "models": 2, "armour": 3, **usual},
    ]
    return {"id": name, "side": side, "name": name.title(), "groups": groups}


def played(path: Path, turns: int) -> None:
    """A battle in `path` with so many game turns."""
    create(path, rules="suppression-fire", sides=("red", "blue"), seed="long", name="A long battle")
    with OpenBattle.open(path) as battle:

        def give(**order: Any) -> None:
            battle.give(read_order(battle.history.rules, msgspec.json.encode(order)))

        for name, side in (("a", "red"), ("b", "red"), ("c", "blue"), ("d", "blue")):
            give(type="muster", unit=squad(name, side))
        for turn in range(turns):
            for side, own, others in (("red", "ab", "cd"), ("blue", "cd", "ab")):
                give(type="begin_turn", side=side)
                for unit in own:
                    left = battle.history.rules.show(battle.history.state)["units"][unit]
                    if turn and not left["pinned"]:
                        give(type="act", unit=unit, action="move")
                    groups = battle.history.rules.show(battle.history.state)["units"][unit]["groups"]
                    for group, full in (("men", 10), ("heroes", 2)):
                        if 0 < groups[group]["models"] < full:
                            give(type="restore", unit=unit, group=group, models=full - groups[group]["models"])
                give(type="phase", to="shooting")
                shown = battle.history.rules.show(battle.history.state)["units"]
                for unit, target in zip(own, others, strict=True):
                    if not shown[unit]["pinned"]:
                        give(type="declare", target=target, by=[{"unit": unit, "range": 12}])
                        give(type="test", target=target)
                give(type="end_turn")


def main() -> None:
    print(f"{'turns':>6} {'entries':>8} {'rolls':>6} {'luck':>8} " + " ".join(f"{form:>8}" for form in FORMATS))
    with tempfile.TemporaryDirectory() as folder:
        for turns in TURNS:
            path = Path(folder) / f"{turns}.battle.jsonl"
            played(path, turns)
            with OpenBattle.open(path, read_only=True) as battle:
                start = time.perf_counter()
                luck = luck_of(battle.history)
                times = [time.perf_counter() - start]
                for form in FORMATS:
                    start = time.perf_counter()
                    report_on(battle, form)
                    times.append(time.perf_counter() - start)
                rolls = sum(each.rolls for each in luck.reckonings if not each.unit and not each.source)
                row = " ".join(f"{seconds:8.3f}" for seconds in times)
                print(f"{turns:6} {len(battle.history.entries):8} {rolls:6} {row}")


if __name__ == "__main__":
    main()
