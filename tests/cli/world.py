"""A run of the little world as a process: `python -m tests.cli.world RESULTS [words]`.

Words: `timed`, `slow` (20 ms a measurement), `json`, `poor` (no CPU seconds for a search),
`resume` (RESULTS is then the run folder).
"""

from __future__ import annotations

import sys
from pathlib import Path

from se_agent.cli.app import ended
from se_agent.cli.drive import Watch, drive
from se_agent.cli.screen import Screen
from se_agent.config import Run
from se_agent.engine.result import Result
from se_agent.engine.run import resume, start
from se_agent.problem import Problem
from se_agent.protocols import Evaluator, Listener
from se_agent.types import Kind
from tests.fakes import NumberEvaluator, number_problem, number_run


def main(place: Path, words: set[str]) -> int:
    kind = Kind.TIMED if "timed" in words else Kind.EXACT
    budget = {"cpu_seconds": 5.0} if "poor" in words else {"evaluations": 30}

    def evaluators(problem: Problem, config: Run) -> Evaluator:
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
