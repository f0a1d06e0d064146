"""A study: the search asks, somebody else measures, and the run is on record like any other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import se_agent
from se_agent.errors import ConfigError, SandboxError
from tests.fakes import Step1, Step3


def study(results: Path, **changes: Any) -> se_agent.Study:
    settings = {
        "operators": [Step1.name, Step3.name],
        "results": str(results),
        "budget": {"evaluations": 8},
        "memory": {"prior": False},
    }
    return se_agent.Study(
        "x = 0", statement="Make x large.", direction="maximize", **(settings | changes)
    )


def value(text: str) -> float:
    return float(text.partition("=")[2])


def test_scores_from_outside_lead_the_search(tmp_path: Path) -> None:
    seen: list[tuple[str, bool]] = []
    with study(tmp_path) as loop:
        for trial in loop:
            seen.append((trial.text, trial.is_final))
            loop.tell(value(trial.text))
    assert seen[0] == ("x = 0", False)
    assert {final for _, final in seen} == {False, True}
    assert loop.run is not None
    assert loop.run.result.status == "proven"
    assert loop.run.result.score == max(value(text) for text, _ in seen)
    assert len(loop.run.rows("evaluations")) >= 8


def test_the_same_trial_is_asked_for_until_it_is_told(tmp_path: Path) -> None:
    with study(tmp_path) as loop:
        first = loop.ask()
        assert loop.ask() is first
        loop.tell(1.0)
        assert loop.ask() is not first


def test_a_trial_that_failed_is_a_wrong_program(tmp_path: Path) -> None:
    with study(tmp_path) as loop:
        for trial in loop:
            if value(trial.text) == 3:
                loop.tell(error="it crashed")
            else:
                loop.tell(value(trial.text))
    assert loop.run is not None
    rows = [row for row in loop.run.rows("evaluations") if "it crashed" in row]
    assert [row[3] for row in rows] == ["WA"]


def test_a_study_that_is_closed_keeps_what_was_measured(tmp_path: Path) -> None:
    with study(tmp_path, name="mine") as loop:
        for _ in range(4):
            trial = loop.ask()
            assert trial is not None
            loop.tell(value(trial.text))
    with pytest.raises(SandboxError, match="the study was closed"):
        loop.ask()
    (folder,) = (path.parent for path in tmp_path.rglob("run.db"))
    found = se_agent.open(folder)
    assert len(found.rows("evaluations")) >= 3


def test_several_workers_ask_one_after_the_other(tmp_path: Path) -> None:
    with study(tmp_path, workers=2, lag=2) as loop:
        for trial in loop:
            loop.tell(value(trial.text))
    assert loop.run is not None
    for row in loop.run.rows("evaluations"):
        score, solution = row[6], str(row[2])
        assert score is None or score == value(str(loop.run.solution(solution)))


def test_a_score_or_an_error_is_told_once(tmp_path: Path) -> None:
    with study(tmp_path) as loop:
        with pytest.raises(ConfigError, match="no program is waiting"):
            loop.tell(1.0)
        loop.ask()
        with pytest.raises(ConfigError, match="a score, or an error"):
            loop.tell()
        with pytest.raises(ConfigError, match="a score, or an error"):
            loop.tell(1.0, error="both")


def test_a_setting_that_is_not_known_is_refused_before_anything(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="evaluation"):
        study(tmp_path, budget={"evaluation": 8})
