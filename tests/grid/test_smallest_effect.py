"""The smallest effect of a design: more pairs, fewer arms and less noise show smaller ones."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.grid.smallest_effect import smallest_effect, spread_of
from se_agent.stats.bootstrap import FEWEST
from se_agent.stats.student import reach


def effect(problems: int, seeds: int, arms: int = 1, spread: float = 0.1) -> float:
    found = smallest_effect(problems=problems, seeds=seeds, arms=arms, spreads=[spread])
    assert found.effect is not None
    return found.effect


@given(st.integers(1, 12), st.integers(3, 12), st.integers(1, 9))
def test_more_of_what_informs_shows_less(problems: int, seeds: int, arms: int) -> None:
    here = effect(problems, seeds, arms)
    assert effect(problems, seeds + 1, arms) < here
    assert effect(problems + 1, seeds, arms) < here or problems < FEWEST
    assert effect(problems, seeds, arms + 1) > here
    assert math.isclose(effect(problems, seeds, arms, 0.2), 2 * here)


@pytest.mark.parametrize(
    ("problems", "seeds", "over", "is_known"),
    [
        (1, 2, "seeds", False),
        (2, 2, "seeds", False),
        (2, 3, "seeds", True),
        (3, 2, "problems", True),
        (3, 1, "problems", False),
    ],
)
def test_few_problems_are_judged_by_their_seeds(
    problems: int, seeds: int, over: str, is_known: bool
) -> None:
    found = smallest_effect(problems=problems, seeds=seeds, arms=1)
    assert (found.over, found.effect is not None) == (over, is_known)


def test_one_seed_shows_nothing_and_says_so() -> None:
    found = smallest_effect(problems=8, seeds=1, arms=1)
    assert (found.effect, found.factor, found.pairs) == (None, None, 8)


def test_an_effect_of_that_size_is_found_in_about_four_of_five_designs() -> None:
    """Made-up arms whose true effect is the one that the design says it can show."""
    problems, seeds, spread, rng = 8, 3, 0.1, random.Random(7)
    size, shown = effect(problems, seeds, spread=spread), 0
    for _ in range(600):
        means = [
            statistics.fmean(rng.gauss(size, spread * math.sqrt(2)) for _ in range(seeds))
            for _ in range(problems)
        ]
        error = statistics.stdev(means) / math.sqrt(problems)
        shown += statistics.fmean(means) - reach(0.95, problems - 1) * error > 0
    assert 0.75 < shown / 600 < 0.88


def test_one_value_has_no_spread() -> None:
    assert spread_of([1.0]) is None
    assert spread_of([1.0, 3.0]) == statistics.stdev([1.0, 3.0])
