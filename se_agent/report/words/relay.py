"""A switch from one policy to another, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from se_agent.events import Relayed
from se_agent.wording import counted


def switches(events: Iterable[Relayed]) -> Iterator[str]:
    """Yield each switch with the step that it comes before."""
    yield from (f"step {event.slot}: {switch(event)}" for event in events)


def switch(event: Relayed) -> str:
    """Return who goes on from which program, and why the one before stopped."""
    steps = counted(event.steps, "step")
    why = f"{event.before} had nothing left to try after {steps}"
    if event.why == "plateau":
        why = f"{event.before} found nothing better at the end of {steps}"
    return f"{event.policy} goes on from {event.best}: {why}"
