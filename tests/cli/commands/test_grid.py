"""`grid`: the plan that is shown, real cells in processes, Ctrl-C and kill -9, and refusals."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from pathlib import Path

import pytest

from se_agent.cli.commands.grid_progress import GridProgress
from se_agent.cli.screen import Screen
from se_agent.engine.journal.result import Result
from se_agent.engine.run.replay import replay
from se_agent.grid.cell_run import CellResult
from se_agent.grid.cost_estimate import CostForecast
from se_agent.grid.grid_run import plan, progress_of
from se_agent.wire.spelling import is_hidden
from tests.cli.calls import COMMAND, call, exit_code, process, started, two_lines
from tests.grid.grids import number_grid, scored_problem, written_grid
from tests.llm.endpoint import completion, says, serving

COMMON = 'operators = ["tune"]\nbudget.evaluations = 4\n'
TABLE = """
problems = ["widths"]
seeds = 2
arms.plain = {}
arms.random = { policy = "random" }
"""


def grid_in(home: Path, table: str = TABLE) -> Path:
    scored_problem(home)
    return written_grid(home, table, COMMON)


def rows(out: str) -> list[tuple[object, ...]]:
    """Return the table of `--json`, figures that are measured aside."""
    found = json.loads(out.splitlines()[-1])
    keys = ("id", "status", "reason", "best_solution_id", "score", "evaluations", "settings")
    return [tuple(cell.get(key) for key in keys) for cell in found["cells"]]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A grid that was run to its end by real processes, two cells at a time, and its JSON."""
    home = tmp_path_factory.mktemp("done")
    path = grid_in(home)
    called = process([*COMMAND, "grid", path, "--json", "--jobs", "2"], home)
    assert called.code == 0, called
    assert "4 of 4" in called.err
    assert "4 done, 0 running, 0 failed" in called.err
    assert re.search(r"[12] done, \d running, 0 failed, \d to go; about \d+ s left", called.err)
    return path, called.out


def test_progress_says_what_is_left_and_how_long_that_takes(tmp_path: Path) -> None:
    """Two of six cells have failed and one runs; one like them took 40 s."""
    planned = plan(number_grid(tmp_path, "seeds = 6", "p"))
    forecast, cells = CostForecast(jobs=2), [each.cell for each in planned]
    progress = GridProgress(planned, forecast, Screen(as_json=False), tmp_path)
    result = Result(run="", problem="p", status="proven", best_solution_id="", evaluations=6)
    forecast.learn(cells[0], result, 40.0)
    for cell in cells[:2]:
        progress.begin(cell, 1)
        progress.end(cell, CellResult(id=cell.name, status="failed", reason="no"))
    progress.begin(cells[2], 1)
    assert progress.words() == "0 done, 1 running, 2 failed, 3 to go; about 80 s left"


@pytest.mark.tier("runs")
def test_chosen_cells_are_forecast_by_all_that_have_ended(done: tuple[Path, str]) -> None:
    """An arm that was changed in the file since is no hindrance: its cells say nothing."""
    path = done[0].with_name("again.toml")
    text = done[0].read_text().replace("seeds = 2", "seeds = 3")
    path.write_text(f'name = "trial"\n{text}')
    shown = call("grid", path, "--only", "plain/*", "--dry-run")
    assert "(by cells that have ended)" in shown.out
    path.write_text(path.read_text().replace('policy = "random"', 'policy = "cse"'))
    assert "holds another" in two_lines(call("grid", path, "--dry-run"))[0]
    changed = call("grid", path, "--only", "plain/*", "--dry-run")
    assert (changed.code, changed.err) == (0, "")
    path.unlink()


@pytest.mark.tier("runs")
def test_cells_are_ordinary_runs(done: tuple[Path, str]) -> None:
    path, _ = done
    home = path.parent / "results" / "trial"
    cell = home / "random" / "widths-s1"
    assert call("show", cell).code == 0
    assert replay(cell).differences == ()
    assert progress_of(cell)[1], "its search has ended"
    assert call("resume", cell).code == 0
    compared = call("compare", home)
    assert compared.code == 0, compared
    assert "plain (base)" in compared.out
    assert 'policy="random"' in compared.out


