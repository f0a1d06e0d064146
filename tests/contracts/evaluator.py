"""What every evaluator must do. Inherit and give the fixtures."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import pytest

from se_agent.errors import SandboxError
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import ComparisonKind, InputSet, Status
from se_agent.values.solution import Solution

NESTED = "[" * 101 + "]" * 101


class EvaluatorContract:
    """Inherited by the tests of every evaluator, ours and a third party's."""

    @pytest.fixture
    def evaluator(self) -> Evaluator:
        """Return the evaluator of a problem."""
        raise NotImplementedError

    @pytest.fixture
    def initial(self) -> Solution:
        """Return its initial program."""
        raise NotImplementedError

    @pytest.fixture
    def better(self) -> Solution:
        """Return a right program that is far better, at least by an effect of 0.2."""
        raise NotImplementedError

    @pytest.fixture
    def failing(self) -> dict[Status, Solution]:
        """Return programs that are not right, by how they fail."""
        raise NotImplementedError

    def test_preflight_accepts_the_initial_program(
        self, evaluator: Evaluator, initial: Solution
    ) -> None:
        found = evaluator.preflight(initial)
        assert found.evaluation.status is Status.AC
        assert found.inputs >= 1
        assert found.cost_seconds >= found.evaluation.cost_seconds
        assert (found.seconds > 0) == (evaluator.kind is ComparisonKind.TIMED)

    @pytest.mark.lm("LM-61")
    def test_right_programs_have_runtime_memory_and_status(
        self, evaluator: Evaluator, initial: Solution, better: Solution
    ) -> None:
        for solution in (initial, better):
            evaluation = evaluator.evaluate(solution)
            assert evaluation.status is Status.AC
            assert evaluation.measurement is not None
            assert evaluation.measurement.cpu_seconds > 0
            assert evaluation.measurement.peak_bytes > 0
            assert evaluation.cost_seconds > 0
            assert (evaluation.score is not None) == (evaluator.kind is ComparisonKind.EXACT)

    @pytest.mark.lm("LM-61")
    def test_a_failure_is_a_value_and_does_no_harm_to_who_comes_next(
        self, evaluator: Evaluator, initial: Solution, failing: dict[Status, Solution]
    ) -> None:
        for status, solution in failing.items():
            evaluation = evaluator.evaluate(solution)
            assert (evaluation.status, evaluation.measurement) == (status, None)
            assert evaluation.feedback
            assert evaluator.evaluate(initial).status is Status.AC

    @pytest.mark.parametrize("answer", ["10 ** 5000", NESTED, "complex(1e308, 1e308)", "{()}"])
    def test_no_answer_is_an_error_of_ours(
        self, evaluator: Evaluator, initial: Solution, answer: str
    ) -> None:
        entry = initial.text.partition("def ")[2].partition("(")[0]
        text = f"def {entry}(*args): return {answer}"
        if not entry:
            text = f"import sys\nsys.set_int_max_str_digits(0)\nprint({answer})"
        evaluation = evaluator.evaluate(
            replace(initial, id="Gen1_Sol_1", files={"main.py": text})
        )
        assert evaluation.status is Status.WA
        assert len(evaluation.feedback) < 1000

    @pytest.mark.tier("hunts")
    @pytest.mark.parametrize("inputs", list(InputSet))
    def test_a_block_has_the_sign_of_the_gain(
        self, evaluator: Evaluator, initial: Solution, better: Solution, inputs: InputSet
    ) -> None:
        gain = evaluator.block(initial, better, number=0, pairs=2, inputs=inputs)
        loss = evaluator.block(better, initial, number=0, pairs=2, inputs=inputs)
        assert gain.status is gain.reference_status is Status.AC
        assert gain.effect > 0.2
        assert loss.effect < -0.2
        if evaluator.kind is ComparisonKind.TIMED and gain.pairs == 2:
            # Two pairs of a program that is 50 times faster are noisy; another unit is farther.
            assert gain.effect == pytest.approx(
                math.log(gain.reference / gain.candidate), abs=0.3, rel=0.3
            )

    @pytest.mark.tier("hunts")
    def test_identical_programs_are_alike(
        self, evaluator: Evaluator, initial: Solution
    ) -> None:
        """One block may be off on a busy machine; the middle of several is not."""
        blocks = [evaluator.block(initial, initial, number=n, pairs=3) for n in range(1, 4)]
        assert abs(statistics.median(block.effect for block in blocks)) < 0.15

    def test_a_block_knows_its_number_and_its_cost(
        self, evaluator: Evaluator, initial: Solution, better: Solution
    ) -> None:
        block = evaluator.block(initial, better, number=7, pairs=2)
        assert block.number == 7
        assert block.cost_seconds >= 0
        assert block.pairs >= 1
        assert block.inputs >= 1

    def test_closing_is_final_and_may_be_done_twice(
        self, evaluator: Evaluator, initial: Solution
    ) -> None:
        evaluator.evaluate(initial)
        evaluator.close()
        evaluator.close()
        with pytest.raises(SandboxError, match="closed"):
            evaluator.block(initial, initial, number=0, pairs=1)

    def test_one_that_was_closed_before_it_started_never_starts(
        self, evaluator: Evaluator, initial: Solution
    ) -> None:
        evaluator.close()
        with pytest.raises(SandboxError, match="closed"):
            evaluator.evaluate(initial)
