"""The report as one page of HTML that needs nothing else: styles and pictures stand in it, and it runs no script."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from engine.wording import counted
from saves.battle import OpenBattle
from saves.reports import accounting, charts
from saves.reports.account import Account
from saves.reports.accounting import account_of
from saves.reports.markdown import luck_cells

DICE = {
    "app": "The app rolled unless the table did.",
    "table": "Dice were rolled at the table.",
}


def write(battle: OpenBattle, anonymise: bool) -> bytes:
    """The report as UTF-8. Every text is escaped by the template."""
    return page(account_of(battle, anonymise)).encode()


def page(told: Account) -> str:
    """The page of an account."""
    templates = Environment(
        loader=PackageLoader("saves.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return templates.get_template("page.html.jinja").render(
        told=told,
        chapters=[each for each in told.chapters if each.passages or each.rolled or each.taken_back],
        luck_tables=accounting.luck_tables(told.luck),
        counted=counted,
        luck_cells=luck_cells,
        how_swing=accounting.how_swing(told.strength_in, told.judges_losses),
        how_luck=accounting.how_luck(told.judges_losses, told.unjudged),
        how_faces=accounting.HOW_FACES,
        strengths_chart=charts.strengths(told),
        luck_chart=charts.luck([line for line in told.luck if not line.unit and not line.source]),
        faces_chart=charts.faces,
        number=Markup(' class="n"'),
        dice_told=DICE.get(told.dice, ""),
    )
