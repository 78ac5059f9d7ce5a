"""The code in docs/a-third-rule-set.md: behind `<!-- FILE -->` stands that file of the rule set, whole.

`python -m tests.third_rule_set_page` writes it anew; `tests/test_third_rule_set_page.py` holds it against the files.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.third_rules import FOLDER

PAGE = FOLDER.parent.parent / "docs" / "a-third-rule-set.md"

SHOWN = re.compile(r"^<!-- (\S+) -->\n```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def shown_files(page: str) -> dict[str, str]:
    """Each file that a page shows, as it stands there."""
    return {name: code for name, _, code in SHOWN.findall(page)}


def written_anew(page: str) -> str:
    """A page with the files as they are now."""
    return SHOWN.sub(lambda found: f"<!-- {found[1]} -->\n```{found[2]}\n{_text(found[1])}```\n", page)


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def files() -> set[str]:
    """All files of the folder, by their paths in it."""
    there = (file for file in FOLDER.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(FOLDER).as_posix() for file in there}


def laid_out(page: str, folder: Path) -> None:
    """Write the files that a page shows into a folder, as its reader would."""
    for name, code in shown_files(page).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(code, encoding="utf-8")


if __name__ == "__main__":
    PAGE.write_text(written_anew(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
