"""Work that is put off until the answers are given: found and counted, on a scripted clock."""

from __future__ import annotations

import math

import pytest

from evaluators.measure.deferred import batches_for
from se_agent.problem.model import Expr, Ladder
from se_agent.values.evaluation import Block, InputSet, Status
from se_agent.values.objective import CPU_TIME, Objective, Quantity
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import evaluator, program, solution, timed_problem

SOLVE = "def solve(size, salt):\n    return size * size + salt\n"
QUICK = 0.02
"""Share of its work that a program does before it answers."""

NEXT = """
def cost(size, salt):
    due, left[:] = sum(left), [size]
    return QUICK * SECONDS * size + SECONDS * due
"""
EVERY = """
def cost(size, salt):
    left.append(size)
    due = sum(left) if len(left) == EACH else 0
    if due: left.clear()
    return QUICK * SECONDS * size + SECONDS * due
"""
AT_END = """
def cost(size, salt):
    left.append(size)
    return QUICK * SECONDS * size
def at_end(): return SECONDS * sum(left)
"""
PADDED_AT_END = AT_END.replace(
    "return SECONDS * sum(left)", "return max(2.0, SECONDS * sum(left))"
)
LAST_AT_END = NEXT + "def at_end(): return SECONDS * sum(left)\n"
REMEMBERED = """
known = set()
def cost(size, salt):
    due = sum(size for size, salt in left if (size, salt) not in known)
    known.update(left)
    left[:] = [(size, salt)]
    return QUICK * SECONDS * size + SECONDS * due
"""
PUT_OFF = {
    "at the next call": NEXT,
    "at every second call": EVERY.replace("EACH", "2"),
    "at every third call": EVERY.replace("EACH", "3"),
    "at every fourth call": EVERY.replace("EACH", "4"),
    "at the end": AT_END,
    "at the end, which always takes as long": PADDED_AT_END,
    "at the end, after a long first call": """
def cost(size, salt):
    first = not left
    left.append(size)
    return QUICK * SECONDS * size + 30 * SECONDS * first
def at_end(): return SECONDS * sum(left)
""",
    "at every third call, after a long first one": """
def cost(size, salt):
    first = not any(left)
    left.append(size)
    due = sum(left[1:]) if len(left) == 4 else 0
    if due: left[1:] = []
    return QUICK * SECONDS * size + SECONDS * due + 30 * SECONDS * first
def at_end(): return SECONDS * sum(left[1:])
""",
    "at the next call, and at the end": LAST_AT_END,
    "at the next call, once an input": REMEMBERED,
}
HONEST = {
    "steady": "def cost(size, salt): return SECONDS * size\n",
    "with a table that the first call fills": """
def cost(size, salt):
    first = not left
    left.append(size)
    return SECONDS * size + 0.02 * first
""",
    "with a memory of answers": """
def cost(size, salt):
    due = 0.0 if (size, salt) in left else SECONDS * size
    left.append((size, salt))
    return due
""",
    "with much to release at its end": """
def cost(size, salt): return SECONDS * size
LOADING = 80 * SECONDS
def at_end(): return 70 * SECONDS
""",
    "that grows a little slower": """
def cost(size, salt):
    left.append(size)
    return SECONDS * size * (1 + 0.001 * len(left))
""",
    "that takes long on some inputs": """
def cost(size, salt): return SECONDS * size * (0.2 + 4 * (salt % 5 == 0))
""",
}


def lazy(text: str, seconds: float, loading: float = 0.0) -> str:
    """Return a program whose calls take so many seconds a unit of size, sooner or later."""
    cost = text.replace("SECONDS", str(seconds)).replace("QUICK", str(QUICK))
    return f"LOADING = {loading}\nleft = []\n{SOLVE}{cost}"


def measured(
    reference: str,
    candidate: str,
    inputs: InputSet = InputSet.SEARCH,
    *,
    seconds: float = 0.005,
    pairs: int = 3,
    number: int = 0,
    sandbox: ScriptedSandbox | None = None,
    objective: Objective = CPU_TIME,
    ladder: Ladder | None = None,
) -> Block:
    problem = timed_problem(seconds, **({"ladder": ladder} if ladder else {}))
    sandbox = sandbox or ScriptedSandbox()
    measuring = evaluator(problem, sandbox, objective=objective)
    sides = solution(reference), solution(candidate)
    return measuring.block(*sides, number=number, pairs=pairs, inputs=inputs)


@pytest.mark.parametrize("inputs", list(InputSet))
@pytest.mark.parametrize("seconds", [0.005, 0.0008])
@pytest.mark.parametrize("when", PUT_OFF)
def test_work_that_is_put_off_gains_nothing(
    when: str, seconds: float, inputs: InputSet
) -> None:
    block = measured(program(seconds), lazy(PUT_OFF[when], seconds), inputs, seconds=seconds)
    assert block.status is Status.AC
    assert block.effect < 0.35
    assert block.candidate > 0.7 * block.reference
    assert max(block.pair_effects) < 0.7


