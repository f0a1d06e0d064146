"""What a grid is said to take, before it runs and once some of its cells have ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.engine.journal.result import Result
from se_agent.grid.cell_run import CellResult
from se_agent.grid.cost_estimate import cost_key, grid_estimate
from se_agent.grid.grid_file import load_grid
from se_agent.grid.grid_run import PlannedCell
from se_agent.grid.known_noise import known_noise
from tests.grid.grids import number_grid, written_grid

ARMS = 'seeds = 3\narms.few = {}\narms.more = { "budget.evaluations" = 10 }'


def test_evaluations_add_up_over_arms_problems_and_seeds(tmp_path: Path) -> None:
    found = grid_estimate(number_grid(tmp_path, ARMS, "p", "q").cells())
    assert (found.cells, found.evaluations) == (12, 2 * 3 * (6 + 10))
    assert (found.calls, found.tokens, found.money) == (0, 0, 0.0)
    assert not found.is_measured


def test_finished_cells_say_how_long_one_takes_and_jobs_share_it(tmp_path: Path) -> None:
    cells = [*number_grid(tmp_path, "seeds = 4", "p").cells()]
    found = grid_estimate(cells, jobs=2, measured={cost_key(cells[0]): 10.0})
    assert (found.seconds, found.is_measured) == (20.0, True)


def test_a_limit_of_time_bounds_what_nothing_else_does(tmp_path: Path) -> None:
    common = 'budget.evaluations = "none"\nbudget.wall_seconds = 50'
    cells = [*number_grid(tmp_path, "seeds = 2", "p", common=common).cells()]
    found = grid_estimate(cells)
    assert (found.evaluations, found.seconds) == (None, 100.0)
    endless = number_grid(tmp_path, "seeds = 2", "p", common='budget.evaluations = "none"')
    assert grid_estimate(endless.cells()).seconds is None


def test_models_are_estimated_and_nobody_is_asked(tmp_path: Path) -> None:
    prices = "prompt_price = 1.0, completion_price = 1.0"
    model = f'models.main = {{ name = "m", base_url = "http://127.0.0.1:9", {prices} }}'
    common = f"{model}\nbudget.evaluations = 10\nbudget.calls = 3"
    grid = load_grid(written_grid(tmp_path, 'problems = ["order_report"]\nseeds = 2', common))
    found = grid_estimate(grid.cells())
    assert found.calls == 2 * 3
    assert found.tokens is not None
    assert found.tokens > 0
    assert found.money == pytest.approx(found.tokens / 1e6, rel=0.01)


def ended(cell: PlannedCell, **found: object) -> PlannedCell:
    values = {"run": "", "problem": "p", "status": "proven", "best_solution_id": ""}
    result = Result(**{**values, **found})  # type: ignore[arg-type]
    return cell._replace(found=CellResult(id="", status="proven", result=result), seconds=4.0)


def test_noise_is_the_spread_between_seeds_of_one_arm(tmp_path: Path) -> None:
    cells = [*number_grid(tmp_path, ARMS, "p").cells()]
    gains = {"few": (2.0, 2.0, 2.0), "more": (1.0, 2.718281828, 1.0)}
    planned = [
        ended(PlannedCell(cell, None), gain=gains[cell.arm.name][cell.seed]) for cell in cells
    ]
    found = known_noise([*planned, PlannedCell(cells[0], None)])
    assert sorted(found.gains) == [pytest.approx(0.0), pytest.approx(0.57735, rel=1e-4)]
    assert found.scores == ()
    assert found.seconds == {cost_key(cell): 4.0 for cell in cells}
    scored = known_noise(ended(PlannedCell(cell, None), score=1.0) for cell in cells)
    assert (scored.gains, scored.scores) == ((), (0.0, 0.0))
