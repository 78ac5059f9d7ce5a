"""The rules of Firefight in our own words, clause by clause, and the house rules that a table can set."""

from __future__ import annotations

from engine.ruleset import Clause, Switch

CLAUSES: tuple[Clause, ...] = (
    Clause(
        number="FF-1",
        chapter="Squads",
        title="Squads",
        text=(
            "A squad has 1 to 20 soldiers, a firepower of 1 to 12 dice, and a nerve of 3 to 11. "
            "It stands in the open or in cover. A squad without soldiers is out of play. "
            "Whatever is not forbidden here is allowed."
        ),
    ),
    Clause(
        number="FF-2",
        chapter="The round",
        title="Rounds",
        text="In a round each squad does one thing: it suppresses, advances or rallies. Nobody is kept to a sequence.",
    ),
    Clause(
        number="FF-3",
        chapter="Fire",
        title="Suppressing",
        text=(
            "A squad suppresses an enemy squad that it can see with as many dice as its firepower. "
            "Each die of 4 or more, against cover 5 or more, lays a pin on the target."
        ),
    ),
    Clause(
        number="FF-4",
        chapter="Fire",
        title="Losses",
        text="For each pin laid the target's owner throws a die: on a 6 a soldier falls.",
    ),
    Clause(
        number="FF-5",
        chapter="Heads down",
        title="Pins",
        text=("Pins add up, whoever lays them, up to 6. Switch most_pins: 6 (default), or any other number."),
    ),
    Clause(
        number="FF-6",
        chapter="Heads down",
        title="Nerve",
        text=(
            "A squad with pins that is to suppress or advance first throws two dice. If they come to its nerve less "
            "its pins, or to less than that, it acts. Otherwise its heads stay down: its turn in this round is gone."
        ),
    ),
    Clause(
        number="FF-7",
        chapter="Heads down",
        title="Advancing",
        text="A squad that advances ends in the open or in cover, as its owner says.",
    ),
    Clause(
        number="FF-8",
        chapter="Heads down",
        title="Rallying",
        text=(
            "A squad that rallies needs no nerve (FF-6). It throws a die for each of its pins; "
            "each 3 or more takes a pin off."
        ),
    ),
    Clause(
        number="FF-9",
        chapter="The round",
        title="Quiet",
        text="When a round ends each squad loses a pin. Switch quiet: yes (default), as above; no: pins stay.",
    ),
)

SWITCHES: tuple[Switch, ...] = (
    Switch("most_pins", ("6",), "FF-5", "How many pins can a squad carry at most?", number=True),
    Switch("quiet", ("yes", "no"), "FF-9", "Does each squad lose a pin when a round ends?"),
)
