"""A run that would try nothing says so before it costs anything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from se_agent.cli.checks.no_candidates import barren
from se_agent.config.run_file import Run
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.problem.loading import load_problem
from tests.cli.calls import call, two_lines
from tests.cli.folders import problem_folder

DULL = """
def pairs(numbers, total):
    found = 7
    for one in numbers * 50:
        found = (found * 31 + one * one - (one ^ total)) % 1000003
    return found
"""
GCD = """
def pairs(numbers, total):
    one, other = len(numbers), total
    while other:
        one, other = other, one % other
    return one
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(folder: Path, **settings: object) -> str:
    chosen = Run.model_validate({"problem": "pairs", **settings})
    found = barren(ResolvedRun.of(chosen, load_problem(folder)))
    return f"{found} {found.hint}" if found else ""


@pytest.mark.tier("runs")
def test_run_says_where_the_time_goes_and_what_was_looked_for(tmp_path: Path) -> None:
    called = call("run", problem_folder(tmp_path, initial=DULL))
    error, *said, hint = called.err.splitlines()
    error, hint = error.removeprefix("error: "), hint.removeprefix("hint:  ")
    told = "\n".join(said)
    assert re.search(r"\d+% of the CPU time is spent in line \d of pairs\(\): ", told)
    assert "looked for, and not found:" in told
    assert "a list that is searched or counted in a loop" in told
    assert "a known function that gives the same answers (1 rule)" in told
    assert re.fullmatch(
        r"pairs: a run would have nothing to try: none of \d\d operators has a change of the "
        "initial program to propose",
        error,
    )
    assert "models.main.name=NAME" in hint
    assert "`# tune: 1..50`" in hint
    assert not (tmp_path / "results").exists()


@pytest.mark.tier("runs")
def test_check_says_the_same_and_shows_the_rest(tmp_path: Path) -> None:
    called = call("check", problem_folder(tmp_path, initial=DULL), "--mutants", 2)
    assert called.code == 2
    verdict = called.out.splitlines()[1].removeprefix("verdict").strip()
    assert called.err.splitlines()[0] == f"error: {verdict}"
    assert "nothing to try" in verdict
    assert re.search(r"^mutants +2 of \d+ places tried", called.out, re.MULTILINE)


def test_a_wrong_program_comes_first(tmp_path: Path) -> None:
    folder = problem_folder(tmp_path, initial=DULL.replace("total)) %", "totl)) %"))
    error, _ = two_lines(call("run", folder))
    assert "NameError" in error
    assert "nothing to try" not in error


def test_what_may_be_tuned_is_something_to_try(tmp_path: Path) -> None:
    marked = "STEP = 31  # tune: 1..50\n" + DULL.replace("31", "STEP")
    assert told(problem_folder(tmp_path, initial=marked)) == ""


@pytest.mark.tier("runs")
def test_a_program_is_known_by_what_it_does(tmp_path: Path) -> None:
    generator = (
        "def generate(rng, size):\n    return [0] * rng.randrange(size), rng.randrange(size)\n"
    )
    assert told(problem_folder(tmp_path, initial=GCD, generator=generator)) == ""


def test_a_model_has_always_something_to_try(tmp_path: Path) -> None:
    folder = problem_folder(tmp_path, initial=DULL)
    assert told(folder, models={"main": {"name": "any"}}) == ""


@pytest.mark.tier("runs")
def test_what_is_easier_than_a_model_comes_first(tmp_path: Path) -> None:
    hint = told(problem_folder(tmp_path, initial=DULL), operators=("set_membership",))
    assert "let all operators try (no `operators`, no `without`), name a model" in hint
    chosen = Run(problem="circle_packing")
    packing = barren(ResolvedRun.of(chosen, load_problem("circle_packing")))
    assert packing is not None
    assert "`--set program=joint`" in packing.hint