@pytest.mark.tier("runs")
def test_a_second_start_runs_nothing(done: tuple[Path, str]) -> None:
    path, out = done
    home = path.parent / "results" / "trial"
    before = {each: each.stat().st_mtime_ns for each in home.rglob("run.db")}
    again = call("grid", path, "--json")
    assert rows(again.out) == rows(out)
    assert "4 cells: 2 arms x 1 problem x 2 seeds; 0 to run" in again.err
    assert {each: each.stat().st_mtime_ns for each in home.rglob("run.db")} == before


@pytest.mark.tier("runs")
def test_ls_names_grids(done: tuple[Path, str]) -> None:
    path, _ = done
    listed = call("ls", "--results", path.parent / "results")
    assert f"grid {path.parent / 'results' / 'trial'}: 4 runs of 4 cells" in listed.out
    assert f"se-agent compare {path.parent / 'results' / 'trial'}" in listed.out


@pytest.mark.tier("runs")
def test_killed_at_any_moment_it_comes_to_the_same(
    done: tuple[Path, str], tmp_path: Path
) -> None:
    """What was on disk is enough: the parent and its cells are killed without a word."""
    path, rng = grid_in(tmp_path), random.Random(36)
    for _ in range(3):
        run = started([*COMMAND, "grid", path], tmp_path)
        assert run.stdout is not None
        while "begins" not in run.stdout.readline():
            pass
        time.sleep(rng.uniform(0.0, 2.0))
        run.send_signal(signal.SIGKILL)
        run.communicate()
    called = process([*COMMAND, "grid", path, "--json"], tmp_path)
    assert rows(called.out) == rows(done[1])


@pytest.mark.tier("runs")
def test_ctrl_c_saves_and_the_same_command_goes_on(
    done: tuple[Path, str], tmp_path: Path
) -> None:
    path = grid_in(tmp_path)
    run = started([*COMMAND, "grid", path], tmp_path)
    assert run.stdout is not None
    while "begins" not in run.stdout.readline():
        pass
    os.kill(run.pid, signal.SIGINT)
    out, _ = run.communicate(timeout=100)
    assert exit_code(run) == 130
    assert "interrupted; saved. The same command goes on where it was" in out
    called = process([*COMMAND, "grid", path, "--json"], tmp_path)
    assert rows(called.out) == rows(done[1])


@pytest.mark.tier("runs")
def test_a_problem_that_fails_its_tests_fails_its_cells_alone(tmp_path: Path) -> None:
    path = grid_in(tmp_path, TABLE.replace('"widths"', '"widths", "broken"'))
    scored_problem(
        tmp_path, "broken", {"scorer.py": "def score(args, output):\n    return 1 / 0\n"}
    )
    called = process([*COMMAND, "grid", path, "--json", "--only", "plain/*-s0"], tmp_path)
    found = {cell["id"]: cell for cell in json.loads(called.out.splitlines()[-1])["cells"]}
    assert found["plain/widths-s0"]["status"] == "proven"
    assert found["plain/broken-s0"]["status"] == "failed"
    assert "broken" in found["plain/broken-s0"]["reason"]
    assert "1 done, 0 running, 1 failed" in called.err
    assert "--retry" in called.err
    planned = call("grid", path, "--dry-run").out
    assert f"failed: plain/broken-s0: {found['plain/broken-s0']['reason']}" in planned


def test_a_dry_run_shows_cells_costs_and_power_and_makes_nothing(tmp_path: Path) -> None:
    path = grid_in(tmp_path, TABLE.replace("seeds = 2", "seeds = 3"))
    called = call("grid", path, "--dry-run")
    assert called.code == 0
    assert "plain   widths   0 to 2            4  3 to run" in called.out
    assert "estimate: at most 24 evaluations, no calls of models" in called.out
    assert "smallest difference of scores it can show:" in called.out
    assert "(3 pairs of each arm, 1 problem)" in called.out
    assert not (tmp_path / "results").exists()


