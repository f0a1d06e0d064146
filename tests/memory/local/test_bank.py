"""Laws of compression, whatever the bank holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.local.bank import TRIVIAL, severity, similar, summarize_memory
from se_agent.values.evaluation import Branch, Status
from se_agent.values.lesson import Item
from tests.memory.examples import ITEMS, item

BANKS = st.lists(ITEMS, max_size=25)


def of(branch: Branch, bank: tuple[Item, ...] | list[Item]) -> list[Item]:
    return [entry for entry in bank if entry.type is branch]


def teaches(entry: Item) -> bool:
    return entry.status is not Status.AC or abs(entry.effect) > TRIVIAL


def sources(bank: tuple[Item, ...]) -> list[str]:
    return [entry.source_ref.solution_id for entry in bank]


@pytest.mark.tier("runs")
@pytest.mark.lm("LM-56", "LM-57", "LM-58")
@given(BANKS, st.integers(0, 5), st.integers(0, 5))
def test_never_keeps_more_than_it_may(bank: list[Item], successes: int, failures: int) -> None:
    kept = summarize_memory(bank, successes=successes, failures=failures)
    assert len(of(Branch.SUCCESS, kept)) <= successes
    assert len(of(Branch.FAILURE, kept)) <= failures


@pytest.mark.tier("runs")
@given(BANKS)
def test_is_idempotent(bank: list[Item]) -> None:
    kept = summarize_memory(bank)
    assert summarize_memory(kept) == kept


@pytest.mark.tier("runs")
@given(BANKS)
def test_keeps_the_order_of_the_bank(bank: list[Item]) -> None:
    numbered = [entry.model_copy(update={"content": str(n)}) for n, entry in enumerate(bank)]
    places = [int(entry.content) for entry in summarize_memory(numbered)]
    assert places == sorted(places)


@pytest.mark.tier("runs")
@pytest.mark.lm("LM-57", "LM-58")
@given(BANKS)
def test_nothing_dropped_outranks_anything_kept(bank: list[Item]) -> None:
    """This holds for what still teaches something, and no kept item says or overtakes it."""
    kept = summarize_memory(bank)
    for lost in filter(teaches, bank):
        for entry in of(lost.type, kept):
            if lost.type is Branch.SUCCESS and not any(similar(lost, k) for k in kept):
                assert lost.effect <= entry.effect
    everything = [entry for entry in bank if entry.type is Branch.FAILURE]
    for lost in filter(teaches, everything):
        if not any(similar(lost, other) for other in bank if other is not lost):
            for entry in of(Branch.FAILURE, kept):
                assert lost in kept or severity(lost) <= severity(entry)


@pytest.mark.lm("LM-57")
def test_the_three_largest_gains_stay_lm_57() -> None:
    gains = {"a": 0.2, "b": 3.0, "c": 0.1, "d": 2.0, "e": 1.0}
    bank = [item(name, gain) for name, gain in gains.items()]
    assert [entry.title for entry in summarize_memory(bank)] == ["b", "d", "e"]


@pytest.mark.lm("LM-58", "X-11")
def test_wrong_answer_crash_timeout_regression_in_this_order_lm_58() -> None:
    slower, late, crashed, wrong = (
        item(status, -1.0, status) for status in (Status.AC, Status.TLE, Status.RE, Status.WA)
    )
    assert summarize_memory([slower, late, crashed, wrong]) == (crashed, wrong)
    assert summarize_memory([slower, late]) == (slower, late)
    assert summarize_memory([slower, late], failures=1) == (late,)


@pytest.mark.lm("LM-58")
def test_the_larger_loss_is_the_severer_regression() -> None:
    bank = [item("a", -0.1), item("b", -2.0), item("c", -1.0)]
    assert [entry.title for entry in summarize_memory(bank)] == ["b", "c"]


@pytest.mark.lm("LM-59")
@pytest.mark.parametrize("effect", [0.005, -0.005])
def test_trivial_items_are_dropped_lm_59(effect: float) -> None:
    assert summarize_memory([item("a", effect), item("b", 1.0)]) == (item("b", 1.0),)


@pytest.mark.lm("LM-59")
def test_a_failure_that_has_worked_since_is_out_of_date_lm_59() -> None:
    before = item("`heap` in `solve`: WA", -1.0, Status.WA, generation=1)
    after = item("`heap` in `solve`: 2 s -> 1 s", 0.7, generation=4)
    assert summarize_memory([before, after]) == (after,)
    later = item("`heap` in `solve`: WA", -1.0, Status.WA, generation=5)
    assert summarize_memory([after, later]) == (after, later)


@pytest.mark.lm("LM-60")
def test_three_notes_on_one_thing_become_one_lm_60() -> None:
    notes = [
        item("Fast input in `main`: 3 s -> 2 s", 0.4, number=1),
        item("Fast input in `main`: 5 s -> 1 s", 1.6, number=2),
        item("Fast input in `main`: 9 s -> 8 s", 0.1, number=3),
    ]
    (merged,) = summarize_memory([*notes])
    assert merged.title == notes[1].title
    assert merged.merged == 3
    assert merged.evidence.metrics_delta == notes[1].evidence.metrics_delta
    assert merged.evidence.context == "also Gen1_Sol_1, Gen1_Sol_3"


def test_items_of_different_operators_or_places_are_not_merged() -> None:
    bank = [
        item("`heap` in `solve`: 1", 1.0, number=1),
        item("`heap` in `solve`: 2", 1.0, number=2, operator="tune"),
        item("`heap` in `find`: 3", 1.0, number=3),
    ]
    assert sources(summarize_memory(bank)) == sources(tuple(bank))
