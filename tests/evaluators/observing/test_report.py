"""What is kept of a report, and what of one that was made up."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.observing.report import (
    MOST_CALLS,
    MOST_LINES,
    LineCosts,
    ProgramText,
    calls,
    chosen,
)
from se_agent.errors import WireError
from se_agent.values.observation import Call

TEXT = ProgramText.of("def f(n):\n    return n\n\ndef g(n):\n    return f(n)\n")


def of(pairs: dict[int, object]) -> list[Call]:
    return [Call.of((n,), result) for n, result in pairs.items()]


def test_different_results_come_first_and_small_calls_before_large_ones() -> None:
    kept = chosen(of({n: n % 10 == 0 for n in range(1, 1000)}), 100_000)
    assert [call.arguments for call in kept[:4]] == [(10,), (1,), (20,), (2,)]
    assert len(kept) == MOST_CALLS
    assert max(call.arguments for call in kept) > (900,)


@given(st.dictionaries(st.integers(), st.integers(0, 5)), st.integers(0, 2000))
def test_what_is_kept_fits_and_is_of_what_was_found(
    pairs: dict[int, object], room: int
) -> None:
    found = of(pairs)
    kept = chosen(found, room)
    assert set(kept) <= set(found)
    assert len(set(kept)) == len(kept) <= MOST_CALLS
    assert sum(call.size for call in kept) <= room
    if room == 2000 and len(found) <= 10:
        assert set(kept) == set(found)


def test_equal_calls_are_one_and_functions_share_the_room() -> None:
    row = ("f", ([1, 2],), 3, None)
    many = [("g", (n,), "x" * 100, None) for n in range(1000)]
    kept = calls(TEXT, [[row], [row], many])
    assert kept["f"] == (Call.of(([1, 2],), 3),)
    assert 10 < len(kept["g"]) < MOST_CALLS


@pytest.mark.parametrize(
    "report",
    [
        pytest.param(None, id="nothing"),
        pytest.param([1], id="no rows"),
        pytest.param([("f", (1,), 2)], id="short row"),
        pytest.param([("h", (1,), 2, None)], id="no function of the program"),
        pytest.param([(["f"], (1,), 2, None)], id="no name"),
        pytest.param([("f", [1], 2, None)], id="no tuple of arguments"),
        pytest.param([("f", (1,), object(), None)], id="no plain data"),
        pytest.param([("f", ([0] * 10_000,), 1, None)], id="large"),
    ],
)
def test_what_is_no_report_of_calls_is_left_out(report: Any) -> None:
    assert calls(TEXT, [report]) == {}
    assert calls(TEXT, [report, [("f", (1,), 2, None)]]) == {"f": (Call.of((1,), 2),)}


def costs(*, timed: bool) -> LineCosts:
    found = LineCosts(TEXT, timed=timed)
    rows = [("f", 2, 100, 0.5, 100), ("g", 5, 10, 0.6, 20)]
    found.add(rows, [("g", 110, 1.0), ("f", 100, 0.5)], 0.001)
    return found


@pytest.mark.parametrize(
    ("timed", "shares"),
    [
        pytest.param(True, [("g", 0.5918), ("f", 0.4082)], id="seconds, less those of reading"),
        pytest.param(False, [("f", 0.9091), ("g", 0.0909)], id="hits"),
    ],
)
def test_lines_are_ranked_by_what_they_cost(
    timed: bool, shares: list[tuple[str, float]]
) -> None:
    hot = costs(timed=timed).hot()
    assert [(line.function, line.share) for line in hot] == shares
    assert {line.text for line in hot} == {"return n", "return f(n)"}


def test_hits_of_a_line_add_up_over_inputs() -> None:
    found = LineCosts(TEXT, timed=True)
    for _ in range(3):
        found.add([("f", 2, 7, 0.5, 1)], [], 0.0)
    assert [(line.line, line.hits) for line in found.hot()] == [(2, 21)]


def test_functions_have_their_share_with_what_they_call() -> None:
    assert costs(timed=True).functions() == {"g": 1.0, "f": 0.5}


def test_the_most_expensive_lines_are_kept() -> None:
    text = ProgramText.of("\n".join(f"x = {n}" for n in range(100)))
    found = LineCosts(text, timed=True)
    found.add([("", n + 1, 1, float(n), 1) for n in range(100)], [("", 100, 5000.0)], 0.0)
    assert [line.line for line in found.hot()] == [*range(100, 100 - MOST_LINES, -1)]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(("h", 1, 1, 1.0, 1), id="no function of the program"),
        pytest.param(("f", 99, 1, 1.0, 1), id="no line of it"),
        pytest.param((["f"], 1, 1, 1.0, 1), id="no name"),
        pytest.param(("f", "2", 1, 1.0, 1), id="no number"),
        pytest.param(("f", 1.5, 1, 1.0, 1), id="half a line"),
        pytest.param(("f", 2, 1.0, 1.0, "1"), id="no pieces"),
        pytest.param(("f", 2, None, 1.0, 1), id="no hits"),
        pytest.param(("f", 2, 1, 1.0), id="short"),
        pytest.param(("f", 2, 1, math.inf, 1), id="for ever"),
        pytest.param(("f", 2, 1, math.nan, 1), id="no time at all"),
    ],
)
def test_what_is_no_report_of_lines_says_nothing(row: Any) -> None:
    found = LineCosts(TEXT, timed=True)
    with contextlib.suppress(TypeError, ValueError):
        found.add([row], [], 0.0)
    assert found.hot() == ()


@pytest.mark.parametrize("timed", [True, False])
@pytest.mark.parametrize("made_up", [10**5000, -(10**400), 1 << 63], ids=["a", "b", "c"])
def test_numbers_that_no_journal_holds_are_cut(made_up: int, timed: bool) -> None:
    found = LineCosts(TEXT, timed=timed)
    row = ("f", 2, made_up, made_up, made_up)
    found.add([row, row], [("f", made_up, made_up)], 0.5)
    assert all(0 <= line.hits <= 1 << 61 for line in found.hot())
    assert all(0 <= share <= 1 for share in found.functions().values())


def test_lines_that_take_little_memory_are_not_worth_a_word() -> None:
    found = LineCosts(TEXT, timed=True)
    found.add([("f", 2, 3, 9000.0, 3), ("g", 5, 1, 1000.0, 1)], [], 10.0)
    (line,) = found.allocations()
    assert (line.function, line.line, line.text, line.bytes) == ("f", 2, "return n", 8970)
    assert line.share == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize("made_up", [math.inf, math.nan, 1e300, -1e300])
def test_made_up_bytes_do_no_harm(made_up: float) -> None:
    found = LineCosts(TEXT, timed=True)
    with contextlib.suppress(WireError):
        found.add([("f", 2, 1, made_up, 1)], [], 0.0)
    assert all(0 <= line.bytes <= 1 << 60 for line in found.allocations())
