"""Rolling back: a run that stands still gets the directions of an earlier version again (X-10).

Not here: how memory takes them (`se_agent.memory.local.memory`), nor when they are first asked
with: the generation that is open goes on with what was known when it was opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from se_agent.chat.events import RolledBack, Told
from se_agent.config.changes import left_out
from se_agent.engine.journal import folder as folders
from se_agent.engine.journal.journal import Journal, belonging
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.engine.state.extension import later_settings
from se_agent.engine.state.state import State
from se_agent.errors import ConfigError, JournalError
from se_agent.events import Event, Learned
from se_agent.memory import Ledger, MemoryUpdate
from se_agent.memory_events import Recalled
from se_agent.values.lesson import Direction, Outcome
from se_agent.wording import command

_NONE = "this run has no directions"


@dataclass(frozen=True, kw_only=True)
class Version:
    """The directions as they stood at some time.

    Attributes:
        number: Number of the version. Lessons of earlier runs make several at once, of which
            the last is one here.
        step: Id of the solution whose lesson made it; empty where none did.
        restored: Number of the version that was rolled back to; None where none was.
        told: What a person suggested; empty where nobody did.
        recalled: Whether it is what earlier runs had learned.
        directions: The list.
    """

    number: int
    step: str = ""
    restored: int | None = None
    told: str = ""
    recalled: bool = False
    directions: tuple[Direction, ...]

    def count(self, outcome: Outcome) -> int:
        """Return how many directions fared so."""
        return sum(entry.outcome is outcome for entry in self.directions)


@dataclass(frozen=True, kw_only=True)
class RolledBackTo:
    """What a rollback did.

    Attributes:
        version: The new one.
        generation: The one that is open and goes on with what it knew; 0: none is open.
    """

    version: Version
    generation: int


class History(NamedTuple):
    """Where a run stands, all versions of its directions, oldest first, and all it learned."""

    state: State
    versions: list[Version]
    ledger: Ledger


def history(folder: Path, events: Sequence[Event]) -> History:
    """Return the history of a run; without a memory it has no versions.

    Raises:
        JournalError: The folder is incomplete.
    """
    state, ledger = new_state(folder, events), Ledger()
    with belonging(folder):
        return History(state, list(_versions(state, ledger, events)), ledger)


def new_state(folder: Path, events: Sequence[Event]) -> State:
    """Return the state of a recorded run before its first event.

    Raises:
        JournalError: The folder is incomplete.
    """
    started, config, problem = folders.stored(folder, events)
    config = left_out(config, later_settings(events))
    return ResolvedRun.of(config, problem, tokenizer=started.tokenizer).new_state()


def the_version(known: list[Version], number: int) -> Version:
    """Return the version of this number.

    Raises:
        ConfigError: There is none.
    """
    if not known:
        raise ConfigError(_NONE, hint="a closed step brings them, if memory.enabled")
    near = min(known, key=lambda version: abs(version.number - number))
    if near.number != number:
        raise ConfigError(
            f"no version {number} of the directions in this run",
            hint=f"did you mean {near.number}? known: {known[0].number} to {known[-1].number}",
        )
    return near


def roll_back(folder: Path, number: int) -> RolledBackTo:
    """Make the directions of a version those of a run again, as a new version.

    Everything else that was learned stays. The run must not be under way; `resume` goes on.

    Raises:
        ConfigError: There is no such version, or it is the last one.
        JournalError: There is no such run, it is locked, its folder is incomplete, or its
            search is over.
    """
    with Journal(folder / folders.JOURNAL) as journal:
        state, known, ledger = history(folder, list(journal.events()))
        _check(folder, state, known, number)
        event = rollback_to(state, number, ledger.directions(number))
        journal.append(event)
    (made,) = _versions(state, ledger, [event])
    opened = state.generation
    asked = bool(state.idle.unfinished)
    return RolledBackTo(version=made, generation=opened.generation if opened and asked else 0)


def require_search(folder: Path, state: State) -> None:
    """Make sure that a run goes on with its search.

    Raises:
        JournalError: Its search is over.
    """
    if state.search_ended is not None:
        raise JournalError(
            f"{folder}: the search is over: nobody will ask with these directions",
            hint="start a new run"
            if state.ended
            else f"`{command('resume', folder)}` confirms",
        )


def _check(folder: Path, state: State, known: list[Version], number: int) -> None:
    require_search(folder, state)
    if the_version(known, number) is known[-1]:
        raise ConfigError(
            f"version {number} is the last one: there is nothing to roll back",
            hint=f"`{command('rollback', folder)}` lists the versions",
        )


def rollback_to(state: State, version: int, directions: tuple[Direction, ...]) -> RolledBack:
    """Return the event that gives a run the directions of a version again."""
    assert state.memory is not None, "a run without memory has no versions"
    return RolledBack(
        slot=state.closed,
        version=version,
        directions=directions,
        memory_version=state.memory.local.version + 1,
    )


def _versions(state: State, ledger: Ledger, events: Iterable[Event]) -> Iterator[Version]:
    """Yield the versions that events make, while state and ledger move on by them."""
    for event in events:
        state.apply(event)
        if state.memory is None:
            continue
        local, update = state.memory.local, state.memory.update
        number, held = local.version, local.attempted_directions
        if isinstance(event, Learned) and event.lesson is not None:
            assert update is not None
            ledger.add(update)
            yield Version(number=number, step=event.child, directions=held)
        elif isinstance(event, RolledBack) and event.session is None:
            ledger.add(MemoryUpdate(memory=local))
            yield Version(number=number, restored=event.version, directions=held)
        elif isinstance(event, Told) and not event.constraint:
            assert update is not None
            ledger.add(update)
            yield Version(number=number, told=event.direction, directions=held)
        elif isinstance(event, Recalled) and update is not None:
            ledger.add(update)
            yield Version(number=number, recalled=True, directions=held)
