"""The rendering: what a prompt sees, and that nothing from outside can forge its form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.lessons import Direction, GlobalStatus, Item, Metric, Outcome
from se_agent.memory.render import lines, metric, render_markdown, seconds
from se_agent.types import Status
from tests.memory.examples import DIRECTIONS, ITEMS, STATUSES, direction, item, lesson, memory

SNAPSHOT = """\
## Memory of this run
Generation 5, best Gen3_Sol_4: 120 ms, by bitmask.
### Recommended directions
- Fast input: 10 ms gained (Gen4_Sol_3, 2 tries)
### Tabu directions
- Distinct ids: TLE on case 15 (Gen2_Sol_1)
### Directions without a proven effect
- Unroll the loop (Gen1_Sol_1)
### What worked
- **Sets** (mutation, Gen1_Sol_1 from Gen0_Sol_0) Ask a set. `x in a` asks a set. \
2 s -> 1 s (2x).
### What failed
- **Floats** (mutation, Gen1_Sol_1 from Gen0_Sol_0) `x in a` asks a set. 2 s -> 1 s (2x).
"""
HEADINGS = [line for line in SNAPSHOT.splitlines() if line.startswith("#")]


@pytest.mark.lm("LM-02", "LM-03", "LM-04", "LM-30", "LM-32")
def test_snapshot_of_a_whole_memory_lm_32() -> None:
    status = GlobalStatus(
        current_generation=5,
        best_runtime=Metric(value=0.12),
        best_solution_id="Gen3_Sol_4",
        current_approach="bitmask",
    )
    fast = direction(
        "Fast input", Outcome.SUCCESS, generation=4, number=3, evidence="10 ms gained"
    )
    taught = lesson(
        fast.model_copy(update={"tries": 2}),
        direction("Unroll the loop"),
        direction("Distinct ids", Outcome.FAILED, generation=2, evidence="TLE on case 15"),
        new=item("Sets", content="Ask a set"),
    )
    state = memory().apply(taught, status).memory
    again = lesson(*state.attempted_directions, new=item("Floats", -1.0, Status.WA))
    assert render_markdown(state.apply(again, status).memory) == SNAPSHOT


@pytest.mark.lm("LM-33")
def test_an_empty_memory_adds_nothing_to_a_prompt() -> None:
    assert render_markdown(memory()) == ""
    assert render_markdown(memory().apply(None, GlobalStatus()).memory) == ""


@given(STATUSES, st.lists(DIRECTIONS, max_size=4), st.lists(ITEMS, max_size=4))
def test_nothing_that_is_rendered_forges_a_section(
    status: GlobalStatus, directions: list[Direction], items: list[Item]
) -> None:
    """Each entry is one line under a heading of ours; no fence, tag or control stands."""
    text = "".join(lines(status, directions, items))
    rows = text.splitlines()
    headings = [row for row in rows if row.startswith("#")]
    assert headings == [heading for heading in HEADINGS if heading in headings]
    assert len(rows) == len(headings) + 1 + len(directions) + len(items)
    assert sum(row.startswith("- ") for row in rows) == len(directions) + len(items)
    assert "```" not in text
    assert "~~~" not in text
    assert "<|" not in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (95.0, "95 s"),
        (1.0, "1 s"),
        (0.12, "120 ms"),
        (0.00011, "0.11 ms"),
        (2e-6, "2 us"),
        (0.9996, "1000 ms"),
        (12345, "12300 s"),
    ],
)
def test_seconds_take_the_unit_that_suits(value: float, text: str) -> None:
    assert seconds(value) == text


def test_other_metrics_keep_their_unit() -> None:
    assert metric(Metric(value=2.6359, unit="", direction="maximize")) == "2.636"
    assert metric(Metric(value=12, unit="bins")) == "12 bins"
