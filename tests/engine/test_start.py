"""The beginning of a run: what is made while the initial program is checked."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from se_agent.engine.run.start import start
from se_agent.errors import SandboxError, UnknownPluginError
from se_agent.values.evaluation import Preflight
from se_agent.values.solution import Solution
from tests.fakes import NumberEvaluator, Step1, number_problem, number_run

PATIENCE = 30.0  # seconds; only a failing test waits for them


class Noted(Step1):
    """Says when it is made."""

    name = "tests.engine.test_start:Noted"
    made = threading.Event()

    def __init__(self) -> None:
        super().__init__()
        self.made.set()


class Slow(NumberEvaluator):
    """Checks the initial program until an operator is made, or until it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.ended = threading.Event()

    def preflight(self, solution: Solution) -> Preflight:
        """Wait for the operator."""
        assert Noted.made.wait(PATIENCE), "operators wait for the check"
        return super().preflight(solution)


class Closed(Slow):
    """Checks the initial program until it is closed."""

    def preflight(self, solution: Solution) -> Preflight:
        """Wait for the end."""
        assert self.ended.wait(PATIENCE), "nobody closed it"
        raise SandboxError("the sandbox is closed", hint="start again")

    def close(self) -> None:
        """End what is under way."""
        self.ended.set()
        super().close()


def test_operators_are_made_while_the_initial_program_is_checked(tmp_path: Path) -> None:
    Noted.made.clear()
    result = start(
        number_run(tmp_path, operators=[Noted.name]),
        problem=number_problem(),
        evaluators=lambda problem, config: Slow(),
    )
    assert result.status == "proven"


def test_an_unknown_operator_ends_the_check_of_the_initial_program(tmp_path: Path) -> None:
    made: list[Closed] = []

    def making(*_: object) -> Closed:
        made.append(Closed())
        return made[-1]

    with pytest.raises(UnknownPluginError, match="no_such"):
        start(
            number_run(tmp_path / "results", operators=["no_such"]),
            problem=number_problem(),
            evaluators=making,
        )
    assert made
    assert all(each.closed for each in made)
    assert not (tmp_path / "results").exists()
