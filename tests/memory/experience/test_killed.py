"""Kills while harvests and tools write one memory: no row is lost, and none is there twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.memory.experience.journals import finished
from tests.memory.experience.killed import check, kill_round


@pytest.mark.tier("runs")
def test_kills_lose_nothing_and_leave_no_row_twice(tmp_path: Path) -> None:
    folder, run = tmp_path / ".se_agent", Path(finished(tmp_path / "runs").run)
    acknowledged = [
        line for seed in (1, 2) for line in kill_round(folder, run, seed, keepers=2, writers=1)
    ]
    assert {line.split()[0] for line in acknowledged} == {"kept", "wrote"}
    assert check(folder, run, acknowledged) == []
    assert check(folder, run, ["kept nobody", "wrote nothing"]) != []
