"""How a program differs from what is right is told in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from evaluators.counterexample.asking import Input, ProgramReply
from evaluators.counterexample.differences import Differences
from evaluators.sandbox.job import JobAnswer
from se_agent.values.evaluation import Status


def test_two_places_that_are_one_object_are_named() -> None:
    shared = [7]
    asked = Input.of(([1, shared], shared))
    assert asked is not None
    bench: Any = SimpleNamespace(runner=SimpleNamespace(show=lambda data: "shown"))
    reply = ProgramReply(Status.RE, JobAnswer(), feedback="it broke")
    found = Differences(bench).between(asked, JobAnswer(), reply)
    assert found is not None
    name = "a counterexample where argument 0[1] and argument 1 are one object"
    assert found.failed.name == name
