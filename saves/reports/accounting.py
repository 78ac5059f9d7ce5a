"""The account of a battle, told in words, with names made safe to show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from engine.entries import OrderEntry
from engine.entry_words import entry_title
from engine.fair_faces import FaceCount
from engine.history import History
from engine.luck import Luck, Reckoning, TurningPoint, faces_in_words, in_words, luck_of, steps
from engine.odds import twelve_digits
from engine.roll_words import chance_text, faces_text, needed_text, outcome_text, shown_faces
from engine.rolls import Rolled
from engine.ruleset import Section, Switch, Table
from engine.wording import clean, counted
from saves.battle import OpenBattle
from saves.reports.account import (
    Account,
    Chapter,
    EntryLine,
    FacesLine,
    HouseRule,
    Item,
    LuckLine,
    Pane,
    PaneRow,
    Passage,
    RollLine,
    StrengthLine,
    TurningLine,
)
from saves.reports.anonymous import Masks

MOST_FACES = 30
"""More faces than this in one roll are counted instead of listed."""

MOST_TURNING_POINTS = 8

HOW_LUCK = (
    "Luck is that of the unit which a roll is about: a save is the saver's, and few hits are good luck for those they "
    "were meant for. Each roll is held against what it needed and how many dice it had, so wounds are judged by the "
    "hits that were made. The chance of luck at least as bad, or at least as good, is exact, and means battles with "
    "the same rolls. With many lines, some are always rare."
)

HOW_LOSSES = "Losses are judged order by order, from the first die to the last."

HOW_FACES = (
    "Unevenness is the chi-square statistic against fair dice; the chance is that of fair dice coming out at least as "
    "unevenly. It tells something only from five dice for each face on."
)


def how_swing(strength_in: str, losses: bool) -> str:
    """How turning points are measured, in a sentence or two."""
    swing = (
        f"The swing of a roll that passes or fails is what hung on it, the {strength_in}s that the unit still had, "
        "times the chance that it would have come out otherwise."
    )
    if not losses:
        return swing
    return f"{swing} The swing of losses is how many more or fewer {strength_in}s fell than were to be expected."


def how_luck(losses: bool, unjudged: int) -> str:
    """How the luck table is measured, and what it leaves out."""
    told = f"{HOW_LUCK} {HOW_LOSSES}" if losses else HOW_LUCK
    return f"{told} Left out: {counted(unjudged, 'order')} whose losses have no exact odds today." if unjudged else told


def account_of(battle: OpenBattle, anonymise: bool = False) -> Account:
    """The account of a battle, all its texts clean; with `anonymise` under other names."""
    luck = luck_of(battle.history)
    masks = Masks(battle.history) if anonymise else None
    title = "A battle" if masks else battle.history.header.name or battle.path.name
    warning = battle.warning
    if masks and battle.problem:  # the warning names the file
        warning = f"the file is {battle.problem.kind}; this is the battle up to entry {len(battle.history.entries)}"
    teller = _Teller(masks.history if masks else battle.history, masks)
    return cleaned(teller.account(title, battle.head_mark, warning, luck))


def cleaned(account: Account) -> Account:
    """The account with every text made safe to show (`engine.wording.clean`)."""
    tree: Account = msgspec.convert(_cleaned(msgspec.to_builtins(account)), Account)
    return tree


def _cleaned(tree: Any) -> Any:
    if isinstance(tree, str):
        return clean(tree)
    if isinstance(tree, dict):
        return {name: _cleaned(branch) for name, branch in tree.items()}
    return [_cleaned(branch) for branch in tree] if isinstance(tree, list | tuple) else tree


def utc(milliseconds: int) -> str:
    """Day and time in UTC; `some day` for a number that no calendar has."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return "some day"


def luck_tables(lines: Sequence[LuckLine]) -> tuple[tuple[str, tuple[LuckLine, ...]], ...]:
    """The lines of the luck table under their titles; titles without any are left out."""
    tables = (
        ("Luck by side", tuple(line for line in lines if not line.unit and not line.source)),
        ("Luck by unit", tuple(line for line in lines if line.unit)),
        ("App dice and table dice apart", tuple(line for line in lines if line.source)),
    )
    return tuple(table for table in tables if table[1])


def told_apart(reckonings: Sequence[Reckoning]) -> tuple[Reckoning, ...]:
    """The lines of the luck table; those of app or table dice alone only where they differ from all dice together."""
    whole = {(each.measure, each.side): each.rolls for each in reckonings if not each.unit and not each.source}
    return tuple(each for each in reckonings if not each.source or each.rolls < whole[each.measure, each.side])


def foremost(points: Sequence[TurningPoint]) -> tuple[TurningPoint, ...]:
    """The turning points worth telling: the largest swings, as long as they are not dwarfed by the first."""
    largest = points[0].swing if points else 0
    return tuple(point for point in points[:MOST_TURNING_POINTS] if point.swing * 4 >= largest)


