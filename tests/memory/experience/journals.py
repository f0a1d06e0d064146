"""Journals of runs in the little world of numbers, and steps made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.result import Result
from se_agent.events import Evaluated, Event, Learned, Proposed, Selected, Started
from se_agent.memory.experience.harvest import Harvest, harvest_of
from se_agent.values.evaluation import Branch, ComparisonKind, Evaluation, Status, Verdict
from se_agent.values.lesson import Metric
from se_agent.values.session import KnownFix, SessionUpdates
from se_agent.values.step import Proposal
from tests.engine.runs import ran
from tests.fakes import number_problem, solution

Numbered = list[tuple[int, Event]]


def finished(results: Path, name: str = "first", **memory: Any) -> Result:
    """Return a run of sixteen evaluations that tells later ones what it found out."""
    told = {"prior": True} | memory
    return ran(results, name=name, memory=told, budget={"evaluations": 16})


def numbered(result: Result) -> Numbered:
    """Return the events of a run with their numbers."""
    with Journal(Path(result.run) / "run.db", write=False) as journal:
        return list(journal.numbered_events())


def harvested(events: Iterable[tuple[int, Event]], run: str = "first") -> Harvest:
    """Return what a run of the number problem leaves."""
    found = harvest_of(events, (), run=run, problem=number_problem())
    assert found is not None
    return found


def started() -> Started:
    """Return the beginning of a run."""
    return Started(
        name="numbers",
        config={"seed": 3},
        problem="",
        initial=solution("x = 0"),
        evaluation=judged(Status.WA),
        measure=ComparisonKind.EXACT,
        metric=Metric(value=1.0),
        isolation="",
        tokenizer="",
    )


def judged(status: Status, feedback: str = "") -> Evaluation:
    """Return an evaluation that is not AC."""
    return Evaluation(status=status, feedback=feedback)


def step(
    slot: int,
    *,
    status: Status,
    operator: str = "mutate",
    subject: str = "",
    feedback: str = "",
    fix: KnownFix | None = None,
) -> list[Event]:
    """Return the events of one step, made by hand."""
    child = solution(f"x = {slot + 1}", id=f"Gen1_Sol_{slot}")
    right = status is Status.AC
    evaluated = (
        []
        if right
        else [
            Evaluated(
                slot=slot,
                solution=child.id,
                content=child.content,
                evaluation=judged(status, feedback),
            )
        ]
    )
    return [
        Selected(
            slot=slot,
            child=child.id,
            parents=("Gen0_Sol_0",),
            operator=operator,
            subject=subject,
        ),
        Proposed(slot=slot, proposal=Proposal(solution=child, direction=f"Change {slot}")),
        *evaluated,
        Learned(
            slot=slot,
            child=child.id,
            best="Gen0_Sol_0",
            verdict=Verdict(
                status=status,
                perf_diff=0.0,
                effect=0.0 if right else float("-inf"),
                interval=(0.0, 0.0),
                significant=False,
                branch=Branch.FAILURE,
            ),
            session_updates=SessionUpdates(known_fixes=(fix,)) if fix else None,
        ),
    ]


def by_hand(*steps: list[Event]) -> Numbered:
    """Return steps as a journal has them."""
    events = [started(), *(event for one in steps for event in one)]
    return list(enumerate(events, 1))
