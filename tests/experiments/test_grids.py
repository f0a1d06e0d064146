"""The grids that are shipped: each expands, and varies what its name says."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.config.sections import LocalSection
from se_agent.engine.run.chosen_policy import policy_of
from se_agent.engine.run.resolve import operators_of
from se_agent.grid.cells import Grid
from se_agent.grid.grid_file import load_grid
from tests.cli.calls import ROOT

HOME = ROOT / "experiments" / "grids"
FILES = sorted(HOME.glob("*.toml"))
CELLS = {
    "memory_ablation": 640,
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


def test_the_ablation_of_operators_leaves_each_out_once() -> None:
    grid = shipped("operators")
    everything = set(operators_of(grid.arms[0].config))
    left_out = [name for arm in grid.arms for name in arm.config.without]
    assert len(left_out) == len(set(left_out))
    assert everything == set(left_out)


def test_policies_have_an_equal_budget_and_the_simple_ones_among_them() -> None:
    grid = shipped("policies")
    assert len({arm.config.budget for arm in grid.arms}) == 1
    names = {arm.config.policy for arm in grid.arms}
    assert {"best_of_n", "sequential_refine", "random"} < names
