"""Pages for whoever uses or mends the program name only what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.headsdown_command import headsdown
from tests.test_completion import subparsers

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")) if path.is_file()
)


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def commands_in(page: str) -> list[str]:
    """What is typed behind `headsdown`, as it stands in code: lines of blocks, and words in a sentence."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text_of(page), re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in re.findall(r"^headsdown (\S.*)$", block, re.MULTILINE)]
    return [*lines, *re.findall(r"`headsdown ([^`]+)`", text_of(page))]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = re.sub(r"```.*?```", "", text_of(page), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, heading = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        there = (ROOT / page).parent / file if file else ROOT / page
        assert there.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in [re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings], target


@pytest.mark.parametrize("page", ["README.md", "SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"])
def test_files_that_are_named_are_there(page: str) -> None:
    named = re.findall(r"`?((?:tests|docs|engine|saves|tui|benchmarks)/[\w/.*-]+)", text_of(page))
    for name in named:
        bare = name.rstrip(".,")
        assert list(ROOT.glob(bare)) or (ROOT / f"{bare}.py").exists(), name


@pytest.mark.parametrize("page", PAGES)
def test_modules_that_are_run_are_there(page: str) -> None:
    for module in re.findall(r"python -m ([\w.]+)", text_of(page)):
        assert find_spec(module) is not None, module


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_options_that_are_shown_are_there(page: str) -> None:
    for line in commands_in(page):
        command, _, rest = line.partition(" ")
        if command in ("--version", "--help", "..."):
            continue
        assert command in subparsers(), line
        known = {name for action in subparsers()[command]._actions for name in action.option_strings}
        words = re.sub(r"'[^']*'|\"[^\"]*\"|#.*", "", rest).split()
        options = {word.partition("=")[0].strip("[]") for word in words if word.strip("[]").startswith("--")}
        assert options <= known, line


def test_the_version_is_told() -> None:
    from engine import __version__

    told = headsdown("--version")
    assert (told.status, told.out) == (0, f"headsdown {__version__}\n")
    assert f"## {__version__.rpartition('.')[0]}" in text_of("CHANGELOG.md")


def test_nothing_that_reads_saves_runs_what_it_reads() -> None:
    """SECURITY.md: no pickle and the like; and no connection but the server's, which is a package of its own."""
    code = "import sys\nfor package in ('saves.battle', 'saves.rosters.reading', 'saves.taking_in', 'tui.commands'):\n"
    code += "    __import__(package)\nprint(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "saves.battle" in loaded
    assert not loaded & {"pickle", "asyncssh", "urllib.request", "http.client", "ssl", "jinja2"}
