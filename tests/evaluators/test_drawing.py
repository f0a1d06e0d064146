"""Another seed gives other final inputs and others made up; those of the search stay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from evaluators.answers.bench import Bench
from evaluators.counterexample.corpus import Corpus
from evaluators.counterexample.forms import CalledForm
from evaluators.kinds.function import FunctionEvaluator
from evaluators.kinds.score import ScoreEvaluator
from evaluators.running.runner import CallRunner
from se_agent.config.sections import Measure
from se_agent.problem.model import Expr, ProblemKind
from se_agent.values.evaluation import InputSet
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import program, solution, timed_problem

CANDIDATE = solution(program(0.001))


@pytest.fixture
def bench() -> Iterator[Bench]:
    problem, sandbox = timed_problem(0.0001), ScriptedSandbox()
    with closing(sandbox):
        yield Bench.of(problem, sandbox, CallRunner(problem), seed=3)


def test_only_the_final_inputs_are_others(bench: Bench) -> None:
    other = replace(bench, final_seed=4)
    for which in InputSet:
        same = bench.exprs(which, 5) == other.exprs(which, 5)
        assert same == (which is InputSet.SEARCH)
    assert other.exprs(InputSet.FINAL, 5) == replace(bench, seed=4).exprs(InputSet.FINAL, 5)


def measured(evaluator: FunctionEvaluator, sandbox: ScriptedSandbox) -> set[bytes]:
    """Return what a final block is measured on."""
    before = len(sandbox.jobs)
    initial = timed_problem().initial()
    evaluator.block(initial, CANDIDATE, number=0, pairs=4, inputs=InputSet.FINAL)
    jobs = [job for job in sandbox.jobs[before:] if job.program == CANDIDATE.text]
    return {data for job in jobs for data in job.inputs}


def test_a_block_is_measured_on_other_ones() -> None:
    sandbox = ScriptedSandbox()
    made = FunctionEvaluator(timed_problem(), measure=Measure(), sandbox=sandbox)
    with closing(made):
        first = measured(made, sandbox)
        made.draw(2**48 - 1)
        other = measured(made, sandbox)
        made.draw(0)
        assert measured(made, sandbox) == first
    assert first
    assert not first & other


@pytest.mark.tier("hunts")
def test_other_inputs_are_made_up_and_those_seen_stay(bench: Bench) -> None:
    corpus = Corpus(bench, CalledForm, seed=0)
    rounds = [[*corpus.rounds(lambda: True)]]
    for seed in (5, 0):
        corpus.draw(seed)
        rounds.append([*corpus.rounds(lambda: True)])
    names = [[{one.data for one in made.inputs} for made in each] for each in rounds]
    assert names[0][0] == names[1][0]
    assert set().union(*names[0][2:]) - set().union(*names[1])
    assert names[0] == names[2]


def test_a_score_is_that_of_other_inputs() -> None:
    problem = replace(
        timed_problem(),
        kind=ProblemKind.SCORE,
        cases=(),
        scorer="def score(args, output):\n    return args[1]\n",
    )
    made = ScoreEvaluator(problem, measure=Measure(), sandbox=ScriptedSandbox())
    with closing(made):

        def scores() -> list[float]:
            return [
                made.block(
                    problem.initial(), CANDIDATE, number=0, pairs=1, inputs=which
                ).reference
                for which in InputSet
            ]

        (search, final) = scores()
        made.draw(5)
        assert scores()[0] == search
        assert scores()[1] != final


def test_inputs_that_are_listed_are_all_that_there_are(bench: Bench) -> None:
    listed = (Expr(code="(3, 1)"),)
    ladder = replace(bench.problem.ladder, fresh=False, search=listed, final=listed)
    fixed = replace(bench, problem=replace(bench.problem, ladder=ladder), final_seed=9)
    assert fixed.exprs(InputSet.FINAL, 3) == [*listed]
