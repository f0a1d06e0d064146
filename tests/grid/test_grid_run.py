"""Real runs of grids in the little world of numbers: what runs, what does not, what is kept."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.analysis.comparison import compare_runs
from se_agent.analysis.records import read_runs
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.resolve import EvaluatorFactory
from se_agent.errors import ConfigError, JournalError, ModelError
from se_agent.grid.cell_log import read_log
from se_agent.grid.cells import Grid
from se_agent.grid.grid_file import load_grid
from se_agent.grid.grid_folder import locked_grid, read_grid_folder
from se_agent.grid.grid_run import GridResult, plan, progress_of, run_grid
from se_agent.grid.problem_sources import source_of_words, source_words
from se_agent.values.evaluation import ComparisonKind, Evaluation
from se_agent.values.solution import Solution
from tests.fakes import NumberEvaluator
from tests.grid.grids import COMMON, BeginHere, number_grid, written_grid
from tests.problem.test_dataset import row, written

ARMS = 'seeds = 2\nnull = true\narms.plain = {}\narms.random = { policy = "random" }'


def ran(grid: Grid, begin: BeginHere, **chosen: bool | str) -> GridResult:
    only, retry = str(chosen.get("only", "")), bool(chosen.get("retry"))
    return run_grid(grid, plan(grid, only=only, retry=retry), begin=begin)


def table(found: GridResult) -> list[tuple[object, ...]]:
    """Return each cell with all that is not measured."""
    return [
        (
            cell.id,
            cell.status,
            cell.result and (cell.result.best_solution_id, cell.result.score),
            cell.result and cell.result.evaluations,
        )
        for cell in found.cells
    ]


@pytest.mark.tier("runs")
def test_every_cell_is_an_ordinary_run_and_a_second_start_runs_nothing(tmp_path: Path) -> None:
    grid, begin = number_grid(tmp_path, ARMS, "p", "q"), BeginHere(tmp_path / "log")
    first = ran(grid, begin)
    assert begin.begun == [cell.name for cell in grid.cells()]
    assert first.counts == {"proven": 12}
    paid, begun = (tmp_path / "log").read_text(), len(begin.begun)
    assert ran(grid, begin) == first
    assert ((tmp_path / "log").read_text(), len(begin.begun)) == (paid, begun)
    runs = read_runs([grid.home]).runs
    assert sorted({run.arm for run in runs}) == ["null", "plain", "random"]
    assert {(run.result.problem, run.result.seed) for run in runs} == {
        (id, seed) for id in ("p", "q") for seed in (0, 1)
    }


@pytest.mark.tier("runs")
def test_the_null_arm_is_the_noise_floor_of_a_comparison(tmp_path: Path) -> None:
    """Numbers are measured without noise: where no time is compared, the floor is 0."""
    grid = number_grid(tmp_path, ARMS, "p", "q", "r")
    ran(grid, BeginHere(tmp_path / "log"))
    found = compare_runs(read_runs([grid.home]), base=grid.arms[0].name)
    assert [arm.name for arm in found.arms] == ["random", "null"]
    floors = {each.measure.name: each.floor for each in found.measures}
    assert {floor for name, floor in floors.items() if "cpu" not in name} == {0.0}
    assert not any("null arm has other settings" in note for note in found.notes)


def test_the_settings_on_record_are_those_that_were_given(tmp_path: Path) -> None:
    """A comparison then shows what differs between arms, and no list of operators besides."""
    grid = number_grid(tmp_path, ARMS, "p", common="budget.evaluations = 2")
    settings = [grid.record(cell).config.model_fields_set for cell in grid.cells()]
    assert all("operators" not in each for each in settings)


@pytest.mark.tier("runs")
def test_a_cell_that_fails_spoils_none_and_is_not_run_again(tmp_path: Path) -> None:
    grid = number_grid(tmp_path, ARMS, "p", "bad", bad="bad")
    begin = BeginHere(tmp_path / "log", broken=("plain/p-s0",))
    found = {cell.id: (cell.status, cell.reason) for cell in ran(grid, begin).cells}
    assert found["plain/p-s0"] == ("failed", "the machine gave up")
    assert found["random/bad-s1"] == ("failed", "bad: no good")
    assert [status for status, _ in found.values()].count("proven") == 5
    assert read_log(grid.home / "plain" / "p-s0").failure == "the machine gave up"
    again = BeginHere(tmp_path / "log")
    assert ran(grid, again).counts == {"failed": 7, "proven": 5}
    assert again.begun == []


@pytest.mark.tier("runs")
def test_what_failed_is_run_again_where_that_is_asked_for(tmp_path: Path) -> None:
    grid = number_grid(tmp_path, ARMS, "p")
    ran(grid, BeginHere(tmp_path / "log", broken=("plain/p-s0",)))
    again = BeginHere(tmp_path / "log")
    assert ran(grid, again, retry=True).counts == {"proven": 6}
    assert again.begun == ["plain/p-s0"]


@pytest.mark.tier("runs")
def test_an_interrupted_grid_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    whole = ran(number_grid(tmp_path / "a", ARMS, "p"), BeginHere(tmp_path / "log"))
    grid = number_grid(tmp_path / "b", ARMS, "p")
    begin = BeginHere(tmp_path / "other", stop_after=2)
    with pytest.raises(KeyboardInterrupt, match="Ctrl-C"):
        ran(grid, begin)
    begin.stop_after = 100
    assert table(ran(grid, begin)) == table(whole)
    assert sorted(begin.begun) == sorted(cell.name for cell in grid.cells())


@pytest.mark.tier("runs")
def test_only_runs_what_is_chosen_and_the_rest_later(tmp_path: Path) -> None:
    grid, begin = number_grid(tmp_path, ARMS, "p", "q"), BeginHere(tmp_path / "log")
    assert ran(grid, begin, only="random/p-*").counts == {"proven": 2}
    assert begin.begun == ["random/p-s0", "random/p-s1"]
    assert ran(grid, begin).counts == {"proven": 12}


@pytest.mark.tier("runs")
def test_a_grid_may_grow(tmp_path: Path) -> None:
    begin = BeginHere(tmp_path / "log")
    ran(number_grid(tmp_path, "seeds = 1\narms.a = {}", "p"), begin)
    grown = number_grid(tmp_path, "seeds = 2\narms.a = {}\narms.b = { lag = 3 }", "p")
    assert ran(grown, begin).counts == {"proven": 4}
    assert len(begin.begun) == 4
    described = read_grid_folder(grown.home)
    assert described is not None
    assert (described.cells, list(described.arms)) == (4, ["a", "b"])


def test_results_of_other_settings_are_never_taken_for_these(tmp_path: Path) -> None:
    ran(number_grid(tmp_path, "seeds = 1", "p"), BeginHere(tmp_path / "log"))
    other = number_grid(tmp_path, "seeds = 1", "p", common=COMMON.replace("6", "7"))
    with pytest.raises(ConfigError, match=r"under another configuration: budget\.evaluations"):
        plan(other)
    workers = number_grid(tmp_path, "seeds = 1", "p", common=f"{COMMON}\nworkers = 2")
    assert [each.is_over for each in plan(workers)] == [True]


def test_two_processes_do_not_run_the_same_grid(tmp_path: Path) -> None:
    grid = number_grid(tmp_path, "seeds = 1", "p")
    planned = plan(grid)
    grid.home.mkdir(parents=True)
    with (
        locked_grid(grid.home),
        pytest.raises(JournalError, match="another process runs this grid"),
    ):
        run_grid(grid, planned, begin=BeginHere(tmp_path / "log"))


def test_load_and_company_of_each_cell_are_on_record(tmp_path: Path) -> None:
    grid = number_grid(tmp_path, "seeds = 1", "p")
    run_grid(grid, plan(grid), jobs=3, begin=BeginHere(tmp_path / "log"))
    (attempt,) = json.loads((grid.home / "base" / "p-s0" / "cell.json").read_text())["attempts"]
    assert (attempt["jobs"], attempt["beside"], attempt["outcome"]) == (3, 1, "ended")
    assert len(attempt["load_before"]) == len(attempt["load_after"]) == 3
    assert attempt["seconds"] >= 0


def test_a_damaged_cell_fails_and_the_others_stay(tmp_path: Path) -> None:
    grid, begin = number_grid(tmp_path, "seeds = 3", "p"), BeginHere(tmp_path / "log")
    ran(grid, begin)
    with closing(sqlite3.connect(grid.home / "base" / "p-s1" / "run.db")) as db:
        db.execute("PRAGMA user_version")
    (grid.home / "base" / "p-s1" / "run.db").write_bytes(b"no journal" * 100)
    found = ran(grid, begin)
    assert found.counts == {"proven": 2, "failed": 1}
    assert "run.db" in found.cells[1].reason


def test_a_grid_is_not_put_where_a_run_lies(tmp_path: Path) -> None:
    grid = number_grid(tmp_path, "seeds = 1", "p")
    grid.home.mkdir(parents=True)
    (grid.home / "run.db").touch()
    with pytest.raises(ConfigError, match="a run, and no place for a grid"):
        ran(grid, BeginHere(tmp_path / "log"))


class AbsentModel(BeginHere):
    """Its endpoint does not answer."""

    def _evaluators(self, cell: str) -> EvaluatorFactory:
        def refuse(*_: object) -> NumberEvaluator:
            raise ModelError("nobody answers")

        return refuse if cell in self.broken else super()._evaluators(cell)


def test_a_cell_whose_model_is_gone_goes_on_at_the_next_start(tmp_path: Path) -> None:
    grid = number_grid(tmp_path, "seeds = 2", "p")
    found = ran(grid, AbsentModel(tmp_path / "log", broken=("base/p-s0",)))
    assert [(cell.status, cell.reason) for cell in found.cells] == [
        ("interrupted", "nobody answers"),
        ("proven", ""),
    ]
    assert ran(grid, BeginHere(tmp_path / "log")).counts == {"proven": 2}


class StoppedEvaluator(NumberEvaluator):
    """Ctrl-C comes when the fourth program is evaluated."""

    seen = 0

    def evaluate(self, solution: Solution) -> Evaluation:
        """Return the evaluation of the first three."""
        self.seen += 1
        if self.seen > 3:
            raise KeyboardInterrupt("Ctrl-C")
        return super().evaluate(solution)


class StoppedCell(BeginHere):
    """Is interrupted in the middle."""

    def _evaluators(self, cell: str) -> EvaluatorFactory:
        return lambda *_: StoppedEvaluator(ComparisonKind.EXACT)


def test_a_cell_that_runs_in_another_process_is_no_interrupted_one(tmp_path: Path) -> None:
    grid = number_grid(tmp_path, "seeds = 1", "p")
    folder = grid.home / "base" / "p-s0"
    assert progress_of(folder) == (0, False)
    assert ran(grid, StoppedCell(tmp_path / "log")).counts == {"interrupted": 1}
    assert progress_of(folder) == (3, False), "the initial program is not counted"
    with Journal(folder / "run.db"):
        (beside,) = plan(grid)
    (after,) = plan(grid)
    assert [each.found and each.found.status for each in (beside, after)] == [
        "running",
        "interrupted",
    ]
    assert not beside.is_over


@pytest.mark.tier("runs")
def test_rows_of_a_problem_set_are_problems_of_a_grid(tmp_path: Path) -> None:
    """One that cannot be measured is counted apart, in every arm."""
    one = [{"expr": "[1]"}]
    written(
        tmp_path / "set.jsonl",
        row(id="a", slow={"code": "x = 1"}),
        row(id="one/b", slow={"code": "x = 1"}, perf_inputs=one),
    )
    path = written_grid(tmp_path, f'problems = ["set.jsonl"]\n{ARMS}')
    grid, begin = load_grid(path), BeginHere(tmp_path / "log")
    found = ran(grid, begin)
    assert found.counts == {"proven": 6, "not_measurable": 6}
    assert ran(grid, begin) == found
    assert len(begin.begun) == 12
    for source in grid.sources:
        assert source_of_words(json.loads(json.dumps(source_words(source)))) == source
