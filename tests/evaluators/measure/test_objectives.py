"""A pair that trades memory for time, judged by each objective in real processes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluators.answers.bench import Bench
from evaluators.kinds.function import FunctionEvaluator
from evaluators.measure.block import Blocks
from evaluators.measure.means import require
from evaluators.running.runner import CallRunner
from evaluators.sandbox.job import Job, JobOutcome
from evaluators.sandbox.usage import ProcessUsage
from se_agent.config.sections import Measure
from se_agent.errors import ConfigError
from se_agent.problem.model import Case, Expr, Ladder, Problem, ProblemKind
from se_agent.values.evaluation import Block, ComparisonKind, InputSet, Status
from se_agent.values.objective import Objective, Quantity
from tests.evaluators.scripted import ScriptedSandbox
from tests.evaluators.worlds import program, solution, timed_problem

TABLE = """
def solve(n):
    squares = [i * i % 7 for i in range(n)]
    return sum(squares)
"""
STREAM = """
def solve(n):
    total = 0
    for i in range(n):
        total += i * i % 7
        total += 0 * (i % 3 + i % 5)
    return total
"""
PROBLEM = Problem(
    name="sums",
    kind=ProblemKind.FUNCTION,
    programs={"initial": TABLE},
    entry_point="solve",
    cases=(Case(name="five", input=Expr(code="(5,)")),),
    generator="def draw(rng, n): return (n + rng.randrange(1000),)",
    ladder=Ladder(rungs=(("draw(rng, 200_000)",),)),
)


SLEEPER = """
import time
def solve(n):
    time.sleep(0.7)
    return sum(i * i % 7 for i in range(n))
"""


def judged(
    weights: dict[str, float], inputs: InputSet = InputSet.SEARCH, text: str = STREAM
) -> Block:
    """Return a block of the program with a table against one without."""
    evaluator = FunctionEvaluator(
        PROBLEM, measure=Measure(), objective=Objective.weighted(weights)
    )
    try:
        assert evaluator.kind is ComparisonKind.TIMED
        return evaluator.block(
            PROBLEM.initial(), solution(text), number=0, pairs=2, inputs=inputs
        )
    finally:
        evaluator.close()


@pytest.mark.tier("isolation")
def test_the_objective_decides_which_of_two_is_better() -> None:
    assert judged({"cpu": 1}).effect < -0.1
    memory = judged({"memory": 1})
    assert memory.effect > 1
    assert memory.unit == "B"
    assert 1_000_000 < memory.reference < 10_000_000
    mixed = judged({"cpu": 0.5, "memory": 0.5})
    assert (mixed.reference, mixed.unit) == (1.0, "")
    assert 0 < mixed.effect < memory.effect


@pytest.mark.tier("isolation")
@pytest.mark.parametrize("quantity", ["cpu", "memory", "memory_time"])
def test_a_program_that_sleeps_is_no_better_in_anything(quantity: str) -> None:
    block = judged({quantity: 1}, text=SLEEPER)
    assert block.status is Status.TLE
    assert "it waits" in block.feedback


@pytest.mark.tier("isolation")
def test_a_final_block_tells_all_that_can_be_read() -> None:
    block = judged({"cpu": 1}, InputSet.FINAL)
    figures = {figure.quantity: figure for figure in block.figures}
    assert set(figures) == set(Quantity) - {Quantity.INSTRUCTIONS}
    assert figures[Quantity.CPU].reference == block.reference
    memory = figures[Quantity.MEMORY]
    assert memory.reference > 4 * memory.candidate


def test_wall_time_is_refused_where_there_can_be_no_threads() -> None:
    wall = Objective.weighted({"wall": 1})
    with pytest.raises(ConfigError, match="'jail' refuses") as caught:
        FunctionEvaluator(PROBLEM, measure=Measure(), objective=wall)
    assert "sandbox.isolation=namespace" in caught.value.hint


@pytest.mark.parametrize("quantity", ["memory", "memory_time", "instructions"])
def test_what_is_read_of_one_process_is_refused_where_there_may_be_more(quantity: str) -> None:
    with pytest.raises(ConfigError, match=f"'{quantity}'.*isolation 'namespace'|valgrind"):
        require(Objective.weighted({quantity: 1}), "namespace")


@pytest.mark.parametrize("level", ["jail", "namespace"])
@pytest.mark.parametrize("quantity", ["memory", "memory_time"])
def test_no_level_is_advised_where_none_can_measure_both(level: str, quantity: str) -> None:
    """Each of the two is refused at the level that the other needs: that would be a circle."""
    with pytest.raises(ConfigError, match=f"'wall' and '{quantity}' exclude each") as caught:
        require(Objective.weighted({"wall": 0.5, quantity: 0.5}), level)
    assert "isolation" not in caught.value.hint
    assert "weigh 'cpu'" in caught.value.hint


def test_instructions_of_a_foreign_package_are_not_counted() -> None:
    counted = Objective.weighted({"instructions": 1})
    problem = replace(PROBLEM, imports=("numpy",))
    with pytest.raises(ConfigError, match="instructions"):
        FunctionEvaluator(
            problem, measure=Measure(), objective=counted, sandbox=ScriptedSandbox()
        )


class Counting(ScriptedSandbox):
    """Counts a thousand million instructions a scripted second."""

    def run(self, job: Job) -> JobOutcome:
        """Return the outcome, with the count."""
        outcome = super().run(job)
        usage = ProcessUsage(instructions=round(1e9 * outcome.cpu_seconds))
        return replace(outcome, usage=usage)


def counted(reference: str, candidate: str) -> tuple[Block, Counting]:
    problem, counting = timed_problem(), Counting(startup=0.1)
    bench = Bench.of(problem, ScriptedSandbox(noise=0.01), CallRunner(problem))
    objective = Objective.weighted({"instructions": 1})
    blocks = Blocks(bench, Measure(), seed=0, objective=objective, counting=counting)
    found = blocks.measure(solution(reference), solution(candidate), number=0, pairs=1)
    return found, counting


def test_a_count_takes_one_run_a_side() -> None:
    block, counting = counted(program(0.005), program(0.004))
    assert block.effect == pytest.approx(0.22314, abs=1e-4)
    assert block.reference == pytest.approx(0.05e9)
    assert (block.pairs, block.unit) == (1, "instructions")
    assert len(counting.jobs) == 3  # the empty program, and each side once
    assert block.cost_seconds > counting.spent


def test_a_wrong_answer_ends_a_count_too() -> None:
    block, counting = counted(program(0.005), program(0.004, "0"))
    assert (block.status, counting.jobs) == (Status.WA, [])
    block, counting = counted(program(0.005), program(0.004, "LAYOUT and size * size + salt"))
    assert (block.status, len(counting.jobs)) == (Status.WA, 3)
    assert block.cost_seconds > counting.spent


def test_one_that_never_ends_when_it_is_counted_is_stopped_at_20_times_its_reference() -> None:
    """It may tell that it is counted, and be right elsewhere; here by its layout."""
    text = program(0.004)
    never = text.replace("return 0.004 * size", "return 0.004 * size if LAYOUT else 1e9")
    assert never != text
    block, counting = counted(program(0.005), never)
    assert block.status is Status.TLE
    reference = 0.1 + 0.005 * 10 * len(counting.jobs[-1].inputs)
    assert counting.jobs[-1].limits.cpu_seconds == pytest.approx(20 * reference + 1)
    assert block.cost_seconds > counting.spent
