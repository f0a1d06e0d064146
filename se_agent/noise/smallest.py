"""The smallest gain that a machine can prove, judging by how identical code scattered. Pure."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from se_agent.stats.sequential import SequentialRule
from se_agent.values.evaluation import SequentialDecision
from se_agent.values.randomness import Purpose, rng_at

if TYPE_CHECKING:
    from numpy.random import Generator

GAINS = (0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5)
"""Gains that are tried, in turn."""

SURE = 0.95
"""Share of the comparisons in which a gain has to be found."""

_DRAWS = 400


def smallest_gain(
    rule: SequentialRule, screens: Sequence[float], blocks: Sequence[float], *, seed: int = 0
) -> float | None:
    """Return the first of `GAINS` that the rule finds as often as `SURE` says.

    Blocks are drawn anew from those of identical code, with the gain added: no shape of the
    noise is assumed, but blocks of few pairs are taken for as good as full ones.

    Args:
        rule: Decides.
        screens: Effects of first blocks of identical code; at least one.
        blocks: Effects of full blocks of identical code; at least one.
        seed: Seed of the draws.

    Returns:
        A fraction, such as 0.02; None when even the largest is not found.
    """
    for place, gain in enumerate(GAINS):
        rng = rng_at(seed, place, Purpose.BOOTSTRAP)
        found = (_found(rule, screens, blocks, gain, rng) for _ in range(_DRAWS))
        missed = itertools.accumulate(not one for one in found)
        if all(count <= (1 - SURE) * _DRAWS for count in missed):
            return gain
    return None


def _found(
    rule: SequentialRule,
    screens: Sequence[float],
    blocks: Sequence[float],
    gain: float,
    rng: Generator,
) -> bool:
    effects: list[float] = []
    while (decision := rule.decide(effects)) is SequentialDecision.MORE:
        among = blocks if effects else screens
        effects.append(among[int(rng.random() * len(among))] + math.log1p(gain))
    return decision is SequentialDecision.YES
