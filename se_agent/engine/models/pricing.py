"""What calls of a model cost, by the prices that a run file names.

Pure. Not here: what was charged so far (`stats.costs`), and what may be spent
(`se_agent.engine`).
"""

from __future__ import annotations

from se_agent.chat.messages import Usage
from se_agent.config.sections import Endpoint

_MILLION = 1_000_000


def money(usage: Usage, endpoint: Endpoint) -> float | None:
    """Return what a call cost, in the run file's currency; None: it names no prices.

    Where no price is named for tokens from a cache, they cost as others.
    """
    prompt, completion = endpoint.prompt_price, endpoint.completion_price
    if prompt is None or completion is None:
        return None
    cached = prompt if endpoint.cached_price is None else endpoint.cached_price
    fresh = usage.prompt - usage.cached
    return (fresh * prompt + usage.cached * cached + usage.completion * completion) / _MILLION
