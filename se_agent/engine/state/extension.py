"""A run goes on with other settings, perhaps after its end; and how far it has come.

Not here: which settings may change (`se_agent.config.changes`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from se_agent.config.changes import more
from se_agent.events import Event, Resumed

if TYPE_CHECKING:
    from se_agent.engine.state.state import State


def reopens(state: State, event: Resumed) -> bool:
    """Say whether the search of a run that had ended goes on: a budget is another one.

    `State.apply` asks it once, before any fold is told of the event; folds read `reopened`.
    """
    return state.ended is not None and more(event.settings)


def later_settings(events: Iterable[Event]) -> dict[str, object]:
    """Return the settings that were changed since a run began, by dotted key."""
    again = (event.settings for event in events if isinstance(event, Resumed))
    return {key: value for settings in again for key, value in settings.items()}


def last_opened(state: State) -> int:
    """Return the number of the generation opened last; trials took the one after it."""
    return max(state.generation.generation if state.generation else 0, state.passed)


def finished(state: State) -> int:
    """Return how many generations are closed as a whole."""
    if state.idle.unfinished:
        return state.idle.unfinished[0].generation - 1
    return state.generation.generation if state.generation else 0
