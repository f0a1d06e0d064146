"""What compiler flags gain stands beside the proof, and is no part of it."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from se_agent.cli.json_row import row
from se_agent.engine.journal.result import Result
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import start
from se_agent.errors import SandboxError
from se_agent.events import BlockMeasured, Confirmed
from se_agent.report.story import Story
from se_agent.report.terminal.page import beside
from se_agent.values.evaluation import Block, ComparisonKind, InputSet
from se_agent.values.solution import Solution
from tests.engine.runs import events_of
from tests.fakes import NumberEvaluator, number_problem, number_run


class Flagged(NumberEvaluator):
    """With flags every program is one that is somewhat faster."""

    def flagged(self, solution: Solution) -> Solution | None:
        """Return the program, a little further on."""
        number = int(solution.text.split("=")[1]) + 10
        return Solution(
            id=f"{solution.id}, compiled with -O3", files={"main.py": f"x = {number}"}
        )


class BrokenOff(Flagged):
    """With flags programs are measured for one block only."""

    def block(self, reference: Solution, candidate: Solution, **rest: Any) -> Block:
        if "compiled with" in candidate.id and rest["number"] > 1:
            raise SandboxError("it is closed", hint="none")
        return super().block(reference, candidate, **rest)


def ran(results: Path, evaluator: NumberEvaluator, **changes: object) -> Result:
    return start(
        number_run(results, **changes),
        problem=number_problem(timed=True),
        evaluators=lambda problem, config: evaluator,
    )


def confirmed(result: Result) -> Confirmed:
    (found,) = [event for event in events_of(result) if isinstance(event, Confirmed)]
    return found


@pytest.mark.tier("runs")
def test_the_gain_of_flags_is_told_apart_from_that_of_the_source(tmp_path: Path) -> None:
    plain = confirmed(ran(tmp_path, NumberEvaluator(ComparisonKind.TIMED), name="plain"))
    result = ran(tmp_path, Flagged(ComparisonKind.TIMED), name="flagged")
    found = confirmed(result)
    assert plain.with_flags is None
    assert (found.solution, found.gain) == (plain.solution, plain.gain)
    assert found.with_flags is not None
    assert found.with_flags.flags == "-O3"
    assert 1 < found.with_flags.low <= found.with_flags.gain <= found.with_flags.high
    blocks = [e for e in events_of(result) if isinstance(e, BlockMeasured)]
    assert {e.inputs for e in blocks if "compiled with" in e.candidate} == {InputSet.FINAL}
    assert {e.slot for e in blocks if e.inputs is InputSet.FINAL} == {-1}, "the run's own"
    assert replay(Path(result.run)).differences == ()
    story = Story.of(events_of(result))
    told = "\n".join(str(line) for line in beside(story))
    assert row(result)["with_flags"] == vars(found.with_flags)
    assert "not in the gain: flags -O3 give 1." in told


@pytest.mark.tier("runs")
def test_it_is_not_measured_where_one_evaluator_has_no_flags(tmp_path: Path) -> None:
    kinds = itertools.cycle([Flagged, NumberEvaluator])
    result = start(
        number_run(tmp_path, workers=2, lag=2),
        problem=number_problem(timed=True),
        evaluators=lambda problem, config: next(kinds)(ComparisonKind.TIMED),
    )
    assert confirmed(result).with_flags is None


@pytest.mark.tier("runs")
def test_it_is_not_measured_where_no_time_is_left(tmp_path: Path) -> None:
    result = ran(tmp_path, Flagged(ComparisonKind.TIMED), budget={"cpu_seconds": 40.0})
    assert confirmed(result).with_flags is None


@pytest.mark.tier("runs")
def test_a_replay_breaks_off_where_flags_were(tmp_path: Path) -> None:
    result = ran(tmp_path, BrokenOff(ComparisonKind.TIMED))
    assert confirmed(result).with_flags is None
    again = replay(Path(result.run))
    assert (again.complete, again.differences) == (True, ())
