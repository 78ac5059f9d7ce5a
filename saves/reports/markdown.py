"""The report in Markdown, as CommonMark with tables. Whatever people typed stands there as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from engine.wording import counted, percent
from saves.battle import OpenBattle
from saves.reports import accounting
from saves.reports.account import Account, Chapter, EntryLine, LuckLine, RollLine
from saves.reports.accounting import account_of

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&$@^!])")
_AT_THE_START = re.compile(r"^([-+](?=[-\s]|$)|\d{1,9}(?=[.)](?:\s|$)))")
_LINK = re.compile(r"(?<=\w)(:)(?=//)|(?<=[wW]{3})(\.)")


def escaped(text: str) -> str:
    """`text` so that Markdown shows it as it is: no emphasis, link, picture, HTML, table cell, list or heading.

    Spaces count as one, as on any page, and those at the start, which could make code of it, go.
    """
    shown = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    shown = _LINK.sub(lambda found: f"\\{found.group()}", shown)
    start = _AT_THE_START.match(shown)
    if start is None:
        return shown
    mark, rest = start.group(), shown[start.end() :]
    return f"{mark}\\{rest}" if mark.isdecimal() else f"\\{mark}{rest}"


def write(battle: OpenBattle, anonymise: bool) -> bytes:
    """The report as UTF-8."""
    return ("\n".join(_lines(account_of(battle, anonymise))).rstrip() + "\n").encode()


def _lines(told: Account) -> Iterator[str]:
    yield from _heading(told)
    yield from _turning_points(told)
    for chapter in told.chapters:
        yield from _chapter(chapter)
    yield from _standing(told)
    yield from _luck(told)
    yield from _faces(told)
    yield from _house_rules(told)
    yield f"Head of the record: `{told.mark}`. Times are in UTC."


def _table(titles: Sequence[str], rows: Iterable[Sequence[object]], right: Iterable[int] = ()) -> Iterator[str]:
    """A table, its cells escaped; `right` are the columns set to the right."""
    numbers = set(right)
    yield f"| {' | '.join(escaped(title) for title in titles)} |"
    yield f"| {' | '.join('---:' if at in numbers else '---' for at in range(len(titles)))} |"
    for row in rows:
        yield f"| {' | '.join(escaped(str(cell)) for cell in row)} |"
    yield ""


def _heading(told: Account) -> Iterator[str]:
    yield f"# {escaped(told.title)}"
    yield ""
    yield f"{escaped(told.rules)}, {escaped(' against '.join(told.sides))}."
    yield ""
    yield f"- {escaped(told.stands)}"
    if told.mission:
        yield f"- mission: {escaped(told.mission)}"
    yield f"- begun {told.began}, last entry {told.last} (UTC)"
    yield f"- {counted(told.orders, 'order')}; {_regrets(told)}"
    if told.players:
        yield f"- orders given by {', '.join(f'{escaped(name)} ({many})' for name, many in told.players)}"
    if told.warning:
        yield f"- **warning:** {escaped(told.warning)}"
    yield ""


def _regrets(told: Account) -> str:
    taken_back = counted(told.taken_back, "order")
    return f"{taken_back} taken back, {counted(told.corrections, 'roll')} typed anew"


def _turning_points(told: Account) -> Iterator[str]:
    if not told.turning_points:
        return
    yield "## Turning points"
    yield ""
    rows = [
        (point.entry, point.chapter, point.text, point.likely, f"{point.swing:.1f}") for point in told.turning_points
    ]
    yield from _table(("entry", "when", "what", "chance", f"swing in {told.strength_in}s"), rows, right=(0, 3, 4))
    yield accounting.how_swing(told.strength_in, told.judges_losses)
    yield ""


def _chapter(chapter: Chapter) -> Iterator[str]:
    if not (chapter.passages or chapter.rolled or chapter.taken_back):
        return
    yield f"## {escaped(chapter.title)}"
    yield ""
    for passage in chapter.passages:
        yield f"**{escaped(passage.title)}**"
        yield ""
        yield from (f"- {escaped(item.text)} ({item.entry})" for item in passage.items)
        yield ""
    if chapter.rolled:
        yield "**Dice**"
        yield ""
        yield from _dice(chapter.rolled)
    if chapter.taken_back:
        yield f"**Taken back: {counted(len(chapter.taken_back), 'order')}**"
        yield ""
        for entry in chapter.taken_back:
            yield f"- ~~{escaped(entry.title)}~~ ({entry.number}, taken back)"
            yield from (f"  - ~~{escaped(sentence)}~~" for sentence in entry.told)
        yield ""
        if any(entry.rolls for entry in chapter.taken_back):
            yield from _dice(chapter.taken_back)


def _dice(entries: Sequence[EntryLine]) -> Iterator[str]:
    rows = [(entry.number, *_roll(row)) for entry in entries for row in entry.rolls]
    yield from _table(("entry", "roll", "faces", "needed", "came", "chance", "dice"), rows, right=(0, 5))


def _roll(row: RollLine) -> tuple[str, ...]:
    source = f"{row.source}, {row.corrects}" if row.corrects else row.source
    return row.what, row.faces, row.needed, row.outcome, row.likely, source


def _standing(told: Account) -> Iterator[str]:
    if told.strengths:
        yield f"## {told.strength_in.capitalize()}s left"
        yield ""
        rows = [(line.chapter, *line.left) for line in told.strengths]
        yield from _table(("at the end of", *told.sides), rows, right=range(1, len(told.sides) + 1))
    if told.units.rows:
        yield "## Units at the end"
        yield ""
        width = len(told.units.columns)
        padded = [(*row.cells, *[""] * (width - len(row.cells))) for row in told.units.rows]
        right = [at for at, to_the_right in enumerate(told.units.right) if to_the_right]
        yield from _table(told.units.columns, padded, right)


def _luck(told: Account) -> Iterator[str]:
    if not told.luck:
        return
    yield "## Luck"
    yield ""
    yield accounting.how_luck(told.judges_losses, told.unjudged)
    yield ""
    titles = ("who", "what", "dice", "rolls", "came", "expected", "usual", "as bad", "as good", "in words")
    for label, lines in accounting.luck_tables(told.luck):
        yield f"**{label}**"
        yield ""
        yield from _table(titles, (luck_cells(line) for line in lines), right=range(3, 9))


def luck_cells(line: LuckLine) -> tuple[str, ...]:
    """A line of the luck table as it is shown."""
    return (
        line.unit or line.side or "nobody's",
        line.measure,
        line.source or "all",
        str(line.rolls),
        str(line.actual),
        f"{line.expected:.2f}",
        f"{line.usual[0]} to {line.usual[1]}" if line.usual[0] < line.usual[1] else str(line.usual[0]),
        percent(line.as_bad),
        percent(line.as_good),
        line.in_words,
    )


def _faces(told: Account) -> Iterator[str]:
    if not told.faces:
        return
    yield "## Faces"
    yield ""
    rows = [
        (
            f"D{line.sides}",
            line.source,
            sum(line.counts),
            ", ".join(f"{face}: {many}" for face, many in enumerate(line.counts, 1)),
            f"{line.unevenness:.2f}",
            line.in_words,
        )
        for line in told.faces
    ]
    yield from _table(("dice", "rolled by", "how many", "faces", "unevenness", "which says"), rows, right=(2, 4))
    yield accounting.HOW_FACES
    yield ""


def _house_rules(told: Account) -> Iterator[str]:
    if not told.house_rules:
        return
    yield "## House rules in force"
    yield ""
    rows = [
        (rule.name, rule.value, "usual" if rule.usual else "changed", rule.clause, rule.question)
        for rule in told.house_rules
    ]
    yield from _table(("switch", "value", "", "clause", "question"), rows)
