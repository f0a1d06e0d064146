"""Why an entry of the memory is gone: the table says of each what the memory did to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any  # a setting may have any value

import pytest

from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.run_tables.columns import names_of
from se_agent.analysis.run_tables.local_versions import LocalVersions
from se_agent.engine.run.rollback import roll_back
from se_agent.events import Learned, Started
from se_agent.memory import MemoryUpdate
from tests.analysis.arms import run_in
from tests.finished import recorded, unfinished


def ends(folder: Path) -> list[tuple[Any, ...]]:
    """Return kind, entry, source, last version and end of each row."""
    wanted = ("kind", "entry", "source", "to_version", "end")
    places = [names_of("memory").index(name) for name in wanted]
    return [tuple(row[at] for at in places) for row in RecordedRun(folder).rows("memory")]


def updates(folder: Path) -> list[MemoryUpdate]:
    """Return what each lesson of a run did."""
    events = list(recorded(folder))
    started = next(event for event in events if isinstance(event, Started))
    memory, found = LocalVersions.of(started), list[MemoryUpdate]()
    assert memory is not None
    for event in events:
        memory.apply(event)
        if isinstance(event, Learned) and event.lesson is not None and memory.update:
            found.append(memory.update)
    return found


def test_items_of_a_bank_that_overflows_are_compressed(tmp_path: Path) -> None:
    small = {"prior": False, "local": {"token_limit": 400}}
    folder = run_in(tmp_path, "run", memory=small)
    evicted = {
        (item.source_ref.solution_id, update.memory.version)
        for update in updates(folder)
        for item in update.evicted
        if item not in update.items
    }
    told = {
        (source, version)
        for kind, _, source, version, end in ends(folder)
        if kind == "item" and end == "compressed"
    }
    assert evicted
    assert evicted <= told


def test_directions_without_room_are_cut(tmp_path: Path) -> None:
    few = {"prior": False, "local": {"directions_limit": 1}}
    folder = run_in(tmp_path, "run", memory=few)
    cut = {
        (entry.key, update.memory.version): entry in update.learned
        for update in updates(folder)
        for entry in update.cut
    }
    told = {
        (entry, version)
        for kind, entry, _, version, end in ends(folder)
        if kind == "direction" and end == "cut"
    }
    stood = {place for place, is_new in cut.items() if not is_new}
    assert stood
    assert stood <= told <= cut.keys()


def test_what_stands_has_no_end_and_what_changed_says_so(tmp_path: Path) -> None:
    rows = ends(run_in(tmp_path, "run", memory={"prior": False}))
    assert all((version is None) == (end is None) for *_, version, end in rows)
    assert "changed" in {end for kind, *_, end in rows if kind == "direction"}


@pytest.mark.tier("runs")
def test_directions_that_a_person_rolled_back_are_told_so(tmp_path: Path) -> None:
    folder = unfinished(tmp_path, 60)
    roll_back(folder, 1)
    rows = ends(folder)
    last = max(version for *_, version, _ in rows if version is not None)
    assert {end for *_, version, end in rows if version == last} <= {"rolled back", "changed"}
    assert "rolled back" in {end for *_, end in rows}
