"""The one place where an operator meets a model: a model-written operator, made like any other.

A reply is recorded before it is read, and a reply on record is not asked for again: what was
paid for is used, whatever happens in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from se_agent.conversation import Role
from se_agent.protocols import Model, ModelWritten
from se_agent.talks import Replied
from se_agent.types import Brief, Proposal


@dataclass(frozen=True)
class Lifted:
    """An operator whose candidates a model writes.

    Attributes:
        written: Makes the prompt, and reads the reply.
        endpoint: Name of the model in the run file.
        model: Is asked.
        recorded: Returns the reply on record for a slot, if there is one.
        record: Makes a reply durable.
        arity: How many parents the operator takes.
    """

    written: ModelWritten
    endpoint: str
    model: Model
    recorded: Callable[[int], Replied | None]
    record: Callable[[Replied], None]
    arity: int = 1

    @property
    def name(self) -> str:
        """Name of the operator inside."""
        return self.written.name

    @property
    def role(self) -> Role:
        """What its calls are for."""
        return self.written.role

    def propose(self, brief: Brief) -> Proposal | None:
        """Return what the operator finds in the model's reply.

        Raises:
            ModelError: No reply could be had.
        """
        reply = self.recorded(brief.slot.number) or self._asked(brief)
        return self.written.parse(reply.text, brief)

    def _asked(self, brief: Brief) -> Replied:
        reply = self.model.complete(self.written.prompt(brief))
        replied = Replied(
            slot=brief.slot.number,
            role=self.written.role,
            model=self.endpoint,
            text=reply.text,
            usage=reply.usage,
            seconds=reply.seconds,
            complete=reply.complete,
        )
        self.record(replied)
        return replied


if TYPE_CHECKING:
    from se_agent.protocols import Operator

    _: Callable[..., Operator] = Lifted