class _Teller:
    """Tells a history, which may be one under masks."""

    def __init__(self, history: History, masks: Masks | None) -> None:
        self.history = history
        self.rules = history.rules
        self.masks = masks
        self.standing = set(history.path(history.head))
        self.chapter_of: dict[int, str] = {}

    def account(self, title: str, mark: str, warning: str, luck: Luck) -> Account:
        history, rules, header = self.history, self.rules, self.history.header
        passages: dict[int, dict[str, list[str]]] = {}
        entries = tuple(self._entries(passages))
        orders = [entry for entry in history.entries if isinstance(entry, OrderEntry)]
        givers = [entry.by for entry in orders if entry.by]
        return Account(
            title=title,
            rules=rules.title,
            sides=header.sides,
            dice=header.dice.mode,
            began=utc(header.created),
            last=utc(history.entries[-1].t) if history.entries else utc(header.created),
            stands=rules.state_line(history.state),
            mission=rules.show(history.state).get("mission") or "",
            mark=mark,
            warning=warning,
            orders=len(self.standing),
            taken_back=history.taken_back,
            corrections=sum(row.corrects is not None for entry in orders for row in entry.rolls),
            players=tuple((name, givers.count(name)) for name in dict.fromkeys(givers)),
            strength_in=rules.strength_in,
            strengths=tuple(self._strengths()),
            turning_points=tuple(self._turning(point) for point in foremost(luck.turning_points)),
            chapters=tuple(_chapters(entries, passages, rules.sections)),
            units=_pane(rules.units(history.state)),
            house_rules=tuple(_house_rule(switch, header.switches) for switch in rules.switches),
            luck=tuple(self._luck(each) for each in told_apart(luck.reckonings)),
            judges_losses=any(measure.counts == "losses" for measure in rules.measures(history.state)),
            unjudged=luck.unjudged,
            faces=tuple(_faces(count) for count in luck.faces),
            entries=entries,
        )

    # Names under masks: luck is always that of the battle as recorded

    def _side(self, side: str) -> str:
        return self.masks.side(side) if self.masks and side else side

    def _unit(self, unit: str) -> str:
        shown = self.masks.unit(unit) if self.masks and unit not in self.history.header.sides else unit
        return clean(self.rules.names(self.history.state).get(shown, shown)) or shown

    # Entries

    def _entries(self, passages: dict[int, dict[str, list[str]]]) -> Iterator[EntryLine]:
        chapter = self.rules.chapter(self.rules.begin(self.history.header.sides, self.history.header.switches))
        for entry in self.history.entries:
            rolls: tuple[RollLine, ...] = ()
            told: tuple[str, ...] = ()
            taken_back = False
            if isinstance(entry, OrderEntry):
                taken_back = entry.n not in self.standing
                before = self.history.state_at(self.history.parent(entry.n))
                after, told, passages[entry.n] = self._happened(before, entry)
                rolls = tuple(self._roll(before, row) for row in entry.rolls)
                chapter = self.rules.chapter(after)
            self.chapter_of[entry.n] = chapter
            kind = str(entry.__struct_config__.tag)
            title = entry_title(self.history, entry)
            yield EntryLine(entry.n, kind, utc(entry.t), entry.by, chapter, title, taken_back, rolls, told)

    def _happened(self, state: Any, entry: OrderEntry) -> tuple[Any, tuple[str, ...], dict[str, list[str]]]:
        """The state after an entry, what is told of it, and that again by passages."""
        told: list[str] = []
        by_passage: dict[str, list[str]] = {}
        for event in entry.events:
            state = self.rules.evolve(state, event)
            sentence = self.rules.tell_event(state, event)
            if sentence:
                told.append(sentence)
            tag = event.__struct_config__.tag
            section = next((section for section in self.rules.sections if tag in section.events), None)
            if section and (sentence or section.titled):
                by_passage.setdefault(section.title, []).append(sentence)
        return state, tuple(told), by_passage

    def _roll(self, before: Any, row: Rolled) -> RollLine:
        return RollLine(
            what=self.rules.tell_roll(before, row),
            unit=self.rules.names(before).get(row.subject, row.subject),
            side=self.rules.side_of(before, row.subject),
            purpose=row.purpose,
            sides=row.sides,
            dice=row.dice,
            faces=faces_text(row, MOST_FACES),
            needed=needed_text(row),
            outcome=outcome_text(row),
            chance=row.chance,
            likely=chance_text(row.chance),
            source=row.source,
            corrects=self._correction(row),
        )

    def _correction(self, row: Rolled) -> str:
        if row.corrects is None:
            return ""
        there = self.history.order(row.corrects).rolls if self.history.is_order(row.corrects) else ()
        before = next((shown_faces(each.dice, MOST_FACES) for each in there if each.key == row.key), "other faces")
        return f"corrects entry {row.corrects}: {before} there"

    # Luck

    def _luck(self, each: Reckoning) -> LuckLine:
        return LuckLine(
            side=self._side(each.side),
            unit=self._unit(each.unit) if each.unit else "",
            measure=each.measure,
            source=each.source,
            rolls=each.rolls,
            actual=each.actual,
            expected=twelve_digits(each.expected),
            usual=each.usual,
            as_bad=twelve_digits(each.as_bad),
            as_good=twelve_digits(each.as_good),
            in_words=in_words(each.as_bad, each.as_good),
        )

    def _turning(self, point: TurningPoint) -> TurningLine:
        chance = (point.chance.numerator, point.chance.denominator)
        return TurningLine(
            entry=point.entry,
            chapter=self.chapter_of[point.entry],
            side=self._side(point.side),
            text=self._turned(point),
            swing=twelve_digits(point.swing),
            chance=twelve_digits(point.chance),
            likely=chance_text(chance),
        )

    def _turned(self, point: TurningPoint) -> str:
        if point.row is None:
            fell = counted(point.lost, self.rules.strength_in)
            return f"{self._unit(point.unit)}: {fell} lost, {float(point.expected):.1f} to be expected"
        entry = self.history.order(point.entry)
        row = entry.rolls[point.row]
        before = self.history.state_at(self.history.parent(point.entry))
        return f"{self.rules.tell_roll(before, row)}: {outcome_text(row)}, needed {needed_text(row)}"

    def _strengths(self) -> Iterator[StrengthLine]:
        chapter, state = None, None
        for _, _, after in steps(self.history):
            now = self.rules.chapter(after)
            if chapter is not None and now != chapter:
                yield self._strength(chapter, state)
            chapter, state = now, after
        if chapter is not None:
            yield self._strength(chapter, state)

    def _strength(self, chapter: str, state: Any) -> StrengthLine:
        sides = self.history.header.sides
        left = dict.fromkeys(sides, 0)
        for unit in self.rules.names(state):
            side = self.rules.side_of(state, unit)
            if side in left:
                left[side] += self.rules.strength(state, unit)
        return StrengthLine(chapter, tuple(left.values()))


