"""The referee's verdicts, in the world of numbers: `x = N` takes 1 / (10 + N) seconds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from se_agent.cli import verdict
from se_agent.config.sections import Judge, Measure
from se_agent.errors import ProblemError
from se_agent.user_function.referee import Proof, Referee, RefereeOutcome
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Counterexample,
    Evaluation,
    FailedCase,
    Hunt,
    InputSet,
    Status,
)
from se_agent.values.solution import Solution
from tests.fakes import NumberEvaluator, solution


class WrongWhenMeasured(NumberEvaluator):
    """Right on all tests; one side is wrong on an input of a block.

    With `alone`, it is where a program is measured against itself; otherwise against another.
    """

    def __init__(self, *, ours: bool, inputs: InputSet, alone: bool = False) -> None:
        super().__init__(ComparisonKind.TIMED)
        self._alone = alone
        self._ours = ours
        self._inputs = inputs

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Fail on the chosen inputs."""
        if (reference is candidate) is not self._alone or inputs is not self._inputs:
            return super().block(
                reference, candidate, number=number, pairs=pairs, inputs=inputs
            )
        wrong, right = Status.WA, Status.AC
        return Block(
            number=number,
            effect=0.0,
            reference=0.0,
            candidate=0.0,
            status=right if self._ours else wrong,
            reference_status=wrong if self._ours else right,
            feedback="wrong answer\n  at last",
            failing=(FailedCase(name="a measured input", expected="1", got="2", input="(3,)"),),
        )


def proof(
    new: int,
    evaluator: NumberEvaluator | None = None,
    old: int = 0,
    *,
    tell: Callable[[str], None] = print,
    at: Callable[[str], None] = print,
) -> Proof:
    world = evaluator or NumberEvaluator(ComparisonKind.TIMED)
    return Referee(world, Judge(), Measure(), tell, at).compare(
        solution(f"x = {old}"),
        solution(f"x = {new}", id="new"),
        compared=3,
        distinct=2,
        notes=("a doubt",),
    )


def test_a_proven_gain_rests_on_fresh_blocks() -> None:
    found = proof(10)
    assert found.outcome is RefereeOutcome.FASTER
    assert found.gain == pytest.approx(2.0, rel=0.01)
    assert found.interval is not None
    assert found.interval[0] < 2.0 < found.interval[1]
    assert found.blocks == 6
    assert (found.compared, found.distinct) == (3, 2)
    assert (found.notes, found.different) == (("a doubt",), None)


class Copying(NumberEvaluator):
    """Right, and not quite the same for whoever calls it."""

    def evaluate(self, solution: Solution) -> Evaluation:
        """Say what is otherwise."""
        return replace(super().evaluate(solution), feedback="It copies: not compared.")


def test_what_a_right_program_does_otherwise_is_a_doubt() -> None:
    found = proof(10, Copying(ComparisonKind.TIMED))
    assert found.outcome is RefereeOutcome.FASTER
    assert found.notes == ("a doubt", "It copies: not compared.")


def test_every_step_is_told_and_every_block_of_it() -> None:
    steps, blocks = list[str](), list[str]()
    proof(10, tell=steps.append, at=blocks.append)
    assert steps == [
        "comparing the results on 2 distinct inputs (3 comparisons) ...",
        "timing identical code, to know the noise ...",
        "timing old against new ...",
        "timing again, in fresh blocks ...",
    ]
    assert blocks[5:7] == ["block 6 of 6", "block 1 of at most 10"]
    assert blocks[-1] == "block 6 of 6"


def test_blocks_of_a_second_look_are_counted_anew() -> None:
    blocks = list[str]()
    proof(400, at=blocks.append)
    again = "a large gain, measured a second time, block 1 of "
    assert [told for told in blocks if told.startswith(again)] == [
        f"{again}at most 10",
        f"{again}6",
    ]


def test_identical_code_is_never_faster() -> None:
    found = proof(20, old=20)
    assert found.outcome is RefereeOutcome.NOT_PROVEN
    assert found.interval is not None
    assert found.interval[0] < 1.0 < found.interval[1]


@pytest.mark.parametrize("new", [1, 10])
def test_slower_code_is_called_slower(new: int) -> None:
    found = proof(new, old=20)
    assert found.outcome is RefereeOutcome.SLOWER
    assert found.interval is not None
    assert found.interval[1] < 1.0


def test_a_gain_below_the_margin_is_not_proven() -> None:
    assert proof(201, old=200).outcome is RefereeOutcome.NOT_PROVEN


def test_a_failed_case_is_shown_and_nothing_is_timed() -> None:
    found = proof(14)
    assert found.outcome is RefereeOutcome.DIFFERENT
    assert found.different == FailedCase(name="seven", expected="no multiple", got="14")
    assert (found.gain, found.blocks) == (None, 0)


class Endless(NumberEvaluator):
    """Stops the candidate on a test."""

    def evaluate(self, solution: Solution) -> Evaluation:
        """Say that it took too long."""
        failed = FailedCase(name="size 9", input="(9,)", expected="1", got=TOO_LONG)
        return Evaluation(status=Status.TLE, feedback=TOO_LONG, failing=(failed,))


