"""What is built and installed: a wheel and a source archive with all they need, and a program that runs where nothing
of its own can be written, from another folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import __version__
from saves.published_schema import schemas
from tests.terminals import Terminal
from tests.third_rules import FOLDER as THIRD

ROOT = Path(__file__).parent.parent
NOBODY = 65534
DATA = {".toml", ".jsonl", ".json", ".jinja", ".tcss", ".typed"}


def built(source: Path, into: Path, kind: str) -> Path:
    """The `wheel` or `sdist` of a source folder. Built without an index; nothing is written beside the sources."""
    pytest.importorskip("hatchling", reason="hatchling is not installed: pip install -e '.[test]'")
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)]
    subprocess.run(command, cwd=source, check=True, capture_output=True, timeout=120)
    (made,) = into.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


def content(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def tracked(*folders: str) -> set[str]:
    """The program's files in these folders, as they stand in the sources."""
    files = (file for folder in folders for file in (ROOT / folder).rglob("*") if file.is_file())
    return {file.relative_to(ROOT).as_posix() for file in files if file.suffix in (*DATA, ".py")}


def test_the_wheel_holds_the_program_whole_and_nothing_else(tmp_path: Path) -> None:
    wheel = built(ROOT, tmp_path, "wheel")
    assert wheel.name == f"headsdown-{__version__}-py3-none-any.whl"
    there = content(wheel)
    about = f"headsdown-{__version__}.dist-info/"
    packed = {name for name in there if not name.startswith(about)}
    assert packed == tracked("engine", "saves", "tui")
    assert {Path(name).suffix for name in packed} == DATA | {".py"}
    metadata = there[f"{about}METADATA"].decode()
    assert "License-Expression: MIT" in metadata
    assert "Requires-Python: >=3.11" in metadata
    declared = [line for line in metadata.splitlines() if line.startswith("Classifier: Programming Language")]
    assert declared == ["Classifier: Programming Language :: Python :: 3.11"]
    assert there[f"{about}entry_points.txt"].decode().split() == [
        "[console_scripts]",
        "headsdown",
        "=",
        "tui.start:main",
    ]


def test_the_source_archive_makes_the_same_wheel_and_holds_the_tests(tmp_path: Path) -> None:
    archive = built(ROOT, tmp_path / "sdist", "sdist")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path / "unpacked", filter="data")
    (sources,) = (tmp_path / "unpacked").iterdir()
    for part in (
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "LICENSE",
        "tests",
        "docs",
        "benchmarks",
    ):
        assert (sources / part).exists(), part
    assert not {".venv", ".git", "dist"} & {each.name for each in sources.iterdir()}
    again = content(built(sources, tmp_path / "again", "wheel"))
    assert again == content(built(ROOT, tmp_path / "here", "wheel"))


# Installed


class Installed:
    """headsdown in an environment of its own, which whoever runs it cannot write, and a folder of theirs."""

    def __init__(self, where: Path) -> None:
        self.environment = where / "environment"
        self.folder = where / "theirs"
        self.folder.mkdir()
        venv.create(self.environment, with_pip=False)

    def pip_install(self, *what: str | Path) -> None:
        """Install into the environment; skips the test where there is no index."""
        command = [sys.executable, "-m", "pip", "--python", str(self.environment / "bin" / "python"), "install", "-q"]
        ran = subprocess.run([*command, *map(str, what)], capture_output=True, text=True, timeout=280)
        if "No matching distribution" in ran.stderr or "connection" in ran.stderr.lower():
            pytest.skip(f"no package index to install from: {ran.stderr.strip().splitlines()[-1][:200]}")
        assert ran.returncode == 0, ran.stderr

    def closed(self) -> None:
        """From here on nobody but root can write the environment."""
        for file in (self.environment, *self.environment.rglob("*")):
            if not file.is_symlink():
                file.chmod(0o555 if file.is_dir() or os.access(file, os.X_OK) else 0o444)
        if os.geteuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)

    def opened(self) -> None:
        """Let it be removed again."""
        for folder in (self.environment, *(each for each in self.environment.rglob("*") if each.is_dir())):
            folder.chmod(0o755)

    def files(self) -> dict[str, tuple[int, int]]:
        """All files of the environment with size and time of the last change."""
        return {str(file): (file.lstat().st_size, file.lstat().st_mtime_ns) for file in self.environment.rglob("*")}

    def command(self, *argv: str) -> list[str]:
        """A command of the environment, by somebody other than root."""
        as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        own = [str(self.environment / "bin" / argv[0]), *argv[1:]]
        return [*as_nobody, *own] if os.geteuid() == 0 else own

    def surroundings(self, **more: str) -> dict[str, str]:
        return {
            "HOME": str(self.folder),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            **more,
        }

    def run(self, *argv: str, stdin: str = "", **more: str) -> str:
        """What a command prints; it has to succeed."""
        ran = subprocess.run(
            self.command(*argv), cwd=self.folder, env=self.surroundings(**more), input=stdin, capture_output=True,
            text=True, timeout=60,
        )  # fmt: skip
        assert (ran.returncode, ran.stderr) == (0, ""), argv
        return ran.stdout


