"""The rendering: what a prompt sees, and that nothing from outside can forge its form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.local.memory import LocalMemory
from se_agent.memory.local.rendering import lines, metric, render_markdown
from se_agent.memory.local.token_fit import tokens
from se_agent.values.evaluation import Status
from se_agent.values.lesson import Direction, GlobalStatus, Item, Metric, Outcome
from tests.memory.examples import (
    COUNTER,
    DIRECTIONS,
    ITEMS,
    STATUSES,
    SWITCHES,
    direction,
    item,
    lesson,
    memory,
)

SNAPSHOT = """\
## Memory of this run
Generation 5, best Gen3_Sol_4: 120 ms, by bitmask.
### Suggested by a person, not tried yet
- Union-find
### Recommended directions
- Fast input: 10 ms gained (Gen4_Sol_3, 2 tries)
### Tabu directions
- Distinct ids: TLE on case 15 (Gen2_Sol_1)
### Directions without a proven effect
- Unroll the loop (Gen1_Sol_1)
### What worked
- **Sets** (mutation, Gen1_Sol_1 from Gen0_Sol_0) Ask a set. `x in a` asks a set.
### What failed
- **Floats** (mutation, Gen1_Sol_2 from Gen0_Sol_0) `x in a` asks a set. 2 s -> 1 s (2x).
"""
HEADINGS = [line for line in SNAPSHOT.splitlines() if line.startswith("#")]


def remembered(**switches: bool) -> LocalMemory:
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
        direction("Union-find").model_copy(update={"tries": 0}),
        new=item("Sets", content="Ask a set"),
    )
    state = memory(**switches).apply(taught, status).memory
    again = lesson(*state.attempted_directions, new=item("Floats", -1.0, Status.WA, number=2))
    return state.apply(again, status).memory


@pytest.mark.lm("LM-02", "LM-03", "LM-04", "LM-30", "LM-32")
def test_snapshot_of_a_whole_memory_lm_32() -> None:
    assert render_markdown(remembered()) == SNAPSHOT


STATUS = SNAPSHOT.splitlines()[1]


def section(heading: str) -> set[str]:
    rows = SNAPSHOT.splitlines()
    first = rows.index(heading)
    return {rows[first], rows[first + 1]}


@pytest.mark.lm("LM-32")
@pytest.mark.parametrize(
    ("switch", "hidden"),
    [
        pytest.param("status", {STATUS}, id="status"),
        pytest.param("tabu", section("### Tabu directions"), id="tabu"),
        pytest.param("recommended", section("### Recommended directions"), id="recommended"),
        pytest.param("failures", section("### What failed"), id="failures"),
        pytest.param(
            "bank", section("### What worked") | section("### What failed"), id="bank"
        ),
    ],
)
def test_a_switch_hides_what_it_names_and_nothing_else(switch: str, hidden: set[str]) -> None:
    rows = SNAPSHOT.splitlines()
    shown = render_markdown(remembered(**{switch: False})).splitlines()
    assert shown == [row for row in rows if row not in hidden]


def test_the_status_alone_lm_32() -> None:
    shown = render_markdown(remembered(status_only=True)).splitlines()
    assert shown == [SNAPSHOT.splitlines()[0], STATUS]


def test_without_evidence_the_words_stay() -> None:
    shown = render_markdown(remembered(evidence=False))
    expected = SNAPSHOT
    for said in (
        ": 10 ms gained",
        ": TLE on case 15",
        " `x in a` asks a set. 2 s -> 1 s (2x).",
        " `x in a` asks a set.",
    ):
        expected = expected.replace(said, "")
    assert shown == expected


def test_what_a_direction_tells_a_lesson_of_the_same_step_does_not_tell_again() -> None:
    entry = direction("Ask a set", Outcome.SUCCESS, evidence="2 s -> 1 s (2x)")
    taught = item("Sets", content="Lists are slow").model_copy(
        update={"description": "Ask a set, not a list"}
    )
    both = "".join(lines(GlobalStatus(), [entry], [taught]))
    alone = "".join(lines(GlobalStatus(), [], [taught]))
    assert both.count("2 s -> 1 s") == alone.count("2 s -> 1 s") == 1
    assert "Ask a set, not a list" in alone
    assert "Ask a set, not a list" not in both
    assert "Lists are slow" in both


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_changes_what_is_shown_not_what_is_known(switch: str) -> None:
    assert remembered(**{switch: False}).state() == remembered().state()


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


def test_seconds_and_bytes_take_the_unit_that_suits() -> None:
    assert metric(Metric(value=0.12, unit="s")) == "120 ms"
    assert metric(Metric(value=8.13e6, unit="B")) == "8.13 MB"
    assert metric(Metric(value=0.5, unit="s", trusted=False)) == "500 ms (untrusted)"


def test_other_metrics_keep_their_unit() -> None:
    assert metric(Metric(value=2.6359, unit="", direction="maximize")) == "2.636"
    assert metric(Metric(value=12, unit="bins")) == "12 bins"


@pytest.mark.tier("runs")
@given(STATUSES, st.lists(DIRECTIONS, max_size=6), st.lists(ITEMS, max_size=6))
def test_tokens_that_are_counted_entry_by_entry_are_those_of_all_lines(
    status: GlobalStatus, directions: list[Direction], items: list[Item]
) -> None:
    rendered = lines(status, directions, items)
    assert tokens(status, directions, items, COUNTER) == sum(map(COUNTER.count, rendered))
