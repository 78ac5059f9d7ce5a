"""The house rules that a table can set when the battle is created."""

from __future__ import annotations

from engine.ruleset import Switch

SWITCHES = (
    Switch("moved_rapid_fire", ("never", "within_12"), "SF-7", "May rapid-fire guns suppress after moving?"),
    Switch("pistols", ("banned", "allowed"), "SF-8", "May pistols suppress?"),
    Switch("double_one_passes", ("no", "yes"), "SF-15", "Does a double 1 always pass the test?"),
    Switch("shrapnel", ("any_gun", "majority_gun", "per_unit", "off"), "SF-29", "Which guns cause shrapnel?"),
    Switch("shrapnel_armour", ("always", "by_ap"), "SF-30", "Do armour saves hold against shrapnel?"),
    Switch("port_rolls", ("whole_unit", "firing_models"), "SF-36", "Who is rolled for at the fire ports?"),
)
