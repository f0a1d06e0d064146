"""A run's events in a form that two runs can be compared in: ordered, without the clock."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from se_agent.chat.events import Replied, RolledBack, Unanswered
from se_agent.chat.messages import LEARNING
from se_agent.events import Event, Learned, dumps

CLOCK_FIELDS = frozenset(
    {
        "at",
        "cpu_seconds",
        "wall_seconds",
        "cost_seconds",
        "confirmation_seconds",
        "seconds",
        "measurement",
        "peak_bytes",
        "machine",
    }
)
"""What no two runs share, whatever they did."""

DERIVED_FIELDS = frozenset({"shown_memory"})
"""What follows from the memory of a slot, and shows in the digest of what is asked; older
journals have none of it."""

_LEFT_OUT = CLOCK_FIELDS | DERIVED_FIELDS
STAGES = (
    "started",
    "surveyed",
    "recalled",
    "self_tested",
    "rolled_back",
    "told",
    "generation_opened",
    "relayed",
    "selected",
    "replied",
    "unanswered",
    "planned",
    "proposed",
    "evaluated",
    "block_measured",
    "challenged",
    "observed",
    "retested",
    "learned",
    "trimmed",
    "search_ended",
    "seeded",
    "confirmed",
    "ended",
)
ASIDE = (
    *("failed", "lost", "objected", "resumed", "remembered"),
    *("offloaded", "fetched", "noted"),
)
"""What happened to a run, not in it. What is objected to a reply follows from it; what a model
read shows in the digest of its next request."""


def canonical(events: Iterable[Event]) -> list[str]:
    """Return the events as JSON lines by slot and stage, clock fields removed.

    With two workers the stages of different slots interleave; within a slot and a stage the
    order of recording stands.
    """
    kept = [event for event in _lasting(events) if event.kind not in ASIDE]
    ordered = sorted(kept, key=lambda event: (event.slot, STAGES.index(event.kind)))
    return [json.dumps(_bare(json.loads(dumps(e))), sort_keys=True) for e in ordered]


def _lasting(events: Iterable[Event]) -> list[Event]:
    """Return the events without answers about a lesson that a rollback made void."""
    kept: list[Event] = []
    for event in events:
        if isinstance(event, RolledBack) and event.session is None:
            closed = {one.slot for one in kept if isinstance(one, Learned)}
            kept = [one for one in kept if one.slot in closed or not _of_a_lesson(one)]
        kept.append(event)
    return kept


def _of_a_lesson(event: Event) -> bool:
    return isinstance(event, Replied | Unanswered) and event.role in LEARNING


def _bare(value: Any) -> Any:  # any JSON value
    if isinstance(value, dict):
        return {k: _bare(v) for k, v in value.items() if k not in _LEFT_OUT}
    if isinstance(value, list):
        return [_bare(v) for v in value]
    return value