@pytest.fixture
def installed() -> Iterator[Installed]:
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root needs setpriv (util-linux) to run as somebody who cannot write everything")
    where = Path(tempfile.mkdtemp())
    where.chmod(0o755)
    there = Installed(where)
    try:
        yield there
    finally:
        there.opened()
        shutil.rmtree(where)


def test_it_runs_from_another_folder_where_nothing_of_its_own_can_be_written(
    installed: Installed, tmp_path: Path
) -> None:
    installed.pip_install(built(ROOT, tmp_path, "wheel"))
    installed.closed()
    before = installed.files()
    assert installed.run("headsdown", "--version") == f"headsdown {__version__}\n"
    assert "The farm: Suppression Fire, Eldar against Imperium" in installed.run("headsdown", "demo")
    _a_battle_by_command(installed)
    _a_battle_on_the_screen(installed)
    installed.run("python", "-m", "saves.published_schema", "schema")
    assert {file.name for file in (installed.folder / "schema").iterdir()} == set(schemas())
    assert "complete -F _headsdown headsdown" in installed.run("headsdown", "completion", "bash")
    theirs = built(_copy_of(THIRD, tmp_path), tmp_path / "third", "wheel")
    _a_rule_set_elsewhere(installed, theirs)
    assert installed.files() == before
    _a_rule_set_beside_it(installed, theirs)


def _a_battle_by_command(installed: Installed) -> None:
    sides = ("--side", "Blue", "--side", "Red")
    installed.run("headsdown", "new", "mill.battle.jsonl", "--rules", "gray-dawn", *sides)
    orders = '{"type": "note", "text": "installed"}'
    installed.run("headsdown", "play", "mill.battle.jsonl", "--orders", "-", stdin=orders)
    assert "whole, unaltered" in installed.run("headsdown", "verify", "mill.battle.jsonl")
    installed.run("headsdown", "open", "mill.battle.jsonl", "--plain", stdin="muster soldier\n")
    page = installed.run("headsdown", "report", "mill.battle.jsonl", "--format", "html")
    assert page.startswith("<!DOCTYPE html>")
    assert "suppression-fire: Suppression Fire" in installed.run("headsdown", "rules")
    assert "from elsewhere" not in installed.run("headsdown", "doctor")


def _a_battle_on_the_screen(installed: Installed) -> None:
    terminal = Terminal(installed.command("headsdown", "demo", "gray-dawn"), installed.folder, installed.surroundings())
    terminal.until("Combatant")
    terminal.type("q")
    assert terminal.ended() == 0
    assert list(installed.folder.rglob("gray-dawn*.battle.jsonl"))


def _a_rule_set_elsewhere(installed: Installed, theirs: Path) -> None:
    """docs/a-third-rule-set.md, for pip: where the environment may not be written, into a folder of one's own."""
    games = installed.folder / "games"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(games)]
    subprocess.run([*command, str(theirs)], check=True, capture_output=True, timeout=120)
    assert "firefight" not in installed.run("headsdown", "rules")
    assert "firefight: Firefight" in installed.run("headsdown", "rules", PYTHONPATH=str(games))


def _a_rule_set_beside_it(installed: Installed, theirs: Path) -> None:
    installed.opened()
    installed.pip_install("--no-deps", "--no-index", theirs)
    installed.closed()
    sides = ("--side", "Blue", "--side", "Red")
    installed.run("headsdown", "new", "hill.battle.jsonl", "--rules", "firefight", *sides)
    installed.run("headsdown", "open", "hill.battle.jsonl", "--plain", stdin="muster rifles\nbegin round\n")
    assert "Rifles" in installed.run("headsdown", "show", "hill.battle.jsonl")
    assert "from elsewhere: Firefight" in installed.run("headsdown", "doctor")


def _copy_of(folder: Path, where: Path) -> Path:
    return Path(shutil.copytree(folder, where / folder.name, ignore=shutil.ignore_patterns("__pycache__")))
