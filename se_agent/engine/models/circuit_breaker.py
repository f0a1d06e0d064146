"""When calling is no use any more: the run is broken off, or a model fails again and again.

Not here: how a single call is tried again after a moment (`se_agent.llm`).
"""

from __future__ import annotations

import threading
from collections import Counter

from se_agent.errors import ModelError

PATIENCE = 5
"""Calls of a model in a row without a reply after which the run is paused."""

_BROKEN_OFF = "the run was broken off"


class Breaker:
    """Says whether another call is worth making; used by many threads at a time.

    Attributes:
        opened: Whether it lets nothing begin any more.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._failures: Counter[str] = Counter()
        self.opened = False

    def open(self) -> None:
        """Let no call begin, and none fail without ending the run."""
        self.opened = True

    def check(self) -> None:
        """Let a call begin.

        Raises:
            ModelError: The run was broken off.
        """
        if self.opened:
            raise ModelError(_BROKEN_OFF, hint="`se-agent resume` goes on where it was")

    def replied(self, model: str) -> None:
        """Forget its failures."""
        with self._guard:
            del self._failures[model]

    def failed(self, model: str, err: ModelError) -> ModelError | None:
        """Count a call without a reply; return what ends the run, if going on is no use."""
        with self._guard:
            self._failures[model] += 1
            failures = self._failures[model]
        if self.opened or err.fatal:
            return err
        if failures < PATIENCE:
            return None
        paused = ModelError(
            f"models.{model}: {PATIENCE} calls in a row failed, the last one: {err}",
            hint="the run is saved; see to the endpoint, then `se-agent resume` it",
        )
        paused.__cause__ = err
        return paused

    @property
    def failing(self) -> list[str]:
        """The models whose last call had no reply."""
        with self._guard:
            return sorted(self._failures)
