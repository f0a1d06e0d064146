"""A whole set: rows in their folders, the unmeasurable counted apart, resumable."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from se_agent.config.run_file import Run
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.result import Result
from se_agent.engine.run.replay import replay
from se_agent.engine.run.resolve import EvaluatorFactory
from se_agent.errors import ConfigError, IsolationError, TooSmallError
from se_agent.events import Started
from se_agent.grid.cell_run import CellResult
from se_agent.grid.problem_set import SetResult, run_set
from se_agent.memory.experience.schema import FILE
from se_agent.problem.model import Problem
from se_agent.stats.memory_worth import Side, Worth
from se_agent.values.evaluation import ComparisonKind, Preflight
from se_agent.values.solution import Solution
from tests.fakes import NumberEvaluator, Step1, number_run
from tests.problem.test_dataset import row, written


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


def picky(log: Path) -> EvaluatorFactory:
    return lambda problem, config: PickyEvaluator(problem, log)


def rows(path: Path, *names: str) -> Path:
    one = [{"expr": "[1]"}]
    made = [
        row(id=name, slow={"code": "x = 1"}, **({"perf_inputs": one} if name == "one" else {}))
        for name in names
    ]
    return written(path, *made)


def config(results: Path, **changes: object) -> Run:
    return number_run(results, **{"budget": {"evaluations": 9}} | changes)


def statuses(path: Path, chosen: Run) -> dict[str, str]:
    """Run a set and return the status by row."""
    found = run_set(path, chosen, evaluators=picky(path.parent / "log"))
    return {row.id: row.status for row in found.rows}


def test_each_row_is_run_or_counted_apart(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a", "one", "small", "b")
    told: list[str] = []
    found = run_set(
        path,
        config(tmp_path),
        on_row=lambda n, of, r: told.append(f"{n}/{of} {r.id}"),
        evaluators=picky(tmp_path / "log"),
    )
    assert [(r.id, r.status) for r in found.rows] == [
        ("a", "proven"),
        ("one", "not_measurable"),
        ("small", "too_small"),
        ("b", "proven"),
    ]
    assert not list(tmp_path.glob("set/[!.]*/.*")), "no half of a note is left"
    assert told == ["1/4 a", "2/4 one", "3/4 small", "4/4 b"]
    assert found.counts == {"proven": 2, "not_measurable": 1, "too_small": 1}
    assert (tmp_path / "set" / "a" / "run.db").is_file()


def test_a_second_run_pays_for_nothing(tmp_path: Path) -> None:
    path, log = rows(tmp_path / "set.jsonl", "a", "one", "small"), tmp_path / "log"
    first = run_set(path, config(tmp_path), evaluators=picky(log))
    paid = log.read_text()
    assert run_set(path, config(tmp_path), evaluators=picky(log)) == first
    assert log.read_text() == paid


def test_a_machine_that_cannot_isolate_stops_the_set(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a", "caged")
    with pytest.raises(IsolationError, match="no landlock"):
        run_set(path, config(tmp_path), evaluators=picky(tmp_path / "log"))


def learning(results: Path, **memory: object) -> Run:
    """Return a run file that says of memory only what is given."""
    return config(results, memory=memory)


def priors(found: SetResult) -> dict[str, dict[str, tuple[float, float]]]:
    """Return the prior that each row with a run began with."""
    told = {}
    for each in found.rows:
        if each.result is not None:
            with Journal(Path(each.result.run) / "run.db", write=False) as journal:
                first = next(journal.events())
            assert isinstance(first, Started)
            told[each.id] = first.prior
    return told


@pytest.mark.tier("runs")
def test_no_row_learns_from_another_unless_it_is_asked_for(tmp_path: Path) -> None:
    path, log = rows(tmp_path / "set.jsonl", "a", "b"), tmp_path / "log"
    frozen = run_set(path, learning(tmp_path), evaluators=picky(log))
    assert priors(frozen) == {"a": {}, "b": {}}
    assert not (tmp_path / "set" / FILE).exists()
    told = run_set(path, learning(tmp_path / "told", prior=True), evaluators=picky(log))
    assert priors(told)["a"] == {}
    assert priors(told)["b"] != {}


def test_rows_of_a_set_that_learned_go_on_as_they_began(tmp_path: Path) -> None:
    """Before the prior of rows was frozen each row learned from those above."""
    path, log = rows(tmp_path / "set.jsonl", "a", "small"), tmp_path / "log"
    before = run_set(path, learning(tmp_path, prior=True), evaluators=picky(log))
    paid = log.read_text()
    assert run_set(path, learning(tmp_path), evaluators=picky(log)) == before
    assert log.read_text() == paid


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
    folder = tmp_path / "set" / name
    folder.mkdir(parents=True)
    left(folder)
    expected = {name: "too_small" if name == "small" else "proven", "b": "proven"}
    for _ in range(2):
        assert statuses(path, config(tmp_path)) == expected


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
    (tmp_path / "set" / "a").mkdir(parents=True)
    left(tmp_path / "set" / "a")
    assert statuses(path, config(tmp_path)) == {"a": "failed", "b": "proven"}


@pytest.mark.tier("runs")
def test_a_damaged_run_stops_no_other_row(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a", "b")
    statuses(path, config(tmp_path))
    with closing(sqlite3.connect(tmp_path / "set" / "a" / "run.db")) as db, db:
        db.execute("INSERT INTO events (slot, kind, body) VALUES (0, 'x', '{')")
    assert statuses(path, config(tmp_path)) == {"a": "failed", "b": "proven"}


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param({"budget": {"evaluations": 20}}, "budget.evaluations", id="grown-budget"),
        pytest.param({"seed": 5}, "seed", id="seed"),
        pytest.param({"operators": [Step1.name]}, "operators", id="operators"),
        pytest.param({"judge": {"margin": 0.5}}, "judge.margin", id="judge"),
    ],
)
def test_another_configuration_is_refused_before_a_row_is_run(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    path = rows(tmp_path / "set.jsonl", "new", "a")
    statuses(rows(path, "a"), config(tmp_path))
    rows(path, "new", "a")
    with pytest.raises(ConfigError, match=f"set/a .* another configuration: {said}$") as caught:
        statuses(path, config(tmp_path, **changes))
    assert "--set results=" in caught.value.hint
    assert not (tmp_path / "set" / "new").exists()


@pytest.mark.parametrize("name", ["one", "small"])
def test_a_note_holds_for_its_configuration_only(tmp_path: Path, name: str) -> None:
    path = rows(tmp_path / "set.jsonl", name)
    statuses(path, config(tmp_path))
    assert list(statuses(path, config(tmp_path, workers=2))) == [name]
    with pytest.raises(ConfigError, match=f"'{name}': the row or the configuration"):
        statuses(path, config(tmp_path, seed=5))


def test_more_workers_are_the_same_configuration(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a")
    statuses(path, config(tmp_path))
    paid = (tmp_path / "log").read_text()
    assert statuses(path, config(tmp_path, workers=2)) == {"a": "proven"}
    assert (tmp_path / "log").read_text() == paid


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
    statuses(path, config(tmp_path))
    written(path, row(id=name, **{"slow": {"code": "x = 1"}} | changes))
    with pytest.raises(ConfigError, match=f"row '{name}': the row .*changed"):
        statuses(path, config(tmp_path))


def test_another_statement_is_the_same_row(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "a", "small")
    first = statuses(path, config(tmp_path))
    slow = {"code": "x = 1"}
    written(path, *(row(id=name, slow=slow, statement="Go.") for name in ("a", "small")))
    assert statuses(path, config(tmp_path)) == first


@pytest.mark.tier("runs")
@pytest.mark.parametrize("name", ["-a", "..", "", "a/b", "ä ö", "x" * 400])
def test_an_odd_id_has_a_run_that_can_be_taken_up_and_replayed(
    tmp_path: Path, name: str
) -> None:
    path = rows(tmp_path / "set.jsonl", name, "a_b")
    for _ in range(2):
        assert statuses(path, config(tmp_path)) == {name: "proven", "a_b": "proven"}
    folders = [path.parent for path in (tmp_path / "set").glob("*/run.db")]
    assert len(folders) == 2
    assert all(replay(folder).complete for folder in folders)


def test_what_memory_was_worth_is_told_of_all_rows_together(tmp_path: Path) -> None:
    sides = [(Side(1, 3), Side(0, 2)), (Side(2, 4), Side(1, 1))]
    made = [
        CellResult(
            id=str(number),
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
    skipped = CellResult(id="small", status="too_small", reason="0.1 ms")
    found = SetResult(path="", results="", rows=(*made, skipped))
    assert found.memory == Worth(Side(3, 7), Side(1, 3))
    assert found.as_json()["memory"] == {
        "informed": {"gains": 3, "steps": 7},
        "withheld": {"gains": 1, "steps": 3},
        "tokens": 0,  # no model was asked
        "gain": 0.0,
    }


def test_a_time_limit_that_is_too_small_for_any_row_runs_none(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "one", "two")
    with pytest.raises(ConfigError, match=r"budget\.cpu_seconds = 5: too small"):
        statuses(path, config(tmp_path, budget={"cpu_seconds": 5.0}))
    assert not (tmp_path / "set").exists()


def test_a_row_that_a_time_limit_is_too_small_for_has_failed(tmp_path: Path) -> None:
    path = rows(tmp_path / "set.jsonl", "two", "small")
    found = statuses(path, config(tmp_path, budget={"cpu_seconds": 20.0, "evaluations": 3}))
    assert found == {"two": "failed", "small": "too_small"}
