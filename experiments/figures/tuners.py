"""Tuners on made-up landscapes of three constants: what is left to the best value of each.

40 evaluations, five seeds, mean of what is left (0 is the best there is, the start is 1) in a
run that has this tuner alone, and in one that has all three and a policy to choose among them.
`bowl` is smooth and narrow in one direction, `ripples` has many local tops, `steps` is flat but
for its edges.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np

from experiments.figures.rows import Row, fill
from operators.tuning.constants import marked
from se_agent.config.run_file import Run
from se_agent.engine.run.start import start
from se_agent.problem.model import Problem, ProblemKind
from se_agent.values.evaluation import (
    Block,
    ComparisonKind,
    Evaluation,
    InputSet,
    Measurement,
    Preflight,
    Status,
)
from se_agent.values.solution import Solution

TUNERS = ("tune", "tune_tpe", "tune_cma", "tune,tune_cma,tune_tpe")
SEEDS = range(5)
EVALUATIONS = 40
SETTINGS = {"evaluations": EVALUATIONS}
TEXT = "A = 0.9  # tune: 0..1.0\nB = 0.1  # tune: 0..1.0\nC = 0.8  # tune: 0..1.0\n"
BEST = (0.37, 0.62, 0.21)


def bowl(x: np.ndarray) -> float:
    """Twenty times steeper across one diagonal."""
    return float(x @ x + 20 * (x[0] - x[1]) ** 2)


def ripples(x: np.ndarray) -> float:
    """A bowl with about 200 dents."""
    return float(x @ x + 0.1 * np.sum(1 - np.cos(6 * math.pi * x)))


def steps(x: np.ndarray) -> float:
    """Whole numbers only."""
    return float(np.sum(np.floor(8 * np.abs(x))))


LANDSCAPES = {"bowl": bowl, "ripples": ripples, "steps": steps}


class Landscape:
    """Rates programs by their constants alone; nothing runs."""

    kind = ComparisonKind.EXACT

    def __init__(self, name: str) -> None:
        self._height = LANDSCAPES[name]
        self._first = self._loss(TEXT)

    def preflight(self, solution: Solution) -> Preflight:
        """Every program is right."""
        return Preflight(evaluation=self.evaluate(solution))

    def evaluate(self, solution: Solution) -> Evaluation:
        """Return what is left, as a share of the start's."""
        return Evaluation(
            status=Status.AC,
            measurement=Measurement(cpu_seconds=0.001),
            score=self._loss(solution.text) / self._first,
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
        """Compare two scores."""
        old, new = (self._loss(one.text) / self._first for one in (reference, candidate))
        return Block(number=number, effect=old - new, reference=old, candidate=new)

    def close(self) -> None:
        """Nothing runs."""

    def _loss(self, text: str) -> float:
        values = [constant.value for constant in marked({"main.py": text})]
        return self._height(np.array(values) - BEST)


def rows() -> dict[str, Row]:
    """Run what is missing and return a row a landscape, tuner and seed."""
    tasks = {
        f"{landscape}/{tuner}/{seed}": partial(_left, landscape, tuner, seed)
        for landscape in LANDSCAPES
        for tuner in TUNERS
        for seed in SEEDS
    }
    return fill("tuners", tasks, settings=SETTINGS, jobs=1)


def _left(landscape: str, tuner: str, seed: int) -> Row:
    problem = Problem(name=landscape, kind=ProblemKind.SCORE, programs={"initial": TEXT})
    with tempfile.TemporaryDirectory() as folder:
        told = {"problem": landscape, "seed": seed, "results": str(Path(folder)), "name": "run"}
        run = Run.model_validate(
            {
                **told,
                "operators": tuner.split(","),
                "memory": {"prior": False},
                "budget": {"evaluations": EVALUATIONS},
            }
        )
        ended = start(run, problem=problem, evaluators=lambda *_: Landscape(landscape))
    return {"left": ended.score, "evaluations": ended.evaluations}


def table(found: Mapping[str, Row]) -> str:
    """Return the Markdown of the figure."""
    lines = [f"| | {' | '.join(LANDSCAPES)} |", f"|---|{'--:|' * len(LANDSCAPES)}"]
    for tuner in TUNERS:
        cells = [_mean(found, f"{landscape}/{tuner}/") for landscape in LANDSCAPES]
        name = "all three" if "," in tuner else f"`{tuner}`"
        lines.append(f"| {name}{' (random)' * (tuner == 'tune')} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _mean(found: Mapping[str, Row], prefix: str) -> str:
    left = [row["left"] for key, row in found.items() if key.startswith(prefix)]
    return f"{np.mean(left):.3f}" if left else ""
