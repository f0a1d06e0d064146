"""What memory was worth, in honest words."""

from __future__ import annotations

import pytest

from se_agent.report.words.memory_worth import line
from se_agent.stats.memory_worth import Side, Worth


def of(informed: tuple[int, int], withheld: tuple[int, int]) -> Worth:
    return Worth(Side(*informed), Side(*withheld))


@pytest.mark.parametrize(
    ("found", "said"),
    [
        pytest.param(Worth(), "", id="nothing was known"),
        pytest.param(
            of((6, 24), (1, 4)), "1 of 4 without: too few to say", id="too few without"
        ),
        pytest.param(of((1, 4), (6, 24)), "too few to say", id="too few with"),
        pytest.param(of((6, 24), (1, 6)), "no difference is shown (+8 points", id="noise"),
        pytest.param(of((60, 80), (2, 12)), "it helped, +58 points", id="a help"),
        pytest.param(of((2, 80), (8, 12)), "it did harm, -64 points", id="a harm"),
    ],
)
def test_memory_is_told_its_worth(found: Worth, said: str) -> None:
    assert said in line(found)
    assert bool(line(found)) == bool(said)


def test_tokens_are_told_with_what_they_brought() -> None:
    found = Worth(Side(6, 24), Side(1, 4), tokens=12_000, gain=0.6)
    assert line(found).endswith("; 12000 tokens of it, a gain of 0.05 for 1,000")
    assert "tokens" not in line(of((6, 24), (1, 4)))
