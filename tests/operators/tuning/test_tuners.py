"""Tuners that learn: what they make of the trials of a family."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import pytest

from operators.tuning.constants import marked
from operators.tuning.tune import Tune
from operators.tuning.tune_cma import TuneCma
from operators.tuning.tune_tpe import TuneTpe
from operators.tuning.tuner import Tuner, observed
from se_agent.protocols import Operator
from se_agent.values.brief import Brief, Trial
from se_agent.values.solution import Edit, Solution
from tests import fakes
from tests.contracts.operator import OperatorContract

TEXT = """A = 0.9  # tune: 0..1.0
B = 10.0  # tune: 0.1..10.0 log
C = 40  # tune: 0..50
"""


def smooth(solution: Solution) -> float:
    """Best at (0.3, 1, 20), where it is 0."""
    a, b, c = (one.value for one in marked(solution.files))
    return -((a - 0.3) ** 2) - math.log(b) ** 2 / 10 - ((c - 20) / 50) ** 2


def after(tuner: Tuner, effect: Callable[[Solution], float | None], trials: int) -> list[Trial]:
    """The trials of a search that always goes on from the best."""
    first = fakes.solution(TEXT)
    past = [Trial(solution=first, effect=effect(first))]
    for number in range(trials):
        best = max(past, key=lambda one: -math.inf if one.effect is None else one.effect)
        proposal = tuner.propose(briefed(best.solution, past, number))
        assert proposal is not None
        past.append(Trial(solution=proposal.solution, effect=effect(proposal.solution)))
    return past


def briefed(parent: Solution, past: Sequence[Trial], number: int = 0) -> Brief:
    brief = fakes.brief(parent.text)
    slot = dataclasses.replace(
        brief.slot, number=number, child=f"Gen1_Sol_{number}", parents=(parent,)
    )
    tried = {one.solution.content for one in past}
    return dataclasses.replace(brief, slot=slot, history=tuple(past), tried=tried)


def best(past: Sequence[Trial]) -> float:
    return max(one.effect for one in past if one.effect is not None)


class Learning(OperatorContract):
    tuner: type[Tuner]

    @pytest.fixture
    def operator(self) -> Operator:
        return self.tuner()

    @pytest.fixture
    def given(self) -> Brief:
        past = after(Tune(), smooth, 12)
        return briefed(past[0].solution, past)

    def test_it_finds_what_a_smooth_objective_wants(self) -> None:
        assert best(after(self.tuner(), smooth, 60)) > -0.02

    def test_what_is_not_right_is_avoided(self) -> None:
        def picky(solution: Solution) -> float | None:
            a, _, _ = (one.value for one in marked(solution.files))
            return None if a < 0.5 else smooth(solution)

        past = after(self.tuner(), picky, 60)
        assert best(past) > -0.15
        assert sum(one.effect is None for one in past[30:]) < 20

    def test_several_constants_move_together(self) -> None:
        past = after(self.tuner(), smooth, 20)
        assert max(len(one.solution.edits) for one in past) == 3

    def test_a_range_that_is_used_up_has_nothing_new(self) -> None:
        text = "N = 1  # tune: 1..2\nM = 1  # tune: 1..2\n"
        past = [
            Trial(
                solution=fakes.solution(text.replace("N = 1", n).replace("M = 1", m)), effect=0
            )
            for n in ("N = 1", "N = 2")
            for m in ("M = 1", "M = 2")
        ]
        assert self.tuner().propose(briefed(past[0].solution, past * 3)) is None


class TestTuneTpe(Learning):
    tuner = TuneTpe


class TestTuneCma(Learning):
    tuner = TuneCma


class Unequipped(TuneTpe):
    needs = "a_package_that_nobody_has"


def test_without_its_package_it_draws_at_random_and_says_so_once() -> None:
    past = after(Tune(), smooth, 12)
    proposal = Unequipped().propose(briefed(past[0].solution, past))
    assert proposal is not None
    assert "a_package_that_nobody_has is not installed" in proposal.notes[0]
    again = [*past, Trial(solution=proposal.solution, effect=0.0)]
    later = Unequipped().propose(briefed(past[0].solution, again))
    assert later is not None
    assert later.notes == ()


def test_trials_that_differ_in_more_than_values_teach_nothing() -> None:
    parent = fakes.solution(TEXT)
    other = dataclasses.replace(parent, edits=(Edit(rule="other", function="", node="ab"),))
    ranged = fakes.solution(TEXT.replace("0..50", "0..60"))
    found = [Trial(solution=one, effect=1.0) for one in (parent, other, ranged)]
    assert len(observed(briefed(parent, found), marked(parent.files))) == 1
