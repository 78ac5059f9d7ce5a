"""The dice prompt: each throw is asked for in turn, and the faces that fell on the table are typed."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from engine.roll_words import dice_text, needed_text, shown_faces
from engine.wording import clean
from saves.cells import wrapped
from tui.bars import Bar, KeyBar, TitleBar
from tui.columns import Run
from tui.dialog import Dialog
from tui.errand import Answer, Asked, how_to_type
from tui.key_bindings import bindings
from tui.line_editor import LineEditor
from tui.shown_text import around_caret
from tui.typed_faces import Typed, read_faces


class DiceScreen(Dialog[None]):
    """Stays open while the throws of one order are asked for, one after the other."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("dice")
    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self._editor = LineEditor(most=2000)
        self._asked: Asked | None = None
        self._earlier: tuple[tuple[str, str], ...] = ()
        self._complaint = ""
        self._answer: asyncio.Future[Answer] | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog dice"):
            yield TitleBar(id="title")
            yield Bar(id="prompt")
            yield KeyBar(id="keys")

    @property
    def awaits_answer(self) -> bool:
        """Whether somebody has to type something before the order goes on."""
        return self._answer is not None and not self._answer.done()

    def on_mount(self) -> None:
        self._show()

    async def ask(self, asked: Asked, earlier: tuple[tuple[str, str], ...], typed: str = "") -> Answer:
        """Ask for one throw.

        `earlier` tells the throws answered so far and what was said, `typed` is what stands there to begin with.
        """
        self._asked, self._earlier, self._complaint = asked, earlier, ""
        self._editor.clear()
        self._editor.insert(typed)
        self._editor.fresh = bool(typed)
        self._answer = asyncio.get_running_loop().create_future()
        self._show()
        return await self._answer

    def on_resize(self) -> None:
        self._show()

    def on_key(self, event: events.Key) -> None:
        if event.key == "backspace" and self._editor.text:
            self._editor.backspace()
        elif event.character and event.character in "0123456789xX* ,;.":
            self._editor.insert(event.character)
        else:
            return
        event.stop()
        self._changed()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._editor.insert(event.text)
        self._changed()

    def _changed(self) -> None:
        self._complaint = ""
        self._show()

    def on_unmount(self) -> None:
        self._reply(Answer("stop"))

    # What is shown

    def _typed(self) -> Typed:
        assert self._asked is not None
        return read_faces(self._editor.text, self._asked.throw.sides, self._asked.throw.count)

    def _show(self) -> None:
        if self._asked is None or not self.is_mounted:
            return
        prompt = self.query_one("#prompt", Bar)
        width = max(20, prompt.size.width or min(self.app.size.width, 76) - 4)
        self.query_one(TitleBar).show_title(f"Dice: {self._asked.order}")
        prompt.set_lines(tuple(self._lines(self._asked, width)))
        bar = self.query_one(KeyBar)
        keys = [
            (bar.named("dice.accept"), "accept"),
            (bar.named("dice.app"), "app rolls this"),
            (bar.named("dice.rest"), "app rolls the rest"),
        ]
        if self._earlier:
            keys.append((bar.named("dice.back"), "the throw before"))
        bar.show_keys(tuple(keys), ((bar.named("dice.stop"), "give up the order"),))

    def _lines(self, asked: Asked, width: int) -> list[tuple[Run, ...]]:
        lines: list[tuple[Run, ...]] = []
        for words, said in self._earlier[-4:]:
            lines.append(((f"  {clean(words)}: ", "dim"), (said, "plain")))
        if lines:
            lines.append((("", "plain"),))
        needed = f"   needs {needed_text(asked.throw)}" if asked.throw.needed is not None else ""
        fallen = f"   fallen so far: {shown_faces(asked.throw.follows)}" if asked.throw.follows else ""
        lines += [((line, "strong"),) for line in wrapped(asked.words, width)]
        lines.append(((dice_text(asked.throw), "key"), (f"{needed}{fallen}", "plain")))
        lines.append(
            (
                ("Faces: ", "plain"),
                (around_caret(self._editor.text, len(self._editor.text), max(4, width - 7)), "strong"),
            )
        )
        lines += [((line, tone),) for line, tone in self._verdict(asked, width)]
        return lines

    def _verdict(self, asked: Asked, width: int) -> list[Run]:
        typed = self._typed()
        missing = asked.throw.count - len(typed.faces)
        if self._complaint:
            return [(line, "bad") for line in wrapped(self._complaint, width)]
        if typed.wrong:
            return [(line, "bad") for line in wrapped(typed.wrong, width)]
        if not self._editor.text.strip():
            hint = how_to_type(asked.throw)
            if asked.before:
                hint = f"Fell before: {shown_faces(asked.before, 20)}. Enter takes them again."
            return [(line, "dim") for line in wrapped(f"{hint} {asked.apart}".rstrip(), width)]
        if missing > 0 or typed.unfinished:
            return [(f"{missing} missing", "warning")]
        if missing < 0:
            return [(f"{-missing} too many", "bad")]
        return [(f"complete: {shown_faces(typed.faces, 20)}", "good")]

    # What is said

    def _reply(self, answer: Answer) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    def action_accept(self) -> None:
        if self._asked is None:
            return
        typed = self._typed()
        if not self._editor.text.strip() and self._asked.before:
            self._reply(Answer("faces", self._asked.before))
        elif not typed.wrong and not typed.unfinished and len(typed.faces) == self._asked.throw.count:
            self._reply(Answer("faces", typed.faces))
        elif not self._editor.text.strip():
            self._complaint = f"{self._asked.throw.count} missing: type the faces, or r lets the app roll."
            self._show()

    def action_clear(self) -> None:
        self._editor.clear()
        self._changed()

    def action_say(self, kind: str) -> None:
        if kind == "back" and not self._earlier:
            self._complaint = "This is the first throw; esc gives the order up."
            self._show()
            return
        self._reply(Answer(kind))
