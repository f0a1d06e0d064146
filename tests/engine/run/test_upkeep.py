"""A run ends what has had its days beside it, and never fails for that."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from se_agent.memory import ArtifactStore, Workspace
from tests.finished import finished


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a workspace with an output of five days ago and one of today."""
    folder = tmp_path / ".se_agent"
    before = datetime.now(UTC) - timedelta(days=5)
    with Workspace.open(folder) as workspace:
        store = workspace.artifacts()
        ArtifactStore(folder, store.db, clock=lambda: before).save_artifact("old", title="old")
        store.save_artifact("new", title="new")
    return folder


def titles(folder: Path) -> list[str]:
    with Workspace.open(folder, write=False) as workspace:
        return [row.title for row in workspace.artifacts().find()]


@pytest.mark.row("SQ-32", "SQ-34", "AM-50")
def test_what_has_had_its_days_ends_with_a_run(folder: Path) -> None:
    finished(folder.parent, timed=False)
    assert titles(folder) == ["new"]


@pytest.mark.parametrize(
    "memory",
    [
        {"artifacts": {"enabled": False}},
        {"artifacts": {"retention_days": 6.0}},
        {"workspace": {"path": "none"}},
    ],
)
def test_it_stays_where_the_run_file_says_so(folder: Path, memory: dict[str, object]) -> None:
    finished(folder.parent, timed=False, memory=memory)
    assert titles(folder) == ["old", "new"]


def test_another_folder_may_be_named(folder: Path, tmp_path: Path) -> None:
    memory = {"workspace": {"path": str(folder)}}
    finished(tmp_path / "elsewhere", timed=False, memory=memory)
    assert titles(folder) == ["new"]


def test_a_workspace_that_cannot_be_used_costs_a_run_nothing(folder: Path) -> None:
    (folder / "artifacts.db").write_bytes(b"no database" * 500)
    assert (finished(folder.parent, timed=False) / "run.db").exists()
