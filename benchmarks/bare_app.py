"""The least app that Textual can show, to compare with: one Static, and keys that change its text."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static


class BareApp(App[None]):
    """Shows one line; `j` and `k` show others."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [("j", "show('line after')", ""), ("k", "show('line before')", "")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        yield Static("BARE")

    def action_show(self, text: str) -> None:
        self.query_one(Static).update(text)


if __name__ == "__main__":
    BareApp().run()
