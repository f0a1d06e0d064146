"""The harvest: a function of the journal, and true to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.events import Evaluated, Event, Learned, Retested, Selected
from se_agent.memory_events import Surveyed
from se_agent.values.evaluation import Status
from se_agent.values.session import ArchetypeRecord, KnownFix, SessionUpdates
from tests.memory.experience.journals import by_hand, finished, harvested, numbered, step

FIX = KnownFix(
    error_pattern="NameError: name <*> is not defined",
    solution="Add `import math`",
    source="mend",
    verified=True,
)


def test_the_pattern_that_the_survey_found_is_kept() -> None:
    kind = ArchetypeRecord(type="array_scan", source="survey", lifecycle_phases=("scan",))
    events = by_hand()
    events.append((9, Surveyed(updates=SessionUpdates(archetype=kind))))
    (row,) = harvested(events).archetypes
    assert (row.archetype_type, row.phases, row.source) == ("array_scan", ("scan",), "survey")
    assert row.id.startswith("A")


def failing(events: list[tuple[int, Event]]) -> int:
    found = (e.evaluation for _, e in events if isinstance(e, Evaluated | Retested))
    return sum(one.status is not Status.AC for one in found)


@pytest.mark.row("LF-104", "SQ-07")
def test_it_is_a_function_of_the_journal_and_counts_what_is_there(tmp_path: Path) -> None:
    events = numbered(finished(tmp_path))
    found = harvested(events)
    assert found == harvested(events)
    assert found.run.status == "proven"
    closed = [event for _, event in events if isinstance(event, Learned)]
    judged = [event for event in closed if event.verdict is not None]
    assert found.run.evaluations == len(judged) == 16
    assert len(found.test_runs) == failing(events) > 0
    assert len(found.executions) == sum(isinstance(e, Selected) for _, e in events)


def test_lessons_of_the_champion_are_verified_and_each_names_its_step(tmp_path: Path) -> None:
    events = numbered(finished(tmp_path))
    found = harvested(events)
    (champion,) = found.solutions
    assert champion.edits
    assert champion.entry_content == found.run.entry_content
    assert found.run.code != found.run.entry_content
    won = [(row, source) for row, source in found.items if row.outcome == "Success"]
    assert any(row.verified and row.status == "active" for row, _ in won)
    by_number = dict(events)
    for row, source in found.items:
        learned = by_number[source.event]
        assert isinstance(learned, Learned)
        assert (learned.slot, learned.child) == (source.slot, source.solution)
        assert learned.lesson is not None
        assert row.title in {item.title for item in learned.lesson.items}
        assert source.diff.startswith("--- a/main.py")


def test_a_run_that_was_not_confirmed_has_no_solution(tmp_path: Path) -> None:
    events = numbered(finished(tmp_path))
    begun = [(n, event) for n, event in events if event.kind not in ("confirmed", "ended")]
    found = harvested(begun)
    assert (found.solutions, found.run.status) == ((), "")
    assert not any(row.verified for row, _ in found.items)


def test_a_run_says_one_thing_of_a_direction(tmp_path: Path) -> None:
    rows = [row for row, _ in harvested(numbered(finished(tmp_path))).items]
    assert len({row.direction_key for row in rows}) == len(rows) > 1


def test_a_run_that_never_started_leaves_nothing() -> None:
    from se_agent.memory.experience.harvest import harvest_of
    from tests.fakes import number_problem

    assert harvest_of([], (), run="first", problem=number_problem()) is None


def test_fixes_that_were_seen_to_help_are_counted(tmp_path: Path) -> None:
    guess = FIX.model_copy(update={"verified": False, "solution": "Guess"})
    fixed = step(1, status=Status.AC, subject="Gen1_Sol_0", fix=FIX)
    again = step(2, status=Status.AC, subject="Gen1_Sol_0", fix=FIX)
    guessed = step(3, status=Status.AC, fix=guess)
    (fix,) = harvested(by_hand(step(0, status=Status.RE), fixed, again, guessed)).fixes
    assert (fix.solution, fix.frequency, fix.verified) == (FIX.solution, 2, True)


@pytest.mark.row("AM-22", "AM-44")
def test_an_execution_holds_terms_files_and_the_error() -> None:
    broken = step(0, status=Status.RE, feedback="NameError: name 'math' is not defined")
    mended = step(1, status=Status.AC, operator="mend", subject="Gen1_Sol_0")
    first, second = harvested(by_hand(broken, mended)).executions
    assert first.agent_name == "mutate"
    assert first.task_type == "refactoring"
    assert "Change 0 [main.py]" in first.task_description
    assert "NameError: name <*> is not defined" in first.execution_result
    assert not first.success
    assert second.success
    assert second.context["mended"] == "NameError: name <*> is not defined"
    assert second.context["mended_status"] == "RE"
    assert first.timestamp
    assert first.duration >= 0
