"""Policies, with memory and without, at equal evaluations, from one verdict table."""

from __future__ import annotations

import math
import shutil
import statistics
from functools import partial

from experiments.figures.rows import HOME, Row, fill
from experiments.figures.shipped import functions
from experiments.figures.verdicts import Tabled
from se_agent.config import Run
from se_agent.engine.run import start
from se_agent.engine.wiring import registered
from se_agent.problem import Problem
from se_agent.protocols import Evaluator

SEEDS = range(5)
EVALUATIONS = 30
ARMS = {
    "portfolio": ("portfolio", True),
    "portfolio, no memory": ("portfolio", False),
    "sequential_refine": ("sequential_refine", True),
    "best_of_n": ("best_of_n", True),
}


def rows() -> dict[str, Row]:
    """Run what is missing and return a row an arm, problem and seed."""
    tasks = {
        f"{problem}/{arm}/{seed}": partial(_row, problem, arm, seed)
        for problem in functions()
        for seed in SEEDS
        for arm in ARMS
    }
    return fill("ablation", tasks, jobs=1)


def _row(problem: str, arm: str, seed: int) -> Row:
    policy, memory = ARMS[arm]
    home = HOME / "ablation"
    home.mkdir(parents=True, exist_ok=True)
    name = f"{problem}-{arm.replace(', ', '-').replace(' ', '_')}-{seed}"
    shutil.rmtree(home / name, ignore_errors=True)
    config = Run.model_validate(
        {
            "problem": problem,
            "policy": policy,
            "seed": seed,
            "results": str(home),
            "name": name,
            "memory": {"enabled": memory},
            "budget": {"evaluations": EVALUATIONS},
        }
    )

    def tabled(problem: Problem, config: Run) -> Evaluator:
        # One seed of inputs for all arms and seeds of the search: the verdicts are shared.
        inner = registered(problem, config.model_copy(update={"seed": 0}))
        return Tabled(inner, home / f"{problem.name}.verdicts")

    found = start(config, evaluators=tabled)
    return {"status": found.status, "gain": found.gain, "evaluations": found.evaluations}


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure: geometric means over problems and seeds."""
    lines = ["| arm | runs | gain, geometric mean | evaluations, mean |", "|---|--:|--:|--:|"]
    for arm in ARMS:
        own = [row for key, row in found.items() if key.split("/")[1] == arm]
        if own:
            gain = math.exp(statistics.fmean(math.log(row["gain"]) for row in own))
            spent = statistics.fmean(row["evaluations"] for row in own)
            lines.append(f"| {arm} | {len(own)} | {gain:.2f}x | {spent:.1f} |")
    return "\n".join(lines)
