"""What is said to a language model and what it says: messages, replies, tokens, roles.

Not here: who speaks to an endpoint (`se_agent.llm`), nor what a prompt holds (`operators`,
`se_agent.memory`).
"""

from __future__ import annotations

import enum
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal


class Role(enum.StrEnum):
    """What a call is for, as far as it is known here; operators of others may have other roles.

    `mutate` is the family of `rewrite` and `refine`: it was the only role of both, and what is
    on record, or in a run file, under its name holds for both. So does `plan` for `replan`.
    """

    PLAN = "plan"
    REPLAN = "replan"
    REWRITE = "rewrite"
    REFINE = "refine"
    MUTATE = "mutate"
    CROSS_OVER = "cross_over"
    REPAIR = "repair"
    EXTRACT = "extract"
    COMPRESS = "compress"
    ANALYSE = "analyse"


LEARNING: frozenset[str] = frozenset({Role.EXTRACT, Role.COMPRESS})
"""Roles that are asked about a lesson: what becomes of the step is known before."""

_FAMILIES: Mapping[str, str] = {
    Role.REPLAN: Role.PLAN,
    Role.REWRITE: Role.MUTATE,
    Role.REFINE: Role.MUTATE,
}
ROLE_NAME = r"^[a-z][a-z0-9_]{0,39}$"
_NUMBERED = ("plan", "mutate", "cross_over", "repair", "extract", "compress")


def family_of(role: str) -> str:
    """Return the older role of which a role is a part; one that is no part is its own."""
    return str(_FAMILIES.get(role, role))


def is_name(role: str) -> bool:
    """Say whether this can be the name of a role."""
    return re.fullmatch(ROLE_NAME, role) is not None


def number_of(role: str) -> int:
    """Return the number of a role's family, for addresses of randomness: it never changes."""
    family = family_of(role)
    if family in _NUMBERED:
        return _NUMBERED.index(family)
    return len(_NUMBERED) + zlib.crc32(family.encode())


@dataclass(frozen=True)
class Message:
    """One turn of a conversation with a model.

    Attributes:
        role: The speaker.
        content: The text.
        earlier: Whether it is of an earlier step: it is left out where there is no room.
    """

    role: Literal["system", "user", "assistant"]
    content: str
    earlier: bool = False


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
        thoughts: What was thought on the way, where the endpoint sends that.
    """

    text: str
    usage: Usage = Usage()
    model: str = ""
    complete: bool = True
    seconds: float = 0.0
    lost: tuple[Reply, ...] = ()
    thoughts: str = ""


RetryCheck = Callable[[Sequence[Reply]], bool]
"""Whether a call may be tried again, given what came of attempts that may be billed."""
