"""Real file systems: full ones, read-only ones, and ones whose power is cut.

Groups 7, 8 and 13 of the crash cases. They need root, who may mount, and are passed over without.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from saves.battle import OpenBattle
from saves.faults import Fault, Unreadable
from saves.holder import note_path
from saves.verifying import verify
from tests.small_rules import small_battle
from tests.small_saves import ENTRIES, append, entries_in, small_save
from tests.test_crash_kills import ROOT, WRITER

pytestmark = pytest.mark.usefixtures("counter")


def mounted(*words: str) -> None:
    """Mount something, or pass the test over where this machine does not let us."""
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("only root can mount a file system for a test")
    if subprocess.run(["mount", *words], capture_output=True, check=False).returncode:
        pytest.skip("this machine does not let a test mount a file system")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB."""
    mounted("-t", "tmpfs", "-o", "size=64k", "none", str(tmp_path))
    try:
        yield tmp_path
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    """Every entry that was acknowledged is there, nothing half is, and with room again people play on."""
    path = small_disk / "a.battle.jsonl"
    path.write_bytes(small_save())
    known = ENTRIES
    with pytest.raises(Unreadable, match=r"cannot be written: (No space left|the disk is full)"):  # noqa: PT012
        while True:
            known = append(path, "x" * 1900)
    assert known > ENTRIES + 5
    assert entries_in(path) == known
    with pytest.raises(Unreadable):
        append(path, "x" * 1900)
    assert verify(path).ok
    assert [each.name for each in small_disk.iterdir() if each != note_path(path)] == [path.name]
    subprocess.run(["mount", "-o", "remount,size=256k", str(small_disk)], check=True)
    assert append(path, "x" * 1900) == known + 1


def test_a_torn_end_on_a_full_disk(small_disk: Path) -> None:
    """There is no room to set it aside: nothing is cut off, and no half copy stays."""
    path = small_disk / "a.battle.jsonl"
    torn = small_save() + b'{"k":"order","n":6,' + b"x" * 6000
    path.write_bytes(torn)
    with pytest.raises(OSError, match="No space"):
        (small_disk / "filler").write_bytes(bytes(1 << 20))
    for _ in range(2):
        with pytest.raises(Unreadable, match="No space"):
            append(path)
        assert path.read_bytes() == torn
        assert not list(small_disk.glob("*.torn-*"))
    (small_disk / "filler").unlink()
    assert append(path) == ENTRIES + 2


def test_a_file_system_that_is_read_only(small_disk: Path) -> None:
    path = small_disk / "a.battle.jsonl"
    path.write_bytes(small_save())
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    assert entries_in(path) == ENTRIES
    with pytest.raises(Unreadable, match="cannot be written: Read-only file system"):
        OpenBattle.open(path)
    with pytest.raises(Unreadable, match="cannot be written: Read-only file system"):
        small_battle(small_disk / "b.battle.jsonl")


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """The limit that administrators set on the size of files (EFBIG)."""
    path = tmp_path / "a.battle.jsonl"
    path.write_bytes(small_save())
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(small_save()) + 100, before[1]))
        with pytest.raises(Unreadable, match="cannot be written"):
            append(path, "x" * 200)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes() == small_save()
    assert append(path) == ENTRIES + 1


# Cutting the power


def acknowledged_until_cut(disk: Path, image: Path, path: Path, seconds: float) -> int:
    """Let somebody write, stop them at some moment, and take the disk as it is then; what was acknowledged last."""
    command = [sys.executable, "-c", WRITER, str(path), "A", "500"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        os.set_blocking(writer.stdout.fileno(), False)
        time.sleep(1 + seconds)
        writer.send_signal(signal.SIGSTOP)
        told = writer.stdout.read() or b""
        shutil.copyfile(disk, image)
        writer.kill()
    return max((int(number) for number in told.split(b"\n")[:-1]), default=0)


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.parametrize("options", ["data=ordered", "data=writeback"])
def test_the_power_goes_on_ext4(tmp_path: Path, options: str) -> None:
    """Copies of a disk image at some moment, as a power cut leaves it: nothing acknowledged is missing."""
    if not shutil.which("mkfs.ext4"):
        pytest.skip("there is no mkfs.ext4 here")
    disk, image, there, again = (tmp_path / name for name in ("disk", "image", "there", "again"))
    there.mkdir()
    again.mkdir()
    with disk.open("wb") as file:
        file.truncate(32 << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", disk], check=True)
    for turn in range(10):
        mounted("-o", f"loop,{options}", str(disk), str(there))
        try:
            path = there / f"{turn}.battle.jsonl"
            small_battle(path)
            acknowledged = acknowledged_until_cut(disk, image, path, turn * 0.03)
        finally:
            subprocess.run(["umount", there], check=True)
        assert acknowledged > 0
        mounted("-o", "loop", str(image), str(again))
        try:
            found = again / path.name
            assert entries_in(found) >= acknowledged
            try:
                append(found)
            except Fault as fault:
                pytest.fail(f"nobody can go on: {fault}")
        finally:
            subprocess.run(["umount", again], check=True)
