"""The graph in a few lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.memory.graph.shapes import Edge, Entity, GraphOut
from se_agent.memory.graph.summary import graph_summary
from tests.memory.examples import COUNTER
from tests.memory.graph.graphs import ANY_TEXT

MANY = GraphOut(
    (Entity("error:e", "error", ("division by zero",)),),
    (
        *(Edge(f"rule:r{n}", "error:e", "raises_error") for n in range(5)),
        Edge("error:e", "function:p:a.py:total", "locates"),
    ),
)


@pytest.mark.row("AM-77")
class TestSummary:
    def test_what_is_said_most_often_is_said_once(self) -> None:
        assert graph_summary(MANY, 200) == (
            "- `r0`, `r1`, `r2` and 2 more raises error `division by zero`\n"
            "- `division by zero` locates `total`\n"
        )

    @given(st.integers(0, 60), st.lists(st.tuples(ANY_TEXT, ANY_TEXT, ANY_TEXT), max_size=6))
    def test_it_is_never_longer_than_its_room(
        self, room: int, said: list[tuple[str, str, str]]
    ) -> None:
        found = GraphOut((), tuple(Edge(*one) for one in said))
        text = graph_summary(found, room, COUNTER)
        assert COUNTER.count(text) <= room
        lines = text.splitlines()
        assert len(lines) == text.count("\n") <= len(said)
        assert all(line.startswith("- `") for line in lines)
