"""Workspaces that cannot be written: two lines, and nothing lost."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.ordinary_user import NOBODY, ROOT, needs_root, python

pytestmark = needs_root

_OPEN = (
    "import sys; from pathlib import Path\n"
    "from se_agent.errors import MemoryFileError\n"
    "from se_agent.memory import Workspace\n"
    "try:\n"
    "    with Workspace.open(Path(sys.argv[1])) as one: one.artifacts()\n"
    "except MemoryFileError as err: print(err, err.hint, sep='\\n')\n"
)


def narrow(folder: Path, how: str) -> list[str]:
    command = [sys.executable, "-m", "tests.memory.workspace.narrow", str(folder), how]
    told = subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=60
    )
    return told.stdout.splitlines()


def test_a_disk_that_is_full_loses_nothing(tmp_path: Path) -> None:
    error, hint, left = narrow(tmp_path, "full")
    assert "the disk is full; what was kept before is saved" in error
    assert hint.startswith("make room")
    saved, whole, rows, parts = map(int, left.split())
    assert 0 < saved < 1000
    assert (whole, rows, parts) == (saved, saved, 0)


def test_a_disk_that_is_read_only_is_still_read(tmp_path: Path) -> None:
    error, hint, left = narrow(tmp_path, "read-only")
    assert "cannot be" in error
    assert hint
    assert left == "3 3 3 0"


def test_a_full_disk_is_still_read_where_nothing_can_be_made_on_it(tmp_path: Path) -> None:
    beside, left = narrow(tmp_path, "closed")
    assert beside == "['artifacts.db']"
    assert left == "3 3 3 0"


@pytest.mark.tier("runs")
@pytest.mark.row("SQ-36")
def test_a_collection_makes_room_on_a_full_disk(tmp_path: Path) -> None:
    _, _, told, left = narrow(tmp_path, "collected")
    code, saved, before, free = map(int, told.split())
    assert (code, before) == (0, 0)
    assert free > saved * 20_000
    assert left == "0 0 0 0"


@pytest.mark.tier("runs")
@pytest.mark.row("SQ-20")
def test_what_a_run_cannot_keep_is_on_record_and_told_later(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    told, note, *shown = narrow(tmp_path / "disk", "run")
    assert re.fullmatch("proven 1 [1-9]", told)
    assert ": its output (1MB) is not kept: " in note
    assert "the disk is full" in note
    assert note[:60] in " ".join(" ".join(shown).split())


class TestAnOrdinaryUser:
    @pytest.fixture
    def folder(self) -> Iterator[Path]:
        with TemporaryDirectory(dir="/var/tmp") as held:
            Path(held).chmod(0o777)
            yield Path(held)
            shutil.rmtree(held, ignore_errors=True)
            Path(held).mkdir(exist_ok=True)

    @pytest.mark.tier("runs")
    def test_somebody_elses_is_refused(self, folder: Path) -> None:
        (folder / "w").mkdir(mode=0o755)
        error, hint = python("-c", _OPEN, str(folder / "w")).stdout.splitlines()
        assert error == f"{folder}/w: cannot be a workspace: it is another user's"
        assert "workspace.path" in hint

    @pytest.mark.tier("runs")
    def test_one_that_is_closed_to_writing_stays_so(self, folder: Path) -> None:
        import os

        (folder / "w").mkdir(mode=0o500)
        os.chown(folder / "w", NOBODY, NOBODY)
        error, _ = python("-c", _OPEN, str(folder / "w")).stdout.splitlines()
        assert error == f"{folder}/w: cannot be a workspace: it cannot be written"
        assert (folder / "w").stat().st_mode & 0o777 == 0o500

    @pytest.mark.tier("runs")
    def test_ones_own_is_opened(self, folder: Path) -> None:
        told = python("-c", _OPEN, str(folder / "w"))
        assert (told.stdout, told.stderr) == ("", "")
        assert (folder / "w").stat().st_mode & 0o777 == 0o700
