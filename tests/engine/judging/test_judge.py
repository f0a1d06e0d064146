"""The judge, by table and by law (LM-40, LM-41, LM-42, LM-62, X-04)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.engine.judging.judge import judge
from se_agent.values.evaluation import (
    Block,
    Branch,
    Comparison,
    ComparisonKind,
    Evaluation,
    Measurement,
    SequentialDecision,
    Status,
)

RIGHT = Evaluation(status=Status.AC, measurement=Measurement(cpu_seconds=0.1))


def compared(
    *effects: float,
    decision: SequentialDecision = SequentialDecision.UNDECIDED,
    kind: ComparisonKind = ComparisonKind.TIMED,
    status: Status = Status.AC,
    reference_status: Status = Status.AC,
) -> Comparison:
    blocks = tuple(
        Block(
            number=n,
            effect=e,
            reference=0.15,
            candidate=0.15 * math.exp(-e),
            status=status,
            reference_status=reference_status,
        )
        for n, e in enumerate(effects)
    )
    interval = (min(effects), max(effects))
    return Comparison(kind=kind, blocks=blocks, decision=decision, interval=interval)


@pytest.mark.lm("LM-41", "LM-42", "LM-62")
@pytest.mark.parametrize(
    ("comparison", "branch", "significant"),
    [
        pytest.param(
            compared(0.7, decision=SequentialDecision.YES), Branch.SUCCESS, True, id="proven"
        ),
        pytest.param(compared(0.004), Branch.SUCCESS, False, id="within-noise-by-sign"),
        pytest.param(compared(0.0), Branch.FAILURE, False, id="no-difference"),
        pytest.param(
            compared(-0.7, decision=SequentialDecision.NO), Branch.FAILURE, False, id="slower"
        ),
    ],
)
def test_the_sign_is_the_branch(
    comparison: Comparison, branch: Branch, significant: bool
) -> None:
    verdict = judge(RIGHT, comparison)
    assert (verdict.branch, verdict.significant) == (branch, significant)


@pytest.mark.lm("LM-40")
def test_perf_diff_is_old_minus_new_in_seconds() -> None:
    """The seed's example: 150 ms to 120 ms is 30 ms."""
    verdict = judge(RIGHT, compared(math.log(150 / 120)))
    assert verdict.perf_diff == pytest.approx(0.030)


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.AC])
def test_a_status_other_than_ac_always_fails(status: Status) -> None:
    """X-04: whatever the time."""
    verdict = judge(Evaluation(status=status), None)
    assert (verdict.status, verdict.branch) == (status, Branch.FAILURE)
    assert verdict.perf_diff == verdict.effect == -math.inf
    assert not verdict.significant


def test_a_candidate_that_is_wrong_while_measured_fails_whatever_its_speed() -> None:
    verdict = judge(RIGHT, compared(2.0, decision=SequentialDecision.NO, status=Status.WA))
    assert (verdict.status, verdict.branch) == (Status.WA, Branch.FAILURE)


def test_a_wrong_reference_says_nothing_of_the_candidate() -> None:
    verdict = judge(
        RIGHT, compared(2.0, decision=SequentialDecision.NO, reference_status=Status.WA)
    )
    assert (verdict.status, verdict.effect, verdict.significant) == (Status.AC, 0.0, False)


def test_scores_are_judged_by_their_signed_difference() -> None:
    """X-09: perf_diff is the gain in the improving direction."""
    verdict = judge(
        RIGHT, compared(0.25, decision=SequentialDecision.YES, kind=ComparisonKind.EXACT)
    )
    assert verdict.perf_diff == 0.25


def test_a_right_candidate_must_be_compared() -> None:
    with pytest.raises(ValueError, match="without a comparison"):
        judge(RIGHT, None)


effects = st.lists(st.floats(-5, 5), min_size=1, max_size=9)


@given(effects, st.sampled_from(ComparisonKind))
def test_perf_diff_and_effect_never_disagree(values: list[float], kind: ComparisonKind) -> None:
    verdict = judge(RIGHT, compared(*values, kind=kind))
    assert (verdict.branch is Branch.SUCCESS) == (verdict.perf_diff > 0)
    assert math.copysign(1, verdict.perf_diff) == math.copysign(1, verdict.effect) or (
        abs(verdict.effect) < 1e-12
    )
