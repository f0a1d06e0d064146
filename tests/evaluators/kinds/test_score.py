from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from evaluators.kinds.score import ScoreEvaluator
from se_agent import wire
from se_agent.config.sections import Measure
from se_agent.errors import ProblemError
from se_agent.problem.model import Expr, Ladder, Limits, Problem, ProblemKind
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import InputSet, Status
from se_agent.values.solution import Solution
from tests.contracts.evaluator import EvaluatorContract
from tests.contracts.observing import ObservingContract
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import solution

SCORER = """
def score(args, output):
    if type(output) is not list or len(output) != len(args[0]):
        raise ValueError("one weight per item is needed")
    if sum(output) > 1:
        raise ValueError(f"the weights sum up to {sum(output)}")
    return sum(w * x for w, x in zip(output, args[0]))
"""
EVEN = "def weigh(xs):\n    return [1 / (len(xs) + 1)] * len(xs)\n"
BEST = "def weigh(xs):\n    return [float(i == xs.index(max(xs))) for i in range(len(xs))]\n"


def score_problem(**changes: Any) -> Problem:
    problem = Problem(
        name="weights",
        kind=ProblemKind.SCORE,
        programs={"even": EVEN},
        entry_point="weigh",
        generator="def draw(rng): return ([rng.randrange(2, 9) for _ in range(8)],)",
        ladder=Ladder(rungs=(("draw(rng)",),)),
        scorer=SCORER,
        direction="maximize",
        limits=Limits(cpu_seconds=1.0),
    )
    return replace(problem, **changes)


class TestScoreEvaluator(EvaluatorContract, ObservingContract):
    @pytest.fixture
    def evaluator(self) -> Iterator[Evaluator]:
        evaluator = ScoreEvaluator(score_problem(), measure=Measure())
        yield evaluator
        evaluator.close()

    @pytest.fixture
    def initial(self) -> Solution:
        return score_problem().initial()

    @pytest.fixture
    def better(self) -> Solution:
        return solution(BEST)

    @pytest.fixture
    def failing(self) -> dict[Status, Solution]:
        return {
            Status.WA: solution("def weigh(xs): return [1.0] * len(xs)"),
            Status.RE: solution("def weigh(xs): return xs[99]"),
            Status.CE: solution("def weigh("),
            Status.TLE: solution("def weigh(xs):\n    while True: pass"),
        }

    def test_the_scorer_has_a_process_of_its_own(
        self, evaluator: Evaluator, initial: Solution
    ) -> None:
        before = evaluator.evaluate(initial).score
        text = (
            "import builtins, sys\n"
            "builtins.sum = builtins.zip = lambda *args: 1e9\n"
            "sys.modules['evaluators.kinds.scorer'] = sys.modules['se_agent.wire'] = None\n"
            "score = lambda args, output: 1e9\n"
            "def weigh(xs): return [9.0] * len(xs)\n"
        )
        patched = evaluator.evaluate(solution(text))
        assert (patched.status, patched.score) == (Status.WA, None)
        assert "the weights sum up to 72.0" in patched.feedback
        again = solution(EVEN + "# once more\nONCE_MORE = 1\n")
        assert evaluator.evaluate(again).score == before

    @pytest.mark.tier("hunts")
    def test_a_score_that_hangs_on_the_hash_seed_is_no_score(
        self, evaluator: Evaluator, initial: Solution
    ) -> None:
        lucky = solution("def weigh(xs): return [hash(str(xs)) % 997 / 9970] * len(xs)")
        assert evaluator.evaluate(lucky).status is Status.AC
        for inputs in InputSet:
            block = evaluator.block(initial, lucky, number=0, pairs=1, inputs=inputs)
            assert block.status is Status.WA


def scripted(**changes: Any) -> ScoreEvaluator:
    return ScoreEvaluator(
        score_problem(**changes), measure=Measure(), sandbox=ScriptedSandbox()
    )


