"""A gain in instructions counts as far as CPU time shows it: on scripted clocks."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from evaluators.answers.bench import Bench
from evaluators.measure.agreeing import TIMES
from evaluators.measure.block import Blocks
from evaluators.running.runner import CallRunner
from evaluators.sandbox.job import Job, JobOutcome
from evaluators.sandbox.usage import ProcessUsage
from se_agent.config.sections import Measure
from se_agent.values.evaluation import Block, InputSet, Status
from se_agent.values.objective import Objective, Quantity
from tests.evaluators.measure.test_deferred import NEXT, lazy
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import program, solution, timed_problem

COUNTED = Objective.weighted({"instructions": 1})


class Counting(ScriptedSandbox):
    """Counts a thousand million instructions a scripted second; it is never restarted."""

    def run(self, job: Job) -> JobOutcome:
        """Return the outcome, with the count."""
        outcome = super().run(job)
        return replace(
            outcome, usage=ProcessUsage(instructions=round(1e9 * outcome.cpu_seconds))
        )


def counted(
    candidate: str,
    *,
    reference: str = program(0.005),
    inputs: InputSet = InputSet.SEARCH,
    seed: int = 0,
) -> Block:
    problem = timed_problem()
    bench = Bench.of(problem, ScriptedSandbox(noise=0.001, seed=seed), CallRunner(problem))
    blocks = Blocks(bench, Measure(), seed=0, objective=COUNTED, counting=Counting(startup=0.1))
    sides = solution(reference), solution(candidate)
    return blocks.measure(*sides, number=0, pairs=1, inputs=inputs)


def forged(seconds: float) -> str:
    """Return a program that takes so long a unit, and next to nothing where it is counted."""
    text = program(seconds)
    return text.replace(
        f"return {seconds} * size", f"return ({seconds} if LAYOUT else 1e-9) * size"
    )


@pytest.mark.tier("isolation")
@pytest.mark.parametrize("inputs", list(InputSet))
@pytest.mark.parametrize("seconds", [0.005, 0.0055, 0.01])
def test_a_count_that_falls_alone_is_no_gain(seconds: float, inputs: InputSet) -> None:
    found = [counted(forged(seconds), inputs=inputs, seed=seed) for seed in range(5)]
    assert {block.status for block in found} == {Status.AC}
    gains = [block for block in found if block.effect > 0]
    assert len(gains) <= (seconds == 0.005)
    assert max(block.effect for block in found) < 0.02
    assert all("CPU time" in block.reservation for block in found)


def test_a_count_that_falls_far_more_than_cpu_time_counts_for_less() -> None:
    block = counted(forged(0.004))
    assert block.effect == pytest.approx(TIMES * math.log(5 / 4), abs=0.1)
    assert block.reference / block.candidate == pytest.approx(math.exp(block.effect))
    assert "CPU time falls less: " in block.reservation


@pytest.mark.parametrize("gain", [1.05, 1.25, 8.0])
@pytest.mark.parametrize("seed", range(4))
def test_an_honest_gain_counts_whole(gain: float, seed: int) -> None:
    block = counted(program(0.005 / gain), seed=seed)
    assert block.effect == pytest.approx(math.log(gain), abs=1e-3)
    assert block.reservation == ""
    figures = {figure.quantity: figure for figure in block.figures}
    assert figures[Quantity.CPU].reference == pytest.approx(0.05, rel=0.1)


def test_work_that_is_put_off_counts_here_too() -> None:
    block = counted(lazy(NEXT, 0.02), reference=program(0.02))
    assert block.effect < 0.35
    assert "after its answers" in block.reservation


def test_who_counts_no_gain_is_not_timed() -> None:
    assert counted(program(0.006)).effect == pytest.approx(math.log(5 / 6), abs=1e-3)
    assert Quantity.CPU not in {one.quantity for one in counted(program(0.006)).figures}
