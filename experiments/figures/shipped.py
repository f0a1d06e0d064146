"""The shipped functions, three seeds each: how many get a proven gain of 1.5x or more?"""

from __future__ import annotations

from functools import partial

from experiments.figures.rows import HOME, Row, fill, run_or_resume, surely_past
from se_agent.problem.loading import find_problems, load_problem
from se_agent.problem.model import ProblemKind

SEEDS = range(3)
EVALUATIONS = 60
SETTINGS = {"evaluations": EVALUATIONS}


def functions() -> list[str]:
    """Return the shipped `function` problems."""
    names = find_problems()
    return [n for n in names if load_problem(n).kind is ProblemKind.FUNCTION]


def rows() -> dict[str, Row]:
    """Run what is missing and return a row a problem and seed."""
    tasks = {
        f"{name}/{seed}": partial(
            run_or_resume,
            name,
            HOME / "shipped" / f"{name}-{seed}",
            f"seed={seed}",
            f"budget.evaluations={EVALUATIONS}",
        )
        for seed in SEEDS
        for name in functions()
    }
    return fill("shipped", tasks, settings=SETTINGS)


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure."""
    lines = [
        "| problem | seed | gain | interval (99 %) | evaluations | CPU s | ended by |",
        "|---|--:|--:|---|--:|--:|---|",
    ]
    for key, row in sorted(found.items()):
        name, seed = key.split("/")
        if row.get("gain") is None:
            lines.append(f"| {name} | {seed} | {row['status']} | | | | |")
            continue
        proven = row["status"] == "proven"
        gain = f"{row['gain']:.1f}x" if proven else "not proven"
        interval = f"{row['gain_low']:.1f} to {row['gain_high']:.1f}" if proven else ""
        lines.append(
            f"| {name} | {seed} | {gain} | {interval} | {row['evaluations']} "
            f"| {row['cpu_seconds']:.0f} | {row['budget_end']} |"
        )
    return "\n".join([*lines, "", _summary(found)])


def _summary(found: dict[str, Row]) -> str:
    by_seed = {
        seed: surely_past((row for key, row in found.items() if key.endswith(f"/{seed}")), 1.5)
        for seed in SEEDS
    }
    counts = ", ".join(f"seed {seed}: {n} of 8" for seed, n in by_seed.items())
    head = f"Of {len(found)} runs so far, proven at 1.5x or more (the whole interval)"
    return f"{head}: {counts}."
