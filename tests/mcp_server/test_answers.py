"""Answers are JSON in pages, free of secrets, and never too long."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.mcp_server.answers import MOST, answer

TEXTS = st.text(max_size=40) | st.integers(1, 30_000).map(lambda n: "ä\n" * n)
VALUES = st.recursive(
    TEXTS | st.integers() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.tier("runs")
@pytest.mark.row("AM-76")
@given(st.lists(VALUES, max_size=30))
def test_no_page_is_too_long_and_every_row_is_on_one(rows: list[Any]) -> None:
    first = json.loads(answer({"rows": rows}))
    pages = first.get("pages", 1)
    texts = [answer({"rows": rows}, page) for page in range(pages)]
    assert all(len(text) <= MOST for text in texts)
    assert sum(len(json.loads(text)["rows"]) for text in texts) == len(rows)


@pytest.mark.tier("runs")
@given(st.lists(VALUES, max_size=4))
def test_short_rows_are_as_they_were(rows: list[Any]) -> None:
    if all(len(json.dumps(row)) < 500 for row in rows):
        assert json.loads(answer({"rows": rows}))["rows"] == json.loads(json.dumps(rows))


def test_a_secret_is_in_no_answer() -> None:
    row = {"text": "the key is hunter2-and-more", "list": ["password=abcd12345"]}
    told = answer({"rows": [row]}, secrets=["hunter2-and-more"])
    assert "hunter2" not in told
    assert "abcd12345" not in told
