"""Final inputs: each block has its own, and few of them are used in turns."""

from __future__ import annotations

import math

import pytest

from se_agent.problem.model import Expr, Ladder, Problem
from se_agent.values.evaluation import Block, InputSet
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem


def finals(
    problem: Problem, *numbers: int, searches: int = 0
) -> tuple[list[Block], list[set[bytes]], set[bytes]]:
    """Measure final blocks of identical programs after some of the search.

    Returns them, the inputs that each ran on, and those that the search ran on.
    """
    sandbox, same = ScriptedSandbox(), problem.initial()
    measuring = evaluator(problem, sandbox)

    def block(number: int, inputs: InputSet) -> tuple[Block, set[bytes]]:
        before = len(sandbox.jobs)
        found = measuring.block(same, same, number=number, pairs=8, inputs=inputs)
        ran = [job for job in sandbox.jobs[before:] if job.program == same.text]
        if inputs is InputSet.FINAL:
            ran = ran[-3 * found.pairs :]  # before that, it is asked what is right
        return found, {data for job in ran for data in job.inputs}

    searched = [block(number, InputSet.SEARCH)[1] for number in range(searches)]
    done = [block(number, InputSet.FINAL) for number in numbers]
    return [found for found, _ in done], [ran for _, ran in done], set().union(*searched)


def salted(values: int) -> Problem:
    """Return a problem with so many different inputs."""
    return timed_problem(ladder=Ladder(rungs=((f"(10, rng.randrange({values}))",),)))


class TestFinalInputs:
    NUMBERS = (*range(6), *range(1000, 1006))

    def test_each_block_has_its_own_also_at_a_second_look(self) -> None:
        _, ran, _ = finals(timed_problem(), *self.NUMBERS)
        assert [len(inputs) for inputs in ran] == [8] * 12
        assert len(set().union(*ran)) == 96

    def test_they_hang_on_the_number_alone(self) -> None:
        _, ran, _ = finals(timed_problem(), 0, 3)
        _, alone, _ = finals(timed_problem(), 3)
        assert alone == ran[1:]

    def test_what_a_gain_hangs_on_shows_between_blocks(self) -> None:
        """The candidate is twice as fast on every second input, and as slow on the others."""
        problem, sandbox = timed_problem(), ScriptedSandbox()
        candidate = solution(
            program(0.005).replace("0.005 * size", "0.005 * size / (1 + salt % 2)")
        )
        measuring = evaluator(problem, sandbox)
        effects = {
            measuring.block(
                problem.initial(), candidate, number=number, pairs=8, inputs=InputSet.FINAL
            ).effect
            for number in range(6)
        }
        assert len(effects) > 1

    def test_none_is_met_twice_where_there_are_enough(self) -> None:
        blocks, ran, searched = finals(salted(1000), *range(6), searches=3)
        assert [block.pairs for block in blocks] == [8] * 6
        assert sum(map(len, ran)) == 48 == len(set().union(*ran))
        assert searched
        assert not searched & set().union(*ran)

    @pytest.mark.parametrize(
        ("values", "pairs"), [(1, 8), (2, 8), (3, 9), (5, 10), (6, 6), (12, 8)]
    )
    def test_too_few_are_used_again_in_about_as_many_pairs(
        self, values: int, pairs: int
    ) -> None:
        blocks, ran, _ = finals(salted(values), *range(3), searches=1)
        assert [block.pairs for block in blocks] == [pairs] * 3
        distinct = min(values, pairs)
        assert [
            (block.distinct, len(inputs)) for block, inputs in zip(blocks, ran, strict=True)
        ] == [(distinct, distinct)] * 3

    @pytest.mark.parametrize("salts", [1, 2, 3, 5])
    def test_of_few_that_are_quick_a_run_answers_all_it_can(self, salts: int) -> None:
        listed = tuple(Expr(code=f"(10, {salt})") for salt in range(salts))
        ladder = Ladder(fresh=False, search=listed, final=listed)
        measuring = evaluator(timed_problem(1e-6, ladder=ladder), ScriptedSandbox())
        one, two = solution(program(1e-5)), solution(program(5e-6))
        block = measuring.block(one, two, number=0, pairs=8, inputs=InputSet.FINAL)
        assert (block.inputs + block.warm, block.distinct) == (salts, salts)
        assert block.pairs >= 8
        assert block.effect == pytest.approx(math.log(2), abs=0.05)

    @pytest.mark.parametrize("salts", [3, 5, 7, 8, 12])
    def test_all_of_them_weigh_alike(self, salts: int) -> None:
        """A gain on one input alone is as large whichever it is, and wherever it stands."""
        listed = tuple(Expr(code=f"(10, {salt})") for salt in range(salts))
        ladder = Ladder(fresh=False, search=listed, final=listed)
        effects = []
        for quick in range(salts):
            text = program(1e-5).replace(
                "1e-05 * size", f"1e-05 * size / (1 + 9 * (salt == {quick}))"
            )
            sides = solution(program(1e-5)), solution(text)
            measuring = evaluator(timed_problem(1e-5, ladder=ladder), ScriptedSandbox())
            block = measuring.block(*sides, number=0, pairs=8, inputs=InputSet.FINAL)
            assert block.inputs >= min(salts - 1, 6)
            effects.append(block.effect)
        assert min(effects) > 0.7 * max(effects) > 0

    @pytest.mark.tier("isolation")
    @pytest.mark.parametrize(
        ("values", "searched"),
        [pytest.param(1, 1, id="rng-ignored"), pytest.param(10**9, 0, id="fresh")],
    )
    def test_what_the_search_had_is_told(self, values: int, searched: int) -> None:
        blocks, ran, had = finals(salted(values), *range(2), searches=1)
        assert [block.searched for block in blocks] == [searched] * 2
        assert [len(inputs & had) for inputs in ran] == [searched] * 2
        assert [block.distinct for block in blocks] == [len(r) for r in ran]

    def test_listed_ones_are_the_same_in_every_block(self) -> None:
        listed = tuple(Expr(code=f"(10, {salt})") for salt in range(30))
        ladder = Ladder(fresh=False, search=listed[:10], final=listed[10:])
        _, ran, _ = finals(timed_problem(ladder=ladder), 0, 1, 1000, searches=1)
        assert ran == [ran[0]] * 3

    def test_listed_ones_that_the_search_met_come_last(self) -> None:
        listed = tuple(Expr(code=f"(10, {salt})") for salt in range(30))
        ladder = Ladder(fresh=False, search=listed[:10], final=listed)
        _, ran, searched = finals(timed_problem(ladder=ladder), 0, searches=20)
        assert len(searched) > 5
        assert not searched & ran[0]
