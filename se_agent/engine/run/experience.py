"""Experience across runs: a run looks it up once at its start, and adds to it once at its end.

What cannot be read or written costs a run its past and nothing else. Not here: what is recalled
and what is kept (`se_agent.memory`), and how a recalled program becomes a candidate
(`se_agent.engine.step.recalled_slots`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from se_agent.config.run_file import Run
from se_agent.engine.journal.folder import JOURNAL, stored
from se_agent.engine.journal.journal import Journal
from se_agent.engine.state.state import State
from se_agent.errors import MemoryFileError
from se_agent.events import Event
from se_agent.memory import (
    MEMORY_FILE,
    Harvest,
    Items,
    Workspace,
    harvest_of,
    promote,
    recall,
    workspace_folder,
    write_memory,
)
from se_agent.memory_events import Noted, Recalled
from se_agent.problem.model import Problem
from se_agent.values.solution import Solution

Recaller = Callable[[], Recalled | Noted | None]
"""Looks up what earlier runs give: that, or why they give nothing, or None."""

_UNTRUSTED = "what untrusted scores taught is for no other run"


def recaller(
    results: Path, config: Run, problem: Problem, initial: Solution
) -> Recaller | None:
    """Return what looks up earlier runs at the start of a run; None: it is switched off.

    Args:
        results: The folder of the runs.
        config: Its `memory`.
        problem: The problem.
        initial: The program that it begins with.
    """
    if not config.memory.reads_prior:
        return None
    return partial(_recalled, results, config, problem, initial)


def recorded_recall(events: Iterable[Event]) -> Recaller | None:
    """Return what a run has on record, for its replay; None: it recalled nothing."""
    found = next((event for event in events if isinstance(event, Recalled)), None)
    return None if found is None else lambda: found


def remember(
    folder: Path,
    config: Run,
    problem: Problem,
    state: State,
    events: Callable[[], Iterable[tuple[int, Event]]],
) -> str:
    """Keep what a run found out for later ones; return what kept it from that, or nothing.

    Args:
        folder: Folder of the run.
        config: Its `memory`.
        problem: The problem.
        state: Where it stands, at its end.
        events: Gives its events with their numbers.
    """
    started = state.begun
    if not problem.trusted:
        return _UNTRUSTED
    trials = state.experience.trials(problem, started.initial)
    name = _name(folder, started.at)
    try:
        place = _workspace(config, folder.parent)
        if place is None:
            write_memory(folder.parent / MEMORY_FILE, name, trials)
            return ""
        with Workspace.open(place, results=folder.parent) as workspace:
            left = harvest_of(events(), trials, run=name, problem=problem)
            _take_in(workspace.items(), left)
    except MemoryFileError as err:
        return str(err)
    return ""


def harvest_folder(folder: Path, items: Items) -> bool:
    """Keep what a run of before left; say whether its journal had anything to give.

    Args:
        folder: Folder of a run that nobody is at.
        items: Where it goes.

    Raises:
        SeAgentError: It cannot be read, or what it gives cannot be written.
    """
    return _take_in(items, stored_harvest(folder))


def stored_harvest(folder: Path) -> Harvest | None:
    """Return what the journal of a run gives to later ones; None: nothing, or it may not.

    What its operators did is not among it: that is kept at the end of the run only.

    Args:
        folder: Folder of a run that nobody is at.

    Raises:
        SeAgentError: It cannot be read.
    """
    with Journal(folder / JOURNAL, write=False) as journal:
        started, config, problem = stored(folder, journal.events())
        if not config.memory.writes_prior:
            return None
        name = _name(folder, started.at)
        return harvest_of(journal.numbered_events(), None, run=name, problem=problem)


def _recalled(
    results: Path, config: Run, problem: Problem, initial: Solution
) -> Recalled | Noted | None:
    try:
        place = _workspace(config, results)
        if place is None:
            return None
        with Workspace.open(place, write=False, results=results) as workspace:
            return recall(
                workspace.items(),
                problem,
                initial,
                config.memory.experience,
                operators=config.operators,
                exclude_families=config.memory.exclude_families,
                with_graph=config.memory.graph.enabled,
                with_neighbours=config.memory.graph.enabled and config.memory.graph.shown,
            )
    except MemoryFileError as err:
        return Noted(text=f"earlier runs give nothing to this one: {err}")


def _take_in(items: Items, harvest: Harvest | None) -> bool:
    if harvest is None:
        return False
    promote(harvest, items, at=datetime.now(UTC).isoformat(timespec="seconds"))
    return True


def _workspace(config: Run, results: Path) -> Path | None:
    return workspace_folder(config.memory.workspace.path, results)


def _name(folder: Path, at: datetime) -> str:
    return f"{folder.name} {at.isoformat()}"
