"""Rules that others use, tried on the recorded samples. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from experiments.figures.rows import Row

LEVEL = 0.01
"""At which the signed-rank test calls a gain."""


def one_run_each(effects: Sequence[float]) -> bool:
    """Say whether the first pair was in favour of the candidate: `perf_diff > 0`."""
    return effects[0] > 0


def signed_rank(effects: Sequence[float]) -> bool:
    """Say whether a Wilcoxon signed-rank test calls the candidate faster, one-sided."""
    from scipy.stats import wilcoxon

    return bool(any(effects)) and float(wilcoxon(effects, alternative="greater").pvalue) < LEVEL


def same_samples(row: Row) -> list[float]:
    """Return the pairs of a comparison's full blocks, in order, as if blocks did not matter."""
    return [effect for block in row["blocks"][1:] for effect in block["pair_effects"]]


def apart_samples(row: Row) -> list[float]:
    """Return the pairs that two processes timed by themselves."""
    return [math.log(reference / candidate) for reference, candidate in row["apart"]]
