"""The house rules that a table can set when the battle is created."""

from __future__ import annotations

from engine.ruleset import Switch

SWITCHES = (
    Switch("explode_down", ("yes", "no"), "GD-2", "Is a natural 1 rolled again and subtracted?"),
    Switch("check_stat", ("cl", "cl_int"), "GD-7", "Which stat makes the suppression check?"),
    Switch("check_base", ("15",), "GD-7", "What does the check need before points are added?", number=True),
    Switch("points_last", ("until_checked", "end_of_round"), "GD-8", "How long do suppression points last?"),
    Switch("aimed_points", ("0",), "GD-13", "How many points does an aimed attack lay on its target?", number=True),
    Switch("defence_stats", ("cl_ma", "ref_ma"), "GD-15", "Which stats make the defence roll?"),
    Switch("max_firing_actions", ("none",), "GD-16", "How many firing actions at most in one order?", number=True),
    Switch("splash_friends", ("yes", "no"), "GD-19", "Does covering fire suppress the shooter's own side nearby?"),
    Switch("lane_hits", ("burst_table", "1d6"), "GD-29", "How many rounds of a lane hit?"),
)
