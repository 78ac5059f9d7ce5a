"""A new battle: which rules, which sides, whose dice; house rules may be changed and need not be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from engine.refusals import Refusal
from engine.registered import RULE_SETS, rule_set, rule_sets
from engine.ruleset import Field, FieldOption, Form, RuleSet, Switch
from engine.sealed_dice import SEALED
from engine.seats import UNDO
from saves.creating import create
from saves.faults import AlreadyThere, Fault
from saves.library import SUFFIX, make_folder
from tui.bars import KeyBar, MessageLine
from tui.dialog import Dialog
from tui.form_screen import SheetPane
from tui.form_sheet import Sheet
from tui.key_bindings import bindings

DICE = (
    FieldOption("app", "the app rolls"),
    FieldOption("table", "rolled at the table and typed"),
    FieldOption(SEALED, "the app rolls, sealed: for people who sit apart"),
)


def new_battle_form(given: Mapping[str, Any]) -> Form:
    """The form of a new battle with what is given so far."""
    name = given.get("rules", next(iter(RULE_SETS)))
    rules = rule_set(name)
    offered = tuple(FieldOption(each.name, each.title) for each in rule_sets())
    fields = [Field("rules", "Rules", "choice", name, offered)]
    fields += [_side_field(number, given, rules) for number in range(1, _sides(given, rules) + 1)]
    fields.append(Field("dice", "Dice", "choice", given.get("dice", "app"), DICE))
    fields += [_switch_field(switch, given) for switch in (*rules.switches, UNDO)]
    return Form("new", "New battle", tuple(fields))


def _sides(given: Mapping[str, Any], rules: RuleSet) -> int:
    """As many sides as have a name, and one more to be filled in where more are allowed."""
    named = max((n for n in range(1, rules.most_sides + 1) if given.get(f"side_{n}")), default=0)
    return min(rules.most_sides, max(rules.least_sides, named + 1))


def _side_field(number: int, given: Mapping[str, Any], rules: RuleSet) -> Field:
    optional = number > rules.least_sides
    return Field(f"side_{number}", f"Side {number}", "text", given.get(f"side_{number}"), optional=optional)


def _switch_field(switch: Switch, given: Mapping[str, Any]) -> Field:
    options = tuple(FieldOption(value, value.replace("_", " ")) for value in switch.values)
    value = given.get(switch.name, switch.values[0])
    clause = "" if switch is UNDO else f" {switch.clause}"
    note = f"{switch.question}{clause}"
    return Field(switch.name, switch.name.replace("_", " "), "choice", value, options, inferred=note, indent=2)


def file_name(sides: tuple[str, ...], day: date, taken: int) -> str:
    """A file's name made of the sides and the day; from the second of its kind on with a number."""
    words = [re.sub(r"[^a-z0-9]+", "-", side.casefold()).strip("-")[:24] or "side" for side in sides]
    number = f"-{taken}" if taken > 1 else ""
    return f"{'-'.join(words[:4])}-{day.isoformat()}{number}{SUFFIX}"


class NewBattleScreen(Dialog[Path | None]):
    """Three answers and Enter; gives the path of the battle made, None where the player left."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("new")

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._sheet = Sheet({})
        self._sheet.at = ("rules", None)
        self._pane = SheetPane("New battle", self._sheet)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog form"):
            yield self._pane
            yield MessageLine(id="message")
            yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self._pane.focus()
        self._ask()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_keys)

    def on_sheet_pane_changed(self) -> None:
        self._ask()
        self._show_keys()

    def on_lines_moved(self) -> None:
        self._show_keys()

    def _ask(self) -> None:
        self._sheet.take(new_battle_form(self._sheet.given))
        self._pane.show_sheet()

    def _show_keys(self) -> None:
        bar = self.query_one(KeyBar)
        keys = (
            (bar.named("new.create"), "begin the battle"),
            (bar.named("sheet.up", "sheet.down"), "move"),
            ("a-z", "type") if self._sheet.typing else (bar.named("sheet.left", "sheet.right"), "choose"),
        )
        bar.show_keys(keys, ((bar.named("new.leave"), "leave"),))

    def action_create(self) -> None:
        try:
            self.dismiss(self._created())
        except Refusal as refusal:
            self._sheet.go_to_open()
            self._pane.show_sheet()
            self.query_one(MessageLine).say(refusal.message, "bad")
        except Fault as fault:
            self.query_one(MessageLine).say(str(fault), "fault")

    def _created(self) -> Path:
        given = self._sheet.given
        name = given.get("rules", next(iter(RULE_SETS)))
        rules = rule_set(name)
        sides = tuple(
            given[field] for n in range(1, rules.most_sides + 1) if (field := f"side_{n}") in given and given[field]
        )
        switches = {switch.name: given[switch.name] for switch in (*rules.switches, UNDO) if switch.name in given}
        make_folder(self._folder)
        for taken in count(1):
            path = self._folder / file_name(sides, date.today(), taken)
            try:
                create(path, rules=name, sides=sides, switches=switches, dice=given.get("dice", "app"))
            except AlreadyThere:
                continue
            return path
        raise AssertionError("count ends nowhere")

    def action_leave(self) -> None:
        self.dismiss(None)
