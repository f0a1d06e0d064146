"""What a grid is said to take, before it runs and once some of its cells have ended."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from se_agent.engine.journal.result import Result
from se_agent.grid.cell_run import CellResult
from se_agent.grid.cost_estimate import CostForecast
from se_agent.grid.grid_file import load_grid
from se_agent.grid.grid_run import PlannedCell
from se_agent.grid.known_noise import known_noise
from tests.grid.grids import number_grid, written_grid

ARMS = 'seeds = 3\narms.few = {}\narms.more = { "budget.evaluations" = 10 }'


def test_evaluations_add_up_over_arms_problems_and_seeds(tmp_path: Path) -> None:
    found = CostForecast().estimate(number_grid(tmp_path, ARMS, "p", "q").cells())
    assert (found.cells, found.evaluations) == (12, 2 * 3 * (6 + 10))
    assert (found.calls, found.tokens, found.money) == (0, 0, 0.0)
    assert not found.is_measured


def test_cells_that_have_ended_say_what_others_take_and_jobs_share_it(tmp_path: Path) -> None:
    """Those of the same arm and problem, else those of the same arm; of another arm none."""
    few, more = (
        [cell for cell in number_grid(tmp_path, ARMS, "p", "q").cells() if cell.arm.name == arm]
        for arm in ("few", "more")
    )
    forecast = CostForecast(jobs=2)
    before = forecast.estimate(more).seconds
    for seconds, calls in ((10.0, 4), (20.0, 8)):
        forecast.learn(few[0], result(calls=calls, tokens=100 * calls, money=None), seconds)
    like = [cell for cell in few if cell.source == few[0].source]
    found = forecast.estimate(like)
    assert (found.seconds, found.calls, found.tokens) == (3 * 15.0 / 2, 18, 1800)
    assert found.money is None
    assert found.is_measured
    assert found.evaluations == 3 * 6, "its budget, not what others made"
    assert forecast.estimate(few).seconds == 6 * 15.0 / 2
    assert before is not None
    rule = CostForecast(jobs=2).estimate(few).seconds
    assert rule is not None
    assert forecast.estimate(more).seconds == pytest.approx(before * 15.0 / (rule / 3)), (
        "of another arm the rule of thumb is as wrong as it was for these"
    )


def test_of_another_arm_calls_and_money_are_as_far_from_the_rule(tmp_path: Path) -> None:
    prices = "prompt_price = 1.0, completion_price = 1.0"
    model = f'models.main = {{ name = "m", base_url = "http://127.0.0.1:9", {prices} }}'
    table = 'problems = ["order_report"]\narms.a = {}\narms.b = { lag = 2 }'
    one, other, *_ = load_grid(written_grid(tmp_path, table, model)).cells()
    forecast = CostForecast()
    rule = forecast.estimate([other])
    assert rule.calls
    assert rule.money
    forecast.learn(one, result(calls=3 * rule.calls, tokens=10, money=5 * rule.money), 1.0)
    found = forecast.estimate([other])
    assert found.calls == pytest.approx(3 * rule.calls, abs=1)
    assert found.money == pytest.approx(5 * rule.money, rel=0.01)


def test_a_cell_that_broke_off_says_nothing(tmp_path: Path) -> None:
    cells = [*number_grid(tmp_path, "seeds = 4", "p").cells()]
    forecast = CostForecast()
    for status in ("failed", "interrupted", "running"):
        forecast.learn(cells[0], result(status=status), 1.5)
    assert not forecast.estimate(cells).is_measured


def test_a_problem_that_cannot_be_read_takes_nothing(tmp_path: Path) -> None:
    forecast = CostForecast()
    good, bad = number_grid(tmp_path, "seeds = 1", "p", "bad", bad="bad").cells()
    assert forecast.estimate([good, bad]).evaluations == forecast.estimate([good]).evaluations
    assert forecast.estimate([bad]).seconds == 0.0


def test_fewer_cells_than_jobs_do_not_take_less_than_one_of_them(tmp_path: Path) -> None:
    (cell,) = number_grid(tmp_path, "seeds = 1", "p").cells()
    forecast = CostForecast(jobs=8)
    forecast.learn(cell, result(), 800.0)
    assert forecast.estimate([cell]).seconds == 800.0


def test_a_cell_without_a_time_says_nothing(tmp_path: Path) -> None:
    cells = [*number_grid(tmp_path, "seeds = 4", "p").cells()]
    forecast = CostForecast()
    forecast.learn(cells[0], result(), 0.0)
    assert not forecast.estimate(cells).is_measured


def result(**found: object) -> Result:
    values = {"run": "", "problem": "p", "status": "proven", "best_solution_id": ""}
    return Result(**{**values, **found})  # type: ignore[arg-type]


def test_a_limit_of_time_bounds_what_nothing_else_does(tmp_path: Path) -> None:
    common = 'budget.evaluations = "none"\nbudget.wall_seconds = 50'
    cells = [*number_grid(tmp_path, "seeds = 2", "p", common=common).cells()]
    found = CostForecast().estimate(cells)
    assert (found.evaluations, found.seconds) == (None, 100.0)
    endless = number_grid(tmp_path, "seeds = 2", "p", common='budget.evaluations = "none"')
    assert CostForecast().estimate(endless.cells()).seconds is None


def test_models_are_estimated_and_nobody_is_asked(tmp_path: Path) -> None:
    prices = "prompt_price = 1.0, completion_price = 1.0"
    model = f'models.main = {{ name = "m", base_url = "http://127.0.0.1:9", {prices} }}'
    common = f"{model}\nbudget.evaluations = 10\nbudget.calls = 3"
    grid = load_grid(written_grid(tmp_path, 'problems = ["order_report"]\nseeds = 2', common))
    found = CostForecast().estimate(grid.cells())
    assert found.calls == 2 * 3
    assert found.tokens is not None
    assert found.tokens > 0
    assert found.money == pytest.approx(found.tokens / 1e6, rel=0.01)


def ended(cell: PlannedCell, **found: object) -> PlannedCell:
    over = CellResult(id="", status="proven", result=result(**found))
    return cell._replace(found=over, seconds=4.0)


def test_noise_is_the_spread_between_seeds_of_one_arm(tmp_path: Path) -> None:
    cells = [*number_grid(tmp_path, ARMS, "p").cells()]
    gains = {"few": (2.0, 2.0, 2.0), "more": (1.0, 2.718281828, 1.0)}
    planned = [
        ended(PlannedCell(cell, None), gain=gains[cell.arm.name][cell.seed]) for cell in cells
    ]
    (found,) = known_noise([*planned, PlannedCell(cells[0], None)]).gains
    assert found == pytest.approx(0.57735 / math.sqrt(2), rel=1e-4)


def test_what_a_seed_does_to_all_arms_alike_is_no_noise(tmp_path: Path) -> None:
    cells = [*number_grid(tmp_path, ARMS, "p").cells()]
    by_seed = {0: 1.0, 1: 50.0, 2: 7.0}
    better = {"few": 1.0, "more": 1.5}
    planned = [
        ended(PlannedCell(cell, None), gain=by_seed[cell.seed] * better[cell.arm.name])
        for cell in cells
    ]
    (found,) = known_noise(planned).gains
    assert found == pytest.approx(0.0, abs=1e-9)


def test_pairs_of_a_null_arm_count_where_there_are_no_others(tmp_path: Path) -> None:
    """Where nothing is timed they are equal to the last digit, which is not the noise."""
    cells = [*number_grid(tmp_path, ARMS + "\nnull = true", "p").cells()]
    gains = {"few": (1.0, 1.0, 1.0), "null": (1.0, 1.0, 1.0), "more": (1.0, 2.718281828, 1.0)}
    planned = [
        ended(PlannedCell(cell, None), gain=gains[cell.arm.name][cell.seed])
        for cell in cells
        if cell.arm.name != "more" or cell.seed < 2  # of a grid that is under way
    ]
    (found,) = known_noise(planned).gains
    assert found == pytest.approx(0.5, rel=1e-4)
    alike = [each for each in planned if each.cell.arm.name != "more"]
    assert known_noise(alike).gains == (), "no difference at all is no knowledge"


def test_of_one_arm_the_noise_is_the_spread_between_seeds(tmp_path: Path) -> None:
    cells = [*number_grid(tmp_path, "seeds = 3", "p").cells()]
    gains = (1.0, 2.718281828, 1.0)
    planned = [ended(PlannedCell(cell, None), gain=gains[cell.seed]) for cell in cells]
    found = known_noise([*planned, PlannedCell(cells[0], None)])
    assert [*found.gains] == [pytest.approx(0.57735, rel=1e-4)]
    assert found.scores == ()
    scored = known_noise(ended(PlannedCell(cell, None), score=1.0) for cell in cells)
    assert (scored.gains, scored.scores) == ((), ())
