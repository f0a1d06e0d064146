"""`knockout`: a table of what each edit was worth, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from se_agent.engine.run.knock_outs import KnockOuts
from se_agent.values.evaluation import ComparisonKind
from tests.cli.calls import call, two_lines
from tests.engine.runs import ran
from tests.engine.step.test_minimise import Leap, Wrong
from tests.fakes import NumberEvaluator
from tests.finished import finished, unfinished


class Seven(Leap):
    """Makes a wrong program: a multiple of seven."""

    name = "tests.cli.commands.test_knockout:Seven"
    by = (7,)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose knock-outs are on record: the world's evaluator is no registered one."""
    results = tmp_path_factory.mktemp("results")
    result = ran(results, operators=[Wrong.name], trim=False, timed=True)
    known = KnockOuts(Path(result.run))
    (*_, last) = known.measured(NumberEvaluator(ComparisonKind.TIMED), known.table(5))
    assert len(last.rows) == last.edits
    return Path(result.run)


def test_what_is_on_record_is_told_and_not_measured_again(measured: Path) -> None:
    said = call("knockout", measured)
    assert said.code == 0
    assert "Gen1_Sol_0 has 2 edits, 0 to measure" in said.out
    assert "needed: without it the program gave a wrong answer" in said.out
    assert "needed: a proven gain" in said.out
    assert "2 of 2 edits needed" in said.out
    assert "no rank correlation" in said.out


def test_a_program_reads_one_line(measured: Path) -> None:
    said = call("knockout", measured, "--json")
    row = json.loads(said.out)
    assert (row["solution"], row["seed"]) == ("Gen1_Sol_0", 5)
    assert {one["outcome"] for one in row["edits"]} == {"gain", "needed"}
    assert {one["status"] for one in row["edits"]} == {"AC", "WA"}


def test_a_run_that_ended_with_its_initial_program_has_nothing_to_leave_out(
    tmp_path: Path,
) -> None:
    folder = finished(tmp_path, timed=True, operators=[Seven.name])
    assert "no edit to leave out" in call("knockout", folder).out
    assert json.loads(call("knockout", folder, "--json").out)["edits"] == []


@pytest.mark.tier("runs")
def test_an_unfinished_run_is_refused_in_two_lines(tmp_path: Path) -> None:
    error, hint = two_lines(call("knockout", unfinished(tmp_path, 3)))
    assert "no confirmed program" in error
    assert "se-agent resume" in hint
