"""Models and model-written operators of the world of numbers, and runs with them."""

from __future__ import annotations

import itertools
import os
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from se_agent.chat.messages import Message, Reply, RetryCheck, Role, Usage
from se_agent.config.run_file import Run
from se_agent.config.sections import Endpoint
from se_agent.engine.run.replay import replay
from se_agent.engine.run.start import start
from se_agent.errors import ModelError, ReplyError, TooLongError
from se_agent.events import Event
from se_agent.llm.scripted import ScriptedModel
from se_agent.values.brief import Brief
from se_agent.values.evaluation import ComparisonKind
from se_agent.values.search_context import Strategy
from se_agent.values.step import Proposal, Slot, Step
from se_agent.values.view import View
from tests.engine.runs import events_of, factory
from tests.fakes import number_problem, number_run

asked: list[tuple[Message, ...]] = []


class Counting:
    """A model that answers with the next number; every conversation is kept."""

    _numbers = itertools.count(1)

    def __init__(self, endpoint: Endpoint) -> None:
        assert endpoint.name == "counting"

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        asked.append(tuple(messages))
        return Reply(text=f"x = {next(self._numbers)}", usage=Usage(prompt=9, completion=4))

    def close(self) -> None:
        """Nothing is under way."""


class Busy(Counting):
    """Is asked again and again, as a busy endpoint is, until that is not allowed any more.

    Asking takes CPU time, so that a budget of it comes to its end.
    """

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        assert again is not None
        for _ in range(6000):
            if not again([]):
                raise ModelError("429: busy")
            sum(range(500_000))
        raise AssertionError("nobody put an end to it")


class Narrow(Counting):
    """Takes a prompt as long as it holds no memory."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        if messages[0].content:
            raise TooLongError("400: maximum context length is 8 tokens")
        return super().complete(messages, max_tokens=max_tokens, schema=schema, again=again)


class Mutation:
    """Asks for another program."""

    name = "tests.engine.talking:Mutation"
    role: str = Role.MUTATE
    arity = 1

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        text = brief.slot.parents[0].text
        return Message("system", brief.memory.text), Message("user", f"{brief.problem}\n{text}")

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        if reply == "there is none":
            return None
        if not reply.startswith("x = "):
            raise ReplyError(f"{reply!r} is no program", hint="Write x = N.")
        child = brief.child({"main.py": reply}, operator=self.name)
        return Proposal(solution=child, direction=f"Say {reply}")


class Drifting(Mutation):
    """Has never asked the same twice."""

    name = "tests.engine.talking:Drifting"
    _numbers = itertools.count()

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        return (Message("user", f"Prompt {next(self._numbers)}"),)


class Planner:
    """Asks for strategies, one a word."""

    name = "tests.engine.talking:Planner"
    role = Role.PLAN
    arity = 1

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        return (Message("user", f"Plan: {brief.problem}"),)

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        raise AssertionError("a planner has no candidates")

    def strategies(self, reply: str, brief: Brief) -> tuple[Strategy, ...]:
        if not reply:
            raise ReplyError("no strategy")
        return tuple(Strategy(name=word) for word in reply.split())


class PlanFirst:
    """Plans in slot 0, then mutates the best program; keeps what it is told."""

    told: list[Step]
    _operators = (Planner.name, Mutation.name)

    def __init__(self, operators: Mapping[str, int], *, seed: int = 0) -> None:
        PlanFirst.told = []

    def ask(self, view: View) -> Slot | None:
        return view.fill(view.best.solution, operator=self._operators[view.slot > 0])

    def tell(self, step: Step) -> None:
        self.told.append(step)


class Mutating(PlanFirst):
    """Mutates the best program, again and again."""

    _operators = (Mutation.name, Mutation.name)


script: deque[str] = deque()
"""What a scripted model will say."""


def _read() -> Iterator[str]:
    while script:
        yield script.popleft()


def scripted(endpoint: Endpoint) -> ScriptedModel:
    return Kept(_read())


class Kept(ScriptedModel):
    """A script whose conversations are kept."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        asked.append(tuple(messages))
        return super().complete(messages, max_tokens=max_tokens, schema=schema, again=again)


def models(
    attribute: str, *, module: str = "tests.engine.talking", **more: object
) -> dict[str, object]:
    provider = f"{module}:{attribute}"
    return {"main": {"name": "counting", "provider": provider, **more}}


def run_file(results: Path, **changes: object) -> Run:
    values = {
        "operators": [Mutation.name],
        "policy": "tests.engine.talking:Mutating",
        "models": models("Counting"),
        "budget": {"evaluations": 9},
    }
    return number_run(results, **(values | changes))


def ran(config: Run) -> list[Event]:
    result = start(config, problem=number_problem(), evaluators=factory(ComparisonKind.EXACT))
    assert replay(Path(result.run)).differences == ()
    return events_of(result)


def say(*replies: str) -> None:
    """Let scripted models say this, from now on."""
    script.clear()
    script.extend(replies)
    asked.clear()


def spoken(results: Path, *replies: str, **changes: object) -> list[Event]:
    """Run with these replies, for as many calls."""
    say(*replies)
    budget = {"evaluations": None, "calls": len(replies)}
    values = {"models": models("scripted"), "budget": budget, "generation_size": 1}
    return ran(run_file(results, **(values | changes)))


E = TypeVar("E")


def of(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


class Paying:
    """A model that puts down each call in the file that PAID names, and answers all roles."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._paid = Path(os.environ["PAID"])

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        with self._paid.open("a", encoding="utf-8") as paid:
            paid.write("call\n")
        if "Memory Manager" in messages[0].content:
            return Reply(text='{"updated_directions": [], "new_memory_item": null}')
        return Reply(text=f"x = {len(self._paid.read_text(encoding='utf-8').splitlines())}")

    def close(self) -> None:
        """Nothing is under way."""


under_way = threading.Semaphore()
"""Held from when a call of `Gated` is paid until a listener has heard that its reply came."""


class Gated(Paying):
    """Is paid for no call before the reply to the last one is on record."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        under_way.acquire()
        return super().complete(messages, max_tokens=max_tokens, schema=schema, again=again)