class TestScores:
    def test_the_score_of_a_set_is_the_mean_over_its_inputs(self) -> None:
        first = "def weigh(xs): return [0.5] + [0.0] * (len(xs) - 1)"
        sandbox = ScriptedSandbox()
        evaluator = ScoreEvaluator(score_problem(), measure=Measure(), sandbox=sandbox)
        score = evaluator.evaluate(solution(first)).score
        inputs = {data for job in sandbox.jobs for data in job.inputs if job.program == first}
        assert len(inputs) == 4
        assert score == pytest.approx(
            sum(0.5 * wire.loads(data)[0][0] for data in inputs) / len(inputs)
        )

    @pytest.mark.parametrize(("direction", "sign"), [("maximize", 1), ("minimize", -1)])
    def test_the_effect_points_in_the_improving_direction(
        self, direction: str, sign: int
    ) -> None:
        evaluator = scripted(direction=direction)
        even, best = solution(EVEN), solution(BEST)
        block = evaluator.block(even, best, number=0, pairs=12)
        old, new = evaluator.evaluate(even).score, evaluator.evaluate(best).score
        assert (block.reference, block.candidate) == (old, new)
        assert block.effect == sign * (block.candidate - block.reference)

    def test_final_inputs_are_others(self) -> None:
        evaluator = scripted()
        blocks = [
            evaluator.block(solution(EVEN), solution(BEST), number=0, pairs=1, inputs=which)
            for which in InputSet
        ]
        assert blocks[0].reference != blocks[1].reference
        assert [block.inputs for block in blocks] == [4, 8]

    def test_another_run_draws_other_inputs(self) -> None:
        def score(seed: int) -> float | None:
            sandbox, measure = ScriptedSandbox(), Measure()
            rating = ScoreEvaluator(
                score_problem(), measure=measure, seed=seed, sandbox=sandbox
            )
            return rating.evaluate(solution(EVEN)).score

        assert score(1) == score(1)
        assert len({score(seed) for seed in range(5)}) > 2

    def test_the_scorer_may_know_more_than_the_program(self) -> None:
        sandbox = ScriptedSandbox()
        problem = score_problem(
            generator="def draw(rng): return (3, rng.randrange(10**9))",
            scorer="def score(args, output): return output[0] + (args[1] > 0)",
            shown=1,
        )
        rating = ScoreEvaluator(problem, measure=Measure(), sandbox=sandbox)
        text = "def weigh(*args): return [args[0], len(args)]"
        assert rating.evaluate(solution(text)).score == 4
        ran = [job for job in sandbox.jobs if job.program == text]
        assert {data for job in ran for data in job.inputs} == {wire.dumps((3,))}

    def test_a_score_is_paid_for_once(self) -> None:
        sandbox = ScriptedSandbox()
        evaluator = ScoreEvaluator(score_problem(), measure=Measure(), sandbox=sandbox)
        first = evaluator.evaluate(solution(BEST))
        before = len(sandbox.jobs)
        assert evaluator.evaluate(solution(BEST, id="Gen2_Sol_2")) == first
        assert len(sandbox.jobs) == before

    def test_a_problem_without_inputs_is_called_without_arguments(self) -> None:
        evaluator = scripted(
            generator="",
            ladder=Ladder(),
            scorer="def score(args, output): return output + len(args)",
        )
        best = solution("def weigh(): return 7")
        for inputs in InputSet:
            assert evaluator.block(best, best, number=0, pairs=1, inputs=inputs).candidate == 7
        assert evaluator.evaluate(best).score == 7

    def test_a_script_without_inputs_reads_an_empty_text(self) -> None:
        evaluator = ScoreEvaluator(
            score_problem(
                programs={"initial": "print(1)"},
                entry_point="",
                generator="",
                ladder=Ladder(),
                scorer="def score(args, output): return int(output) + len(args)",
            ),
            measure=Measure(),
        )
        counting = solution("import sys\nprint(7 + len(sys.stdin.read()))")
        with closing(evaluator):
            assert evaluator.evaluate(counting).score == 7


