"""`log`: what each role was asked and said, of a run that has ended or goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from se_agent.engine.journal.session_logs import sessions_folder
from tests.cli.calls import call, two_lines
from tests.finished import finished


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has ended."""
    return finished(tmp_path_factory.mktemp("whole"), timed=False)


def files(run: Path) -> dict[str, bytes]:
    place = sessions_folder(run.parent / ".se_agent", run.name)
    return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*.*")}


@pytest.mark.tier("runs")
def test_it_shows_all_roles_in_order_with_a_summary(whole: Path) -> None:
    said = call("log", whole)
    assert said.code == 0
    assert said.out.startswith("## evaluator\n\n### 1. slot -1: started (AC)\n")
    assert "## rules\n" in said.out
    assert "## Summary" in said.out


@pytest.mark.row("SQ-53")
def test_one_role_is_what_its_file_holds(whole: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    assert call("log", run, "--rebuild").code == 0
    said = call("log", run, "--role", "rules")
    assert said.out.encode() == files(run)["rules/1.md"]


@pytest.mark.row("SQ-53", "SQ-60")
def test_written_anew_the_files_have_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    call("log", run, "--rebuild")
    first = files(run)
    assert first
    for path in sessions_folder(tmp_path / ".se_agent", "run").rglob("*.md"):
        path.write_text("torn")
    said = call("log", run, "--rebuild")
    assert said.out.startswith("written anew: ")
    assert files(run) == first


def test_following_a_run_that_has_ended_ends(whole: Path) -> None:
    assert call("log", whole, "--follow").out == call("log", whole).out


def test_a_role_that_nobody_has_is_refused_in_two_lines(whole: Path) -> None:
    said = call("log", whole, "--role", "rulez")
    assert said.code == 2
    assert "nothing of a role 'rulez'" in two_lines(said)[0]
