"""One of a thing is singular, in every place that tells how many there are."""

from __future__ import annotations

import pytest

from se_agent.wording import counted


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 runs"), (1, "1 run"), (2, "2 runs")], ids=["none", "one", "two"]
)
def test_one_is_singular(number: int, said: str) -> None:
    assert counted(number, "run") == said
