"""What is said to a language model and what it says: messages, replies, tokens, roles.

Not here: who speaks to an endpoint (`se_agent.llm`), nor what a prompt holds (`operators`,
`se_agent.memory`).
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal


class Role(enum.StrEnum):
    """What a call is for; models, prompts, budgets and reports are told apart by it."""

    PLAN = "plan"
    MUTATE = "mutate"
    CROSS_OVER = "cross_over"
    REPAIR = "repair"
    EXTRACT = "extract"
    COMPRESS = "compress"


LEARNING = frozenset({Role.EXTRACT, Role.COMPRESS})
"""Roles that are asked about a lesson: what becomes of the step is known before."""


@dataclass(frozen=True)
class Message:
    """One turn of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens of a call, as the endpoint counted them.

    Attributes:
        prompt: Tokens of the messages; `cached` of them were served from a cache.
        cached: Part of `prompt`.
        completion: Tokens of the reply; `reasoning` of them were thought, not said.
        reasoning: Part of `completion`.
    """

    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        """Tokens of both directions."""
        return self.prompt + self.completion

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            prompt=self.prompt + other.prompt,
            cached=self.cached + other.cached,
            completion=self.completion + other.completion,
            reasoning=self.reasoning + other.reasoning,
        )


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a model said.

    Attributes:
        text: The answer, without what was thought on the way.
        usage: As the endpoint says; 0 where it says nothing, and the engine counts.
        model: Model that answered, in the endpoint's words; empty where it does not say.
        complete: False where the answer was cut at the limit of tokens.
        seconds: On the clock on the wall, waiting and retries included.
        lost: What came of attempts before it that gave no reply, although the endpoint may have
            worked, and bill them.
    """

    text: str
    usage: Usage = Usage()
    model: str = ""
    complete: bool = True
    seconds: float = 0.0
    lost: tuple[Reply, ...] = ()


RetryCheck = Callable[[Sequence[Reply]], bool]
"""Whether a call may be tried again, given what came of attempts that may be billed."""
