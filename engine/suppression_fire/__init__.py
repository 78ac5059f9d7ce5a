"""Suppression Fire: units of models, D6, leadership, crossfire, shrapnel, transports."""

from engine.suppression_fire.rules import SuppressionFire

RULES = SuppressionFire()

__all__ = ["RULES"]
