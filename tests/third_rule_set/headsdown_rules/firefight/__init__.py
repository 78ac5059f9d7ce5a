"""Firefight: squads of soldiers, pins, a test of nerve, and rallying. A rule set on one page."""

from __future__ import annotations

from engine.ruleset import RuleSet

from .rules import Firefight

RULES: RuleSet = Firefight()
"""What the program looks for in this folder."""
