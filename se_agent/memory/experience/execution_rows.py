"""What an execution is, and which ones the steps of a run are (AM-06, AM-22, AM-44). Pure.

Not here: where they are kept, and how they are found again (`executions`).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from se_agent.chat.escaping import shortened_text
from se_agent.chat.messages import LEARNING, Role
from se_agent.memory.experience.slot_records import SlotRecord
from se_agent.program.error_template import error_template
from se_agent.values.evaluation import Status

OUTSIDE = "outside"
"""Run of what nobody's run recorded, but a caller of `ExecutionLog.record_execution`."""

_LONG, _SHORT = 600, 200  # characters of a text, and of a part of one


class TaskType(enum.StrEnum):
    """What kind of work an execution was (AM-44)."""

    PLANNING = "planning"
    TESTING = "testing"
    REFACTORING = "refactoring"
    SCANNING = "scanning"
    OTHER = "other"


_TYPES: Mapping[str, TaskType] = {
    Role.PLAN: TaskType.PLANNING,
    Role.REPLAN: TaskType.PLANNING,
    Role.ANALYSE: TaskType.SCANNING,
}


@dataclass(frozen=True, kw_only=True)
class Execution:
    """One execution.

    Attributes:
        run: The run, or `OUTSIDE`.
        slot: Its number there.
        agent_name: The role of a model, or the operator that needs none.
        task_type: See `TaskType`.
        task_description: What was to be done, with its key terms.
        execution_result: What came of it, with the summary of an error.
        success: Whether it got what it was after: a proven gain, or a program that is right
            where one was mended.
        timestamp: When it ended, UTC.
        duration: Seconds on the wall.
        context: What else is known, by name.
        words: What it is found by besides.
    """

    run: str = OUTSIDE
    slot: int = 0
    agent_name: str
    task_type: str = TaskType.OTHER
    task_description: str
    execution_result: str
    success: bool
    timestamp: str = ""
    duration: float = 0.0
    context: Mapping[str, Any] = field(default_factory=dict)
    words: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Its key as one text."""
        return f"{self.run}/{self.slot}/{self.agent_name}"


def execution_of(
    record: SlotRecord, failed: dict[str, tuple[str, str]], run: str, words: tuple[str, ...]
) -> Execution | None:
    """Return the execution of a closed step; None: nobody was asked anything.

    Args:
        record: The step.
        failed: Templates and statuses of programs that were wrong, by id; is added to.
        run: Name of the run.
        words: Words that describe its program.
    """
    fault, made, chosen, learned = (
        record.fault,
        record.proposal,
        record.selected,
        record.learned,
    )
    if made is not None and fault is not None:
        template = error_template(fault.feedback).words or fault.status.value
        failed[made.solution.id] = (template, fault.status.value)
    if chosen is None or learned is None:
        return None
    roles = (reply.role for reply in record.replies if reply.role not in LEARNING)
    agent = next(roles, chosen.operator)
    verdict = learned.verdict
    right = verdict is not None and verdict.status is Status.AC
    mended, status = failed.get(chosen.subject, ("", ""))
    context: dict[str, Any] = {
        "solution": learned.child,
        "parents": list(chosen.parents),
        "operator": chosen.operator,
        "strategy": chosen.strategy,
        "status": verdict.status.value if verdict else "",
        "effect": verdict.effect if verdict and right else None,
        "files": sorted(made.solution.files) if made else [],
        "functions": sorted({edit.function for edit in made.solution.edits}) if made else [],
        "model": record.replies[-1].model if agent != chosen.operator else "",
        "error": failed.get(made.solution.id, ("", ""))[0] if made else "",
        "mended": mended if right else "",
        "mended_status": status if right else "",
    }
    return Execution(
        run=run,
        slot=record.number,
        agent_name=agent,
        task_type=_TYPES.get(agent, TaskType.REFACTORING),
        task_description=_task(record, mended),
        execution_result=_result(record, str(context["error"])),
        success=bool(verdict and right and (verdict.significant or chosen.subject)),
        timestamp=learned.at.isoformat(timespec="seconds"),
        duration=record.seconds,
        context={name: value for name, value in context.items() if value not in ("", [], None)},
        words=words,
    )


def _task(record: SlotRecord, mended: str) -> str:
    """Return what a step was about: who, what, in which files, and what it mends."""
    assert record.selected is not None
    said = record.proposal.direction if record.proposal else "nothing new"
    files = ", ".join(sorted(record.proposal.solution.files)) if record.proposal else ""
    mends = f" [mends {shortened_text(mended, _SHORT)}]" if mended else ""
    where = f" [{files}]" if files else ""
    return f"{record.selected.operator}: {shortened_text(said, _LONG)}{where}{mends}"


def _result(record: SlotRecord, error: str) -> str:
    verdict = record.learned.verdict if record.learned else None
    if verdict is None:
        return "no candidate"
    if verdict.status is not Status.AC:
        told = record.fault.feedback if record.fault else ""
        parts = (verdict.status.value, error, shortened_text(told, _LONG))
        return ": ".join(dict.fromkeys(part for part in parts if part))
    proven = "proven" if verdict.significant else "not proven"
    return f"{verdict.status.value}: effect {verdict.effect:+.3f}, {proven}"
