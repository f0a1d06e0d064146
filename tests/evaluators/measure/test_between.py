"""Work beside the calls that are timed: what a candidate does there counts. No process runs."""

from __future__ import annotations

import math

import pytest

from evaluators.measure.between import SHARE, counted
from evaluators.measure.pairs import Both
from se_agent.problem.model import RUN_INPUTS, Ladder
from se_agent.values.evaluation import InputSet
from se_agent.values.objective import Quantity
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem


def pairs(*between: tuple[float, ...], candidate: float = 0.001) -> list[Both]:
    cpu = Quantity.CPU
    return [Both({cpu: 0.002}, {cpu: candidate}, 0.0, between=each) for each in between]


def seconds(found: list[Both]) -> list[float]:
    return [both.candidate[Quantity.CPU] for both in found]


@pytest.mark.parametrize(
    "between",
    [
        pytest.param((), id="nothing-is-apart"),
        pytest.param((0.003, 0.003), id="as-much"),
        pytest.param((0.003, 0.001), id="less"),
        pytest.param((0.003, 0.003 * (1 + SHARE / 2)), id="noise"),
    ],
)
def test_what_both_do_counts_for_neither(between: tuple[float, ...]) -> None:
    each = pairs(*[between] * 3)
    assert counted(each) == (each, "")


def test_what_a_candidate_does_beyond_it_counts() -> None:
    found, why = counted(pairs(*[(0.003, 0.004)] * 3))
    assert seconds(found) == pytest.approx([0.002] * 3)
    assert why == (
        "50% of its time lies between its calls, where it releases what it built; "
        "the gain counts it"
    )


def test_a_pair_in_a_bad_moment_is_outvoted() -> None:
    found, why = counted(pairs((0.003, 0.003), (0.003, 0.009), (0.003, 0.0029)))
    assert (seconds(found), why) == ([0.001] * 3, "")


def test_a_little_is_counted_and_not_told() -> None:
    found, why = counted(pairs(*[(0.0002, 0.00022)] * 3))
    assert seconds(found) == pytest.approx([0.00102] * 3)
    assert why == ""


TABLE = """
made = []
def solve(size, salt):
    return size * size + salt
def cost(size, salt):
    first = not made
    made.append(size)
    return SECONDS * size + ONCE * first if solve(1, 1) else 0.0
"""


@pytest.mark.parametrize("inputs", list(InputSet))
@pytest.mark.parametrize("loading_counts", [False, True])
def test_what_is_done_once_is_in_no_call(loading_counts: bool, inputs: InputSet) -> None:
    """Neither a table that the first call fills, nor what is done while it is loaded."""
    problem = timed_problem(0.0002, loading_counts=loading_counts)
    measuring = evaluator(problem, ScriptedSandbox())
    text = f"LOADING = 0.01\nONCE = 0.03\nSECONDS = 0.0001\n{TABLE}"
    reference = f"ONCE = 0.0\nSECONDS = 0.0002\n{TABLE}"
    block = measuring.block(
        solution(reference), solution(text), number=0, pairs=4, inputs=inputs
    )
    assert block.effect == pytest.approx(math.log(2.0), abs=1e-6)
    assert block.warm == 1 + block.inputs // 8
    assert block.inputs + block.warm <= RUN_INPUTS


@pytest.mark.parametrize("inputs", list(InputSet))
def test_an_import_in_the_first_call_is_in_no_call_however_long_it_takes(
    inputs: InputSet,
) -> None:
    one, two = (f"ONCE = 0.4\nSECONDS = {each}\n{TABLE}" for each in (0.002, 0.001))
    block = evaluator(timed_problem(), ScriptedSandbox()).block(
        solution(one), solution(two), number=0, pairs=4, inputs=inputs
    )
    assert block.effect == pytest.approx(math.log(2.0), abs=1e-6)
    assert block.warm


def test_a_call_that_is_a_whole_run_has_none_before_it() -> None:
    measuring = evaluator(timed_problem(0.005), ScriptedSandbox())
    one, two = solution(program(0.005)), solution(program(0.004))
    block = measuring.block(one, two, number=0, pairs=2)
    assert (block.inputs, block.warm) == (1, 0)


def test_two_calls_of_a_final_run_are_told_apart_though_one_would_be_a_run() -> None:
    block = evaluator(timed_problem(), ScriptedSandbox()).block(
        solution(program(0.005)), solution(program(0.004)), number=0, pairs=8,
        inputs=InputSet.FINAL,
    )  # fmt: skip
    assert (block.inputs, block.warm) == (1, 1)


@pytest.mark.parametrize("inputs", list(InputSet))
def test_before_the_only_input_of_a_rung_comes_one_of_a_smaller_rung(inputs: InputSet) -> None:
    rungs = ("draw(rng, 10)",), ("draw(rng, 20)",), ("draw(rng, 30)",)
    problem = timed_problem(
        generator="def draw(rng, size):\n    return (size, 0)\n",
        ladder=Ladder(rungs=rungs, search_level=2, final_level=2),
    )
    one, two = (f"ONCE = 0.4\nSECONDS = {each}\n{TABLE}" for each in (0.002, 0.001))
    block = evaluator(problem, ScriptedSandbox()).block(
        solution(one), solution(two), number=0, pairs=4, inputs=inputs
    )
    assert (block.inputs, block.warm) == (1, 1)
    assert block.effect == pytest.approx(math.log(2.0), abs=1e-6)


@pytest.mark.parametrize("inputs", list(InputSet))
def test_what_is_prepared_for_it_in_that_call_is_no_gain(inputs: InputSet) -> None:
    """A table that the first call fills, and from which the only other call reads."""
    rungs = ("draw(rng, 10)",), ("draw(rng, 20)",), ("draw(rng, 30)",)
    problem = timed_problem(
        generator="def draw(rng, size):\n    return (size, 0)\n",
        ladder=Ladder(rungs=rungs, search_level=2, final_level=2),
    )
    one, two = (f"ONCE = {a}\nSECONDS = {b}\n{TABLE}" for a, b in ((0, 2e-3), (5e-2, 1e-5)))
    block = evaluator(problem, ScriptedSandbox()).block(
        solution(one), solution(two), number=0, pairs=4, inputs=inputs
    )
    assert block.effect == pytest.approx(math.log(0.06 / 0.0503), abs=1e-3)
    assert "only behind another call" in block.reservation


def test_the_only_input_of_the_smallest_rung_has_none_before_it() -> None:
    problem = timed_problem(
        generator="def draw(rng, size):\n    return (size, 0)\n",
        ladder=Ladder(rungs=(("draw(rng, 10)",),)),
    )
    one, two = (f"ONCE = 0.0\nSECONDS = {each}\n{TABLE}" for each in (0.002, 0.001))
    block = evaluator(problem, ScriptedSandbox()).block(
        solution(one), solution(two), number=0, pairs=4
    )
    assert (block.inputs, block.warm) == (1, 0)
