"""What a name of the run file leads to may be anything; what it makes has to be a plug-in."""

from __future__ import annotations

import re

import pytest

from se_agent import registry
from se_agent.chat.messages import Role
from se_agent.config.run_file import Run
from se_agent.config.sections import Endpoint
from se_agent.engine.models.endpoints import made
from se_agent.engine.run.chosen_policy import policy_of, used_of
from se_agent.engine.run.resolve import operators_of
from se_agent.errors import ConfigError

HERE = "tests.test_registry_makes"
OPERATOR = "see Operator (name, arity, propose) or ModelWritten (name, role, "


class Half:
    """An operator that was not finished."""

    name, arity = f"{HERE}:Half", 1


class Silent:
    """One that a model shall write, and that does not read the reply."""

    name, arity, role = f"{HERE}:Silent", 1, Role.MUTATE

    def prompt(self, brief: object) -> tuple[()]:
        return ()


class Deaf:
    """A policy that is told nothing."""

    def __init__(self, operators: object, *, seed: int) -> None:
        self.given = operators, seed

    def ask(self, view: object) -> None:
        """Want nothing."""


class Mute:
    """A model that does not answer."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint


@pytest.mark.parametrize(
    ("name", "error"),
    [
        pytest.param("os:getcwd", "what it makes has no name, arity, propose", id="text"),
        pytest.param(Half.name, "what it makes has no propose", id="half"),
        pytest.param(Silent.name, "what it makes has no p", id="half-of-a-written-one"),
        pytest.param("os:sep", "cannot be made: '/' is not a callable object", id="no-class"),
        pytest.param(f"{HERE}:Deaf", "cannot be made: missing a req", id="wants-arguments"),
        pytest.param("builtins:dict", "cannot be made: no signature", id="no-signature"),
    ],
)
def test_what_is_no_operator_is_told(name: str, error: str) -> None:
    with pytest.raises(ConfigError, match=f"{re.escape(repr(name))}.* {error}") as caught:
        operators_of(Run(problem="x", operators=(name,)))
    assert caught.value.hint.startswith(OPERATOR)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        pytest.param("os:getcwd", "cannot be made: too many positional", id="no-arguments"),
        pytest.param("os:sep", "cannot be made: '/' is not a callable object", id="no-class"),
        pytest.param("builtins:dict", "cannot be made: no signature", id="no-signature"),
        pytest.param(f"{HERE}:Deaf", "what it makes has no tell", id="half"),
    ],
)
def test_what_is_no_policy_is_told(name: str, error: str) -> None:
    run = Run(problem="x", policy=name)
    with pytest.raises(ConfigError, match=f"{re.escape(repr(name))}.* {error}") as caught:
        policy_of(run, {})
    assert caught.value.hint == "see Policy (ask, tell) in se_agent.protocols"
    assert used_of(run, {"any": Role.MUTATE}) == ["any"]


def test_what_is_no_model_is_told() -> None:
    endpoint = Endpoint(name="any", provider=f"{HERE}:Mute")
    run = Run(problem="x", models={"main": endpoint})
    with (
        pytest.raises(ConfigError, match=r"Mute' makes no model: .* no complete, close$"),
        made(run, [Role.MUTATE]),
    ):
        pass


def test_what_is_no_evaluator_is_told() -> None:
    with pytest.raises(ConfigError, match=r"'os:getcwd' makes no evaluator: .*preflight"):
        registry.make("evaluator", "os:getcwd")


def test_all_operators_of_ours_can_be_made() -> None:
    for name in registry.names("operator"):
        assert registry.make("operator", name).name == name
