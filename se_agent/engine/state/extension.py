"""A run goes on with other settings, perhaps after its end; and how far it has come.

Not here: which settings may change (`se_agent.config.changes`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from se_agent.config.changes import more
from se_agent.events import Resumed
from se_agent.values.evaluation import InputSet

if TYPE_CHECKING:
    from se_agent.engine.state.state import State


def go_on(state: State, event: Resumed) -> None:
    """Take note of changed settings; a run that had ended goes on if a budget is among them."""
    state.settings |= event.settings
    if more(event.settings):
        state.spent.refused, state.spent.stale = "", 0
        if state.ended is not None:
            _reopen(state)


def opened(state: State) -> int:
    """Return the number of the generation opened last; trials took the one after it."""
    return max(state.generation.generation if state.generation else 0, state.passed)


def finished(state: State) -> int:
    """Return how many generations are closed as a whole."""
    if state.idle.unfinished:
        return state.idle.unfinished[0].generation - 1
    return state.generation.generation if state.generation else 0


def _reopen(state: State) -> None:
    """Let the search go on: what was measured at its end says nothing of the next one."""
    for slot in [slot for slot in state.open if slot < -1]:
        del state.open[slot]  # of a trial that was broken off
    own = state.open[-1]
    own.blocks = {p: found for p, found in own.blocks.items() if p[2] is InputSet.SEARCH}
    own.hunts = {name: hunt for name, hunt in own.hunts.items() if not hunt.put_off}
    state.trials += len(state.trimmed) + 1  # one more may have been broken off
    state.trimmed = []
    state.passed = 1 + opened(state)
    state.search_ended = state.confirmed = state.remembered = state.ended = None
    state.seeded = None
