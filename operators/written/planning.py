"""What the operators share whose reply is a list of strategies: they ask for it, and read it.

Not here: how calls are shared out among strategies, which is a policy's business.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, Field

from operators.written.prompting import messages
from se_agent.chat.escaping import inline
from se_agent.chat.messages import Message, Role
from se_agent.chat.structured import schema_of, validated
from se_agent.errors import ReplyError
from se_agent.values.brief import Brief
from se_agent.values.search_context import Strategy
from se_agent.values.step import Proposal

_NAME, _IDEA, _COMPLEXITY = 60, 400, 60  # characters
_ASKED = "two to five words that tell it from all others"
"""What the prompt has in the place of a name: a reply that repeats it names nothing."""
_OLD = "all of these strategies are in the list of those that were tried: name others"


def _words(value: Any) -> str:  # any JSON value
    return inline(value) if isinstance(value, str) else ""


class Sketch(BaseModel):
    """A strategy, as a model describes it."""

    name: Annotated[str, BeforeValidator(_words), Field(min_length=1)]
    idea: Annotated[str, BeforeValidator(_words)] = ""
    complexity: Annotated[str, BeforeValidator(_words)] = ""


class Sketches(BaseModel):
    """The reply."""

    strategies: Annotated[list[Sketch], Field(min_length=1)]


class PlanMaking:
    """Base of the operators that make strategies, and no candidate.

    Attributes:
        name: Registered name; also of its templates.
        role: What its calls are for.
        arity: How many parents it takes.
        count: Strategies that it asks for, and takes at most.
    """

    name: ClassVar[str]
    role: ClassVar[str] = Role.PLAN
    arity: ClassVar[int] = 1
    count: ClassVar[int]

    @cached_property
    def schema(self) -> dict[str, Any]:  # a JSON schema
        """What a reply looks like, for endpoints that can see to it."""
        return schema_of(Sketches)

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        """Return the messages, what never changes first; see `ModelWritten`."""
        return messages(self.name, brief, brief.slot.parents[0], count=self.count)

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        """Return None: there is no candidate in a plan."""
        return None

    def strategies(self, reply: str, brief: Brief) -> tuple[Strategy, ...]:
        """Return the strategies in a reply that are new, each name once.

        Raises:
            ReplyError: There are none, or nothing new among them.
        """
        taken = {_key(record.strategy.name) for record in brief.search.ledger} | {_key(_ASKED)}
        found = tuple(_fresh(validated(Sketches, reply).strategies, taken))[: self.count]
        if not found:
            raise ReplyError(_OLD)
        return found


def _fresh(sketches: list[Sketch], taken: set[str]) -> Iterator[Strategy]:
    for sketch in sketches:
        strategy = Strategy(
            name=_cut(sketch.name, _NAME),
            idea=_cut(sketch.idea, _IDEA),
            complexity=_cut(sketch.complexity, _COMPLEXITY),
        )
        if _key(strategy.name) not in taken:
            taken.add(_key(strategy.name))
            yield strategy


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def _key(name: str) -> str:
    """Return what two spellings of a name have in common."""
    return "".join(filter(str.isalnum, name.casefold())) or name
