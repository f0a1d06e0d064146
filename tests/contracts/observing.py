"""What every evaluator must do that can watch programs. Inherit and give the fixtures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from se_agent.abilities.evaluator import Observing
from se_agent.errors import SandboxError
from se_agent.program.features import functions
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import Status
from se_agent.values.observation import Observation
from se_agent.values.solution import Solution


class ObservingContract:
    """Inherited by the tests of evaluators that can watch programs, with their other suite."""

    def test_it_sees_where_a_right_program_is_hot(
        self, evaluator: Evaluator, initial: Solution
    ) -> None:
        assert isinstance(evaluator, Observing)
        seen = evaluator.observe(initial)
        lines, names = initial.text.splitlines(), {"", *functions(initial.text)}
        assert seen.hot
        for hot in seen.hot:
            assert hot.text == lines[hot.line - 1].strip()
            assert hot.function in names
            assert hot.hits > 0
        shares = [hot.share for hot in seen.hot]
        assert shares == sorted(shares, reverse=True)
        assert 0.5 < sum(shares) < 1.01
        assert seen.cost_seconds > 0

    def test_what_it_sees_are_calls_of_the_program(
        self, evaluator: Evaluator, initial: Solution
    ) -> None:
        assert isinstance(evaluator, Observing)
        seen = evaluator.observe(initial)
        for name, calls in seen.calls.items():
            assert name in functions(initial.text)
            assert 0 < len({call.given for call in calls}) == len(calls) <= 80
            assert sum(call.size for call in calls) <= 12_000

    @pytest.mark.tier("hunts")
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("import os\nos._exit(0)", id="it ends"),
            pytest.param("while True: pass", id="it never ends"),
            pytest.param("raise SystemExit", id="it leaves"),
            pytest.param("import sys\nsys.settrace = None", id="it wants no watching"),
            pytest.param("import sys\nsys.modules.clear()", id="it takes all modules"),
        ],
    )
    def test_who_cannot_be_watched_is_not_and_does_no_harm(
        self, evaluator: Evaluator, initial: Solution, text: str
    ) -> None:
        assert isinstance(evaluator, Observing)
        spoilt = replace(initial, id="Gen1_Sol_1", files={"main.py": f"{text}\n"})
        assert isinstance(evaluator.observe(spoilt), Observation)
        assert evaluator.evaluate(initial).status is Status.AC

    def test_one_that_was_closed_watches_nothing(
        self, evaluator: Evaluator, initial: Solution
    ) -> None:
        assert isinstance(evaluator, Observing)
        evaluator.close()
        with pytest.raises(SandboxError, match="closed"):
            evaluator.observe(initial)