@pytest.mark.parametrize("salts", [1, 2, 3])
@pytest.mark.parametrize("when", [when for when in PUT_OFF if "once" not in when])
def test_it_is_found_however_few_inputs_there_are(when: str, salts: int) -> None:
    listed = tuple(Expr(code=f"(10, {salt})") for salt in range(salts))
    ladder = Ladder(fresh=False, search=listed, final=listed)
    for inputs in InputSet:
        block = measured(program(0.005), lazy(PUT_OFF[when], 0.005), inputs, ladder=ladder)
        assert block.effect < 0.35
        if when == "at the end":
            assert "of its work is done after its answers, and counts" in block.reservation


@pytest.mark.parametrize("inputs", list(InputSet))
def test_long_loading_hides_nothing_of_it(inputs: InputSet) -> None:
    candidate = lazy(NEXT, 0.02, loading=0.03)
    block = measured(program(0.02), candidate, inputs, seconds=0.02)
    assert block.effect < 0.0


@pytest.mark.parametrize("inputs", list(InputSet))
@pytest.mark.parametrize("seconds", [0.005, 0.0001])
@pytest.mark.parametrize("kind", HONEST)
def test_an_honest_gain_counts_whole(kind: str, seconds: float, inputs: InputSet) -> None:
    sandbox = ScriptedSandbox(noise=0.0005)
    candidate = lazy(HONEST[kind], seconds / 8)
    block = measured(program(seconds), candidate, inputs, seconds=seconds, sandbox=sandbox)
    assert block.status is Status.AC
    assert block.reservation == ""


@pytest.mark.parametrize("seed", range(10))
def test_a_machine_that_others_use_makes_nobody_put_off_work(seed: int) -> None:
    sandbox = ScriptedSandbox(noise=0.002, shared=0.4, seed=seed)
    block = measured(program(0.005), program(0.002), sandbox=sandbox, number=seed)
    assert block.reservation == ""


def test_where_both_put_off_their_work_the_gain_is_that_of_the_work() -> None:
    block = measured(lazy(NEXT, 0.02), lazy(NEXT, 0.005), seconds=0.02)
    assert block.effect == pytest.approx(math.log(4), abs=0.01)


def test_who_is_charged_loses_in_figures_too_and_what_is_held_in_memory_stays() -> None:
    block = measured(program(0.005), lazy(NEXT, 0.005), InputSet.FINAL)
    figures = {figure.quantity: figure for figure in block.figures}
    assert figures[Quantity.CPU].candidate == pytest.approx(block.candidate)
    assert block.candidate == pytest.approx(0.05 * (1 + QUICK), rel=0.01)


def test_nobody_looks_at_a_screen_or_at_who_claims_no_gain() -> None:
    for seconds, pairs in ((0.0005, 2), (0.005, 3), (0.006, 3)):
        sandbox = ScriptedSandbox()
        measured(program(0.005), program(seconds), pairs=pairs, sandbox=sandbox)
        assert not any(job.to_the_end for job in sandbox.jobs)
    measured(program(0.005), program(0.0005), sandbox=sandbox)
    assert any(job.to_the_end for job in sandbox.jobs)


@pytest.mark.parametrize(
    ("candidate", "inputs", "looked"),
    [
        (program(0.0005), InputSet.SEARCH, [True, False, False, False]),
        (program(0.0005), InputSet.FINAL, [True, True, True, False]),
        (lazy(AT_END, 0.005), InputSet.SEARCH, [True, True, True, True]),
        (lazy(AT_END, 0.005), InputSet.FINAL, [True, True, True, True]),
    ],
)
def test_a_search_looks_until_it_has_found_nothing_and_a_claim_three_times(
    candidate: str, inputs: InputSet, looked: list[bool]
) -> None:
    sandbox = ScriptedSandbox()
    measuring = evaluator(timed_problem(0.005), sandbox)
    found = []
    for number in range(4):
        before = len(sandbox.jobs)
        sides = solution(program(0.005)), solution(candidate)
        measuring.block(*sides, number=number, pairs=3, inputs=inputs)
        found.append(any(job.to_the_end for job in sandbox.jobs[before:]))
    assert found == looked


def test_another_claim_looks_anew() -> None:
    measuring = evaluator(timed_problem(0.005), sandbox := ScriptedSandbox())
    looked = []
    for seconds, number in ((0.0005, 0), (0.0005, 1), (0.0005, 2), (0.0005, 0), (0.0004, 5)):
        before = len(sandbox.jobs)
        sides = solution(program(0.005)), solution(program(seconds))
        measuring.block(*sides, number=number, pairs=3, inputs=InputSet.FINAL)
        looked.append(any(job.to_the_end for job in sandbox.jobs[before:]))
    assert looked == [True] * 5


def test_who_is_wrong_after_more_calls_than_a_run_has_is_wrong() -> None:
    wrong = "left = []\ndef solve(size, salt):\n    left.append(size)\n"
    wrong += "    return size * size + salt + (len(left) > 3)\n"
    wrong += "def cost(size, salt): return 0.001 * size\n"
    block = measured(program(0.005), wrong)
    assert block.inputs <= 2
    assert (block.status, block.effect) == (Status.WA, 0.0)


def test_large_batches_are_answered_by_fewer_runs_and_never_by_one() -> None:
    asked = [batches_for(inputs) for inputs in (1, 4, 1000)]
    assert asked == sorted(asked, reverse=True)
    assert asked[0] > asked[-1] == 3  # of one alone nothing could be compared