TOO_LONG = "used more than 30 s of CPU time"


def test_one_that_does_not_end_is_slower_and_no_difference_was_seen() -> None:
    found = proof(10, Endless(ComparisonKind.TIMED))
    assert found.outcome is RefereeOutcome.SLOWER
    assert (found.different, found.gain, found.blocks) == (None, None, 0)
    where = "on size 9, (9,), which the old one answers"
    assert found.stopped == f"the new function does not end {where}: {TOO_LONG}"
    assert verdict.lines(found, "a:f", "b:f") == [
        f"not proven: {found.stopped}",
        "doubt: a doubt",
    ]


@pytest.mark.parametrize("inputs", list(InputSet))
def test_a_wrong_answer_on_a_measured_input_is_a_difference(inputs: InputSet) -> None:
    found = proof(10, WrongWhenMeasured(ours=False, inputs=inputs))
    assert found.outcome is RefereeOutcome.DIFFERENT
    assert found.different is not None
    assert found.different.input == "(3,)"


def test_an_old_program_that_fails_when_measured_is_no_reference() -> None:
    with pytest.raises(ProblemError, match="old function does not answer a measured input"):
        proof(10, WrongWhenMeasured(ours=True, inputs=InputSet.SEARCH))


@pytest.mark.parametrize("ours", [True, False])
def test_an_old_program_that_fails_its_self_test_is_no_reference(ours: bool) -> None:
    evaluator = WrongWhenMeasured(ours=ours, inputs=InputSet.SEARCH, alone=True)
    with pytest.raises(
        ProblemError, match=r"old function .* input: WA: wrong answer"
    ) as caught:
        proof(10, evaluator)
    assert caught.value.hint
    assert "\n" not in str(caught.value)


class TooSlow(NumberEvaluator):
    """Stops the candidate in each final block."""

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Say that it took too long."""
        if inputs is not InputSet.FINAL:
            return super().block(
                reference, candidate, number=number, pairs=pairs, inputs=inputs
            )
        return Block(
            number=number,
            effect=math.log(0.25),
            reference=0.1,
            candidate=0.4,
            status=Status.TLE,
        )


def test_a_program_that_is_stopped_is_slower_without_an_interval() -> None:
    found = proof(10, TooSlow(ComparisonKind.TIMED))
    assert found.outcome is RefereeOutcome.SLOWER
    assert found.gain == pytest.approx(0.25)
    assert (found.interval, found.blocks) == (None, 1)


class Waiting(TooSlow):
    """Ends final blocks as a candidate does that waits."""

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Say that it waited."""
        block = super().block(reference, candidate, number=number, pairs=pairs, inputs=inputs)
        if block.status is Status.AC:
            return block
        return replace(block, effect=0.0, reference=0.0, candidate=0.0, feedback="it waits")


def test_of_a_program_that_waits_no_ratio_is_told() -> None:
    found = proof(10, Waiting(ComparisonKind.TIMED))
    assert (found.outcome, found.gain) == (RefereeOutcome.NOT_PROVEN, None)
    assert found.stopped == "it waits"


class Searching(NumberEvaluator):
    """Makes inputs up as it is told."""

    def __init__(self, found: Hunt) -> None:
        super().__init__(ComparisonKind.TIMED)
        self._found = found

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Return what it was told."""
        return self._found

    def retest(self, solution: Solution, tests: Sequence[Counterexample]) -> Evaluation:
        """Nothing was found that could be tried again."""
        raise NotImplementedError


@pytest.mark.parametrize(
    ("found", "doubts"),
    [
        (Hunt(tried=90), ()),
        (
            Hunt(tried=90, outside="f(-1)"),
            ("It differs outside the inputs seen: f(-1).",),
        ),
        (
            Hunt(note="it loads slowly"),
            ("No input made up to find a difference was compared: it loads slowly.",),
        ),
        (
            Hunt(tried=9, note="it loads slowly"),
            ("Few inputs made up to find a difference were compared: it loads slowly.",),
        ),
    ],
)
def test_a_search_that_compared_little_is_a_doubt(found: Hunt, doubts: tuple[str, ...]) -> None:
    told = proof(10, Searching(found))
    assert told.notes == ("a doubt", *doubts)
    assert told.made_up == found.tried


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(Status.TLE, RefereeOutcome.SLOWER), (Status.WA, RefereeOutcome.DIFFERENT)],
)
def test_one_that_does_not_end_on_an_input_made_up_is_slower_too(
    status: Status, outcome: RefereeOutcome
) -> None:
    failed = FailedCase(name="", input="(999,)", expected="1", got=f"{status}: {TOO_LONG}")
    wrong = Counterexample(arguments="", failed=failed, status=status)
    told = proof(10, Searching(Hunt(tried=90, found=wrong)))
    assert told.outcome is outcome
    where = "does not end on (999,), which the old one answers"
    slower = f"the new function {where}: {TOO_LONG}"
    assert (told.stopped or told.different) == (slower if status is Status.TLE else failed)


def test_a_difference_has_no_interval() -> None:
    assert Proof(outcome=RefereeOutcome.DIFFERENT).interval is None
