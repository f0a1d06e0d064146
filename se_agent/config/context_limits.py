"""The table `[memory.context]`: what a prompt shows of earlier steps, and its room for them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from se_agent.config.section import Section

Tokens = Annotated[int, Field(gt=0)]


class ContextLimits(Section):
    """What a prompt shows of earlier steps of its role and strategy, and its room for them."""

    history: Literal["none", "outcomes", "full"] = "none"
    """"outcomes": declaration and result of each; "full": task and reply word by word."""
    history_token_limit: Tokens = 2000
    """Tokens of earlier steps in a prompt; those without room are counted in a summary."""
    order: Literal["recency", "importance"] = "recency"
    """Order of leaving out: the oldest first, or what gained least, in any strategy."""
    safety_margin: Annotated[float, Field(ge=0, lt=1)] = 0.05
    """Share of a context that a history leaves free; at least 0.10 where counts may differ."""
    agent_token_limit: Tokens = 100_000
    """Tokens of a prompt with history, however wide the context."""
    system_token_limit: Tokens = 10_000
    """Tokens to which a system message is cut in a prompt with history."""
