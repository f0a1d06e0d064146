"""A run that could prove large gains only ends before its search."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from se_agent.config.sections import Judge, Measure
from se_agent.engine.judging.self_test import hopeless, self_test
from se_agent.errors import ProblemError
from se_agent.events import SelfTested
from se_agent.stats.sequential import least_provable, t_interval
from se_agent.values.evaluation import (
    Block,
    Comparison,
    ComparisonKind,
    SequentialDecision,
    Status,
)

JUDGE, MEASURE = Judge(), Measure()


def differing(spread: float) -> SelfTested:
    return SelfTested(spread=spread, blocks=())


@pytest.mark.parametrize("spread", [0.001, 0.02, 0.2])
def test_a_run_that_can_show_a_gain_of_two_goes_on(spread: float) -> None:
    assert hopeless(differing(spread), measure=MEASURE, judge=JUDGE) is None


def test_a_run_that_cannot_says_what_could_be_proven_and_what_to_do() -> None:
    found = hopeless(differing(1.0), measure=MEASURE, judge=JUDGE)
    assert found is not None
    assert "identical code differs by 172% here: no gain below 5.2" in str(found)
    assert "--inputs MODULE:GENERATOR" in found.hint


@pytest.mark.parametrize("spread", [0.01, 0.4])
def test_the_least_gain_is_the_one_whose_interval_begins_at_the_margin(spread: float) -> None:
    least = least_provable(spread, blocks=6, margin=0.01)
    low, _ = t_interval([least] * 6, floor=spread)
    assert low == pytest.approx(math.log1p(0.01))


def test_a_program_that_ends_wrong_is_told_with_what_its_last_block_said() -> None:
    good = Block(number=0, effect=0.0, reference=1.0, candidate=1.0, feedback="nothing")
    bad = replace(good, number=1, status=Status.RE, feedback="it ran out of memory")
    found = Comparison(
        kind=ComparisonKind.TIMED,
        blocks=(good, bad),
        decision=SequentialDecision.NO,
        interval=(0.0, 0.0),
    )
    with pytest.raises(ProblemError, match="it ran out of memory"):
        self_test(lambda rule: found, measure=MEASURE, judge=JUDGE, who="the program")
