"""Model-written operators in the loop: replies are recorded, and never asked for twice."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from se_agent.config import Run
from se_agent.conversation import Message, Reply, Role, Usage
from se_agent.engine.replay import replay
from se_agent.engine.run import resume, start
from se_agent.errors import ConfigError, ModelError, SandboxError
from se_agent.events import Event
from se_agent.llm.scripted import ScriptedModel
from se_agent.sections import Endpoint
from se_agent.talks import Replied
from se_agent.types import Brief, Kind, Proposal
from tests.engine.runs import Crash, events_of, factory
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
    ) -> Reply:
        asked.append(tuple(messages))
        return Reply(text=f"x = {next(self._numbers)}", usage=Usage(prompt=9, completion=4))

    def close(self) -> None:
        """Nothing is under way."""


class Mutation:
    """Asks for another program."""

    name = "tests.engine.test_lifted:Mutation"
    role = Role.MUTATE
    arity = 1

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        text = brief.slot.parents[0].text
        return Message("system", brief.memory), Message("user", f"{brief.problem}\n{text}")

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        if not reply.startswith("x = "):
            return None
        child = brief.child({"main.py": reply}, operator=self.name)
        return Proposal(solution=child, direction=f"Say {reply}")


def models(attribute: str) -> dict[str, object]:
    provider = f"tests.engine.test_lifted:{attribute}"
    return {"main": {"name": "counting", "provider": provider}}


def run_file(results: Path, **changes: object) -> Run:
    values = {
        "operators": [Mutation.name],
        "models": models("Counting"),
        "budget": {"evaluations": 9},
    }
    return number_run(results, **(values | changes))


def test_replies_are_on_record_with_their_usage(tmp_path: Path) -> None:
    result = start(run_file(tmp_path), problem=number_problem(), evaluators=factory(Kind.EXACT))
    replies = [e for e in events_of(result) if isinstance(e, Replied)]
    assert len(replies) == result.evaluations == 9
    assert {(e.usage.prompt, e.usage.completion) for e in replies} == {(9, 4)}
    assert replay(Path(result.run)).differences == ()


@pytest.mark.lm("LM-33")
def test_the_rendered_memory_reaches_the_system_prompt(tmp_path: Path) -> None:
    """LM-31, LM-33."""
    asked.clear()
    start(
        run_file(tmp_path, generation_size=2),
        problem=number_problem(),
        evaluators=factory(Kind.EXACT),
    )
    assert asked[0][0] == Message("system", "")
    assert "Say x = " in asked[-1][0].content


@pytest.mark.parametrize("after", [3, 4, 7, 12, 20])
def test_a_reply_that_was_paid_for_is_used(tmp_path: Path, after: int) -> None:
    asked.clear()
    with pytest.raises(SandboxError, match="gave up"):
        start(
            run_file(tmp_path),
            problem=number_problem(),
            listeners=[Crash(after)],
            evaluators=factory(Kind.EXACT),
        )
    result = resume(tmp_path / "run", evaluators=factory(Kind.EXACT))
    replies = [e for e in events_of(result) if isinstance(e, Replied)]
    assert len(asked) == len(replies) == len({e.slot for e in replies})
    assert replay(tmp_path / "run").differences == ()


def down(endpoint: Endpoint) -> ScriptedModel:
    return ScriptedModel(["x = 1", "nonsense"])


def test_an_endpoint_that_is_down_ends_the_run_and_saves_it(tmp_path: Path) -> None:
    seen: list[Event] = []
    config = run_file(tmp_path, models=models("down"))
    with pytest.raises(ModelError, match="no reply left after 2"):
        start(
            config,
            problem=number_problem(),
            listeners=[Listening(seen)],
            evaluators=factory(Kind.EXACT),
        )
    assert [e.kind for e in seen].count("replied") == 2
    assert seen[-1].kind == "failed"


class Listening:
    def __init__(self, seen: list[Event]) -> None:
        self._seen = seen

    def on_event(self, event: Event) -> None:
        self._seen.append(event)


def test_a_model_written_operator_needs_a_model(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is written by a model") as caught:
        start(
            run_file(tmp_path, models={}),
            problem=number_problem(),
            evaluators=factory(Kind.EXACT),
        )
    assert "models.main.name" in caught.value.hint
