"""Keys never leave."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.llm.redaction import redacted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("no secrets", "no secrets", id="nothing"),
        pytest.param("key-1234 key-1234", "*** ***", id="known"),
        pytest.param("Incorrect: sk-proj-ab12****wxyz.", "Incorrect: ***", id="in-part"),
        pytest.param("Bearer abc.def", "Bearer ***", id="bearer"),
        pytest.param('"Authorization": "Basic"', '"Authorization": "***"', id="header"),
        pytest.param("Authorization: Basic bWU6eA== no", "Authorization: *** no", id="basic"),
        pytest.param("https://me:word@host/v1", "https://***host/v1", id="url"),
        pytest.param("/v1?api-key=word&v=2", "/v1?api-key=***&v=2", id="query"),
        pytest.param("task-force, risk-based", "task-force, risk-based", id="no-key"),
    ],
)
def test_what_is_taken_out(text: str, shown: str) -> None:
    assert redacted(text, ["key-1234", "ab"]) == shown


@given(st.text(), st.text(min_size=4).filter(lambda text: "*" not in text), st.text())
def test_a_known_secret_is_never_in_it(before: str, secret: str, after: str) -> None:
    assert secret not in redacted(f"{before}{secret}{after}", [secret])
