"""Some slots are asked without memory, and the record says which."""

from __future__ import annotations

from pathlib import Path

import pytest

from se_agent.engine.run.start import start
from se_agent.events import Event, Selected
from se_agent.values.brief import Brief
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.step import Proposal
from tests.engine.runs import factory
from tests.fakes import Endless, number_problem, number_run


class Reading(Endless):
    """Notes in its direction whether it was shown a memory."""

    name = "tests.engine.step.test_propose:Reading"

    def propose(self, brief: Brief) -> Proposal | None:
        """Return another number."""
        made = super().propose(brief)
        assert made is not None
        words = "with memory" if brief.memory.text else "without memory"
        return Proposal(solution=made.solution, direction=f"{words} {brief.slot.number}")


def selected(results: Path, **memory: object) -> list[tuple[Selected, str]]:
    events: list[Event] = []

    class Keep:
        def on_event(self, event: Event) -> None:
            events.append(event)

    start(
        number_run(
            results,
            operators=[Reading.name],
            budget={"evaluations": 160},
            memory={"prior": False} | memory,
        ),
        problem=number_problem(),
        evaluators=factory(ComparisonKind.EXACT),
        listeners=[Keep()],
    )
    words = {
        e.slot: e.proposal.direction for e in events if e.kind == "proposed" and e.proposal
    }
    return [(e, words[e.slot]) for e in events if isinstance(e, Selected)]


@pytest.mark.tier("runs")
def test_about_one_slot_in_eight_is_asked_without_memory(tmp_path: Path) -> None:
    found = selected(tmp_path)
    first = [e for e, _ in found if e.child.startswith("Gen1_")]
    assert {e.informed for e in first} == {None}
    informed = [e.informed for e, _ in found[len(first) :]]
    assert 8 <= informed.count(False) <= 32
    assert informed.count(True) == len(informed) - informed.count(False)
    for e, words in found:
        assert words.startswith("with memory" if e.informed else "without memory")


@pytest.mark.tier("runs")
def test_without_a_memory_there_is_nothing_to_withhold(tmp_path: Path) -> None:
    assert {e.informed for e, _ in selected(tmp_path, enabled=False)} == {None}