class TestLuck:
    MOODY = "def weigh(xs): return [0.01 * LAYOUT] * 8"

    def test_a_candidate_is_rated_again_in_another_layout(self) -> None:
        block = scripted().block(solution(EVEN), solution(self.MOODY), number=0, pairs=1)
        assert (block.status, block.reference_status) == (Status.WA, Status.AC)
        assert block.effect == 0.0
        assert block.feedback.startswith("non-deterministic: its score is 0.0, then 0.")

    def test_a_candidate_may_fail_the_second_time(self) -> None:
        sly = "def weigh(xs): return [0.1] * (8 - LAYOUT)"
        block = scripted().block(solution(EVEN), solution(sly), number=0, pairs=1)
        assert block.status is Status.WA
        assert "then WA: one weight per item is needed" in block.feedback

    @pytest.mark.parametrize("text", [BEST, MOODY])
    def test_it_pays_for_that_once_a_set(self, text: str) -> None:
        sandbox = ScriptedSandbox()
        evaluator = ScoreEvaluator(score_problem(), measure=Measure(), sandbox=sandbox)
        evaluator.evaluate(solution(text))
        for inputs, runs in ((InputSet.SEARCH, 8), (InputSet.FINAL, 24)):
            for number in range(2):
                evaluator.block(
                    solution(EVEN), solution(text), number=number, pairs=1, inputs=inputs
                )
            assert [job.program for job in sandbox.jobs].count(text) == runs


class TestRefused:
    @pytest.mark.parametrize(
        ("answer", "feedback"),
        [
            pytest.param("[1.0] * 8", "the weights sum up to 8.0", id="constraint"),
            pytest.param("'much'", "one weight per item is needed", id="shape"),
            pytest.param("[float('nan')] * 8", "the score is not finite: nan", id="nan"),
            pytest.param("[float('-inf')] * 8", "the score is not finite: -inf", id="inf"),
            pytest.param("[[]] * 8", "TypeError", id="scorer-chokes"),
        ],
    )
    def test_what_has_no_score_is_wrong(self, answer: str, feedback: str) -> None:
        evaluation = scripted().evaluate(solution(f"def weigh(xs): return {answer}"))
        assert evaluation.status is Status.WA
        assert evaluation.score is None
        assert feedback in evaluation.feedback

    def test_one_bad_input_is_enough(self) -> None:
        sly = "def weigh(xs): return [1.0] * 8 if sum(xs) % 2 else [0.1] * 8"
        assert scripted().evaluate(solution(sly)).status is Status.WA

    def test_the_scorer_never_meets_the_candidate(self) -> None:
        sandbox = ScriptedSandbox()
        evaluator = ScoreEvaluator(score_problem(), measure=Measure(), sandbox=sandbox)
        evaluator.evaluate(solution(EVEN))
        assert not any(
            "def weigh" in job.program and "def score" in job.program for job in sandbox.jobs
        )


class TestPreflight:
    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            pytest.param(
                {"programs": {"even": "def weigh(xs): return 1"}},
                r"has no score \(WA\): one weight per item",
                id="no-score",
            ),
            pytest.param(
                {"programs": {"even": "def weigh(xs): return [0.01 * LAYOUT] * 8"}},
                "non-deterministic: its score is",
                id="moody",
            ),
            pytest.param(
                {"ladder": Ladder(rungs=(("nobody(rng)",),))},
                "'nobody.rng.' with seed .* cannot be made: NameError",
                id="generator-raises",
            ),
            pytest.param(
                {"scorer": "def score(args, output): return nobody"},
                "has no score .* NameError",
                id="scorer-raises",
            ),
        ],
    )
    def test_what_cannot_be_scored_is_said(self, changes: dict[str, Any], message: str) -> None:
        problem = score_problem(**changes)
        evaluator = ScoreEvaluator(problem, measure=Measure(), sandbox=ScriptedSandbox())
        with pytest.raises(ProblemError, match=message):
            evaluator.preflight(problem.initial())

    def test_all_that_it_spends_is_counted(self) -> None:
        problem, sandbox = score_problem(), ScriptedSandbox()
        evaluator = ScoreEvaluator(problem, measure=Measure(), sandbox=sandbox)
        assert evaluator.preflight(problem.initial()).cost_seconds == sandbox.spent > 0

    def test_luck_on_the_final_inputs_is_said_too(self) -> None:
        inputs = tuple(Expr(code=f"([{n}] * 8,)") for n in (2, 3))
        problem = score_problem(
            programs={"even": "def weigh(xs): return [0.01 * LAYOUT * (xs[0] - 2)] * 8"},
            ladder=Ladder(fresh=False, search=inputs[:1], final=inputs[1:]),
        )
        evaluator = ScoreEvaluator(problem, measure=Measure(), sandbox=ScriptedSandbox())
        with pytest.raises(ProblemError, match=r"score is .*, then .* on the final inputs"):
            evaluator.preflight(problem.initial())
