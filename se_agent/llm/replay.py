"""A model that was asked before: what it said is on record, and nobody is asked again.

Not here: the record, and who answers from it (`se_agent.engine`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from se_agent.conversation import Message, Reply
from se_agent.errors import ModelError

if TYPE_CHECKING:
    from se_agent.sections import Endpoint


class RecordedModel:
    """Has no endpoint: who repeats a run finds each reply on record, and never comes here.

    Args:
        endpoint: Table of the run file.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._name = endpoint.name

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Raise: there is nobody to ask.

        Raises:
            ModelError: Always; fatal.
        """
        raise ModelError(
            f"{self._name}: no reply on record",
            hint="the run asks another question than it did: replay it with the same version",
            fatal=True,
        )

    def close(self) -> None:
        """Nothing is under way."""


if TYPE_CHECKING:
    from collections.abc import Callable

    from se_agent.protocols import Model

    _: Callable[[Endpoint], Model] = RecordedModel
