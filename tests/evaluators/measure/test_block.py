"""Blocks on a scripted clock: what is subtracted, when it ends early, what it costs."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import pytest

from se_agent.errors import ProblemError
from se_agent.problem.model import RUN_INPUTS, Expr, Ladder
from se_agent.values.evaluation import Block, InputSet, Status
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem


def measured(
    reference: float,
    candidate: float,
    *,
    pairs: int = 4,
    inputs: InputSet = InputSet.SEARCH,
    sandbox: ScriptedSandbox | None = None,
) -> Block:
    """Return a block of two programs, given by their seconds a unit of size."""
    return evaluator(timed_problem(), sandbox or ScriptedSandbox()).block(
        solution(program(reference)),
        solution(program(candidate)),
        number=0,
        pairs=pairs,
        inputs=inputs,
    )


class TestEffect:
    @pytest.mark.parametrize("ratio", [0.5, 1.0, 1.05, 3.0, 40.0])
    @pytest.mark.parametrize("inputs", list(InputSet))
    def test_start_up_is_subtracted_from_both(self, ratio: float, inputs: InputSet) -> None:
        block = measured(0.005, 0.005 / ratio, inputs=inputs)
        assert block.effect == pytest.approx(math.log(ratio), abs=1e-6)
        assert block.reference == pytest.approx(0.05)
        assert block.candidate == pytest.approx(0.05 / ratio)

    @pytest.mark.parametrize("startup", [0.0005, 0.005, 0.05])
    def test_start_up_changes_nothing(self, startup: float) -> None:
        block = measured(0.005, 0.0045, sandbox=ScriptedSandbox(startup=startup))
        assert block.effect == pytest.approx(math.log(0.005 / 0.0045), abs=1e-6)

    def test_a_time_below_the_resolution_makes_a_gain_smaller(self) -> None:
        block = measured(0.001, 0.0, sandbox=ScriptedSandbox(noise=0.001))
        assert 0 < block.effect < 10

    def test_one_outlier_does_not_move_a_search_block(self) -> None:
        sandbox = ScriptedSandbox(noise=0.0001)
        block = measured(0.005, 0.004, pairs=12, sandbox=sandbox)
        assert block.effect == pytest.approx(math.log(5 / 4), abs=0.01)

    @pytest.mark.parametrize("inputs", list(InputSet))
    def test_the_effects_of_its_pairs_are_kept(self, inputs: InputSet) -> None:
        block = measured(0.005, 0.004, inputs=inputs, sandbox=ScriptedSandbox(noise=0.0001))
        middle = statistics.median if inputs is InputSet.SEARCH else statistics.fmean
        assert len(set(block.pair_effects)) == block.pairs == 4
        assert block.effect == middle(block.pair_effects)


@pytest.mark.parametrize("inputs", list(InputSet))
@pytest.mark.parametrize("loading_counts", [False, True])
@pytest.mark.parametrize("compiling", [(0.0, 0.3), (0.3, 0.0), (0.02, 0.01)])
def test_what_compiling_takes_does_not_count(
    compiling: tuple[float, float], loading_counts: bool, inputs: InputSet
) -> None:
    sides = [
        solution(
            f"COMPILING = {each}\ndef solve(size, salt):\n    return size * size + salt\n"
            f"def cost(size, salt):\n    return {seconds} * size if solve(1, 1) else 0.0\n"
        )
        for each, seconds in zip(compiling, (0.005, 0.004), strict=True)
    ]
    measuring = evaluator(timed_problem(loading_counts=loading_counts), ScriptedSandbox())
    block = measuring.block(*sides, number=0, pairs=2, inputs=inputs)
    assert block.effect == pytest.approx(math.log(5 / 4), abs=1e-6)


class TestLoading:
    """Where loading does not count, as for one function of a module."""

    def measured(self, loading: tuple[float, float], seconds: tuple[float, float]) -> Block:
        problem = timed_problem(loading_counts=False)
        reference, candidate = (
            f"LOADING = {load}\ndef solve(size, salt):\n    return size * size + salt\n"
            f"def cost(size, salt):\n    return {each} * size if solve(1, 1) else 0.0\n"
            for load, each in zip(loading, seconds, strict=True)
        )
        return evaluator(problem, ScriptedSandbox()).block(
            solution(reference), solution(candidate), number=0, pairs=2
        )

    @pytest.mark.parametrize("candidate", [0.0, 0.2, 0.3])
    def test_it_is_subtracted(self, candidate: float) -> None:
        block = self.measured((0.3, candidate), (0.005, 0.004))
        assert block.effect == pytest.approx(math.log(5 / 4), abs=1e-6)

    @pytest.mark.parametrize("loading", [0.5, 5.0, 50.0])
    def test_work_that_moves_there_gains_nothing(self, loading: float) -> None:
        assert self.measured((0.0, loading), (0.005, 0.0)).effect < 0


class TestSchedule:
    def test_each_block_has_a_layout_of_its_own(self) -> None:
        sandbox = ScriptedSandbox()
        measuring = evaluator(timed_problem(), sandbox)
        one, two = solution(program(0.005)), solution(program(0.004))
        for number in range(3):
            measuring.block(one, two, number=number, pairs=2)
        assert sandbox.restarts == 3

    def test_pairs_run_one_at_a_time_in_random_order(self) -> None:
        sandbox = ScriptedSandbox()
        measured(0.005, 0.0048, pairs=12, sandbox=sandbox)  # too little to look further
        ran = [job.program for job in sandbox.jobs if "cost" in job.program][-24:]
        first = ran[::2]
        assert {ran.count(text) for text in ran} == {12}
        assert len(set(first)) == 2

    def test_blocks_draw_fresh_inputs_by_address(self) -> None:
        def asked(number: int, seed: int) -> bytes:
            sandbox = ScriptedSandbox()
            one, two = solution(program(0.005)), solution(program(0.004))
            measuring = evaluator(timed_problem(), sandbox, seed=seed)
            measuring.block(one, two, number=number, pairs=2)
            return b"".join(sandbox.jobs[-2].inputs)

        assert asked(0, 0) == asked(0, 0)
        assert len({asked(0, 0), asked(1, 0), asked(2, 0), asked(0, 1)}) == 4

    @pytest.mark.parametrize("inputs", list(InputSet))
    def test_another_run_draws_other_inputs(self, inputs: InputSet) -> None:
        def asked(seed: int) -> set[bytes]:
            sandbox, one = ScriptedSandbox(), solution(program(0.005))
            measuring = evaluator(timed_problem(), sandbox, seed=seed)
            measuring.block(one, solution(program(0.004)), number=0, pairs=2, inputs=inputs)
            return {d for job in sandbox.jobs if "cost" in job.program for d in job.inputs}

        assert asked(3) == asked(3)
        assert not asked(3) & asked(4)

    def test_the_search_never_sees_a_final_input(self) -> None:
        sandbox = ScriptedSandbox()
        measured(1e-5, 1e-5, sandbox=sandbox)
        searched = {data for job in sandbox.jobs for data in job.inputs}
        after = len(sandbox.jobs)
        measured(1e-5, 1e-5, inputs=InputSet.FINAL, sandbox=sandbox)
        final = {
            data for job in sandbox.jobs[after:] if "cost" in job.program for data in job.inputs
        }
        assert final
        assert not final & searched

    def test_a_final_block_runs_each_final_input_once_a_pair(self) -> None:
        sandbox = ScriptedSandbox()
        block = measured(0.005, 0.0048, pairs=8, inputs=InputSet.FINAL, sandbox=sandbox)
        faster = [job.inputs for job in sandbox.jobs if job.program == program(0.0048)]
        assert block.pairs == 8
        *_, alone = faster  # after the pairs, in a process that answers that input only
        assert len(alone) == 1
        assert len(set(faster[-17:-1])) == 8
        assert all(faster.count(inputs) >= 2 for inputs in faster[-17:-1])

    def test_cost_covers_all_that_ran(self) -> None:
        sandbox = ScriptedSandbox()
        block = measured(0.005, 0.004, sandbox=sandbox)
        assert block.cost_seconds == pytest.approx(sandbox.spent)


MOST_MEASURED = RUN_INPUTS - 1 - RUN_INPUTS // 9
"""One input comes before eight that are measured."""


class TestSize:
    def test_a_slow_program_answers_one_input_a_run(self) -> None:
        assert measured(0.005, 0.005).inputs == 1

    def test_quick_programs_answer_as_many_as_it_takes(self) -> None:
        block = measured(0.0001, 0.0001)
        assert (block.inputs, block.level) == (20, 0)

    def test_a_slow_reference_limits_what_a_quick_candidate_answers(self) -> None:
        assert measured(0.005, 0.00005).inputs == 6

    def test_it_climbs_only_when_the_inputs_are_used_up(self) -> None:
        quick = evaluator(timed_problem(0.0001), ScriptedSandbox())
        one, two = solution(program(5e-6)), solution(program(4e-6))
        block = quick.block(one, two, number=0, pairs=2)
        assert (block.level, block.inputs) == (1, 50)

    def test_it_does_not_climb_to_what_the_initial_program_cannot_answer(self) -> None:
        block = measured(1e-6, 1e-6)  # half a second an input on the next rung
        assert block.level == 0

    def test_short_calls_are_answered_by_the_hundred_where_no_rung_is_larger(self) -> None:
        """Calls of 60 us take 20 ms by the 334; those of 5 us are too short, however many."""
        rungs = (("(10, rng.getrandbits(40))",),)
        problem = timed_problem(1e-6, ladder=Ladder(rungs=rungs))
        for seconds, inputs in ((6e-6, 334), (5e-7, MOST_MEASURED)):
            one, two = (solution(program(times * seconds)) for times in (1, 2))
            block = evaluator(problem, ScriptedSandbox()).block(one, two, number=0, pairs=2)
            assert (block.level, block.inputs) == (0, inputs)

    def test_a_second_block_does_not_look_for_a_size_again(self) -> None:
        measuring = evaluator(timed_problem(), sandbox := ScriptedSandbox())
        one, two = solution(program(0.0001)), solution(program(0.0002))
        first = measuring.block(one, two, number=0, pairs=2)
        before = len([job for job in sandbox.jobs if job.program == two.text])
        again = measuring.block(one, two, number=1, pairs=2)
        ran = len([job for job in sandbox.jobs if job.program == two.text]) - before
        assert (again.inputs, again.level) == (first.inputs, first.level)
        assert ran == 3  # warm-up and two pairs

    def test_no_run_answers_an_input_twice(self) -> None:
        problem = timed_problem(ladder=Ladder(rungs=(("(10, rng.randrange(5))",),)))
        measuring = evaluator(problem, sandbox := ScriptedSandbox())
        same = solution(program(1e-6))
        block = measuring.block(same, same, number=0, pairs=2)
        assert block.inputs + block.warm == 5
        runs = [job.inputs for job in sandbox.jobs if job.program == same.text]
        assert all(len(set(inputs)) == len(inputs) for inputs in runs)

    def test_listed_inputs_are_all_that_there_are(self) -> None:
        listed = tuple(Expr(code=f"(10, {salt})") for salt in range(5))
        ladder = Ladder(fresh=False, search=listed[:3], final=listed[3:])
        measuring = evaluator(timed_problem(ladder=ladder), ScriptedSandbox())
        same = solution(program(1e-6))
        block = measuring.block(same, same, number=0, pairs=2)
        assert (block.inputs, block.warm) == (2, 1)
        final = measuring.block(same, same, number=0, pairs=8, inputs=InputSet.FINAL)
        assert (final.pairs, final.inputs, final.distinct) == (8, 1, 2)

    def test_a_problem_without_inputs_is_the_users_to_mend(self) -> None:
        measuring = evaluator(timed_problem(ladder=Ladder()), ScriptedSandbox())
        same = solution(program(1e-6))
        with pytest.raises(ProblemError, match="has no input to measure with"):
            measuring.block(same, same, number=0, pairs=2)


class TestEarlyEnd:
    def test_a_loser_is_stopped_at_its_cap(self) -> None:
        block = measured(0.005, 5.0, pairs=12)
        assert block.status is Status.AC
        assert block.effect == pytest.approx(-math.log((3 * 0.052 + 0.05 - 0.002) / 0.05))
        assert block.cost_seconds < 0.5

    def test_one_in_the_confirmation_fails_it(self) -> None:
        block = measured(0.005, 5.0, pairs=12, inputs=InputSet.FINAL)
        assert (block.status, block.reference_status) == (Status.TLE, Status.AC)
        assert block.effect < 0

    def test_a_slower_candidate_within_the_cap_is_measured(self) -> None:
        assert measured(0.005, 0.0125).effect == pytest.approx(-math.log(2.5))

    def test_a_wrong_answer_ends_the_block(self) -> None:
        wrong = solution(program(0.001, "size * size + salt % 1000"))
        block = evaluator(timed_problem(), ScriptedSandbox()).block(
            solution(program(0.005)), wrong, number=0, pairs=12
        )
        assert (block.status, block.reference_status) == (Status.WA, Status.AC)
        assert "wrong answer" in block.feedback

    def test_a_crash_is_named(self) -> None:
        crash = solution(program(0.001, "size // 0"))
        block = evaluator(timed_problem(), ScriptedSandbox()).block(
            solution(program(0.005)), crash, number=0, pairs=2
        )
        assert block.status is Status.RE
        assert "ZeroDivisionError" in block.feedback

    def test_a_wrong_reference_is_not_the_candidates_fault(self) -> None:
        wrong = solution(program(0.005, "0"))
        block = evaluator(timed_problem(), ScriptedSandbox()).block(
            wrong, solution(program(0.001)), number=0, pairs=2
        )
        assert (block.status, block.reference_status) == (Status.AC, Status.WA)

    def test_a_candidate_that_fails_on_measured_inputs_only_is_found(self) -> None:
        """The visible cases never reach size 10."""
        problem = timed_problem()
        sly = solution(program(0.0001, "size * size + salt if size < 10 else 0"))
        measuring = evaluator(problem, ScriptedSandbox())
        assert measuring.evaluate(sly).status is Status.AC
        block = measuring.block(problem.initial(), sly, number=0, pairs=2)
        assert block.status is Status.WA

    def test_an_exception_may_be_the_right_answer(self) -> None:
        raising = program(0.005, "size // (salt - salt)")
        problem = replace(timed_problem(), programs={"initial": raising}, cases=())
        same = solution(program(0.001, "[][size]"))
        block = evaluator(problem, ScriptedSandbox()).block(
            problem.initial(), problem.initial(), number=0, pairs=2
        )
        assert (block.status, block.reference_status) == (Status.AC, Status.AC)
        block = evaluator(problem, ScriptedSandbox()).block(
            problem.initial(), same, number=0, pairs=2
        )
        assert block.status is Status.WA
        assert "IndexError" in block.feedback
