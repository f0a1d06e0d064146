"""Runs of one workspace give each other programs, tests, lessons: live, resumed, replayed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.result import Result
from se_agent.engine.run.experience import harvest_folder
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import resume, start
from se_agent.errors import SandboxError
from se_agent.events import Evaluated, Event, Learned, Proposed, Selected
from se_agent.memory import MEMORY_FILE, Workspace
from se_agent.memory_events import Noted, Recalled
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import CrashAt, events_of, factory
from tests.fakes import number_problem, number_run
from tests.memory.experience.journals import finished

WHOLE: dict[str, Any] = {"experience": {"edits": True, "lessons": True}}


def recalled(result: Result) -> Recalled:
    (found,) = (event for event in events_of(result) if isinstance(event, Recalled))
    return found


def slots(result: Result) -> dict[int, list[Event]]:
    found: dict[int, list[Event]] = {}
    for event in events_of(result):
        found.setdefault(event.slot, []).append(event)
    return found


@pytest.mark.tier("runs")
@pytest.mark.row("LF-97", "LF-99", "SQ-07")
def test_the_best_program_of_before_is_the_first_candidate_and_judged_as_any(
    tmp_path: Path,
) -> None:
    first = finished(tmp_path, "first")
    second = finished(tmp_path, "second", **WHOLE)
    (known,) = recalled(second).programs
    selected, proposed, *measured = slots(second)[0][1:]
    assert isinstance(selected, Selected)
    assert (selected.operator, selected.parents) == ("recall", ("Gen0_Sol_0",))
    assert isinstance(proposed, Proposed)
    assert proposed.proposal is not None
    assert proposed.proposal.solution.files == known.files
    assert any(isinstance(event, Evaluated) for event in measured)
    learned = measured[-1]
    assert isinstance(learned, Learned)
    assert learned.verdict is not None
    assert learned.verdict.significant
    assert second.status == "proven"
    assert (second.score or 0) >= (first.score or 0) > 0


@pytest.mark.tier("runs")
def test_a_recalled_program_is_no_news_of_the_run_that_recalled_it(tmp_path: Path) -> None:
    finished(tmp_path, "first")
    second = finished(tmp_path, "second")
    (step,) = (e for e in slots(second)[0] if isinstance(e, Learned))
    assert step.lesson is not None
    assert step.lesson.items[0].significant  # a lesson to the run itself
    with Workspace.open(tmp_path / ".se_agent", write=False) as workspace:
        items = workspace.items()
        assert all(row.operator != "recall" for row in items.rows())
        told = {rule for (rule,) in items.db.rows("SELECT rule FROM trials", where="trials")}
    assert told
    assert "recall" not in told


@pytest.mark.tier("runs")
def test_a_recall_is_on_record_before_anything_of_it_is_used(tmp_path: Path) -> None:
    finished(tmp_path, "first")
    kinds = [event.kind for event in events_of(finished(tmp_path, "second"))]
    assert kinds.count("recalled") == 1
    assert kinds.index("recalled") < kinds.index("generation_opened")


@pytest.mark.tier("runs")
def test_a_replay_needs_nothing_beside_the_journal(tmp_path: Path) -> None:
    finished(tmp_path / "results", "first")
    result = finished(tmp_path / "results", "second", **WHOLE)
    (tmp_path / "results" / MEMORY_FILE).rename(tmp_path / "gone.db")
    (tmp_path / "results" / ".se_agent").rename(tmp_path / "gone")
    found = replay(Path(result.run))
    assert found.differences == ()
    assert any('"recalled"' in line for line in found.recorded)


@pytest.mark.tier("runs")
@pytest.mark.parametrize("kind", ["recalled", "selected", "evaluated", "learned"])
def test_a_run_that_broke_off_goes_on_with_what_it_recalled(tmp_path: Path, kind: str) -> None:
    finished(tmp_path, "first")
    whole = finished(tmp_path, "whole", **WHOLE, prior="read")
    memory = WHOLE | {"prior": "read"}
    config = number_run(tmp_path, name="broken", budget={"evaluations": 16}, memory=memory)
    make = factory(ComparisonKind.EXACT)
    with pytest.raises(SandboxError, match="the machine gave up"):
        start(config, problem=number_problem(), evaluators=make, listeners=[CrashAt(kind)])
    finished(tmp_path, "between")  # what is learned meanwhile is for other runs
    result = resume(tmp_path / "broken", evaluators=make)
    assert canonical(events_of(result))[1:] == canonical(events_of(whole))[1:]
    assert sum(isinstance(event, Recalled) for event in events_of(result)) == 1


@pytest.mark.tier("runs")
def test_with_experience_off_a_run_is_as_if_it_were_the_only_one(tmp_path: Path) -> None:
    finished(tmp_path / "full", "first")
    off: dict[str, Any] = {"experience": {"enabled": False}}
    alone = finished(tmp_path / "empty", "second", **off)
    beside = finished(tmp_path / "full", "second", **off)
    assert canonical(events_of(beside))[1:] == canonical(events_of(alone))[1:]
    assert not any(isinstance(event, Recalled) for event in events_of(beside))
    with Workspace.open(tmp_path / "full" / ".se_agent", write=False) as workspace:
        query = "SELECT COUNT(*) FROM runs"
        assert list(workspace.items().db.rows(query, where="runs")) == [(1,)]


def test_an_empty_workspace_leaves_no_event(tmp_path: Path) -> None:
    result = finished(tmp_path, "first")
    assert not any(isinstance(event, Recalled | Noted) for event in events_of(result))


def test_a_memory_that_cannot_be_read_costs_a_note_and_no_run(tmp_path: Path) -> None:
    (tmp_path / MEMORY_FILE).write_bytes(b"no database" * 400)
    result = finished(tmp_path, "first")
    (note,) = (event.text for event in events_of(result) if isinstance(event, Noted))
    assert note.startswith("earlier runs give nothing to this one: ")
    assert result.status == "proven"


@pytest.mark.tier("runs")
def test_without_a_workspace_nothing_is_recalled(tmp_path: Path) -> None:
    finished(tmp_path, "first")
    result = finished(tmp_path, "second", workspace={"path": "none"})
    assert not any(isinstance(event, Recalled) for event in events_of(result))


@pytest.mark.tier("runs")
def test_lessons_are_directions_that_nobody_tried_here(tmp_path: Path) -> None:
    finished(tmp_path, "first")
    second = finished(tmp_path, "second", **WHOLE)
    told = [
        one.direction
        for event in events_of(second)
        if isinstance(event, Learned) and event.lesson
        for one in event.lesson.updated_directions
    ]
    assert any(words.endswith("(from an earlier run)") for words in told)


@pytest.mark.row("AM-50")
def test_a_run_that_was_broken_off_is_harvested_and_again_when_it_ends(tmp_path: Path) -> None:
    config = number_run(
        tmp_path, name="broken", budget={"evaluations": 16}, memory={"prior": True}
    )
    make = factory(ComparisonKind.EXACT)
    crash = CrashAt("search_ended")
    with pytest.raises(SandboxError, match="the machine gave up"):
        start(config, problem=number_problem(), evaluators=make, listeners=[crash])
    with Workspace.open(tmp_path / ".se_agent") as workspace:
        assert harvest_folder(tmp_path / "broken", workspace.items())
        before = {row.id: row.merged for row in workspace.items().rows()}
        assert harvest_folder(tmp_path / "broken", workspace.items())
        assert {row.id: row.merged for row in workspace.items().rows()} == before
        assert before
    resume(tmp_path / "broken", evaluators=make)
    with Workspace.open(tmp_path / ".se_agent", write=False) as workspace:
        query = "SELECT status FROM runs"
        assert list(workspace.items().db.rows(query, where="runs")) == [("proven",)]
        assert {row.id: row.merged for row in workspace.items().rows()} == before
