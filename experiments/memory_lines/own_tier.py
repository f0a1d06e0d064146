"""A memory tier of somebody's own, as a run file names one: what each operator brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from se_agent.events import Event, Selected
from se_agent.memory import TokenCounter
from se_agent.values.closed_step import ClosedStep
from se_agent.values.memory_context import Advice
from se_agent.values.step import Slot


@dataclass(frozen=True)
class OperatorGains:
    """Counts the steps of each operator."""

    counter: TokenCounter
    tries: Mapping[str, int] = field(default_factory=dict)

    name = "operator gains"
    token_limit = 60

    @property
    def empty(self) -> bool:
        """Whether there was no step yet."""
        return not self.tries

    def apply(self, event: Event, closed: ClosedStep | None = None) -> OperatorGains:
        """Return the tier after an event."""
        if not isinstance(event, Selected):
            return self
        return replace(self, tries=Counter(self.tries) + Counter([event.operator]))

    def context(self, slot: Slot, role: str) -> str:
        """Return how often each operator was tried."""
        told = "".join(f"- {name}: {tries}\n" for name, tries in sorted(self.tries.items()))
        return f"## Operators so far\n{told}" if told else ""

    def advice(self) -> Advice:
        """Return that sets are worth another try."""
        return Advice(
            directions={"set_membership@repeated": 1.2},
            prior=dict.fromkeys(self.tries, (1.0, 1.0)),
        )
