"""Calls of one run without its search: a table, and a model that answers as it is told to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from se_agent.chat.messages import Message, Reply, RetryCheck, Role
from se_agent.config.run_file import Run
from se_agent.config.sections import Asking
from se_agent.engine.journal.journal import Journal
from se_agent.engine.judging.evaluator_pool import Recorder
from se_agent.engine.models.calls import ModelCalls
from se_agent.engine.state.state import State
from se_agent.errors import ModelError, TooLongError
from se_agent.memory.context.tokens import ESTIMATOR, counter
from tests.engine.runs import new_state
from tests.fakes import Endless

COUNTER = counter(name=ESTIMATOR)
ASKED = (Message("system", "Be terse."), Message("user", "Write a program. " * 9))
PROMPT = sum(COUNTER.count(m.content) + 4 for m in ASKED) + 3


@dataclass
class Talker:
    """Answers as it is told to; counts who asks, and how many at a time."""

    answer: Callable[[int], Reply] = lambda number: Reply(text=f"reply {number}")
    longest: list[int] = field(default_factory=list)
    closed: int = 0
    most: int = 0
    _now: int = 0
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        with self._guard:
            self.longest.append(max_tokens)
            number = len(self.longest)
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            return self.answer(number)
        finally:
            with self._guard:
                self._now -= 1

    def close(self) -> None:
        self.closed += 1


def run_file(models: Mapping[str, Mapping[str, object]], **budget: object) -> Run:
    named = {name: {"name": "any", **values} for name, values in models.items()}
    return Run.model_validate(
        {"problem": "numbers", "operators": [Endless.name], "models": named, "budget": budget}
    )


def at_a_time(config: Run, in_flight: int) -> Run:
    """Return a run file with so many calls at a time."""
    return config.model_copy(update={"asking": Asking(in_flight=in_flight)})


class Table:
    """Calls of one run, its journal in memory."""

    def __init__(self, config: Run, **models: Talker) -> None:
        self.config = config
        self.journal = Journal(Path(":memory:"))
        self.state: State = new_state(config)
        self.calls = ModelCalls(models, config, Recorder(self.journal, self.state, ()), COUNTER)

    def resume(self, **models: Talker) -> None:
        """Begin anew with what is on record, and nothing else."""
        self.state = new_state(self.config)
        for event in self.journal.events():
            self.state.apply(event)
        record = Recorder(self.journal, self.state, ())
        self.calls = ModelCalls(models, self.config, record, COUNTER)

    def ask(self, slot: int = 0, role: Role = Role.MUTATE, attempt: int = 0) -> Any:
        return self.calls.ask(slot, role, ASKED, attempt=attempt)


def too_long(number: int) -> Reply:
    """Take no prompt, as a model whose context is shorter than its run file says."""
    raise TooLongError(f"400: maximum context length is 8 tokens, call {number}")


def failing(message: str = "no route", *, fatal: bool = False) -> Callable[[int], Reply]:
    def answer(number: int) -> Reply:
        raise ModelError(f"{message} {number}", fatal=fatal)

    return answer
