"""Army lists in and out: what list-building programs write, and formats of our own. Knows no rule set by name."""
