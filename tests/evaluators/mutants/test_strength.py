from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evaluators.kinds.function import FunctionEvaluator
from evaluators.kinds.score import ScoreEvaluator
from evaluators.mutants.look import MutantLook, beyond_tests
from evaluators.mutants.mutants import sample
from evaluators.mutants.strength import Fate, Strength, strength
from se_agent.config.sections import Measure
from se_agent.errors import ProblemError
from se_agent.problem.model import Case, Expr, Limits, Problem
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import InputSet
from tests.evaluators.kinds.test_score import score_problem
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import timed_problem

CLAMP = "def solve(size, salt):\n    return size if size < 5 else 5\n"
GENERATOR = "def draw(rng, size): return (rng.randrange(12), size)\n"


def problem(*sizes: int, **changes: Any) -> Problem:
    """Return a problem of one clamped number, with these visible tests."""
    cases = tuple(Case(name=str(n), input=Expr(code=f"({n}, 0)")) for n in sizes)
    made = timed_problem(programs={"initial": CLAMP}, generator=GENERATOR, cases=cases)
    return replace(made, **changes)


def scripted(of: Problem) -> Evaluator:
    return FunctionEvaluator(of, measure=Measure(), sandbox=ScriptedSandbox())


def found(of: Problem, *, count: int = 50, cpu_seconds: float = 1e9) -> Strength:
    original = of.initial()
    with (
        MutantLook(of, original, scripted) as tests,
        MutantLook(beyond_tests(of, 0.05), original, scripted) as beyond,
    ):
        return strength(
            original.text, "solve", tests, beyond, count=count, cpu_seconds=cpu_seconds
        )


class TestStrength:
    def test_strong_tests_catch_what_can_be_caught(self) -> None:
        strong = found(problem(2, 4, 5, 9))
        assert strong.share == 1.0
        # `size <= 5` answers as the original does: it is no fault.
        assert [each.fate for each in strong.survivors] == [Fate.ALIKE] * 2

    @pytest.mark.parametrize(
        ("fates", "doubtful"),
        [
            pytest.param("caught " * 16 + "alike " * 12, True, id="hopeless"),
            pytest.param("caught " * 20 + "missed " * 8, False, id="weak-tests"),
            pytest.param("caught " * 53 + "alike " * 7, False, id="a-few"),
            pytest.param("caught alike alike", False, id="too-few-to-say"),
        ],
    )
    def test_many_alike_are_the_fault_of_the_inputs(self, fates: str, doubtful: bool) -> None:
        (one, *_) = found(problem(2), count=1).tried
        tried = tuple(replace(one, fate=Fate(fate)) for fate in fates.split())
        made = Strength(tried=tried, places=99, complete=True, cost_seconds=0.0)
        assert made.doubtful is doubtful

    def test_weak_tests_miss_some_and_are_told_by_what(self) -> None:
        weak = found(problem(2))
        assert weak.share is not None
        assert weak.share < 0.7
        first, *_ = weak.survivors
        assert first.fate is Fate.MISSED
        assert first.told is not None
        assert first.told.name.startswith("draw(rng, 10), seed 5000")
        assert first.told.expected != first.told.got

    def test_every_fate_is_counted_once(self) -> None:
        weak = found(problem(2))
        assert sum(weak.count(fate) for fate in Fate) == len(weak.tried) <= weak.places
        totals = sum(fates.total() for fates in weak.by_fault.values())
        assert totals == len(weak.tried)
        assert weak.cost_seconds > 0

    def test_time_ends_it(self) -> None:
        short = found(problem(2, 9), cpu_seconds=0.005)
        assert not short.complete
        assert 0 < len(short.tried) < len(sample(CLAMP, "solve", count=50).mutants)

    def test_nothing_to_plant(self) -> None:
        plain = found(problem(2, programs={"initial": "def solve(*args): ...\n"}))
        assert (plain.tried, plain.share, plain.complete) == ((), None, True)

    def test_progress_is_told(self) -> None:
        of, seen = problem(2), list[tuple[int, int]]()
        with MutantLook(of, of.initial(), scripted) as look:
            strength(CLAMP, "solve", look, look, count=3, told=lambda *step: seen.append(step))
        assert seen == [(1, 3), (2, 3), (3, 3)]


class TestLook:
    def test_a_score_that_moves_is_a_difference_either_way(self) -> None:
        of = score_problem()

        def make(one: Problem) -> Evaluator:
            return ScoreEvaluator(one, measure=Measure(), sandbox=ScriptedSandbox())

        with MutantLook(of, of.initial(), make) as look:
            text = of.initial().text
            assert look.difference(text + "\n# the same\n") is None
            for change in ("+ 2", "+ 0.5", "+ 1.0000000000000002"):
                other = text.replace("+ 1", change)
                assert (look.difference(other) is None) == ("000" in change)

    def test_an_endless_mutant_costs_little(self) -> None:
        of = problem(2, limits=Limits(cpu_seconds=100.0))
        slow = CLAMP + "def cost(size, salt): return 1e9\n"
        with MutantLook(of, of.initial(), scripted) as look:
            assert look.difference(slow) is not None
            assert look.cost_seconds < 1

    def test_an_original_that_fails_there_is_said(self) -> None:
        of = problem(2, limits=Limits(cpu_seconds=0.001))
        with (
            MutantLook(of, of.initial(), scripted) as look,
            pytest.raises(ProblemError, match=r"initial program .* fails .*TLE"),
        ):
            look.difference("")


class TestBeyond:
    def test_inputs_are_those_of_no_run_and_of_no_test(self) -> None:
        of = problem(2)
        of = replace(of, ladder=replace(of.ladder, search_level=2))
        more = beyond_tests(of, 0.05).cases
        taken = {
            of.ladder.expr(which, n, level)
            for which in InputSet
            for n in range(40)
            for level in range(3)
        }
        assert len(more) == 16 + 16 + 1
        assert not {case.input for case in more} & taken
        assert max(case.input.level for case in more) == of.ladder.search_level

    def test_slow_programs_are_asked_less(self) -> None:
        of = problem(2)
        assert len(beyond_tests(of, 1.0).cases) < len(beyond_tests(of, 0.01).cases)
        assert beyond_tests(of, 30.0).cases

    def test_without_a_generator_the_inputs_of_the_search_serve(self) -> None:
        given = (Expr(code="(3, 4)"),)
        of = problem(2)
        of = replace(of, ladder=replace(of.ladder, fresh=False, rungs=(), search=given))
        assert [case.input for case in beyond_tests(of, 0.05).cases] == list(given)
