"""The rules: pure. No file, no clock, no terminal, no chance in here."""

__version__ = "0.1.0"
