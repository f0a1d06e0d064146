"""Runs for trackers: what they are given, and that the real libraries keep it and no secret."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import se_agent
from se_agent.analysis.export import export
from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.recorded_runs import RecordedRuns
from se_agent.analysis.tracked_run import TrackedRun, tracked
from tests.analysis.arms import run_in
from tests.finished import unfinished

SECRET = "qRt5Zx81Lm90Zx81wYp3"


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grid of two arms, whose problem has a secret in its name."""
    home = tmp_path_factory.mktemp("trackers") / "bank"
    for arm, policy in (("all", "portfolio"), ("random", "random")):
        run_in(home / arm, "numbers-s0", problem=f"numbers {SECRET}", policy=policy)
    return home


@pytest.fixture
def runs(grid: Path, monkeypatch: pytest.MonkeyPatch) -> RecordedRuns:
    """The runs of the grid, on a machine that has the secret."""
    monkeypatch.setenv("SOME_API_KEY", SECRET)
    found = se_agent.open(grid)
    assert isinstance(found, RecordedRuns)
    return found


def plain(run: RecordedRun) -> TrackedRun:
    return tracked(run, lambda text: text)


@pytest.mark.tier("runs")
def test_a_cell_belongs_to_the_experiment_of_its_grid(runs: RecordedRuns) -> None:
    first, second = map(plain, runs)
    assert (first.experiment, first.name, first.arm) == ("bank", "all/numbers-s0", "all")
    assert second.arm == "random"


@pytest.mark.tier("runs")
def test_a_run_alone_belongs_to_the_folder_that_it_lies_in(grid: Path) -> None:
    one = plain(RecordedRun(grid / "all" / "numbers-s0"))
    assert (one.experiment, one.name, one.arm) == ("all", "numbers-s0", "")


@pytest.mark.tier("runs")
def test_parameters_are_the_whole_run_file(runs: RecordedRuns) -> None:
    params = plain(runs["random/numbers-s0"]).params
    assert params["policy"] == '"random"'
    assert params["seed"] == "0"
    assert {"budget.evaluations", "judge.pairs", "memory.local.token_limit"} <= set(params)


def test_metrics_are_those_of_the_steps_and_of_the_result(runs: RecordedRuns) -> None:
    run = runs["all/numbers-s0"]
    found, steps = plain(run), run.steps().set_index("slot")
    assert [step.number for step in found.steps] == sorted(steps.index)
    last = found.steps[-1]
    assert last.metrics["best_effect"] == steps.best_effect[last.number]
    assert last.metrics["evaluations"] == steps.evaluations[last.number]
    assert found.outcome["gain"] == run.result.gain
    assert "score" not in found.outcome


def test_programs_are_the_initial_one_and_the_best(runs: RecordedRuns) -> None:
    run = runs["all/numbers-s0"]
    assert plain(run).programs == {
        "initial/main.py": "x = 0",
        "best/main.py": str(run.solution("best")),
    }


def test_secrets_are_taken_out_of_every_text(runs: RecordedRuns) -> None:
    run = runs["all/numbers-s0"]
    assert SECRET in str(plain(run))
    assert SECRET not in str(tracked(run, lambda text: text.replace(SECRET, "***")))


@pytest.mark.tier("runs")
def test_a_run_under_way_is_taken_as_far_as_it_goes(tmp_path: Path) -> None:
    found = plain(RecordedRun(unfinished(tmp_path, 40)))
    assert found.status == "interrupted"
    assert found.programs["initial/main.py"] == "x = 0"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of its libraries, about each other
def test_mlflow_keeps_a_grid_and_a_second_export_replaces_it(
    runs: RecordedRuns, tmp_path: Path
) -> None:
    pytest.importorskip("mlflow")
    pytest.importorskip("alembic")
    export(runs, tmp_path, "mlflow")
    (file,) = export(runs, tmp_path, "mlflow")
    client = _mlflow(file)
    (experiment,) = [e for e in client.search_experiments() if e.name == "bank"]
    kept = {run.info.run_name: run for run in client.search_runs([experiment.experiment_id])}
    assert set(kept) == {"all/numbers-s0", "random/numbers-s0"}
    run, told = kept["all/numbers-s0"], plain(runs["all/numbers-s0"])
    assert run.info.status == "FINISHED"
    assert run.data.params["policy"] == '"portfolio"'
    assert run.data.metrics["gain"] == told.outcome["gain"]
    history = client.get_metric_history(run.info.run_id, "evaluations")
    assert [each.step for each in history] == [step.number for step in told.steps]
    texts = {path.name for path in tmp_path.rglob("*/best/*")}
    assert texts == {"main.py"}
    assert _with_the_secret(tmp_path) == []


def test_wandb_keeps_each_run_offline(
    runs: RecordedRuns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("wandb")
    monkeypatch.setenv("HOME", str(tmp_path))
    files = export(runs, tmp_path / "out", "wandb")
    assert len(files) == 2
    for file in files:
        assert file.parent.name.startswith("offline-run-")
        assert file.read_bytes().count(b"best_effect") > 3
        assert (file.parent / "files" / "best" / "main.py").is_file()
    assert _with_the_secret(tmp_path) == []


def _mlflow(file: Path) -> Any:  # a library that may not be there
    from mlflow.tracking import MlflowClient  # type: ignore[import-not-found,unused-ignore]

    return MlflowClient(f"sqlite:///{file}")


def _with_the_secret(folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path for path in files if SECRET.encode() in path.read_bytes()]
