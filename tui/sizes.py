"""Sizes of the terminal, in columns and lines, from which on more is shown."""

from __future__ import annotations

LEAST = (60, 20)
"""In less than this nothing is shown but that it is too small."""

NORMAL = (80, 24)
"""From this on all three panes of the battle are open; below they are stacked."""

TALL = 32
"""From this many lines on several sentences about what is pending are shown."""
