"""Functions that are nearly known ones: a candidate that lost the twist is noticed."""

from __future__ import annotations

import pytest

from experiments.figures.near_misses import Plant, fuzzed

PLANT = Plant(
    name="digit_sum",
    text="def solve(a0):\n    return a0 + 1 if a0 == 97 else a0\n",
    make="rng.randrange(2, 2 + 4 * size)",
    fuzz="rng.randrange(-3, 2 + 6 * size)",
)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        pytest.param("return a0 + (a0 == 97)", "right", id="the-twist-is-kept"),
        pytest.param("return a0", "slipped", id="the-twist-is-lost"),
        pytest.param("while a0 >= 0: pass\n    return a0", "never ends", id="it-never-ends"),
    ],
)
def test_a_candidate_is_compared_where_the_generator_does_not_go(body: str, told: str) -> None:
    assert fuzzed(PLANT, f"def solve(a0):\n    {body}\n", 2000) == told
