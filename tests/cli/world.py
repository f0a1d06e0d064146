"""A run of the little world as a process: `python -m tests.cli.world RESULTS [words]`.

Words: `timed`, `slow` (20 ms a measurement), `json`, `poor` (no time for a generation), `broke`
(no time at all),
`broken` (the evaluator fails in generation 2), `resume` (RESULTS is then the run folder).
"""

from __future__ import annotations

import sys
from pathlib import Path

from se_agent.cli.app import ended
from se_agent.cli.drive import RunWatch, drive
from se_agent.cli.screen import Screen
from se_agent.config.run_file import Run
from se_agent.engine.journal.result import Result
from se_agent.engine.run.start import resume, start
from se_agent.engine.state.budget import CONFIRM_RUNS, START_SECONDS
from se_agent.errors import SandboxError
from se_agent.problem.model import Problem
from se_agent.protocols import Evaluator, Listener
from se_agent.values.evaluation import ComparisonKind, Evaluation
from se_agent.values.solution import Solution
from tests.fakes import NumberEvaluator, number_problem, number_run

POOR = CONFIRM_RUNS * 48 * (0.1 + START_SECONDS) + 0.02
"""Seconds that are kept for the confirmation of timed programs here."""

HASTY: dict[str, object] = {
    "judge": {"counterexample_seconds": 0.0, "pairs": 1, "min_blocks": 1},
    "measure": {"self_test_blocks": 1},
}


class Broken(NumberEvaluator):
    """Fails as a sandbox does whose fork server died."""

    def evaluate(self, solution: Solution) -> Evaluation:
        """Judge the first generation only."""
        if solution.id.startswith("Gen2"):
            raise SandboxError("the fork server died", hint="try again")
        return super().evaluate(solution)


def main(place: Path, words: set[str]) -> int:
    kind = ComparisonKind.TIMED if "timed" in words else ComparisonKind.EXACT
    limits = {"poor": POOR + 0.8, "broke": 5.0}
    changes = next(
        (HASTY | {"budget": {"wall_seconds": limits[w]}} for w in limits if w in words), {}
    )

    def evaluators(problem: Problem, config: Run) -> Evaluator:
        if "broken" in words:
            return Broken(kind)
        slow = 0.02 if "slow" in words else 1.0 if "poor" in words else 0.0
        return NumberEvaluator(kind, seconds=slow)

    def work(listener: Listener, watch: RunWatch) -> Result:
        if "resume" in words:
            return resume(place, listeners=[listener], evaluators=evaluators)
        return start(
            number_run(place, **changes),
            problem=number_problem(timed=kind is ComparisonKind.TIMED),
            listeners=[listener],
            evaluators=evaluators,
            announce=watch,
        )

    folder = place if "resume" in words else None
    return drive(work, Screen(as_json="json" in words), folder=folder)


if __name__ == "__main__":
    ended(lambda: main(Path(sys.argv[1]), set(sys.argv[2:])))
