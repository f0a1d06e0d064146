"""The four verbs alone, one slot after the other, come to what the scheduler comes to."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.journal import Journal
from se_agent.engine.judging.evaluator_pool import RUN, Arena, Recorder
from se_agent.engine.judging.terms import rule_of
from se_agent.engine.models.prompt_room import PromptRoom
from se_agent.engine.run.recorded import RecordedCalls
from se_agent.engine.run.recorded_meter import RecordedMeter
from se_agent.engine.run.resolve import ResolvedRun, as_operators
from se_agent.engine.step.components import Parts
from se_agent.engine.step.extract import extractor_of
from se_agent.engine.step.loop import Loop
from se_agent.events import Event, SearchEnded
from se_agent.values.evaluation import ComparisonKind
from tests.engine.runs import events_of, ran
from tests.fakes import Endless, Learner, NumberEvaluator, Step1, number_problem, number_run

EXACT = ComparisonKind.EXACT


def searched(events: Iterable[Event]) -> list[str]:
    """Return the events of a search, canonical."""
    found: list[Event] = []
    for event in events:
        found.append(event)
        if isinstance(event, SearchEnded):
            break
    return canonical(found)


def in_turn(loop: Loop, slots: Sequence[int], *, steady: bool) -> None:
    """Do all that is done for the slots of a generation, in one thread."""
    for group in [[slot] for slot in slots] if steady else [slots]:
        new = [
            slot
            for slot in group
            if loop.select(slot) and loop.propose(slot, loop.proposal(slot)())
        ]
        for slot in new:
            loop.measure(slot)
        for slot in group:
            loop.commit(loop.learn(slot))


@pytest.mark.tier("runs")
@pytest.mark.parametrize("schedule", ["steady", "generation"])
def test_one_slot_after_the_other_is_the_same_search(tmp_path: Path, schedule: str) -> None:
    names = [Step1.name, Endless.name, Learner.name]
    config = number_run(tmp_path, operators=names, schedule=schedule)
    events = events_of(ran(tmp_path, operators=names, schedule=schedule, workers=2, lag=1))
    resolved = ResolvedRun.of(config, number_problem())
    state = resolved.new_state()
    with Journal(Path(":memory:")) as journal:
        record = Recorder(journal, state, ())
        for event in itertools.takewhile(lambda event: event.slot < 0, events):
            record(event)
        arena = Arena([NumberEvaluator(EXACT)], record)
        room = PromptRoom(resolved.config, record.state, resolved.counter)
        calls = RecordedCalls(record, events, journal.text, room)
        parts = Parts(
            problem=number_problem(),
            config=config,
            operators=as_operators(resolved.operators, calls, record, resolved.config),
            calls=calls,
            extractor=extractor_of(config, calls.ask),
            rule=rule_of(config, EXACT, 0.0),
            meter=RecordedMeter(events),
        )
        arena.observe(RUN, state.populated.initial.solution)
        loop = Loop(parts, arena, record)
        while loop.open(state.closed):
            assert state.generation is not None
            slots = range(state.closed, state.closed + state.generation.size)
            in_turn(loop, slots, steady=state.steady)
        assert searched(journal.events()) == searched(events)
        assert state.closed > 20
