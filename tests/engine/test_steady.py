"""Slots in flight: what they see is their address, whoever answers first, dies or is slow."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from se_agent.chat.events import Replied
from se_agent.chat.messages import Message, Reply, RetryCheck, Role
from se_agent.config.run_file import Run
from se_agent.config.sections import Endpoint
from se_agent.engine.journal.canonical import canonical
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.replay import replay
from se_agent.engine.run.resolve import EvaluatorFactory
from se_agent.engine.run.start import resume, start
from se_agent.errors import ModelError, SandboxError
from se_agent.events import (
    Evaluated,
    Event,
    GenerationOpened,
    Learned,
    Proposed,
    SearchEnded,
    Selected,
)
from se_agent.values.brief import Brief
from se_agent.values.evaluation import ComparisonKind, Evaluation
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal
from tests.engine.runs import Crash, events_of, factory
from tests.fakes import (
    Endless,
    NumberEvaluator,
    Step1,
    Step3,
    number,
    number_problem,
    number_run,
)


class Mutation:
    """Asks for another number; the prompt holds all that the slot may see."""

    name = "tests.engine.test_steady:Mutation"
    role = Role.MUTATE
    arity = 1

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        tried = [n for n in range(400) if _content(n) in brief.tried]
        seen = (
            brief.slot.number,
            brief.slot.parents[0].text,
            brief.memory.text,
            brief.search,
            tried,
        )
        return (Message("user", repr(seen)),)

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        child = brief.child({"main.py": reply}, operator=self.name)
        return Proposal(solution=child, direction=f"Say {reply}")


def _content(value: int) -> str:
    return Solution(id="", files={"main.py": f"x = {value}"}).content


class Answering:
    """Its answer depends on the prompt alone, and how long it takes on nothing at all."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._guard = threading.Lock()
        self._calls = 0

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        with self._guard:
            self._calls += 1
            calls = self._calls
        time.sleep(0.003 * (calls * 7 % 5))
        digest = hashlib.sha256(messages[0].content.encode()).digest()
        return Reply(text=f"x = {digest[0] % 60}")

    def close(self) -> None:
        """Nothing takes long."""


