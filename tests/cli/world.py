"""A run of the little world as a process: `python -m tests.cli.world RESULTS [words]`.

Words: `timed`, `slow` (20 ms a measurement), `json`, `poor` (no CPU seconds for a search),
`broken` (the evaluator fails in generation 2), `resume` (RESULTS is then the run folder).
"""

from __future__ import annotations

import sys
from pathlib import Path

from se_agent.cli.app import ended
from se_agent.cli.drive import Watch, drive
from se_agent.cli.screen import Screen
from se_agent.config import Run
from se_agent.engine.record.result import Result
from se_agent.engine.run import resume, start
from se_agent.errors import SandboxError
from se_agent.problem import Problem
from se_agent.protocols import Evaluator, Listener
from se_agent.types import Evaluation, Kind, Solution
from tests.fakes import NumberEvaluator, number_problem, number_run


class Broken(NumberEvaluator):
    """Fails as a sandbox does whose fork server died."""

    def evaluate(self, solution: Solution) -> Evaluation:
        """Judge the first generation only."""
        if solution.id.startswith("Gen2"):
            raise SandboxError("the fork server died", hint="try again")
        return super().evaluate(solution)


def main(place: Path, words: set[str]) -> int:
    kind = Kind.TIMED if "timed" in words else Kind.EXACT
    budget = {"cpu_seconds": 5.0} if "poor" in words else {"evaluations": 30}

    def evaluators(problem: Problem, config: Run) -> Evaluator:
        if "broken" in words:
            return Broken(kind)
        return NumberEvaluator(kind, seconds=0.02 if "slow" in words else 0.0)

    def work(listener: Listener, watch: Watch) -> Result:
        if "resume" in words:
            return resume(place, listeners=[listener], evaluators=evaluators)
        return start(
            number_run(place, budget=budget),
            problem=number_problem(timed=kind is Kind.TIMED),
            listeners=[listener],
            evaluators=evaluators,
            announce=watch,
        )

    folder = place if "resume" in words else None
    return drive(work, Screen(as_json="json" in words), folder=folder)


if __name__ == "__main__":
    ended(lambda: main(Path(sys.argv[1]), set(sys.argv[2:])))
