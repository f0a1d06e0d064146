"""A note on how long a large journal takes; of a small one there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from se_agent.cli.long_wait import RESULT, WHOLE, tell_long_wait
from tests.cli.calls import call
from tests.finished import finished


def journal_of(folder: Path, megabytes: float) -> Path:
    """Make a journal of a size; nothing of it is written."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "run.db").open("wb") as file:
        file.truncate(int(megabytes * 1e6))
    return folder


@pytest.mark.parametrize(
    ("megabytes", "rate", "told"),
    [
        (2_000, WHOLE, "reading 2,000 MB of journals: about 7 minutes\n"),
        (300, WHOLE, "reading 300 MB of journals: about 1 minute\n"),
        (110, WHOLE, "reading 110 MB of journals: about 22 seconds\n"),
        (90, WHOLE, ""),
        (2_000, RESULT, "reading 2,000 MB of journals: about 1 minute\n"),
        (500, RESULT, ""),
    ],
)
def test_the_time_is_told_where_it_is_long(
    megabytes: float,
    rate: float,
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tell_long_wait([journal_of(tmp_path, megabytes)], rate)
    assert capsys.readouterr().err == told


def test_journals_of_a_folder_count_together_and_each_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("arm/a", "arm/b", "c"):
        journal_of(tmp_path / name, 100)
    tell_long_wait([tmp_path, tmp_path / "arm", tmp_path / "none"])
    assert capsys.readouterr().err == "reading 300 MB of journals: about 1 minute\n"


@pytest.mark.tier("runs")
@pytest.mark.parametrize("command", ["show", "report", "compare"])
def test_the_commands_that_read_say_so(command: str, tmp_path: Path) -> None:
    """The file is long, and nothing is behind its end: SQLite reads what its head says."""
    folder = finished(tmp_path / "runs", timed=True)
    assert "reading" not in call(command, folder).err
    os.truncate(folder / "run.db", 2_000_000_000)
    assert call(command, folder).err.startswith("reading 2,000 MB of journals: about ")
