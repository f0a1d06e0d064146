"""What closes a step says what memory will make of its lesson."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from se_agent.config.run_file import Run
from se_agent.engine.journal.journal import Journal
from se_agent.engine.judging.evaluator_pool import Arena, Recorder
from se_agent.engine.judging.judge import judge
from se_agent.engine.models.calls import ModelCalls
from se_agent.engine.run.resolve import counter_of
from se_agent.engine.state.meter import LiveMeter
from se_agent.engine.state.state import State
from se_agent.engine.step.commit import StepCommit
from se_agent.engine.step.components import Parts
from se_agent.events import Started
from se_agent.stats.sequential import Once
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.lesson import Direction, Lesson
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot, Step
from tests.engine.runs import new_state
from tests.fakes import number_problem
from tests.finished import events


class Forgetful:
    """Returns the newest `kept` directions only, as a reply that was cut short."""

    def __init__(self, kept: int) -> None:
        self._kept = kept

    def extract(
        self, problem: str, parent: Solution, step: Step, directions: Sequence[Direction]
    ) -> Lesson:
        return Lesson(updated_directions=tuple(directions[len(directions) - self._kept :]))


@pytest.fixture
def state() -> State:
    past = events(timed=False)
    assert isinstance(past[0], Started)
    state = new_state(Run.model_validate(past[0].config))
    for event in past:
        state.apply(event)
    return state


def closed(state: State, kept: int, journal: Journal) -> tuple[str, ...]:
    assert state.population is not None
    assert state.generation is not None
    config, record = Run(problem="numbers"), Recorder(journal, state, [])
    parts = Parts(
        problem=number_problem(),
        config=config,
        operators={},
        calls=ModelCalls({}, config, record, counter_of(config)),
        extractor=Forgetful(kept),
        rule=Once(),
        meter=LiveMeter(),
    )
    parent = state.population.initial.solution
    child = Solution(id="Gen9_Sol_0", files={"main.py": "x = 7"}, parents=(parent.id,))
    number = state.generation.generation
    wrong = Evaluation(status=Status.WA)
    step = Step(
        slot=Slot(number=99, generation=number, child=child.id, parents=(parent,), operator=""),
        proposal=Proposal(solution=child, direction="Add 7"),
        evaluation=wrong,
        verdict=judge(wrong, None),
    )
    arena = Arena([], record)
    return StepCommit(arena, state, parts).learned_event(step, child).refused


@pytest.mark.tier("runs")
@pytest.mark.parametrize("lost", [0, 1, "all"])
def test_directions_that_the_shrink_guard_keeps_are_on_record_x_10(
    state: State, tmp_path: Path, lost: int | str
) -> None:
    assert state.memory is not None
    held = state.memory.local.attempted_directions
    assert len(held) >= 2
    kept = 0 if lost == "all" else len(held) - int(lost)
    with Journal(tmp_path / "run.db") as journal:
        refused = closed(state, kept, journal)
    assert refused == (tuple(entry.direction for entry in held) if lost == "all" else ())
