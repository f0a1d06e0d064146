"""What a call costs by the prices of the run file."""

from __future__ import annotations

import pytest

from se_agent.chat.messages import Usage
from se_agent.config.sections import Endpoint
from se_agent.engine.models.pricing import money

USAGE = Usage(prompt=1_000_000, cached=400_000, completion=500_000, reasoning=300_000)


@pytest.mark.parametrize(
    ("prices", "cost"),
    [
        pytest.param({}, None, id="none-named"),
        pytest.param({"prompt_price": 2.0}, None, id="replies-unknown"),
        pytest.param({"completion_price": 2.0}, None, id="prompts-unknown"),
        pytest.param({"prompt_price": 2.0, "completion_price": 10.0}, 7.0, id="no-cache-price"),
        pytest.param(
            {"prompt_price": 2.0, "cached_price": 0.5, "completion_price": 10.0}, 6.4, id="all"
        ),
        pytest.param({"prompt_price": 0.0, "completion_price": 0.0}, 0.0, id="free"),
    ],
)
def test_thoughts_are_paid_as_replies_and_caches_as_they_are_priced(
    prices: dict[str, float], cost: float | None
) -> None:
    found = money(USAGE, Endpoint.model_validate({"name": "any", **prices}))
    assert found == (cost if cost is None else pytest.approx(cost))
