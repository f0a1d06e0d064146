"""Runs whose lessons a model words: after each step, after a generation, or not at all."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from se_agent.chat.events import Replied, RolledBack, Unanswered
from se_agent.chat.messages import Message, Role
from se_agent.config.run_file import Run
from se_agent.engine.journal.result import Result
from se_agent.engine.run.replay import replay
from se_agent.engine.run.rollback import roll_back
from se_agent.engine.run.start import resume, start
from se_agent.errors import ConfigError, SandboxError
from se_agent.events import Evaluated, Event, GenerationOpened, Learned, Selected
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.lesson import Lesson
from tests.engine.lecturing import Lecturer, models
from tests.engine.runs import Crash, events_of, factory, new_state
from tests.engine.talking import Mutation
from tests.fakes import number_problem, number_run


def run_file(results: Path, **changes: object) -> Run:
    values = {"models": models(), "budget": {"evaluations": 10}}
    return number_run(results, **(values | changes))


def ran(results: Path, **changes: object) -> Result:
    config = run_file(results, **changes)
    return start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))


def taught(results: Path, *, memory: Mapping[str, object], **changes: object) -> list[Event]:
    """Run with a model that keeps lessons, and show that a replay needs none."""
    result = ran(results, memory={"prior": False, **memory}, **changes)
    assert replay(Path(result.run)).differences == ()
    return events_of(result)


def learned(events: Sequence[Event]) -> list[Learned]:
    return [event for event in events if isinstance(event, Learned)]


def lessons(events: Sequence[Event]) -> list[Lesson]:
    return [event.lesson for event in learned(events) if event.lesson is not None]


def calls(events: Sequence[Event]) -> Counter[str]:
    return Counter(event.role for event in events if isinstance(event, Replied))


def lasts(events: Sequence[Event]) -> set[int]:
    opened = [event for event in events if isinstance(event, GenerationOpened)]
    return {event.slot + event.size - 1 for event in opened}


@pytest.mark.tier("runs")
@pytest.mark.lm("LM-29", "LM-34", "LM-43", "LM-62", "LM-63", "LM-64", "LM-65")
def test_each_judged_step_is_one_call_lm_63(tmp_path: Path) -> None:
    events = taught(tmp_path, memory={"extraction": "each"})
    judged = [event for event in learned(events) if event.verdict is not None]
    assert calls(events) == {Role.EXTRACT: len(judged)}
    assert len(judged) == 10
    for event in judged:
        assert event.lesson is not None
        for item in event.lesson.items:
            assert item.title == "Hash lookups"
            assert event.verdict is not None
            assert item.effect == event.verdict.effect
    slots = [event.slot for event in events if isinstance(event, Replied)]
    assert slots == sorted(slots)


@pytest.mark.tier("runs")
@pytest.mark.parametrize(("extraction", "replies"), [("each", 5), ("batch", 2)])
def test_a_lesson_that_a_rollback_overtook_is_asked_for_again(
    tmp_path: Path, extraction: str, replies: int
) -> None:
    class Interrupting:
        """Breaks the run between a reply about a lesson and the lesson."""

        left = replies

        def on_event(self, event: Event) -> None:
            self.left -= isinstance(event, Replied)
            if not self.left:
                raise SandboxError("the machine gave up")

    config = run_file(tmp_path, memory={"prior": False, "extraction": extraction})
    with pytest.raises(SandboxError, match="gave up"):
        start(
            config,
            problem=number_problem(),
            evaluators=factory(ComparisonKind.EXACT),
            listeners=[Interrupting()],
        )
    folder = tmp_path / "run"
    roll_back(folder, 1)
    result = resume(folder, evaluators=factory(ComparisonKind.EXACT))
    events = events_of(result)
    place = next(n for n, event in enumerate(events) if isinstance(event, RolledBack))
    before, after = (
        next(event for event in some if isinstance(event, Replied))
        for some in (events[place::-1], events[place:])
    )
    assert (before.slot, before.role) == (after.slot, after.role)
    assert before.request != after.request, "the directions are other ones"
    assert replay(folder).differences == ()


@pytest.mark.lm("X-45")
def test_the_directions_that_a_call_sees_are_those_that_the_last_one_left(
    tmp_path: Path,
) -> None:
    events = taught(tmp_path, memory={"extraction": "each"})
    (first, second, *_) = lessons(events)
    shown = Lecturer.asked[1][-1].content
    assert first.updated_directions[0].direction in shown
    assert len(second.updated_directions) == 2


class Waiting(Lecturer):
    """Words no lesson before the last program of the first generation was evaluated."""

    evaluated = threading.Event()

    _numbers = itertools.count(1)

    def say(self, messages: Sequence[Message]) -> str:
        if "Memory Manager" not in messages[0].content:
            return f"x = {next(self._numbers)}"
        assert self.evaluated.wait(10), "nothing is evaluated while a lesson is worded"
        return super().say(messages)


class Watching:
    """A listener that tells when a slot was evaluated."""

    def __init__(self, slot: int, seen: threading.Event) -> None:
        self._slot, self._seen = slot, seen

    def on_event(self, event: Event) -> None:
        if isinstance(event, Evaluated) and event.slot == self._slot:
            self._seen.set()


@pytest.mark.tier("runs")
@pytest.mark.parametrize("schedule", ["generation", "steady"])
def test_a_slow_lesson_keeps_no_evaluation_waiting(tmp_path: Path, schedule: str) -> None:
    Waiting.evaluated.clear()
    config = run_file(
        tmp_path,
        models={"keeper": {"name": "any", "provider": f"{__name__}:Waiting"}},
        memory={"prior": False, "extraction": "each"},
        operators=[Mutation.name],
        policy="tests.engine.talking:Mutating",
        generation_size=4,
        schedule=schedule,
        lag=4,
    )
    result = start(
        config,
        problem=number_problem(),
        listeners=[Watching(3, Waiting.evaluated)],
        evaluators=factory(ComparisonKind.EXACT),
    )
    assert calls(events_of(result))[Role.EXTRACT] == result.evaluations == 10


def test_a_generation_is_one_call_that_contrasts_it(tmp_path: Path) -> None:
    events = taught(tmp_path, memory={"extraction": "batch"}, generation_size=4)
    replied = [event.slot for event in events if isinstance(event, Replied)]
    assert set(replied) <= lasts(events)
    assert len(replied) == len(set(replied))
    children = [event.child for event in events if isinstance(event, Selected)]
    told = "\n".join(messages[-1].content for messages in Lecturer.asked)
    judged = {event.child for event in learned(events) if event.verdict is not None}
    assert {child for child in children if f"### {child}\n" in told} == judged
    plain = [e for e in learned(events) if e.lesson is not None and e.slot not in replied]
    titles = [item.title for event in plain if event.lesson for item in event.lesson.items]
    assert titles
    assert "Hash lookups" not in titles


def test_a_generation_whose_last_slot_has_no_candidate_is_contrasted_there(
    tmp_path: Path,
) -> None:
    events = taught(
        tmp_path,
        memory={"extraction": "batch"},
        generation_size=8,
        budget={"evaluations": None, "generations": 2},
    )
    empty = [e for e in learned(events) if not e.child and e.lesson is not None]
    assert empty
    assert {event.slot for event in empty} <= lasts(events)
    assert calls(events) == {Role.EXTRACT: 2}


def test_a_step_that_its_generation_tells_anew_is_not_told_twice(tmp_path: Path) -> None:
    events = taught(tmp_path, memory={"extraction": "batch"}, generation_size=4)
    state = new_state(run_file(tmp_path))
    for event in events:
        state.apply(event)
    assert state.memory is not None
    bank = state.memory.local.reasoning_bank
    sources = [item.source_ref.solution_id for item in bank]
    assert len(sources) == len(set(sources))
    every = {item.source_ref.solution_id for one in lessons(events) for item in one.items}
    assert set(sources) == every
    assert "Hash lookups" in {item.title for item in bank}


def test_a_generation_of_one_step_is_a_call_too(tmp_path: Path) -> None:
    events = taught(tmp_path, memory={"extraction": "batch"}, generation_size=1)
    judged = [event for event in learned(events) if event.verdict is not None]
    assert calls(events) == {Role.EXTRACT: len(judged)}


@pytest.mark.tier("runs")
def test_the_guard_of_fresh_directions_goes_by_the_generation_of_the_step(
    tmp_path: Path,
) -> None:
    events = taught(
        tmp_path,
        memory={"extraction": "each"},
        models=models("Forgetful"),
        schedule="steady",
        lag=16,
        generation_size=1,
        budget={"evaluations": 30},
    )
    config = run_file(tmp_path)
    state, refused = new_state(config), 0
    for event in events:
        state.apply(event)
        if isinstance(event, Learned) and event.lesson is not None:
            assert state.memory is not None
            assert state.memory.update is not None
            assert event.refused == tuple(e.direction for e in state.memory.update.refused)
            refused += len(event.refused)
    assert refused


def test_what_was_declared_costs_no_call(tmp_path: Path) -> None:
    events = taught(tmp_path, memory={"extraction": "declared"})
    assert calls(events) == {}
    assert any(lesson.items for lesson in lessons(events))


@pytest.mark.tier("runs")
@pytest.mark.parametrize("mode", ["each", "batch"])
def test_no_lesson_is_lost_to_a_model_that_babbles(tmp_path: Path, mode: str) -> None:
    spoken = taught(tmp_path / "a", models=models("Babbler"), memory={"extraction": mode})
    silent = taught(tmp_path / "b", memory={"extraction": "declared"})
    assert [e.lesson for e in learned(spoken) if e.child] == [
        e.lesson for e in learned(silent) if e.child
    ]
    attempts = [event.attempt for event in spoken if isinstance(event, Replied)]
    assert attempts == [0, 1] * (len(attempts) // 2)


def test_a_budget_that_ends_ends_in_lessons_of_ours(tmp_path: Path) -> None:
    events = taught(
        tmp_path, memory={"extraction": "each"}, budget={"evaluations": 10, "calls": 3}
    )
    assert calls(events)[Role.EXTRACT] <= 3
    judged = [event for event in learned(events) if event.verdict is not None]
    assert all(event.lesson is not None for event in judged)
    assert len(judged) > 3 or any(isinstance(event, Unanswered) for event in events)


SMALL = {"local": {"compression": "model", "token_limit": 300, "directions_limit": 3}}


@pytest.mark.lm("LM-28", "LM-54", "LM-56", "LM-60", "LM-66")
def test_the_bank_is_the_one_that_the_model_compressed_lm_56(tmp_path: Path) -> None:
    events = taught(tmp_path, memory=SMALL)
    banks = [event for event in learned(events) if event.bank is not None]
    assert banks
    assert calls(events)[Role.COMPRESS] >= len(banks)
    for event in banks:
        assert event.bank is not None
        assert event.lesson is not None
        assert {item.title for item in event.bank} <= {"All of Success", "All of Failure"}
        assert sum(item.merged for item in event.bank) >= len(event.bank)


def test_compression_by_a_model_that_babbles_is_that_of_the_rules(tmp_path: Path) -> None:
    events = taught(tmp_path, models=models("Babbler"), memory=SMALL)
    assert calls(events)[Role.COMPRESS] > 0
    assert all(event.bank is None for event in learned(events))


def test_memory_that_is_off_asks_nobody(tmp_path: Path) -> None:
    events = taught(tmp_path, memory={"enabled": False, "extraction": "each"})
    assert calls(events) == {}
    assert lessons(events) == []


def test_a_lesson_needs_a_model_where_one_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"memory.extraction = 'each' needs a model"):
        taught(tmp_path, models={}, memory={"extraction": "each"})


@pytest.mark.tier("runs")
@pytest.mark.parametrize("mode", ["each", "batch"])
@pytest.mark.parametrize("after", [25, 36, 37, 38])
def test_a_run_that_broke_off_learns_the_same_and_pays_once(
    tmp_path: Path, mode: str, after: int
) -> None:
    memory = {"extraction": mode, "prior": False}
    budget = {"evaluations": 10}
    whole = events_of(ran(tmp_path / "whole", memory=memory, budget=budget))
    config = number_run(tmp_path / "broken", memory=memory, budget=budget, models=models())
    with pytest.raises(SandboxError, match="gave up"):
        start(
            config,
            problem=number_problem(),
            evaluators=factory(ComparisonKind.EXACT),
            listeners=[Crash(after)],
        )
    again = events_of(
        resume(tmp_path / "broken" / "run", evaluators=factory(ComparisonKind.EXACT))
    )
    assert lessons(again) == lessons(whole)
    assert calls(again) == calls(whole)
