"""The skeletons of `code_opt`: both forms answer the same, and the fast one does less."""

from __future__ import annotations

import io
import runpy
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.knowledge.retrieval import DATA

NAMES = (
    *("array_scan", "dp_table", "graph_traversal"),
    *("numeric_kernel", "string_processing", "io_stream"),
)
Form = Callable[..., Any]
"""A form of any skeleton: each has parameters of its own."""


def forms(name: str) -> tuple[Form, Form]:
    path = DATA / "code_opt" / "skeletons" / f"{name}_skeleton.py"
    found = runpy.run_path(str(path))
    return found["slow"], found["fast"]


def lines_run(call: Callable[[], object]) -> int:
    """Return how many lines of Python a call executes, in all that it calls."""
    count = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:  # as `sys.settrace` has it
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


small = st.integers(0, 9)
ranges = st.lists(st.tuples(small, small).map(lambda two: (min(two), max(two))), max_size=6)
edges = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)
words = st.dictionaries(st.text("ab", min_size=1, max_size=3), st.text("abc", max_size=2))


@pytest.mark.row("LF-25")
class TestBothFormsAnswerTheSame:
    @given(values=st.lists(st.integers(-9, 9), min_size=9, max_size=12), asked=ranges)
    def test_array_scan(self, values: list[int], asked: list[tuple[int, int]]) -> None:
        slow, fast = forms("array_scan")
        assert fast(values, asked) == slow(values, asked)

    @given(items=st.lists(st.tuples(st.integers(1, 6), small), max_size=7), room=small)
    def test_dp_table(self, items: list[tuple[int, int]], room: int) -> None:
        slow, fast = forms("dp_table")
        assert fast(items, room) == slow(items, room)

    @given(edges=edges, start=st.integers(0, 5))
    def test_graph_traversal(self, edges: list[tuple[int, int]], start: int) -> None:
        slow, fast = forms("graph_traversal")
        assert fast(6, edges, start) == slow(6, edges, start)

    @given(limit=st.integers(-3, 150))
    def test_numeric_kernel(self, limit: int) -> None:
        slow, fast = forms("numeric_kernel")
        assert fast(limit) == slow(limit)

    @given(text=st.text("abc", max_size=12), words=words)
    def test_string_processing(self, text: str, words: dict[str, str]) -> None:
        slow, fast = forms("string_processing")
        assert fast(text, words) == slow(text, words)

    @given(rows=st.lists(st.lists(st.integers(-99, 99), max_size=4), max_size=6))
    def test_io_stream(self, rows: list[list[int]]) -> None:
        text = "".join(" ".join(map(str, row)) + "\n" for row in rows)
        written = []
        for form in forms("io_stream"):
            sink = io.StringIO()
            form(io.StringIO(text), sink)
            written.append(sink.getvalue())
        assert written[0] == written[1]


LARGE: dict[str, Callable[[], tuple[object, ...]]] = {
    "array_scan": lambda: (range(400), [(n % 100, 300 + n % 100) for n in range(50)]),
    "dp_table": lambda: ([(1 + n % 3, n) for n in range(14)], 20),
    "graph_traversal": lambda: (80, [(n, (n + 1) % 80) for n in range(80)], 0),
    "numeric_kernel": lambda: (600,),
    "string_processing": lambda: (
        "the cat sat " * 50,
        {"cat": "dog", "sat": "ran", "the": "a", "on": "by", "mat": "rug"},
    ),
    "io_stream": lambda: (io.StringIO("1 2 3 4 5 6 7 8\n" * 100), io.StringIO()),
}
"""An input of each skeleton on which the difference shows."""


@pytest.mark.row("LF-25")
@pytest.mark.parametrize("name", NAMES)
def test_the_fast_form_executes_less_than_a_third_of_the_lines(name: str) -> None:
    slow, fast = (lines_run(partial(form, *LARGE[name]())) for form in forms(name))
    assert 3 * fast < slow
