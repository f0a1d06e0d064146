"""`tell`: what a person says to a run, and what the page of the run says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.engine.run.user_hints import told_to
from tests.cli.calls import call, two_lines
from tests.cli.commands.test_rollback import begun
from tests.engine.talking import models
from tests.finished import finished


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has ended."""
    return finished(tmp_path_factory.mktemp("whole"), timed=False)


@pytest.mark.tier("runs")
def test_it_says_what_was_told_and_that_nobody_reads_it(whole: Path, tmp_path: Path) -> None:
    broken = begun(whole, tmp_path / "run", 60)
    said = call("tell", broken, "try union-find")
    assert said.code == 0
    assert said.out.splitlines() == [
        "told run: try union-find",
        "this run asks no model, and nobody else reads it",
    ]
    assert told_to(broken) == ("try union-find",)


@pytest.mark.tier("runs")
def test_a_run_that_asks_a_model_says_when_it_takes_it_up(tmp_path: Path) -> None:
    asking = finished(tmp_path / "whole", timed=False, models=models("Counting"))
    broken = begun(asking, tmp_path / "run", 60)
    assert call("tell", broken, "try union-find").out.splitlines() == [
        "told run: try union-find",
        "a run that is under way takes it up with its next generation",
        "next, if it stands still:",
        f"  se-agent resume {broken}",
    ]


@pytest.mark.tier("runs")
def test_last_is_the_newest_run(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results").mkdir()
    broken = begun(whole, tmp_path / "results" / "run", 60)
    monkeypatch.chdir(tmp_path)
    assert call("tell", "last", "use a heap").code == 0
    assert told_to(broken) == ("use a heap",)


def test_errors_are_two_lines(whole: Path, tmp_path: Path) -> None:
    error, hint = two_lines(call("tell", whole, "use a heap"))
    assert "the search is over" in error
    assert "start a new run" in hint
    error, _ = two_lines(call("tell", tmp_path / "nothing", "use a heap"))
    assert "no run" in error
    error, hint = two_lines(call("tell", whole, " "))
    assert "no words" in error
    assert "try union-find" in hint
