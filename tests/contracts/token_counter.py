"""What every token counter must do. Inherit and give the fixture."""

from __future__ import annotations

import pytest

from se_agent.memory.context.tokens import TokenCounter
from se_agent.memory.local.rendering import lines
from tests.memory.examples import at, direction, item

TEXTS = [
    "word",
    "你好世界",
    "😀 🚀",
    "def f(x):\n    return [x, 10.5]\n",
    "\ud800",
    "<|endoftext|>",
]


class TokenCounterContract:
    """Inherited by the tests of exact counters and of the estimator alike."""

    @pytest.fixture
    def counter(self) -> TokenCounter:
        raise NotImplementedError

    def test_it_has_a_name(self, counter: TokenCounter) -> None:
        assert counter.name

    def test_the_empty_text_has_no_token(self, counter: TokenCounter) -> None:
        assert counter.count("") == 0

    @pytest.mark.parametrize("text", TEXTS)
    def test_any_text_has_a_count_that_stays(self, counter: TokenCounter, text: str) -> None:
        count = counter.count(text)
        assert count > 0
        counter.count("another")
        assert counter.count(text) == count

    def test_the_counts_of_rendered_lines_add_up(self, counter: TokenCounter) -> None:
        """The limit is held by adding lines up, so the whole may not have more."""
        entries = [direction(f"/ try {n} `x in a`: 10.5 ms (你好) 😀!") for n in range(5)]
        rendered = list(lines(at(), entries, [item("a /b", content="c\\n //")] * 3))
        assert sum(map(counter.count, rendered)) >= counter.count("".join(rendered))
