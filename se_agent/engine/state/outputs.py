"""The large outputs of a run that are kept whole beside it: a fold.

A model may read these, and no others. Not here: where they lie (`se_agent.memory`).
"""

from __future__ import annotations

from typing import ClassVar

from se_agent.events import Event
from se_agent.memory_events import Offloaded
from se_agent.values.artifact import SHOWN_DIGITS, ArtifactRef


class OutputsFold:
    """The fold."""

    reads: ClassVar = (Offloaded,)

    def __init__(self) -> None:
        self._known: dict[str, ArtifactRef] = {}

    def apply(self, event: Event) -> None:
        """Take in an output."""
        if isinstance(event, Offloaded):
            self._known[event.artifact.digest] = event.artifact

    def __contains__(self, digest: str) -> bool:
        return digest in self._known

    def named(self, name: str) -> ArtifactRef | None:
        """Return the output that a model means; None: this run has none of that name.

        Args:
            name: The first 12 hex digits of its hash, or more of them.
        """
        if len(name) < SHOWN_DIGITS:
            return None
        return next((r for d, r in self._known.items() if d.startswith(name)), None)
