"""A loss has to show, or what brings nothing goes: in a few short blocks."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from se_agent.stats.no_loss import NoLoss
from se_agent.values.evaluation import SequentialDecision

YES, NO, MORE = SequentialDecision.YES, SequentialDecision.NO, SequentialDecision.MORE


@pytest.mark.parametrize(
    ("effects", "decision"),
    [
        pytest.param([], MORE, id="nothing is known"),
        pytest.param([-0.7], NO, id="a clear loss at a glance"),
        pytest.param([-0.5], MORE, id="a glance at a core that others use"),
        pytest.param([0.5], YES, id="clearly faster at a glance"),
        pytest.param([-0.1], MORE, id="a glance that may be noise"),
        pytest.param([0.0, -0.1], MORE, id="a loss in one block, which may be noise"),
        pytest.param([0.0, -0.6], NO, id="a clear loss in one block"),
        pytest.param([0.0, -0.1, -0.08], NO, id="a loss beyond the margin"),
        pytest.param([0.0, -0.1, 0.03], MORE, id="a loss that the next block does not show"),
        pytest.param([-0.1, 0.02], YES, id="the glance counts for nothing"),
        pytest.param([0.0, -0.012], MORE, id="near the margin"),
        pytest.param([0.0, -0.012, -0.011, -0.012], YES, id="within noise at the end"),
    ],
)
def test_decisions(effects: Sequence[float], decision: SequentialDecision) -> None:
    assert NoLoss(margin=0.01, spread=0.005).decide(effects) is decision


def _dropped(loss: float, *, spread: float, rng: random.Random) -> tuple[bool, int]:
    rule, effects = NoLoss(margin=0.01, spread=spread), list[float]()
    pairs = 0
    while rule.decide(effects) is MORE:
        pairs += rule.pairs(effects)
        effects.append(rng.gauss(-loss, spread))
    return rule.decide(effects) is YES, pairs


def test_what_brings_nothing_goes_and_what_brings_much_stays() -> None:
    rng = random.Random(0)
    for spread in (0.003, 0.01):
        nothing = [_dropped(0.0, spread=spread, rng=rng) for _ in range(400)]
        much = [_dropped(0.05, spread=spread, rng=rng) for _ in range(400)]
        assert sum(dropped for dropped, _ in nothing) >= 390
        assert sum(dropped for dropped, _ in much) <= 8
        assert max(pairs for _, pairs in (*nothing, *much)) <= 14


def test_an_interval_leaves_the_glance_out() -> None:
    low, high = NoLoss(spread=0.005).interval([9.0, 0.1, 0.1])
    assert low < 0.1 < high < 1
