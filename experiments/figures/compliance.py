"""The plumbing of memory: what it saves a model that listens, in a made-up world.

Programs are sets of ideas (`experiments/figures/ideas.py`), and a model adds one at a time.
With a compliance of 0.9 it draws anew, nine times in ten, when the prompt names its idea as
failed, and takes a recommended one that the program lacks; with 0.0 it does not listen. Whole
runs of the engine with its own prompts; lessons are made of what a reply declared, no call is
spent on them. Counted are evaluations until a program has all good ideas, with memory and
without, 20 seeds, paired. `sequential_refine` changes the incumbent, which has what was
recommended; `random` changes any program of the elite. A ratio is the geometric mean over
seeds, its interval over these, 95 %.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Collection, Iterable
from functools import partial
from pathlib import Path

from experiments.figures.ideas import Worth, good_ideas, ideas_of, problem
from experiments.figures.rows import Row, fill
from se_agent.config.run_file import Run
from se_agent.engine.run.start import start
from se_agent.events import Event
from se_agent.stats.bootstrap import ratio_interval

SEEDS = range(20)
COMPLIANCES = (0.0, 0.5, 0.9)
POLICIES = ("sequential_refine", "random")
EVALUATIONS = 400
SETTINGS = {"evaluations": EVALUATIONS}
TARGET = 0.8
"""Ratio that is wanted of a model that listens: a fifth fewer evaluations."""


class ReachedError(Exception):
    """All good ideas are found: the rest of the run would be waste."""


class Counting:
    """Counts evaluations, and ends the run that is where it shall be.

    Args:
        wanted: Ideas that a right program has in the end.
    """

    def __init__(self, wanted: Collection[int]) -> None:
        self.evaluations = 0
        self._wanted = frozenset(wanted)
        self._complete: set[int] = set()

    def on_event(self, event: Event) -> None:
        """Raise `ReachedError` when a right program has all good ideas."""
        if event.kind == "proposed" and event.proposal is not None:
            if self._wanted.issubset(ideas_of(event.proposal.solution.text)):
                self._complete.add(event.slot)
        elif event.kind == "evaluated":
            self.evaluations += 1
        elif event.kind == "learned" and event.effect is not None:
            self._right(event.slot)

    def _right(self, slot: int) -> None:
        if slot in self._complete:
            raise ReachedError


def rows(
    seeds: Iterable[int] = SEEDS,
    policies: Iterable[str] = POLICIES,
    compliances: Iterable[float] = COMPLIANCES,
) -> dict[str, Row]:
    """Run what is missing and return a row a policy, compliance and seed.

    Args:
        seeds: Seeds of the world and of the model.
        policies: Names of searches.
        compliances: Compliances of the models.
    """
    tasks = {
        f"{policy}/{compliance}/{seed}": partial(_row, policy, compliance, seed)
        for policy in policies
        for compliance in compliances
        for seed in seeds
    }
    return fill("compliance", tasks, settings=SETTINGS, jobs=1)


def _row(policy: str, compliance: float, seed: int) -> Row:
    arms = {"with": True, "without": False}
    return {name: spent(policy, compliance, seed, memory=on) for name, on in arms.items()}


def spent(policy: str, compliance: float, seed: int, *, memory: bool) -> int:
    """Return the evaluations that a run takes; one that does not get there has all of them.

    Args:
        policy: Name of the search.
        compliance: How far the model listens.
        seed: Seed of world, search and model.
        memory: Whether LocalMemory is on.
    """
    counting = Counting(good_ideas(seed))
    with tempfile.TemporaryDirectory() as folder:
        try:
            start(
                run_file(policy, compliance, seed, memory=memory, results=Path(folder)),
                problem=problem(),
                listeners=[counting],
                evaluators=lambda *_: Worth(seed),
            )
        except ReachedError:
            return counting.evaluations
    return EVALUATIONS


def run_file(policy: str, compliance: float, seed: int, *, memory: bool, results: Path) -> Run:
    """Return the run file: each step sees all earlier ones, and one call is made at a time."""
    model = {
        "name": f"{compliance} seed {seed}",
        "provider": "experiments.figures.ideas:Listener",
    }
    return Run.model_validate(
        {
            "problem": "ideas",
            "policy": policy,
            "operators": ["rewriting"],
            "models": {"main": model},
            "seed": seed,
            "generation_size": 1,
            "results": str(results),
            "memory": {"enabled": memory, "prior": False, "extraction": "declared"},
            "budget": {"evaluations": EVALUATIONS},
            "prompt": {"contrast": False, "diverse": False, "siblings": False},
            "asking": {"in_flight": 1},
        }
    )


def table(found: dict[str, Row]) -> str:
    """Return the Markdown of the figure: a search and a compliance a line."""
    lines = [
        "| search | compliance | seeds | with memory | without | ratio | 95 % | wanted |",
        "|---|--:|--:|--:|--:|--:|---|---|",
    ]
    for policy in POLICIES:
        for compliance in COMPLIANCES:
            own = [
                row for key, row in found.items() if key.startswith(f"{policy}/{compliance}/")
            ]
            if own:
                lines.append(_line(policy, compliance, own))
    return "\n".join(lines)


def _line(policy: str, compliance: float, own: list[Row]) -> str:
    means = [statistics.fmean(row[arm] for row in own) for arm in ("with", "without")]
    ratios = [row["with"] / row["without"] for row in own]
    found = ratio_interval(ratios)
    ratio, low, high = found.mean, found.low, found.high
    wanted = {0.0: (1.0, "no worse"), 0.9: (TARGET, f"at most {TARGET}")}
    goal = ""
    if compliance in wanted:
        bound, words = wanted[compliance]
        goal = f"{words}: {'yes' if ratio <= bound else 'no'}"
    cells = (f"{means[0]:.0f} | {means[1]:.0f} | {ratio:.2f} | {low:.2f} to {high:.2f}", goal)
    return f"| {policy} | {compliance} | {len(own)} | {' | '.join(cells)} |"