def test_a_problem_that_cannot_be_read_is_named_and_counts_for_nothing(tmp_path: Path) -> None:
    table = TABLE.replace("seeds = 2", "seeds = 3").replace('"widths"', '"widths", "torn"')
    scored_problem(tmp_path, "torn", {"problem.toml": 'kind = "scor"'})
    called = call("grid", grid_in(tmp_path, table), "--dry-run", "--json")
    assert "plain   torn     0 to 2            4  3 cannot be run" in called.err
    assert "12 cells: 2 arms x 2 problems x 3 seeds; 6 to run, 6 cannot be run" in called.err
    (told,) = (line for line in called.err.splitlines() if line.startswith("cannot be run: "))
    assert "torn: " in told
    assert "scor" in told
    assert "estimate: at most 24 evaluations" in called.err
    assert "(3 pairs of each arm, 1 problem)" in called.err
    states = [cell["status"] for cell in json.loads(called.out)["cells"]]
    assert (states.count("to run"), states.count("cannot be run")) == (6, 6)
    alone = grid_in(tmp_path / "alone", table.replace('"widths", ', ""))
    scored_problem(tmp_path / "alone", "torn", {"problem.toml": 'kind = "scor"'})
    assert "estimate" not in call("grid", alone, "--dry-run").out


def test_the_plan_has_arms_in_the_order_of_the_file(tmp_path: Path) -> None:
    """They take turns as they run, problem by problem."""
    for name in ("a", "b", "c"):
        scored_problem(tmp_path, name)
    arms = 'arms.z = {}\narms.y = { policy = "random" }\nnull = true'
    path = written_grid(tmp_path, f'problems = ["c", "a", "b"]\n{arms}', COMMON)
    out = call("grid", path, "--dry-run").out
    shown = [line.split()[:2] for line in out.splitlines()[1:10]]
    assert shown == [[arm, name] for name in "abc" for arm in ("z", "y", "null")]


def test_of_one_arm_and_its_null_arm_the_plan_says_what_they_show(tmp_path: Path) -> None:
    null = grid_in(tmp_path, 'problems = ["widths"]\nnull = true')
    told = "one arm and its null arm: what they differ by is the noise floor of this design"
    assert told in call("grid", null, "--dry-run").out
    alone = grid_in(tmp_path / "alone", 'problems = ["widths"]')
    assert "one arm: there is nothing to compare" in call("grid", alone, "--dry-run").out


def test_of_two_seeds_a_dry_run_promises_no_interval(tmp_path: Path) -> None:
    out = call("grid", grid_in(tmp_path), "--dry-run").out
    assert "smallest difference it can show: none" in out
    assert "(2 pairs of each arm, 1 problem)" in out


def test_timed_problems_beside_each_other_are_refused_unless_named(tmp_path: Path) -> None:
    path = written_grid(tmp_path, 'problems = ["order_report"]\nseeds = 2', COMMON)
    error, hint = two_lines(call("grid", path, "--jobs", "64"))
    assert error.startswith("--jobs 64: programs are timed")
    assert "--accept crowded" in hint
    assert not (tmp_path / "results").exists()
    assert call("grid", path, "--jobs", "64", "--dry-run", "--accept", "crowded").code == 0


@pytest.mark.tier("runs")
def test_no_output_of_a_program_and_no_name_drives_the_terminal(tmp_path: Path) -> None:
    bad = "\x1b[31mred\x1b]0;title\x07\u202e\x00</script>"
    fails = {"initial.py": f"def value(size):\n    raise OSError({bad!r})\n"}
    scored_problem(tmp_path, "program", fails)
    fails = {"scorer.py": f"def score(args, output):\n    raise OSError({bad!r})\n"}
    scored_problem(tmp_path, "scorer", fails)
    table = 'problems = ["./program", "./scorer"]\nseeds = 1'
    path = written_grid(tmp_path, table, COMMON)
    called = call("grid", path, "--json")
    assert called.code == 1, "both have failed"
    assert "report" not in called.err
    assert "red" in called.out
    assert "red" in called.err
    assert not any(map(is_hidden, set(called.out + called.err) - {"\n"}))
    scored_problem(tmp_path, "wide\x1b[31m")
    path = written_grid(tmp_path, 'problems = ["./wide*"]', COMMON)
    assert "not one line of text" in two_lines(call("grid", path))[0]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('problems = ["order_report"]\nseds = 1', "grid.seds: unknown key"),
        ('problems = ["order_report"]\nseeds = 0', "grid.seeds"),
        ('problems = ["order_report"]\naxes.lag = []', "an empty axis"),
        ('problems = ["order_report"]\narms.a = {}\narms.b = {}', "are alike"),
        ('problems = ["order_report", "order_report"]', "two problems are called"),
        ('problems = ["order_report"]\narms.a = { policy = "portfolo" }', "'portfolo'"),
    ],
)
def test_bad_grids_are_two_lines(tmp_path: Path, table: str, told: str) -> None:
    error, _ = two_lines(call("grid", written_grid(tmp_path, table, COMMON)))
    assert told in error
    assert not (tmp_path / "results").exists()


