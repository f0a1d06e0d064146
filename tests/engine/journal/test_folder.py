"""The folder of all runs in the project of whoever asked for one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from se_agent.engine.journal.folder import make_folder
from se_agent.errors import JournalError


def status(project: Path) -> str:
    """Return what git sees changed in a project."""
    return subprocess.run(
        ["git", "status", "--short"], cwd=project, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    return tmp_path


@pytest.mark.parametrize("run", ["results/one", "results/deeper/one"])
def test_a_run_does_not_make_the_project_look_changed(project: Path, run: str) -> None:
    assert make_folder(project / run)
    (project / run / "best.py").write_text("", encoding="utf-8")
    assert status(project) == ""
    assert not make_folder(project / run)


def test_a_folder_that_is_there_is_left_alone(project: Path) -> None:
    (project / "results").mkdir()
    make_folder(project / "results" / "one")
    (project / "results" / "one" / "best.py").write_text("", encoding="utf-8")
    assert status(project) == "?? results/\n"


def test_a_link_to_nowhere_in_its_place_is_told(project: Path) -> None:
    (project / "results").symlink_to("nowhere")
    with pytest.raises(JournalError, match="cannot be made: No such file"):
        make_folder(project / "results" / "one")


def test_a_file_in_its_place_is_told(project: Path) -> None:
    (project / "results").write_text("", encoding="utf-8")
    with pytest.raises(JournalError, match="cannot be made: Not a directory"):
        make_folder(project / "results" / "one")