def _chapters(
    entries: Sequence[EntryLine], passages: Mapping[int, Mapping[str, Sequence[str]]], sections: Sequence[Section]
) -> Iterator[Chapter]:
    """Entries that follow each other in one turn make a chapter; a turn that is gone back to is told again."""
    seen: set[str] = set()
    group: list[EntryLine] = []
    for entry in entries:
        if group and entry.chapter != group[-1].chapter:
            yield _chapter(group, passages, sections, seen)
            group = []
        group.append(entry)
    if group:
        yield _chapter(group, passages, sections, seen)


def _chapter(
    entries: Sequence[EntryLine],
    passages: Mapping[int, Mapping[str, Sequence[str]]],
    sections: Sequence[Section],
    seen: set[str],
) -> Chapter:
    title = entries[0].chapter
    again = " (again)" if title in seen else ""
    seen.add(title)
    standing = [entry for entry in entries if entry.kind == "order" and not entry.taken_back]
    parts = []
    for section in sections:
        items = tuple(
            Item(entry.number, _sentence(section, entry, passages[entry.number][section.title]))
            for entry in standing
            if section.title in passages[entry.number]
        )
        if items:
            parts.append(Passage(section.title, items))
    return Chapter(
        title + again,
        tuple(parts),
        tuple(entry for entry in standing if entry.rolls),
        tuple(entry for entry in entries if entry.taken_back),
    )


def _sentence(section: Section, entry: EntryLine, told: Sequence[str]) -> str:
    sentences = " ".join(sentence for sentence in told if sentence)
    if not section.titled:
        return sentences
    return f"{entry.title}. {sentences}" if sentences else entry.title


def _pane(table: Table) -> Pane:
    rows = tuple(
        PaneRow((" ".join(cell.text for cell in row.cells if cell.text),), True)
        if row.heading
        else PaneRow((*(cell.text for cell in row.cells), *[""] * (len(table.columns) - len(row.cells))))
        for row in table.rows
    )
    return Pane(tuple(column.title for column in table.columns), tuple(column.right for column in table.columns), rows)


def _house_rule(switch: Switch, values: Mapping[str, str]) -> HouseRule:
    value = values.get(switch.name, switch.values[0])
    return HouseRule(switch.name, value, value == switch.values[0], switch.clause, switch.question)


def _faces(count: FaceCount) -> FacesLine:
    chance = count.chance if count.enough else None
    return FacesLine(
        sides=count.sides,
        source=count.source,
        counts=count.counts,
        unevenness=twelve_digits(count.unevenness),
        chance=None if chance is None else float(f"{chance:.12g}"),
        in_words=faces_in_words(count),
    )
