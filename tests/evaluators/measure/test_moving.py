"""Pairs at many places: where code lies is luck, and a block leaves it out."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import groupby

import pytest

from evaluators.languages.placing import PLACES
from evaluators.sandbox.job import Job, JobOutcome
from se_agent.values.evaluation import InputSet
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem

UNLUCKY = 1.8


class Movable(ScriptedSandbox):
    """Programs that say so are slow at one place of eight, others at another one."""

    def __init__(self) -> None:
        super().__init__()
        self.place = 0
        self.placed: list[tuple[int, str]] = []

    def move(self) -> None:
        """Go on at the next place."""
        self.place = (self.place + 1) % PLACES

    def run(self, job: Job) -> JobOutcome:
        """Have it be unlucky, where it is."""
        outcome = super().run(job)
        self.placed.append((self.place, job.program))
        unlucky = 2 if "# moved" in job.program else 5
        factor = UNLUCKY if self.place == unlucky else 1.0

        def slowed(seconds: float | None) -> float | None:
            return None if seconds is None else factor * seconds

        return replace(
            outcome,
            cpu_seconds=factor * outcome.cpu_seconds,
            first_seconds=factor * outcome.first_seconds,
            calls_seconds=slowed(outcome.calls_seconds),
        )


@pytest.mark.parametrize("gain", [1.0, 1.1])
@pytest.mark.parametrize("inputs", list(InputSet))
def test_luck_makes_no_gain_and_hides_none(gain: float, inputs: InputSet) -> None:
    other = solution(program(0.005 / gain) + "\n# moved")
    pairs = 12 if inputs is InputSet.SEARCH else PLACES
    block = evaluator(timed_problem(), Movable()).block(
        solution(program(0.005)), other, number=0, pairs=pairs, inputs=inputs
    )
    assert block.effect == pytest.approx(math.log(gain), abs=0.005)
    assert max(map(abs, block.pair_effects)) > 0.4


def test_all_that_a_pair_runs_lies_at_one_place_and_the_next_pair_elsewhere() -> None:
    sandbox = Movable()
    ours, other = program(0.005), program(0.004)
    evaluator(timed_problem(), sandbox).block(
        solution(ours), solution(other), number=0, pairs=4
    )
    sides = [(place, text) for place, text in sandbox.placed if text in (ours, other)]
    places = [
        (place, {text for _, text in runs})
        for place, runs in groupby(sides, lambda run: run[0])
    ]
    assert [place for place, _ in places[1:5]] == [1, 2, 3, 4]
    assert all(texts == {ours, other} for _, texts in places[1:5])
