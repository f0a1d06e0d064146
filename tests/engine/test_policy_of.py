"""The search of a run is told what a model writes, if it wants to know."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from se_agent.chat.messages import Message, Role
from se_agent.config.run_file import Run
from se_agent.config.sections import Asking
from se_agent.engine.run.chosen_policy import policy_of
from se_agent.engine.run.resolve import operators_of
from se_agent.engine.search.policies import BasePolicy
from se_agent.values.brief import Brief
from se_agent.values.step import Proposal, Slot, Step
from se_agent.values.view import View

told: list[tuple[object, ...]] = []


class Old:
    """A policy of another's that was written before there were models."""

    def __init__(self, operators: Mapping[str, int], *, seed: int = 0) -> None:
        told.append((dict(operators), seed))

    def ask(self, view: View) -> Slot | None:
        return None

    def tell(self, step: Step) -> None:
        """Take no note."""


class New(Old):
    """One that asks for models."""

    def __init__(
        self,
        operators: Mapping[str, int],
        *,
        seed: int = 0,
        written: Mapping[str, Role] | None = None,
        asking: Asking | None = None,
    ) -> None:
        told.append((dict(operators), seed, dict(written or {}), asking))


class Planner:
    """Makes no program."""

    name = "tests.engine.test_policy_of:Planner"
    role = Role.PLAN
    arity = 1

    def prompt(self, brief: Brief) -> tuple[Message, ...]:
        return ()

    def parse(self, reply: str, brief: Brief) -> Proposal | None:
        return None


class Writer(Planner):
    """Makes one."""

    name = "tests.engine.test_policy_of:Writer"
    role = Role.MUTATE


def run_file(policy: str) -> Run:
    endpoint = {"name": "any", "provider": "openai"}
    return Run.model_validate(
        {
            "problem": "x",
            "policy": policy,
            "operators": ["tune", Planner.name, Writer.name],
            "models": {"main": endpoint},
            "asking": {"share": 0.25},
            "seed": 7,
        }
    )


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        pytest.param(
            "tests.engine.test_policy_of:Old", ({"tune": 1, Writer.name: 1}, 7), id="old"
        ),
        pytest.param(
            "tests.engine.test_policy_of:New",
            (
                {"tune": 1, Planner.name: 1, Writer.name: 1},
                7,
                {Planner.name: Role.PLAN, Writer.name: Role.MUTATE},
                Asking(share=0.25),
            ),
            id="new",
        ),
    ],
)
def test_a_policy_is_told_of_models_if_it_asks(policy: str, expected: object) -> None:
    told.clear()
    config = run_file(policy)
    operators = operators_of(config)
    policy_of(config, operators)
    assert told == [expected]


@pytest.mark.parametrize(
    "name",
    [
        "best_of_n",
        "sequential_refine",
        "random",
        "fixed",
        "portfolio",
        "map_elites",
        "cse",
        "supervisor",
    ],
)
def test_all_of_ours_ask(name: str) -> None:
    config = run_file(name)
    assert isinstance(policy_of(config, operators_of(config)), BasePolicy)


class Uniting(Old):
    """A policy that names changes to be made together."""

    def __init__(
        self, operators: Mapping[str, int], *, seed: int = 0, uniting: str = ""
    ) -> None:
        told.append((dict(operators), uniting))


@pytest.mark.parametrize(
    ("policy", "expected"), [("Uniting", ({"tune": 1}, "polish")), ("Old", ({"tune": 1}, 0))]
)
def test_only_a_policy_that_takes_it_is_told_of_who_unites(
    policy: str, expected: object
) -> None:
    told.clear()
    names = ("tune", "polish")
    config = Run(problem="x", policy=f"tests.engine.test_policy_of:{policy}", operators=names)
    policy_of(config, operators_of(config))
    assert told == [expected]
