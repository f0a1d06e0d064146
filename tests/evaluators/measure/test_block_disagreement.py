"""Blocks on a scripted clock whose pairs disagree: how many more they take, and what for."""

from __future__ import annotations

import math
import statistics

import pytest

from se_agent.values.evaluation import Block, InputSet
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem


def measured(
    candidate: float,
    sandbox: ScriptedSandbox,
    *,
    pairs: int,
    inputs: InputSet = InputSet.SEARCH,
) -> Block:
    """Return a block of a program of 5 ms a unit of size, and one of so many seconds."""
    sides = solution(program(0.005)), solution(program(candidate))
    return evaluator(timed_problem(), sandbox).block(
        *sides, number=0, pairs=pairs, inputs=inputs
    )


def shared(seed: int) -> ScriptedSandbox:
    """Return a sandbox whose core others use in half of the runs."""
    return ScriptedSandbox(shared=0.5, seed=seed)


@pytest.mark.parametrize("pairs", [3, 6, 12])
def test_those_that_agree_are_enough(pairs: int) -> None:
    assert measured(0.004, ScriptedSandbox(noise=0.0001), pairs=pairs).pairs == pairs


@pytest.mark.tier("isolation")
def test_where_others_use_the_core_it_takes_more() -> None:
    taken = [measured(0.00499, shared(s), pairs=12).pairs for s in range(20)]
    assert {12} < set(taken) <= set(range(12, 37, 4))


@pytest.mark.tier("isolation")
@pytest.mark.parametrize("pairs", [6, 7])
def test_a_block_that_was_asked_for_fewer_may_take_as_many(pairs: int) -> None:
    taken = [measured(0.005, shared(s), pairs=pairs).pairs for s in range(60)]
    assert 18 < max(taken) <= 36


@pytest.mark.tier("isolation")
def test_and_is_seldom_far_off() -> None:
    blocks = [measured(0.00475, shared(s), pairs=12) for s in range(60)]
    off = [abs(block.effect - math.log(1 / 0.95)) for block in blocks]
    of_twelve = [
        abs(statistics.median(block.pair_effects[:12]) - math.log(1 / 0.95)) for block in blocks
    ]
    assert sum(each > 0.02 for each in off) < sum(each > 0.02 for each in of_twelve) / 3


@pytest.mark.tier("isolation")
def test_a_glance_that_is_disturbed_is_longer() -> None:
    taken = [measured(0.005, shared(s), pairs=2).pairs for s in range(40)]
    assert taken.count(2) > 10
    assert 2 < max(taken) <= 36


def test_the_confirmation_has_inputs_for_so_many_and_no_more() -> None:
    block = measured(0.005, shared(0), pairs=12, inputs=InputSet.FINAL)
    assert block.pairs == 12


@pytest.mark.tier("isolation")
@pytest.mark.parametrize(("asked", "found"), [(3, 3), (6, 6), (12, 6)])
def test_where_a_pair_takes_long_there_are_few(asked: int, found: int) -> None:
    def taken(seconds: float, seed: int) -> int:
        sides = solution(program(seconds)), solution(program(seconds))
        measuring = evaluator(timed_problem(seconds), shared(seed))
        return measuring.block(*sides, number=0, pairs=asked).pairs

    assert max(taken(0.005, seed) for seed in range(20)) > asked
    assert {taken(0.5, seed) for seed in range(20)} == {found}


@pytest.mark.tier("isolation")
def test_a_program_against_itself_takes_the_fewest() -> None:
    itself = [measured(0.005, shared(s), pairs=12).pairs for s in range(20)]
    another = [measured(0.00499, shared(s), pairs=12).pairs for s in range(20)]
    assert min(itself) >= 6
    assert sum(itself) < 0.8 * sum(another)


def test_a_claim_has_all_its_pairs_however_long_they_take() -> None:
    sides = solution(program(0.5)), solution(program(0.5))
    measuring = evaluator(timed_problem(0.5), shared(0))
    assert measuring.block(*sides, number=0, pairs=12, inputs=InputSet.FINAL).pairs == 12
