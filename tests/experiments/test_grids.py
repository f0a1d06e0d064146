"""The grids that are shipped: each expands, and varies what its name says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from se_agent.config.run_file import Run
from se_agent.config.sections import LocalSection
from se_agent.engine.run.chosen_policy import policy_of
from se_agent.engine.run.resolve import made_operators, operators_of
from se_agent.grid.cells import Grid
from se_agent.grid.grid_file import load_grid
from tests.cli.calls import ROOT

HOME = ROOT / "experiments" / "grids"
FILES = sorted(HOME.glob("*.toml"))
CELLS = {
    "memory_ablation": 680,
    "policies": 175,
    "quickstart": 8,
    "schedule_lag": 90,
    "seeds_iterations": 120,
}


def shipped(name: str) -> Grid:
    return load_grid(HOME / f"{name}.toml")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_expands_and_names_what_is_registered(path: Path) -> None:
    grid = load_grid(path)
    assert grid.name == path.stem
    assert len(list(grid.cells())) == len(grid)
    assert len(grid) == CELLS.get(path.stem, len(grid))
    for arm in grid.arms:
        policy_of(arm.config, operators_of(arm.config))


def test_the_ablation_of_memory_has_an_arm_for_every_switch() -> None:
    grid = shipped("memory_ablation")
    first = grid.arms[0].config.memory.local
    varied = {
        key
        for arm in grid.arms
        for key in LocalSection.model_fields
        if getattr(arm.config.memory.local, key) != getattr(first, key)
    }
    assert varied == set(LocalSection.model_fields)
    assert not all(arm.config.memory.enabled for arm in grid.arms)
    assert grid.arms[-1].name == "null"


def test_the_ablations_have_every_switch_of_the_guide() -> None:
    """Its table names them as `memory.local.tabu`, `bank`: the latter are of the same table."""
    table = (ROOT / "docs" / "models.md").read_text("utf-8").split("## Ablations")[1]
    rows = [row for row in table.splitlines() if row.startswith("| ")][1:5]
    named = [
        name for row in rows for name in re.findall(r"`([a-z_.]+)[^`]*`", row.split("|")[2])
    ]
    varied = {
        key
        for name in ("memory_ablation", "prompt_ablation")
        for arm in tomllib.loads((HOME / f"{name}.toml").read_text())["grid"]["arms"].values()
        for key in arm
    }
    known = {key.rpartition(".")[2] for key in varied}
    assert len(named) > 15
    assert {name.rpartition(".")[2] for name in named} <= known


def test_the_ablations_of_operators_leave_each_out_once() -> None:
    """Those that a run has to name are out as it is."""
    left_out = [
        name
        for grid in ("operators", "operators_cpp", "operators_model")
        for arm in shipped(grid).arms
        for name in arm.config.without
    ]
    usual = {
        name
        for name, made in made_operators(Run(problem="-")).items()
        if getattr(made, "by_default", True)
    }
    assert len(left_out) == len(set(left_out))
    assert usual == set(left_out)


def test_policies_have_an_equal_budget_and_the_simple_ones_among_them() -> None:
    grid = shipped("policies")
    assert len({arm.config.budget for arm in grid.arms}) == 1
    names = {arm.config.policy for arm in grid.arms}
    assert {"best_of_n", "sequential_refine", "random"} < names