def test_an_arm_without_the_model_that_it_needs_is_refused(tmp_path: Path) -> None:
    table = 'problems = ["order_report"]\narms.a = {}\narms.b = { operators = ["mutation"] }'
    path = written_grid(tmp_path, table, "")
    error, hint = two_lines(call("grid", path))
    assert error == "arm b: operator 'mutation' needs a model, and the run file names none"
    assert "models.main.name" in hint
    assert not (tmp_path / "results").exists()


def test_a_grid_is_checked_by_its_dry_run(tmp_path: Path) -> None:
    path = grid_in(tmp_path)
    error, hint = two_lines(call("check", path))
    assert error == f"{path}: a grid of runs"
    assert f"`se-agent grid {path}` runs it; --dry-run checks it" in hint


@pytest.mark.tier("runs")
def test_last_may_be_a_cell_and_a_grid_names_what_reads_it(
    done: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(done[0].parent)
    newest = max(Path("results").rglob("problem.json"), key=lambda path: path.stat().st_mtime)
    assert str(newest.parent) in call("show", "last").out
    error, hint = two_lines(call("show", "trial"))
    assert error.endswith("not a run folder: it has no run.db")
    assert "`se-agent compare results/trial`" in hint


@pytest.mark.tier("runs")
def test_the_first_arm_of_a_grid_is_the_base(tmp_path: Path) -> None:
    """Also where another arm has fewer settings of its own: the null arm repeats the first."""
    table = TABLE.replace("arms.plain = {}", "null = true\narms.late = { lag = 2 }")
    path = grid_in(tmp_path, table + "arms.plain = {}\n")
    assert process([*COMMAND, "grid", path], tmp_path).code == 0
    compared = call("compare", path.parent / "results" / "trial")
    assert "late (base)" in compared.out
    assert "null arm has other settings" not in compared.out


def test_a_name_of_no_doubt_and_a_glob_of_no_cell_are_refused(tmp_path: Path) -> None:
    path = grid_in(tmp_path)
    assert two_lines(call("grid", path, "--accept", "noise"))[1] == "known: crowded"
    assert "plain" in two_lines(call("grid", path, "--only", "plian"))[1]


@pytest.mark.tier("runs")
def test_a_model_whose_replies_become_no_program_is_told_of_at_once(tmp_path: Path) -> None:
    """With the first cell, not in a comparison after the last one."""
    with serving() as server:
        server.will(lambda _: says(completion("I looked at it closely.")))
        model = f'models.main = {{ name = "fake", base_url = "{server.url}" }}\n'
        scored_problem(tmp_path)
        table = 'problems = ["widths"]\nseeds = 2\narms.plain = {}'
        budget = 'operators = ["tune", "mutation"]\nbudget.evaluations = 2\nbudget.calls = 2\n'
        path = written_grid(tmp_path, table, model + budget)
        called = process([*COMMAND, "grid", path, "--json"], tmp_path)
    assert called.code == 0, called
    first = "in 1 cell no reply of a model became a program, so that prompts made no difference"
    assert called.err.index("1 of 2 ") < called.err.index(first) < called.err.index("2 of 2 ")
    assert called.err.count("in 2 cells no reply of a model became a program") == 1
    assert called.err.count("no reply of a model became a program") == 2


@pytest.mark.tier("runs")
def test_workers_that_have_nothing_to_do_are_told_of(tmp_path: Path) -> None:
    table = 'problems = ["widths"]\nseeds = 1'
    called = call("grid", grid_in(tmp_path, table), "--set", "workers=3")
    assert called.code == 0, called
    assert called.out.count("workers=3, and lag=1 keeps 1 open: the others idle") == 1
    home = tmp_path / "results" / "trial"
    assert called.out.endswith(f"look at all of it:\n  se-agent report {home} --runs --open\n")
