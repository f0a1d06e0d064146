"""CPU time of the engine per step, with an operator and an evaluator that cost nothing.

The cost must be flat: a journal of ten thousand steps makes none of them dearer. It does grow
with the length of a genome, which every proposal records whole, so genomes here are as long as
those of a program with many places to change, and no longer.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from se_agent.config.run_file import Run
from se_agent.engine.run.start import start
from se_agent.events import Event, Learned
from se_agent.problem.model import Case, Expr, Problem, ProblemKind
from se_agent.values.brief import Brief
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Evaluation,
    InputSet,
    Measurement,
    Preflight,
    Status,
)
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal

STEPS = 10_100
AROUND = (100, 1_000, 10_000)
WINDOW = 100
PLACES = 64
"""Where the program can be changed; a later edit of a place replaces the earlier one."""


class Fresh:
    """Always has something new."""

    name = "experiments.bench.steps:Fresh"
    arity = 1

    def propose(self, brief: Brief) -> Proposal | None:
        """Return a program that no other slot returns."""
        parent, number = brief.slot.parents[0], brief.slot.number
        place = number % PLACES
        edit = Edit(
            rule=f"rule_{place % 9}",
            function="f",
            node=f"{place:x}",
            parameters=(("n", str(number)),),
        )
        child = brief.child(
            {"main.py": f"def f(x):\n    return x + {number}\n"},
            operator=self.name,
            base="Gen0_Sol_0",
            edits=(*(e for e in parent.edits if e.node != edit.node), edit),
        )
        return Proposal(solution=child, direction=f"Rewrite by {edit.rule} in `f`")


class Free:
    """Finds one in ten wrong, and one in three better by a little."""

    kind = ComparisonKind.EXACT

    def preflight(self, solution: Solution) -> Preflight:
        """Nothing to check."""
        return Preflight(evaluation=self.evaluate(solution))

    def evaluate(self, solution: Solution) -> Evaluation:
        """Judge by the id's last digit."""
        if solution.id.endswith("7"):
            return Evaluation(status=Status.WA, feedback="wrong on case 3")
        return Evaluation(
            status=Status.AC, measurement=Measurement(cpu_seconds=0.01), score=1.0
        )

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Return a small gain for one candidate in three."""
        gain = 0.001 if candidate.id[-1] in "258" else -0.001
        return Block(number=number, effect=gain, reference=1.0, candidate=1.0 + gain)

    def close(self) -> None:
        """Nothing runs."""


class Clock:
    """Notes the CPU time of the process at each closed step."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def on_event(self, event: Event) -> None:
        """Note the time."""
        if isinstance(event, Learned):
            self.seconds.append(time.process_time())


PROBLEM = Problem(
    name="bench",
    kind=ProblemKind.SCORE,
    programs={"initial": "def f(x):\n    return x\n"},
    entry_point="f",
    cases=(Case(name="one", input=Expr(code="(1,)")),),
    direction="maximize",
)


def plan(results: Path, steps: int) -> Run:
    """Return a run of so many steps, in the folder `run`."""
    return Run.model_validate(
        {
            "problem": PROBLEM.name,
            "operators": [Fresh.name],
            "results": str(results),
            "name": "run",
            "budget": {"evaluations": None, "proposals": steps},
        }
    )


def free(problem: Problem, config: Run) -> Free:
    """Make an evaluator."""
    del problem, config
    return Free()


def measure() -> dict[int, float]:
    """Return the median CPU seconds of a step around each mark."""
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        config = plan(Path(folder), STEPS)
        start(config, problem=PROBLEM, listeners=[clock], evaluators=free)
    half = WINDOW // 2
    return {mark: per_step(clock.seconds[mark - half : mark + half]) for mark in AROUND}


def per_step(window: Sequence[float]) -> float:
    """Return the median over whole generations of 8, which fill first and close after.

    Args:
        window: CPU seconds of the process at each closed step.
    """
    return statistics.median((b - a) / 8 for a, b in zip(window, window[8:], strict=False))


if __name__ == "__main__":
    for mark, value in measure().items():
        print(f"step {mark:6d}: {1000 * value:.2f} ms CPU")
    print(f"in {Path(__file__).name}, {STEPS} steps")
