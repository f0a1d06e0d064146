"""Whole searches with models: calls in flight and workers change nothing but the time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from se_agent.chat.events import Replied
from se_agent.chat.messages import Message, Reply, RetryCheck, Role
from se_agent.config.sections import Endpoint
from se_agent.engine.run.replay import replay
from se_agent.errors import ReplyError
from se_agent.values.brief import Brief
from se_agent.values.search_context import Strategy
from se_agent.values.step import Proposal
from tests.engine.lecturing import Lecturer
from tests.engine.test_steady import Answering, Mutation, plain, ran
from tests.fakes import Step1, Step3


class Choosy(Mutation):
    """Cannot use one reply in seven; its second call is one more."""

    name = "tests.engine.test_any_order:Choosy"

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        if int(reply.removeprefix("x = ")) % 7 == 0:
            raise ReplyError(f"{reply!r} is not liked")
        return super().parse(reply, brief)


class Mending(Choosy):
    """Mends a failed program."""

    name = "tests.engine.test_any_order:Mending"
    role = Role.REPAIR


class Uniting(Choosy):
    """Makes one program of two."""

    name = "tests.engine.test_any_order:Uniting"
    role = Role.CROSS_OVER
    arity = 2


class Planning(Mutation):
    """Plans two strategies."""

    name = "tests.engine.test_any_order:Planning"
    role = Role.PLAN

    def strategies(self, reply: str, brief: Brief) -> tuple[Strategy, ...]:
        return tuple(Strategy(name=f"{reply} {n}") for n in range(2))


class Teaching(Answering):
    """Writes programs, and lessons where it is asked for them."""

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(endpoint)
        self._lecturer = Lecturer(endpoint)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 4096,
        schema: Mapping[str, Any] | None = None,
        again: RetryCheck | None = None,
    ) -> Reply:
        reply = super().complete([messages[-1]])
        asked = messages[-1].content
        if "## Output JSON" in asked or "outgrown" in asked:
            return Reply(text=self._lecturer.say(messages))
        return reply


MODELS = {
    name: {"name": "any", "provider": "tests.engine.test_any_order:Teaching"}
    for name in ("one", "two")
}
OPERATORS = [kind.name for kind in (Planning, Choosy, Mending, Uniting, Step1, Step3)]


@pytest.mark.tier("runs")
@pytest.mark.parametrize(
    ("schedule", "extraction", "policy"),
    [
        ("steady", "batch", "portfolio"),
        ("steady", "each", "cse"),
        ("generation", "batch", "cse"),
    ],
)
def test_lessons_plans_and_repairs_do_not_depend_on_who_is_first(
    tmp_path: Path, schedule: str, extraction: str, policy: str
) -> None:
    found = []
    for name, workers, in_flight in (("one", 1, 1), ("many", 2, 8)):
        events = ran(
            tmp_path,
            name=name,
            schedule=schedule,
            workers=workers,
            asking={"in_flight": in_flight},
            operators=OPERATORS,
            models=MODELS,
            policy=policy,
            memory={
                "extraction": extraction,
                "prior": False,
                "local": {"token_limit": 400, "compression": "model"},
            },
            budget={"evaluations": 24},
        )
        found.append(plain(events))
        assert replay(tmp_path / name).differences == ()
    assert found[0] == found[1]
    roles = {(e.role, e.attempt) for e in events if isinstance(e, Replied)}
    assert {(Role.PLAN, 0), (Role.MUTATE, 0), (Role.EXTRACT, 0)} <= roles
    assert any(attempt for _, attempt in roles), "no reply was unusable"
