"""Runs as trackers of experiments keep them: MLflow and Weights & Biases, on disk only.

Nothing is sent: MLflow writes into a database file, Weights & Biases into folders for
`wandb sync`. Not here: what a run is to a tracker (`tracked_run`).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar  # the libraries may not be there, and one has no types

from se_agent.analysis.tracked_run import TrackedRun
from se_agent.files.run_files import write_whole

T = TypeVar("T")

_SILENT = {"MLFLOW_DISABLE_TELEMETRY": "true", "WANDB_ERROR_REPORTING": "false"}
"""Read when the libraries are imported: else they would tell their makers of their use."""

_KEY = "se_agent.key"
_STATUS = {"failed": "FAILED", "interrupted": "KILLED", "running": "RUNNING"}
_MOST_METRICS, _MOST_TEXTS = 1000, 100  # that MLflow takes at a time


def write_mlflow(runs: Iterable[TrackedRun], to: Path) -> list[Path]:
    """Write runs into a tracking database of MLflow, and return its file.

    A run that is in its experiment already is written anew, and the old one deleted.
    """
    os.environ.update(_SILENT)
    tracking = import_module("mlflow.tracking")
    logging.getLogger("mlflow").setLevel(logging.WARNING)
    file = to / "mlflow.db"
    client = tracking.MlflowClient(f"sqlite:///{file.resolve()}")
    for run in runs:
        _into_mlflow(client, run, (to / "artifacts").resolve().as_uri())
    return [file]


def _into_mlflow(client: Any, run: TrackedRun, artifacts: str) -> None:
    entities = import_module("mlflow.entities")
    there = client.get_experiment_by_name(run.experiment)
    experiment = (
        there.experiment_id if there else client.create_experiment(run.experiment, artifacts)
    )
    for old in client.search_runs([experiment], f"tags.`{_KEY}` = '{run.key}'"):
        client.delete_run(old.info.run_id)
    times = [int(step.at.timestamp() * 1000) for step in run.steps] or [0]
    tags = {**run.tags, _KEY: run.key}
    made = client.create_run(experiment, start_time=times[0], run_name=run.name, tags=tags)
    name = made.info.run_id
    for params in _parts([entities.Param(*each) for each in run.params.items()], _MOST_TEXTS):
        client.log_batch(name, params=params)
    metrics = [
        entities.Metric(key, value, at, step.number)
        for step, at in zip(run.steps, times, strict=False)
        for key, value in step.metrics.items()
    ]
    last = run.steps[-1].number if run.steps else 0
    metrics += [entities.Metric(*each, times[-1], last) for each in run.outcome.items()]
    for some in _parts(metrics, _MOST_METRICS):
        client.log_batch(name, metrics=some)
    for path, text in run.programs.items():
        client.log_text(name, text, path)
    client.set_terminated(name, _STATUS.get(run.status, "FINISHED"), end_time=max(times))


def _parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def write_wandb(runs: Iterable[TrackedRun], to: Path) -> list[Path]:
    """Write runs as offline runs of Weights & Biases, and return a file for each."""
    os.environ.update(_SILENT)
    wandb = import_module("wandb")
    return [_into_wandb(wandb, run, to) for run in runs]


def _into_wandb(wandb: Any, run: TrackedRun, to: Path) -> Path:
    settings = wandb.Settings(
        mode="offline",
        silent=True,
        console="off",
        save_code=False,
        disable_git=True,
        x_disable_meta=True,  # this machine is not the one that made the run
        x_disable_stats=True,
        x_disable_machine_info=True,
    )
    made = wandb.init(
        dir=str(to),
        project=run.experiment,
        group=run.arm or None,
        name=run.name,
        id=run.key,
        config={**run.params, **run.tags},
        tags=[run.status],
        settings=settings,
        reinit="create_new",
    )
    for step in run.steps:
        made.log(dict(step.metrics), step=step.number)
    made.summary.update(dict(run.outcome))
    folder = Path(made.dir)
    for path, text in run.programs.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / path, text.encode())
        made.save(str(folder / path), base_path=str(folder), policy="end")
    made.finish()
    (file,) = folder.parent.glob("*.wandb")
    return file


WRITERS = {"mlflow": write_mlflow, "wandb": write_wandb}
"""What writes runs for a tracker, by its name; each is given the runs and a folder."""
