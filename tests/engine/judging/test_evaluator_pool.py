"""The arena: what it lends out it also ends."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from se_agent.engine.journal.journal import Journal
from se_agent.engine.judging.evaluator_pool import Arena, EvaluatorQueue, Recorder, fallen
from se_agent.engine.search.policies import BestOfN
from se_agent.engine.state.state import State
from se_agent.errors import SandboxError
from se_agent.events import Challenged
from se_agent.values.evaluation import Counterexample, FailedCase, Hunt
from se_agent.values.solution import Edit, Solution
from tests.engine.challengers import Doubter
from tests.fakes import NumberEvaluator, solution


class StubbornEvaluator(NumberEvaluator):
    """Cannot be closed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def close(self) -> None:
        super().close()
        raise SandboxError(f"{self._name} does not end")


def test_one_that_cannot_be_closed_leaves_no_other_open() -> None:
    evaluators = [
        NumberEvaluator(),
        StubbornEvaluator("the second"),
        NumberEvaluator(),
        StubbornEvaluator("the fourth"),
    ]
    with Journal(Path(":memory:")) as journal:
        record = Recorder(journal, State(policy=BestOfN({}), memory=None), [])
        arena = Arena(evaluators, record)
        with pytest.raises(SandboxError, match="the second does not end"):
            arena.close()
        assert all(evaluator.closed for evaluator in evaluators)
        with pytest.raises(SandboxError, match="broken off"):
            arena.evaluate(0, solution("x = 1"))


def test_what_was_closed_is_opened_with_new_evaluators() -> None:
    first, second = NumberEvaluator(), NumberEvaluator()
    pool = EvaluatorQueue([first], lambda: [second])
    pool.open()
    with pool.borrowed() as lent:
        assert lent is first
    pool.close()
    pool.open()
    with pool.borrowed() as lent:
        assert lent is second


class Helpless(Doubter):
    """Cannot make an input that the initial program answers in time, and pays for trying."""

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        self.hunted.append(solution.id)
        return Hunt(cost_seconds=2.5)


def test_a_search_that_came_to_nothing_is_paid_for_once() -> None:
    evaluator = Helpless()
    with Journal(Path(":memory:")) as journal:
        record = Recorder(journal, State(policy=BestOfN({}), memory=None), [])
        arena = Arena([evaluator], record)
        for _ in range(2):
            arena.hunt(3, solution("x = 1"), seconds=5.0)
        assert record.state.costs.child_seconds == 2.5
        assert len(evaluator.hunted) == 1
        assert not arena.unrefuted(solution("x = 1"))


class Strict(Doubter):
    """Finds what is unlike the inputs seen where it is asked for that."""

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        failed = FailedCase(name="a counterexample", expected="0", got="1", input="(-1,)")
        test = Counterexample(arguments="[-1]", failed=failed, fair=False)
        return Hunt(tried=9, found=test if strict else None, outside="f(-1)")


def test_only_who_guesses_is_held_to_what_is_unlike_the_inputs_seen() -> None:
    evaluator = Strict()
    guessed = replace(
        solution("x = 1"), id="b", edits=(Edit(rule="guess", function="f", node="1"),)
    )
    ruled = replace(guessed, id="c", edits=(Edit(rule="rule", function="f", node="1"),))
    with Journal(Path(":memory:")) as journal:
        record = Recorder(journal, State(policy=BestOfN({}), memory=None), [])
        arena = Arena([evaluator], record, guessing=frozenset({"guess"}))
        found = {one.id: arena.hunt(3, one, seconds=5.0).found for one in (guessed, ruled)}
        told = (event for event in journal.events() if isinstance(event, Challenged))
        strict = {event.solution: event.hunt.strict for event in told}
        assert strict == {"b": True, "c": False}
        assert found["c"] is None
        assert found["b"] is not None
        assert fallen(arena, 3, [ruled], found["b"]) == ()
        assert evaluator.retested == []
        assert record.state.tests == []
