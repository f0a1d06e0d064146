"""What memory was worth to a run, in honest words."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.events import Learned, Selected
from se_agent.report.story import Story
from se_agent.report.worth import Side, Worth, line, worth
from se_agent.types import Branch, Status, Verdict


def told(*steps: tuple[bool | None, bool]) -> Story:
    """The story of steps that were informed or not, and proven or not."""
    story = Story()
    for slot, (informed, proven) in enumerate(steps):
        verdict = Verdict(
            status=Status.AC,
            perf_diff=1.0,
            effect=0.5,
            interval=(0.4, 0.6),
            significant=proven,
            branch=Branch.SUCCESS,
        )
        name = f"Gen1_Sol_{slot}"
        story.apply(
            Selected(slot=slot, child=name, parents=(), operator="a", informed=informed)
        )
        story.apply(Learned(slot=slot, child=name, verdict=verdict, best="Gen0_Sol_0"))
    return story


def steps(informed: tuple[int, int], withheld: tuple[int, int]) -> Story:
    pairs = ((True, informed), (False, withheld))
    return told(
        *((side, n < gains) for side, (gains, count) in pairs for n in range(count)),
        *[(None, True)] * 9,
    )


@pytest.mark.parametrize(
    ("story", "said"),
    [
        pytest.param(told((None, True)), "", id="nothing was known"),
        pytest.param(
            steps((6, 24), (1, 4)), "1 of 4 without: too few to say", id="too few without"
        ),
        pytest.param(steps((1, 4), (6, 24)), "too few to say", id="too few with"),
        pytest.param(steps((6, 24), (1, 6)), "no difference is shown (+8 points", id="noise"),
        pytest.param(steps((60, 80), (2, 12)), "it helped, +58 points", id="a help"),
        pytest.param(steps((2, 80), (8, 12)), "it did harm, -64 points", id="a harm"),
    ],
)
def test_a_run_says_what_memory_was_worth(story: Story, said: str) -> None:
    assert said in line(story)
    assert bool(line(story)) == bool(said)


def test_steps_that_memory_had_nothing_to_say_to_do_not_count() -> None:
    assert worth(steps((6, 24), (1, 6))) == Worth(Side(6, 24), Side(1, 6))


def test_the_interval_is_the_one_in_the_paper() -> None:
    # Newcombe 1998, table II, method 10: 56/70 against 48/80.
    low, high = Worth(Side(56, 70), Side(48, 80)).interval
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3339)


@given(st.integers(1, 200), st.integers(1, 200), st.data())
def test_the_interval_holds_the_difference(
    first: int, second: int, data: st.DataObject
) -> None:
    sides = [Side(data.draw(st.integers(0, n)), n) for n in (first, second)]
    found = Worth(*sides)
    low, high = found.interval
    assert low <= found.difference <= high or math.isclose(low, high)
