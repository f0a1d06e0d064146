"""Versions of session memory, and going back: a run that stands still agrees on one again.

As with directions, an open generation goes on with what it began with. Not here: how memory
takes a version (`se_agent.memory.session.fold`), nor versions of directions (`rollback`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from se_agent.chat.events import RolledBack, Told
from se_agent.engine.journal import folder as folders
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.rollback import new_state, require_search
from se_agent.engine.state.state import State
from se_agent.errors import ConfigError
from se_agent.events import Event, Learned
from se_agent.memory import SessionVersion, versions_of_sessions
from se_agent.values.session import NOTHING_AGREED, SessionMemory
from se_agent.wording import command


def session_versions(folder: Path, events: Sequence[Event]) -> list[SessionVersion]:
    """Return all versions of a run's session memory, oldest first; the first, 0, is empty.

    Raises:
        JournalError: The folder is incomplete.
    """
    return _versions(new_state(folder, events), events)


def roll_back_session(folder: Path, number: int) -> SessionVersion:
    """Make a version of session memory that of a run again, as a new version; return the old.

    Everything else that was learned stays. The run must not be under way; `resume` goes on.

    Raises:
        ConfigError: There is no such version, or it holds already.
        JournalError: There is no such run, it is locked, its folder is incomplete, or its
            search is over.
    """
    with Journal(folder / folders.JOURNAL) as journal:
        events = list(journal.events())
        state = new_state(folder, events)
        known = _versions(state, events)
        require_search(folder, state)
        found = _the_version(folder, known, number)
        journal.append(session_rollback(state, number, found.memory))
    return found


def session_rollback(state: State, number: int, session: SessionMemory) -> RolledBack:
    """Return the event that gives a run a version of session memory again."""
    assert state.memory is not None, "a run without memory has no versions"
    local = state.memory.local
    return RolledBack(
        slot=state.closed,
        version=number,
        directions=local.attempted_directions,
        memory_version=local.version,
        session=session,
    )


def _the_version(folder: Path, known: Sequence[SessionVersion], number: int) -> SessionVersion:
    if not 0 <= number < len(known):
        near = min(max(number, 0), len(known) - 1)
        raise ConfigError(
            f"no version {number} of session memory in this run",
            hint=f"did you mean {near}? known: 0 to {len(known) - 1}",
        )
    found = known[number]
    if found.memory == known[-1].memory:
        raise ConfigError(
            f"version {number} holds already: there is nothing to roll back",
            hint=f"`{command('show', folder)} --session` shows it",
        )
    return found


def _versions(state: State, events: Iterable[Event]) -> list[SessionVersion]:
    """Return the versions that events make, while the state moves on by them."""
    begun = SessionVersion(0, -1, NOTHING_AGREED, "the start")
    return [begun, *versions_of_sessions(_states(state, events))]


def _states(state: State, events: Iterable[Event]) -> Iterator[tuple[int, str, SessionMemory]]:
    for event in events:
        state.apply(event)
        if state.memory is not None:
            yield event.slot, _cause(event), state.memory.session


def _cause(event: Event) -> str:
    match event:
        case Learned():
            return event.child or f"slot {event.slot}"
        case RolledBack():
            return f"back to {event.version}"
        case Told():
            return "a person"
    return ""
