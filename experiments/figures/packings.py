"""The two scored problems, without a model: a search around a solver, and tuned constants.

Circle packing: 120 CPU seconds for everything, five seeds; the target is a sum of radii of
2.6359. "Hit" is the CPU time (engine and candidates, without the confirmation) when a candidate
first reached it. Bin packing: the mean excess of both sets, on instances that the search never
saw, of the first program and of the best; then the excess of each set over that of best fit, on
220 instances more.
"""

from __future__ import annotations

import random
from functools import partial
from statistics import fmean
from typing import Any

from experiments.figures.rows import HOME, Row, fill, run_or_resume
from se_agent.engine.journal.journal import Journal
from se_agent.events import BlockMeasured, Evaluated, GenerationOpened
from se_agent.problem.loading import load_problem

CPU_SECONDS = 120
TARGET = 2.6359
TUNERS = "tune,tune_cma,tune_tpe"
CIRCLES = {"joint": 5, "ring": 1}  # seeds
_SOLVING = f"search_relocate,{TUNERS}"
OPERATORS = {
    "joint": _SOLVING,
    "ring": f"{_SOLVING},tune_literals",  # no solver and no marks: what it has are literals
}
BINS = ("best_fit", "gaps")
EVALUATIONS = 60
SETTINGS = {"cpu_seconds": CPU_SECONDS, "evaluations": EVALUATIONS}


def rows() -> dict[str, Row]:
    """Run what is missing and return a row a program and seed."""
    circles = {
        f"circle_packing/{program}/{seed}": partial(
            _row,
            "circle_packing",
            f"{program}-{seed}",
            f"program={program}",
            f"seed={seed}",
            f"operators={OPERATORS[program]}",
            "generation_size=4",
            "budget.evaluations=none",
            f"budget.cpu_seconds={CPU_SECONDS}",
            "memory.prior=false",
        )
        for program, seeds in CIRCLES.items()
        for seed in range(seeds)
    }
    bins = {
        f"bin_packing/{program}/{seed}": partial(
            _row,
            "bin_packing",
            f"{program}-{seed}",
            f"program={program}",
            f"seed={seed}",
            f"operators={TUNERS}",
            f"budget.evaluations={EVALUATIONS}",
            "memory.prior=false",
        )
        for seed in range(3)
        for program in BINS
    }
    return fill("packings", {**circles, **bins}, settings=SETTINGS)


def _row(problem: str, name: str, *settings: str) -> Row:
    folder = HOME / "packings" / f"{problem}-{name}"
    ended = run_or_resume(problem, folder, *settings)
    if not (folder / "run.db").is_file():
        return ended
    with Journal(folder / "run.db", write=False) as journal:
        events = list(journal.events())
    hit, spent = None, 0.0
    for event in events:
        match event:
            case GenerationOpened():
                spent = event.cpu_seconds
            case Evaluated() if event.evaluation.score is not None:
                spent += event.evaluation.cost_seconds
                if hit is None and event.evaluation.score >= TARGET:
                    hit = spent
            case BlockMeasured():
                spent += event.block.cost_seconds
    sets = _excesses((folder / "best.py").read_text()) if problem == "bin_packing" else {}
    return {**ended, "hit": hit, "sets": sets}


def _excesses(program: str) -> dict[str, float]:
    """Return the mean excess of each set on instances of our own, over that of best fit."""
    problem = load_problem("bin_packing")
    told: dict[str, dict[str, float]] = {}
    for text in (program, problem.programs["best_fit"]):
        rules: dict[str, Any] = {}
        exec(problem.scorer, rules)
        exec(f"{problem.prelude}\n{text}", rules)
        uniform, weibull = rules["tables"]([(150, 100), (100, 100)])
        rng, excess = random.Random("unseen"), rules["excess"]
        told[text] = {
            "uniform": fmean(
                excess([rng.randint(20, 100) for _ in range(500)], 150, uniform)
                for _ in range(200)
            ),
            "weibull": fmean(
                excess([rules["drawn"](rng) for _ in range(5000)], 100, weibull)
                for _ in range(20)
            ),
        }
    ours, best_fit = told.values()
    return {name: ours[name] / best_fit[name] for name in ours}


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure."""
    head = "problem | from | seed | first | best | margin to target, or sets | hit, CPU s"
    lines = [
        f"| {head} | evaluations | CPU s |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for key, row in sorted(found.items()):
        problem, program, seed = key.split("/")
        old, new = row.get("score_initial"), row.get("score")
        circles = problem == "circle_packing"
        margin = f"{new - TARGET:+.6f}" if circles and new is not None else ""
        margin = margin or ", ".join(f"{n} {v:.2f}" for n, v in row.get("sets", {}).items())
        margin = margin or ("nothing to try" if row.get("status") == "failed" else "")
        hit = f"{row['hit']:.0f}" if circles and row.get("hit") is not None else ""
        told = [problem, program, seed, _told(old), _told(new), margin, hit]
        spent = [str(row.get("evaluations", 0)), f"{row.get('cpu_seconds') or 0:.0f}"]
        lines.append(f"| {' | '.join([*told, *spent])} |")
    return "\n".join(lines)


def _told(score: float | None) -> str:
    return "" if score is None else f"{score:.6f}"