class Blocking(Answering):
    """Answers as many calls as there are slots at first; later ones wait until it is closed.

    With fewer the first slot may be one that waits, and no proposal is ever recorded.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self._left = LAG
        self._closed = threading.Event()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        with self._guard:
            self._left -= 1
            blocks = self._left < 0
        if blocks:
            self._closed.wait()
            raise ModelError("closed")
        return super().complete(messages)

    def close(self) -> None:
        self._closed.set()


LAG = 6
BOTH = [Mutation.name, Step1.name, Step3.name]


def models(model: type[Answering]) -> dict[str, object]:
    return {"main": {"name": "any", "provider": f"tests.engine.test_steady:{model.__name__}"}}


def run_file(results: Path, **changes: object) -> Run:
    values = {
        "operators": BOTH,
        "policy": "random",
        "models": models(Answering),
        "schedule": "steady",
        "lag": LAG,
        "generation_size": 4,
        "budget": {"evaluations": 24},
    }
    return number_run(results, **(values | changes))


def ran(
    results: Path, evaluators: EvaluatorFactory | None = None, **changes: object
) -> list[Event]:
    result = start(
        run_file(results, **changes),
        problem=number_problem(),
        evaluators=evaluators or factory(ComparisonKind.EXACT),
    )
    return events_of(result)


def plain(events: Sequence[Event]) -> list[str]:
    """Return events in canonical form, without the run file: it names run and threads."""
    lines = [line for line in canonical(events) if '"kind": "started"' not in line]
    assert lines
    return lines


@pytest.mark.tier("runs")
@pytest.mark.parametrize("schedule", ["steady", "generation"])
def test_neither_workers_nor_calls_in_flight_change_anything(
    tmp_path: Path, schedule: str
) -> None:
    found = [
        plain(
            ran(tmp_path, name=f"r{n}", schedule=schedule, workers=w, asking={"in_flight": f})
        )
        for n, (w, f) in enumerate([(1, 1), (3, 8)])
    ]
    assert found[0] == found[1]
    assert any('"kind": "replied"' in line for line in found[0])


@pytest.mark.tier("runs")
@pytest.mark.parametrize("schedule", ["steady", "generation"])
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("after", [4, 17, 45, 70])
def test_a_broken_run_ends_as_if_nothing_had_happened(
    tmp_path: Path, after: int, workers: int, schedule: str
) -> None:
    whole = ran(tmp_path, name="whole", schedule=schedule)
    log = tmp_path / "paid"
    with pytest.raises(SandboxError, match="gave up"):
        start(
            run_file(tmp_path, name="broken", schedule=schedule, workers=workers),
            problem=number_problem(),
            listeners=[Crash(after)],
            evaluators=factory(ComparisonKind.EXACT, log),
        )
    events = events_of(
        resume(tmp_path / "broken", evaluators=factory(ComparisonKind.EXACT, log))
    )
    assert plain(events) == plain(whole)
    replies = Counter((e.slot, e.attempt) for e in events if isinstance(e, Replied))
    assert set(replies.values()) == {1}
    assert replay(tmp_path / "broken").differences == ()
    paid = Counter(log.read_text().splitlines())
    assert [line for line, times in paid.items() if times > 1] == []


@pytest.mark.tier("runs")
@pytest.mark.parametrize("lag", [1, 3, 16])
def test_a_slot_is_selected_as_soon_as_the_step_before_its_lag_is_closed(
    tmp_path: Path, lag: int
) -> None:
    events, closed = ran(tmp_path, lag=lag), 0
    certain = [e for e in events if isinstance(e, Selected)][: 24 - lag]
    for event in events:
        closed += isinstance(event, Learned)
        if isinstance(event, Selected) and event in certain:
            assert closed == max(0, event.slot - lag + 1)


@pytest.mark.tier("runs")
@pytest.mark.parametrize("schedule", ["steady", "generation"])
@pytest.mark.parametrize("limit", [1, 7, 30])
def test_a_budget_is_used_up_and_never_exceeded(
    tmp_path: Path, limit: int, schedule: str
) -> None:
    events = ran(
        tmp_path,
        schedule=schedule,
        budget={"evaluations": limit},
        operators=[Mutation.name, Endless.name],
    )
    evaluated = [e for e in events if isinstance(e, Evaluated) and e.slot >= 0]
    assert len(evaluated) == limit
    (end,) = [e for e in events if isinstance(e, SearchEnded)]
    opened = [e for e in events if isinstance(e, GenerationOpened)]
    assert (end.budget_end, end.generations) == ("evaluations", len(opened))
    selected = {e.slot for e in events if isinstance(e, Selected)}
    assert max(selected) >= opened[-1].slot  # no generation is opened for nothing
    assert (
        len([e for e in events if isinstance(e, Learned)]) == opened[-1].slot + opened[-1].size
    )


@pytest.mark.tier("runs")
def test_no_program_is_evaluated_twice(tmp_path: Path) -> None:
    events = ran(tmp_path, budget={"proposals": 80}, workers=3)
    contents = [e.content for e in events if isinstance(e, Evaluated) and e.slot >= 0]
    assert len(contents) == len(set(contents)) > 20
    twins = [e for e in events if isinstance(e, Proposed) and e.duplicate_of]
    assert any(e.proposal and e.proposal.solution.operator == Mutation.name for e in twins)


@pytest.mark.tier("runs")
def test_rules_of_a_generation_wait_for_no_model(tmp_path: Path) -> None:
    events = ran(tmp_path, schedule="generation", generation_size=12, workers=2)
    first = [e for e in events if isinstance(e, Proposed) and e.slot < 12 and e.proposal]
    written = [e.proposal.solution.operator == Mutation.name for e in first if e.proposal]
    assert written == sorted(written)
    assert {True, False} == set(written)


@pytest.mark.parametrize("schedule", ["steady", "generation"])
def test_a_model_that_answers_no_more_is_broken_off_and_asked_again(
    tmp_path: Path, schedule: str
) -> None:
    class Impatient(Crash):
        """Breaks the run at a closed step."""

        def on_event(self, event: Event) -> None:
            if isinstance(event, Learned):
                super().on_event(event)

    with pytest.raises(SandboxError, match="gave up"):
        start(
            run_file(tmp_path, models=models(Blocking), schedule=schedule),
            problem=number_problem(),
            listeners=[Impatient(2)],
            evaluators=factory(ComparisonKind.EXACT),
        )
    assert "unanswered" not in {e.kind for e in _recorded(tmp_path / "run")}


def _recorded(folder: Path) -> list[Event]:
    with Journal(folder / "run.db", write=False) as journal:
        return list(journal.events())


class Raising(NumberEvaluator):
    """Breaks at a number."""

    def evaluate(self, solution: Solution) -> Evaluation:
        if number(solution) > 8:
            raise SandboxError("the sandbox is gone")
        return super().evaluate(solution)


@pytest.mark.tier("runs")
@pytest.mark.parametrize("workers", [1, 3])
def test_an_evaluator_that_breaks_ends_the_run_while_calls_are_in_flight(
    tmp_path: Path, workers: int
) -> None:
    with pytest.raises(SandboxError, match="the sandbox is gone"):
        ran(
            tmp_path,
            lambda problem, config: Raising(ComparisonKind.EXACT),
            models=models(Blocking),
            workers=workers,
        )
    events = _recorded(tmp_path / "run")
    assert events[-1].kind == "failed"
