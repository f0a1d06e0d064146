"""The ledger forgets nothing, whatever left the prompt."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from se_agent.memory.local.ledger import Ledger, search
from se_agent.values.evaluation import Status
from se_agent.values.lesson import GlobalStatus, Lesson
from tests.memory.examples import LESSONS, STATUSES, at, item, lesson, memory


@pytest.mark.tier("runs")
@settings(max_examples=40)
@given(st.lists(st.tuples(LESSONS, STATUSES), max_size=8))
def test_no_item_or_version_is_ever_lost(
    steps: list[tuple[Lesson, GlobalStatus]],
) -> None:
    state, ledger = memory(token_limit=200), Ledger()
    seen = 0
    for taught, status in steps:
        applied = state.apply(taught, status)
        state = applied.memory
        ledger.add(applied)
        seen += taught.new_memory_item is not None
        assert len(ledger.items) == seen
        assert ledger.directions(state.version) == state.attempted_directions
    assert ledger.versions == tuple(range(1, len(steps) + 1))


def test_a_version_that_never_was_is_an_error() -> None:
    with pytest.raises(KeyError, match="7"):
        Ledger().directions(7)


@pytest.mark.lm("LM-05", "LM-06")
def test_evicted_items_are_found_by_their_words() -> None:
    state, ledger = memory(token_limit=200), Ledger()
    for number, name in enumerate(["heap", "bisect", "union-find", "deque", "prefix sums"]):
        applied = state.apply(lesson(new=item(f"Use {name}", number + 1, number=number)), at())
        state = applied.memory
        ledger.add(applied)
    assert "Use heap" not in [entry.title for entry in state.reasoning_bank]
    assert [entry.title for entry in search(ledger.items, "HEAP")] == ["Use heap"]
    assert search(ledger.items, "nothing like it") == []


def test_more_words_first_then_the_newer() -> None:
    items = [
        item("heap", content="merge"),
        item("heap merge sort", status=Status.WA),
        item("heap", content="again merge"),
    ]
    found = search(items, "merge sort heap", limit=2)
    assert [entry.title for entry in found] == ["heap merge sort", "heap"]
    assert found[1].content == "again merge"
    assert [entry.title for entry in search(items, "WA")] == ["heap merge sort"]
