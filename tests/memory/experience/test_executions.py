"""Execution memory: recorded, found again, and asked what mended an error."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from se_agent.memory import ExecutionLog
from se_agent.memory.experience.execution_rows import Execution
from se_agent.memory.experience.long_term import FixRow, LongTerm
from se_agent.memory.experience.schema import KIND
from se_agent.store.connection import IN_MEMORY
from se_agent.store.database import Database

NAME = "NameError: name <*> is not defined"


@pytest.fixture
def db() -> Iterator[Database]:
    with Database(IN_MEMORY, KIND) as opened:
        yield opened


def mended(slot: int, task: str, error: str = NAME, **context: object) -> Execution:
    return Execution(
        run="first",
        slot=slot,
        agent_name="mend",
        task_description=task,
        execution_result="AC",
        success=True,
        context={"mended": error, **context},
    )


@pytest.mark.row("AM-06", "AM-18", "AM-44")
def test_what_a_caller_records_is_kept_with_its_metadata(db: Database) -> None:
    log = ExecutionLog(db, secrets=("a-known-secret-4711",))
    context = {"task_type": "scanning", "files": ["stock.py"], "key": "a-known-secret-4711"}
    id_ = log.record_execution(
        "reader", "Read stock.py", "42 lines", True, 1.5, context, at="T"
    )
    second = log.record_execution("reader", "Read it again", "none", False, 0.5)
    assert (id_, second) == ("outside/0/reader", "outside/1/reader")
    row = log.rows()[0]
    assert (row.agent_name, row.task_type, row.success) == ("reader", "scanning", True)
    assert (row.timestamp, row.duration) == ("T", 1.5)
    assert row.context["files"] == ["stock.py"]
    assert "4711" not in str(row.context)
    assert log.rows()[1].task_type == "other"


@pytest.mark.row("AM-19", "AM-21")
def test_similar_executions_carry_distance_and_similarity(db: Database) -> None:
    log = ExecutionLog(db)
    log.record_execution("a", "Replace the list by a set", "faster", True, 1.0)
    log.record_execution("b", "Replace the list by a deque", "wrong", False, 1.0)
    for number in range(8):
        log.record_execution("c", f"Something else {number}", "nothing", True, 1.0)
    found = log.get_similar_executions("a set in place of a list")
    assert [hit.execution.agent_name for hit in found[:2]] == ["a", "b"]
    assert found[0].similarity == 1.0
    assert all(hit.similarity + hit.distance == pytest.approx(1.0) for hit in found)
    assert found[0].distance < found[1].distance
    assert [h.execution.agent_name for h in log.get_similar_executions("list", "b")] == ["b"]
    succeeded = log.get_similar_executions("list set deque", success_only=True)
    assert succeeded
    assert all(hit.execution.success for hit in succeeded)
    assert len(log.get_similar_executions("something", top_k=3)) == 3
    assert log.get_similar_executions("") == []


@pytest.mark.row("AM-20", "AM-23", "LF-99")
def test_error_solutions_come_by_template_then_words_then_place(db: Database) -> None:
    LongTerm(db).put_fix(
        FixRow(id="F1", error_pattern=NAME, solution="Add `import math`", verified=True)
    )
    log = ExecutionLog(db)
    place = mended(2, "Take the first row", "WA", functions=["missing"], mended_status="WA")
    failed = Execution(
        run="first",
        slot=3,
        agent_name="mend",
        task_description="This did not help",
        execution_result="RE",
        success=False,
        context={"mended": NAME},
    )
    log.put([mended(1, "Import what is not defined"), place, failed])
    found = log.get_error_solutions("NameError: name 'sqrt' is not defined")
    assert [(one.found_by, one.solution) for one in found] == [
        ("template", "Add `import math`"),
        ("words", "Import what is not defined"),
    ]
    by_place = log.get_error_solutions("wrong answer: missing(7)")
    assert [(one.found_by, one.error) for one in by_place] == [("place", "WA")]
    assert log.get_error_solutions("NameError: name 'x' is not defined", top_k=1) == found[:1]


@pytest.mark.row("AM-23")
def test_what_several_queries_find_is_one_solution(db: Database) -> None:
    LongTerm(db).put_fix(FixRow(id="F1", error_pattern=NAME, solution="Import it", frequency=3))
    log = ExecutionLog(db)
    log.put([mended(1, "Import it"), mended(2, "Import it")])
    (only,) = log.get_error_solutions("NameError: name 'x' is not defined")
    assert (only.solution, only.frequency, only.found_by) == ("Import it", 3, "template")


def test_rows_that_came_meanwhile_are_found(db: Database) -> None:
    log = ExecutionLog(db)
    assert log.get_similar_executions("set") == []
    ExecutionLog(db).record_execution("a", "Use a set", "faster", True, 1.0)
    assert len(log.get_similar_executions("set")) == 1
