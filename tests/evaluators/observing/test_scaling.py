"""The exponent of a program's time, in a world where time is scripted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.answers.bench import Bench
from evaluators.observing.scaling import SECONDS, fitted, scaling
from evaluators.running.runner import CallRunner
from se_agent.problem.model import Expr, Ladder, Problem
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import timed_problem

SIZES = (10, 30, 100, 300, 1000, 3000)
GENERATOR = "def generate(rng, size):\n    return (size, rng.randrange(10**9))\n"


def problem(*sizes: int) -> Problem:
    rungs = tuple((f"generate(rng, {size})",) for size in sizes)
    return replace(timed_problem(), generator=GENERATOR, ladder=Ladder(rungs=rungs))


def program(seconds: str, loading: float = 0.0) -> str:
    """Return a program whose call takes so many CPU seconds, an expression of its size."""
    return (
        f"LOADING = {loading}\n"
        f"def solve(size, salt):\n    return {seconds}\n"
        "def cost(size, salt):\n    return solve(size, salt) or 0.0\n"
    )


def bench(of: Problem, sandbox: ScriptedSandbox | None = None) -> Bench:
    return Bench.of(of, sandbox or ScriptedSandbox(), CallRunner(of))


@settings(max_examples=40, deadline=None)
@given(
    exponent=st.floats(0.5, 3.0),
    first=st.floats(3e-5, 1e-3),  # less is too quick to tell until loading used up the time
    loading=st.sampled_from([0.0, 0.001, 0.01]),
)
def test_a_power_of_the_size_is_told_whatever_loading_takes(
    exponent: float, first: float, loading: float
) -> None:
    text = program(f"{first} * (size / 10) ** {exponent}", loading)
    found = scaling(bench(problem(*SIZES)), text)
    assert found is not None
    assert found.exponent == pytest.approx(exponent, abs=0.02)
    assert 2 <= len(found.sizes) <= 4
    assert set(found.sizes) <= set(SIZES)


def test_what_each_call_takes_bends_small_sizes_and_does_not_count() -> None:
    found = scaling(bench(problem(*SIZES)), program("1e-3 + 1e-8 * size ** 2"))
    assert found is not None
    assert found.exponent > 1.3
    assert found.sizes[-1] == 3000


@pytest.mark.parametrize(
    ("of", "text"),
    [
        pytest.param(problem(10), program("0.01 * size"), id="a single size"),
        pytest.param(problem(100, 101, 102), program("1e-3"), id="sizes hardly grow"),
        pytest.param(problem(10, 100), program("1e-7"), id="too quick to tell"),
        pytest.param(problem(10, 100), program("0.05 * size"), id="too slow to tell"),
        pytest.param(problem(10, 100), "raise ValueError", id="it does not run"),
        pytest.param(
            replace(
                problem(10, 100), ladder=Ladder(fresh=False, search=(Expr(code="(1, 2)"),))
            ),
            program("0.01"),
            id="no generator",
        ),
        pytest.param(
            replace(problem(10, 100), generator="def generate(rng, size):\n    return 1 / 0\n"),
            program("0.01"),
            id="a generator that fails",
        ),
    ],
)
def test_where_it_cannot_be_told_it_is_not(of: Problem, text: str) -> None:
    assert scaling(bench(of), text) is None


@given(seconds=st.floats(1e-5, 1.0), exponent=st.floats(0.0, 3.0))
@settings(max_examples=30, deadline=None)
def test_it_takes_half_a_second_at_most(seconds: float, exponent: float) -> None:
    sandbox = ScriptedSandbox()
    of = bench(problem(*SIZES), sandbox)
    scaling(of, program(f"{seconds} * (size / 10) ** {exponent}"))
    assert sandbox.spent < 2 * SECONDS


def test_inputs_without_a_size_are_told_by_their_bytes() -> None:
    rungs = tuple((f"(list(range({n})), 1)",) for n in (100, 1000, 10000))
    text = program("1e-6 * len(size)")
    found = scaling(bench(replace(problem(1), ladder=Ladder(rungs=rungs))), text)
    assert found is not None
    assert found.exponent == pytest.approx(0.9, abs=0.15)
    assert found.sizes[0] > 100


@pytest.mark.parametrize(
    ("points", "exponent"),
    [
        pytest.param([(10, 1.0), (100, 100.0)], 2.0, id="two"),
        pytest.param([(1, 9.0), (10, 1.0), (100, 10.0), (1000, 100.0)], 1.0, id="one astray"),
        pytest.param(
            [(10, 1.0), (100, 100.0), (200, 900.0), (400, 1600.0)], 2.0, id="a bad moment"
        ),
        pytest.param([(10, 50.0), (100, 75.0), (2000, 30_000.0)], 2.0, id="three, one astray"),
        pytest.param(
            [(10, 1.0), (100, 100.0), (110, 900.0)], 2.84, id="the last two are alike"
        ),
        pytest.param([(10, 5.0), (100, 5.0)], 0.0, id="constant"),
        pytest.param([(10, 1.0)], None, id="one"),
        pytest.param([], None, id="none"),
        pytest.param([(10, 1.0), (10, 2.0)], None, id="one size"),
        pytest.param([(0, 1.0), (10, 2.0)], None, id="size nought"),
    ],
)
def test_fitted(points: list[tuple[int, float]], exponent: float | None) -> None:
    found = fitted(points)
    assert (found.exponent if found else None) == exponent


@pytest.mark.parametrize(
    ("code", "size"), [("generate(rng, 500)", 500), ("draw(rng, 500)", None), ("(5,)", None)]
)
def test_what_a_problem_calls_a_size(code: str, size: int | None) -> None:
    assert Expr(code=code).size == size
