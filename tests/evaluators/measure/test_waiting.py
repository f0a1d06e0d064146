"""A candidate that waits saves CPU time, and wins nothing by it: on a scripted clock."""

from __future__ import annotations

import math
import re

import pytest

from se_agent.values.evaluation import Block, InputSet, Status
from se_agent.values.objective import CPU_TIME, Objective, Quantity
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem

WALL = Objective.weighted({"wall": 1})


def measured(
    candidate: str,
    inputs: InputSet = InputSet.SEARCH,
    *,
    seconds: float = 0.005,
    objective: Objective = CPU_TIME,
    sandbox: ScriptedSandbox | None = None,
) -> Block:
    """Return a block against a program that computes for `seconds` a unit of size."""
    sandbox = sandbox or ScriptedSandbox()
    measuring = evaluator(
        timed_problem(seconds),
        sandbox,
        objective=objective,
        isolation="namespace" if objective == WALL else "jail",
    )
    sides = solution(program(seconds)), solution(candidate)
    return measuring.block(*sides, number=0, pairs=8, inputs=inputs)


def waiter(waits: float, seconds: float) -> str:
    """Return a program that waits for so long an input, besides what it computes."""
    return f"WAITING = {waits}\n{program(seconds)}"


@pytest.mark.parametrize("inputs", list(InputSet))
@pytest.mark.parametrize("waits", [0.03, 0.2])
def test_one_that_sleeps_instead_of_computing_is_refused(
    waits: float, inputs: InputSet
) -> None:
    """On the wall it may even be faster: CPU time says nothing of it all the same."""
    block = measured(waiter(waits, 0.0001), inputs)
    assert (block.status, block.reference_status) == (Status.TLE, Status.AC)
    assert block.effect == 0
    assert re.fullmatch(
        r"it waits: [\d.]+ m?s of CPU time in [\d.]+ m?s on the wall", block.feedback
    )


def test_what_waits_in_all_runs_is_not_waited_for_long() -> None:
    """A call of 50 us lets a run answer ever more inputs: each of them would wait."""
    sandbox = ScriptedSandbox()
    block = measured(waiter(0.02, 1e-6), seconds=5e-6, sandbox=sandbox)
    assert block.status is Status.TLE
    most = max(len(job.inputs) for job in sandbox.jobs)
    assert most * 0.02 < 10


@pytest.mark.parametrize("crowded", [1.5, 4.0, 12.0])
@pytest.mark.parametrize("gain", [1.05, 3.0, 20.0])
def test_who_is_kept_waiting_by_others_computes(gain: float, crowded: float) -> None:
    sandbox = ScriptedSandbox(crowded=crowded)
    block = measured(program(0.005 / gain), sandbox=sandbox)
    assert block.status is Status.AC
    assert block.effect == pytest.approx(math.log(gain), abs=1e-6)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("inputs", list(InputSet))
def test_who_is_late_in_most_runs_only_is_not_said_to_wait(seed: int, inputs: InputSet) -> None:
    """Where six programs wanted a core, three pairs of an honest one were late."""
    sandbox = ScriptedSandbox(late=0.6, seed=seed)
    block = measured(program(0.00005), inputs, sandbox=sandbox)
    assert block.status is Status.AC


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("inputs", list(InputSet))
def test_what_others_make_of_reading_the_inputs_is_not_waiting(
    seed: int, inputs: InputSet
) -> None:
    """They take longer to read than a quick program computes."""
    sandbox = ScriptedSandbox(startup=0.08, uneven=2.0, seed=seed)
    block = measured(program(0.00005), inputs, sandbox=sandbox)
    assert block.status is Status.AC


def test_who_waits_a_little_is_measured_and_both_ratios_are_kept() -> None:
    block = measured(waiter(0.01, 0.001), InputSet.FINAL)
    assert block.status is Status.AC
    figures = {figure.quantity: figure for figure in block.figures}
    wall = figures[Quantity.WALL]
    assert block.effect == pytest.approx(math.log(5))
    assert wall.reference / wall.candidate == pytest.approx(0.05 / 0.02, rel=0.05)


def test_where_wall_time_is_compared_waiting_is_measured_as_it_is() -> None:
    block = measured(waiter(0.03, 0.0001), objective=WALL)
    assert block.status is Status.AC
    assert block.effect == pytest.approx(math.log(0.05 / 0.031), rel=0.05)
