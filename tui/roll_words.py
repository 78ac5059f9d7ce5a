"""A roll in words, as screens show it: see `engine/roll_words.py`, which reports use as well."""

from __future__ import annotations

from engine.roll_words import chance_text, dice_text, faces_text, needed_text, outcome_text, whence_text

__all__ = ["chance_text", "dice_text", "faces_text", "needed_text", "outcome_text", "whence_text"]
