"""What lies over a screen and gives an answer: once."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, ScreenResultType


class Dialog(ModalScreen[ScreenResultType]):
    """A modal screen whose first answer counts: what comes while it closes changes nothing.

    An answer that comes while something else lies over it closes it as soon as it is on top again.
    """

    _answered = False
    _late: ScreenResultType | None = None
    _covered = False

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        if self._answered:
            return AwaitComplete()
        self._answered = True
        if not self.is_current:
            self._late, self._covered = result, True
            return AwaitComplete()
        return super().dismiss(result)

    def on_screen_resume(self) -> None:
        if self._covered:
            self._covered = False
            super().dismiss(self._late)
