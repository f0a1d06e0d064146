"""A search comes to its end whenever its time runs out, also between two looks at the clock."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from se_agent.engine.journal.journal import Journal
from se_agent.engine.judging.evaluator_pool import RUN, Arena, Recorder
from se_agent.engine.judging.terms import rule_of
from se_agent.engine.models.calls import ModelCalls
from se_agent.engine.run.resolve import ResolvedRun, as_operators
from se_agent.engine.state.meter import Act, LiveMeter
from se_agent.engine.step.components import Parts
from se_agent.engine.step.extract import extractor_of
from se_agent.engine.step.scheduler import Scheduler
from se_agent.events import Event
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import events_of, ran
from tests.fakes import Learner, NumberEvaluator, Step1, number_problem, number_run

EXACT = ComparisonKind.EXACT
NAMES = [Step1.name, Learner.name]


class Sudden(LiveMeter):
    """Has time for so many questions, and for none after them."""

    def __init__(self, questions: int) -> None:
        super().__init__()
        self._left = itertools.count(questions, -1)

    def allows(self, act: Act, number: int = 0) -> bool:
        return next(self._left) > 0


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """What a run records before its search."""
    past = events_of(ran(tmp_path_factory.mktemp("begun"), operators=NAMES))
    return [*itertools.takewhile(lambda event: event.slot < 0, past)]


@pytest.mark.parametrize("questions", range(1, 40))
def test_time_that_runs_out_between_two_questions_ends_it(
    tmp_path: Path, begun: list[Event], questions: int
) -> None:
    """It once waited for ever: for work that nobody had been given."""
    limit = {"evaluations": None, "cpu_seconds": 1000.0}
    config = number_run(tmp_path, operators=NAMES, budget=limit)
    resolved = ResolvedRun.of(config, number_problem())
    with Journal(Path(":memory:")) as journal:
        record = Recorder(journal, resolved.new_state(), ())
        for event in begun:
            record(event)
        arena = Arena([NumberEvaluator(EXACT)], record)
        calls = ModelCalls({}, config, record, resolved.counter)
        parts = Parts(
            problem=number_problem(),
            config=config,
            operators=as_operators(resolved.operators, calls, record, resolved.config),
            calls=calls,
            extractor=extractor_of(config, calls.ask),
            rule=rule_of(config, EXACT, 0.0),
            meter=Sudden(questions),
        )
        arena.observe(RUN, record.state.populated.initial.solution)
        Scheduler(parts, arena, record).run()
        assert record.state.search_ended is not None
