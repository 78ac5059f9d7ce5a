"""The line mode: a battle in typed words, line after line, for screen readers, dumb terminals and scripts."""
