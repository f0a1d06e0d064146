"""A problem set as a grid of one arm: rows are cells; the unmeasurable are counted apart."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.config.run_file import Run, as_record, run_of_record
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.result import Result
from se_agent.engine.run.replay import replay
from se_agent.engine.run.resolve import EvaluatorFactory
from se_agent.errors import ConfigError, IsolationError, ProblemError, TooSmallError
from se_agent.events import Started
from se_agent.grid.arm_totals import ArmTotals
from se_agent.grid.cell_run import CellResult
from se_agent.grid.cells import Grid
from se_agent.grid.grid_file import load_grid
from se_agent.grid.grid_run import GridResult, plan, run_grid
from se_agent.grid.problem_sources import cell_run_name
from se_agent.memory.experience.schema import FILE
from se_agent.problem.model import Problem
from se_agent.stats.memory_worth import Side, Worth
from se_agent.values.evaluation import ComparisonKind, Preflight
from se_agent.values.solution import Solution
from tests.fakes import NumberEvaluator
from tests.grid.grids import BeginHere, written_grid
from tests.problem.test_dataset import row, written

SETTINGS = (
    'operators=["tests.fakes:Step1", "tests.fakes:Step3"]',
    "schedule=generation",
    "budget.evaluations=9",
)


class PickyEvaluator(NumberEvaluator):
    """Finds one problem too small, and breaks on another."""

    def __init__(self, problem: Problem, log: Path) -> None:
        super().__init__(ComparisonKind.TIMED, log=log)
        self._name = problem.name

    def preflight(self, solution: Solution) -> Preflight:
        if self._name == "small":
            raise TooSmallError("0.1 ms")
        if self._name == "caged":
            raise IsolationError("no landlock")
        return super().preflight(solution)


class BeginPicky(BeginHere):
    """Begins rows whose evaluator is picky."""

    def _evaluators(self, cell: str) -> EvaluatorFactory:
        return lambda problem, config: PickyEvaluator(problem, self.log)


def rows(path: Path, *names: str) -> Path:
    one = [{"expr": "[1]"}]
    made = [
        row(id=name, slow={"code": "x = 1"}, **({"perf_inputs": one} if name == "one" else {}))
        for name in names
    ]
    return written(path, *made)


def grid_of(path: Path, *settings: str) -> Grid:
    """Return the grid of a set, with results beside it."""
    return load_grid(path, [*SETTINGS, f"results={path.parent}", *settings])


def ran(path: Path, *settings: str) -> GridResult:
    """Run what is missing of a set."""
    grid = grid_of(path, *settings)
    return run_grid(grid, plan(grid), begin=BeginPicky(path.parent / "log"))


def statuses(path: Path, *settings: str) -> dict[str, str]:
    """Run a set and return the status by row."""
    found, grid = ran(path, *settings), grid_of(path, *settings)
    ids = {cell.name: cell.source.id for cell in grid.cells()}
    return {ids[cell.id]: cell.status for cell in found.cells}


def folder(path: Path, name: str) -> Path:
    """Return the folder of a row."""
    return path.parent / "set" / "base" / f"{name}-s0"


def test_each_row_is_run_or_counted_apart(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a", "one", "small", "b")
    found = ran(path)
    assert [(each.id, each.status) for each in found.cells] == [
        ("base/a-s0", "proven"),
        ("base/one-s0", "not_measurable"),
        ("base/small-s0", "too_small"),
        ("base/b-s0", "proven"),
    ]
    assert not list(tmp_path.glob("set/base/[!.]*/.*")), "no half of a note is left"
    assert found.counts == {"proven": 2, "not_measurable": 1, "too_small": 1}
    assert (folder(path, "a") / "run.db").is_file()
    assert found.totals["base"].overall["gain"].count == 2


def test_a_second_start_pays_for_nothing(tmp_path: Path) -> None:
    path, log = rows(tmp_path / "set.jsonl", "a", "one", "small"), tmp_path / "log"
    first = ran(path)
    paid = log.read_text()
    assert ran(path) == first
    assert log.read_text() == paid


def test_a_row_that_this_machine_cannot_isolate_spoils_no_other(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "caged", "a")
    assert statuses(path) == {"caged": "failed", "a": "proven"}


def test_more_seeds_are_more_cells_of_each_row(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a", "b")
    assert [cell.run_name for cell in grid_of(path).cells()] == ["a-s0", "b-s0"]
    assert grid_of(path, "grid.seeds=[3]").seeds == (3,)
    assert len(grid_of(path, "grid.seeds=3")) == 6


def test_a_glob_may_mean_sets_and_a_name_with_brackets_is_a_file(tmp_path: Path) -> None:
    for name in ("set-a", "set-b", "[ab]"):
        rows(tmp_path / f"{name}.jsonl", name)
    path = written_grid(tmp_path, 'problems = ["set-*.jsonl"]')
    assert [source.id for source in load_grid(path).sources] == ["set-a", "set-b"]
    assert [source.id for source in grid_of(tmp_path / "[ab].jsonl").sources] == ["[ab]"]


def test_a_file_that_is_not_there_is_no_set(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"none\.jsonl: cannot be read: No such file"):
        grid_of(tmp_path / "none.jsonl")


@pytest.mark.tier("runs")
def test_no_row_learns_from_another_unless_it_is_asked_for(tmp_path: Path) -> None:
    def priors(home: Path, *settings: str) -> dict[str, object]:
        home.mkdir(exist_ok=True)
        told: dict[str, object] = {}
        for each in ran(rows(home / "set.jsonl", "a", "b"), *settings).cells:
            assert each.result is not None
            with Journal(Path(each.result.run) / "run.db", write=False) as journal:
                first = next(journal.events())
            assert isinstance(first, Started)
            told[each.id] = first.prior
        return told

    assert priors(tmp_path) == {"base/a-s0": {}, "base/b-s0": {}}
    assert not list(tmp_path.rglob(FILE))
    told = priors(tmp_path / "told", "memory.prior=true")
    assert told["base/a-s0"] == {}
    assert told["base/b-s0"] != {}


@pytest.mark.tier("runs")
@pytest.mark.parametrize("name", ["a", "small"])
@pytest.mark.parametrize(
    "left",
    [
        pytest.param(lambda row: None, id="an-empty-folder"),
        pytest.param(lambda row: (row / "run.db").touch(), id="an-empty-journal"),
        pytest.param(lambda row: Journal(row / "run.db").close(), id="a-run-not-started"),
        pytest.param(lambda row: (row / "skipped.json").touch(), id="an-empty-note"),
        pytest.param(
            lambda row: (row / "skipped.json").write_text('{"status": "too_sm'),
            id="a-torn-note",
        ),
        pytest.param(lambda row: (row / "skipped.json").write_text("[1]"), id="no-note-at-all"),
        pytest.param(lambda row: (row / ".skipped.json").write_text("{"), id="half-a-note"),
    ],
)
def test_what_was_killed_at_its_beginning_is_run_anew(
    tmp_path: Path, left: Callable[[Path], None], name: str
) -> None:
    path = rows(tmp_path / "set.jsonl", name, "b")
    described(path, name)
    left(folder(path, name))
    expected = {name: "too_small" if name == "small" else "proven", "b": "proven"}
    for _ in range(2):
        assert statuses(path) == expected


def described(path: Path, name: str) -> None:
    """Leave the folder of a row as a start does that is killed at once."""
    folder(path, name).mkdir(parents=True)
    (path.parent / "set" / "grid.json").touch()


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    "left",
    [
        pytest.param(
            lambda row: (row / "run.db").write_text("notes" * 99), id="a-foreign-file"
        ),
        pytest.param(lambda row: (row / "run.db").mkdir(), id="a-folder-in-its-place"),
        pytest.param(
            lambda row: (row.rmdir(), row.write_text("a file")), id="a-file-in-its-place"
        ),
    ],
)
def test_a_folder_that_cannot_be_used_stops_no_other_row(
    tmp_path: Path, left: Callable[[Path], None]
) -> None:
    path = rows(tmp_path / "set.jsonl", "a", "b")
    described(path, "a")
    left(folder(path, "a"))
    assert statuses(path) == {"a": "failed", "b": "proven"}


@pytest.mark.tier("runs")
def test_a_damaged_run_stops_no_other_row(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a", "b")
    statuses(path)
    with closing(sqlite3.connect(folder(path, "a") / "run.db")) as db, db:
        db.execute("INSERT INTO events (slot, kind, body) VALUES (0, 'x', '{')")
    assert statuses(path) == {"a": "failed", "b": "proven"}


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param("budget.evaluations=20", "budget.evaluations", id="grown-budget"),
        pytest.param('operators=["tests.fakes:Step1"]', "operators", id="operators"),
        pytest.param("judge.margin=0.5", "judge.margin", id="judge"),
        pytest.param("memory.prior=off", "memory.prior", id="prior"),
    ],
)
def test_another_configuration_is_refused_before_a_row_is_run(
    tmp_path: Path, change: str, said: str
) -> None:
    path = rows(tmp_path / "set.jsonl", "a")
    statuses(path)
    rows(path, "new", "a")
    with pytest.raises(ConfigError, match=f"a-s0 .* another configuration: {said}$") as caught:
        ran(path, change)
    assert "--set results=" in caught.value.hint
    assert not folder(path, "new").exists()


@pytest.mark.parametrize("name", ["one", "small"])
def test_a_note_holds_for_its_configuration_only(tmp_path: Path, name: str) -> None:
    path = rows(tmp_path / "set.jsonl", name)
    statuses(path)
    assert list(statuses(path, "workers=2")) == [name]
    with pytest.raises(ConfigError, match=f"'{name}': the row or the configuration"):
        ran(path, "judge.margin=0.5")


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        pytest.param("a", {"slow": {"code": "x = 3"}}, id="program"),
        pytest.param("a", {"perf_inputs": []}, id="no-longer-measurable"),
        pytest.param("small", {"slow": {"code": "x = 3"}}, id="of-a-note"),
    ],
)
def test_a_changed_row_is_refused(
    tmp_path: Path, name: str, changes: dict[str, object]
) -> None:
    path = rows(tmp_path / "set.jsonl", name)
    statuses(path)
    written(path, row(id=name, **{"slow": {"code": "x = 1"}} | changes))
    with pytest.raises(ConfigError, match=f"row '{name}': the row .*changed"):
        ran(path)


def test_another_statement_is_the_same_row(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a", "small")
    first = statuses(path)
    slow = {"code": "x = 1"}
    written(path, *(row(id=name, slow=slow, statement="Go.") for name in ("a", "small")))
    assert statuses(path) == first


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_every_id_gives_a_folder_name_that_a_run_may_have(name: str) -> None:
    folder = cell_run_name(name, 0)
    assert Run.model_validate({"problem": "p", "name": folder}).name == folder
    assert 0 < len(folder.encode()) < 120


def test_a_plain_id_begins_its_folder() -> None:
    plain = ["a", "sort-3", "v1.2_b", "_x", "9", "größe"]
    assert [cell_run_name(name, 1) for name in plain] == [f"{name}-s1" for name in plain]


@given(st.lists(st.text("aZ9_-./ ²", max_size=4), min_size=2, max_size=2, unique=True))
def test_two_ids_never_share_a_folder(names: list[str]) -> None:
    one, other = (cell_run_name(name, 0) for name in names)
    assert one != other


@pytest.mark.tier("runs")
@pytest.mark.parametrize("name", ["-a", "..", "", "a/b", "ä ö", "x" * 400])
def test_an_odd_id_has_a_run_that_can_be_taken_up_and_replayed(
    tmp_path: Path, name: str
) -> None:
    path = rows(tmp_path / "set.jsonl", name, "a_b")
    for _ in range(2):
        assert statuses(path) == {name: "proven", "a_b": "proven"}
    grid = grid_of(path)
    for config in (grid.record(cell).config for cell in grid.cells()):
        assert run_of_record(as_record(config)).name == config.name, "its process reads it"
    folders = [path.parent for path in (tmp_path / "set").glob("*/*/run.db")]
    assert len(folders) == 2
    assert all(replay(folder).complete for folder in folders)


def test_rows_that_a_set_wrote_before_it_was_a_grid_are_in_the_way(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a")
    (tmp_path / "set" / "a").mkdir(parents=True)
    Journal(tmp_path / "set" / "a" / "run.db").close()
    with pytest.raises(ConfigError, match=r"set: holds runs of no grid, such as a$") as caught:
        ran(path)
    assert "have to be run again" in caught.value.hint
    assert not folder(path, "a").exists()


def test_what_memory_was_worth_is_told_of_all_rows_together() -> None:
    sides = [(Side(1, 3), Side(0, 2)), (Side(2, 4), Side(1, 1))]
    made = [
        CellResult(
            id=f"base/{number}",
            status="proven",
            result=Result(
                run="",
                problem="",
                status="proven",
                best_solution_id="",
                memory=Worth(*both),
            ),
        )
        for number, both in enumerate(sides)
    ]
    skipped = CellResult(id="base/small", status="too_small", reason="0.1 ms")
    found = ArmTotals((*made, skipped))
    assert found.memory == Worth(Side(3, 7), Side(1, 3))
    assert found.as_json()["memory"] == {
        "informed": {"gains": 3, "steps": 7},
        "withheld": {"gains": 1, "steps": 3},
        "tokens": 0,  # no model was asked
        "gain": 0.0,
    }


def test_a_row_that_failed_is_no_gain_and_one_that_is_too_small_is_left_out() -> None:
    failed = CellResult(id="base/a", status="failed", reason="no")
    small = CellResult(id="base/b", status="too_small", reason="0.1 ms")
    nothing = Result(run="", problem="", status="proven", best_solution_id="", gain=None)
    timed, scored = (
        CellResult(id="base/c", status="proven", result=replace(nothing, gain=gain))
        for gain in (4.0, None)
    )
    gain = ArmTotals((failed, small, timed)).overall["gain"]
    assert (gain.count, gain.geometric) == (2, 2.0)
    assert ArmTotals((failed, small, scored)).overall == {}, "a score has no gain"


def test_a_time_limit_that_is_too_small_for_any_row_runs_none(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "one", "two")
    with pytest.raises(ConfigError, match=r"budget\.cpu_seconds = 5: too small"):
        ran(path, "budget.cpu_seconds=5.0")
    assert not (tmp_path / "set").exists()


def test_a_row_that_a_time_limit_is_too_small_for_has_failed(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "two", "small")
    found = statuses(path, "budget.cpu_seconds=20.0", "budget.evaluations=3")
    assert found == {"two": "failed", "small": "too_small"}
