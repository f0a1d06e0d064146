"""What a prompt is told of the rules of a made-up world, and what that saves: five arms.

`none` is told nothing, `outcomes` what came of earlier steps, `raw` these steps word by word,
`built` session memory; `irrelevant` is told as much, of ideas that no program has. Counted are
the evaluations until a program has all good ideas, and how many of them broke a rule; ratios
are to `none`, paired by seed: geometric means with intervals of 95 %.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from experiments.figures.compliance import Counting, ReachedError
from experiments.figures.ideas import problem
from experiments.figures.rows import Row, fill
from experiments.worlds.constraints import Ruled
from se_agent.config.run_file import Run
from se_agent.engine.run.start import start
from se_agent.events import Event
from se_agent.stats.bootstrap import ratio_interval
from se_agent.values.evaluation import Status

SEEDS = range(10)
COMPLIANCES = (0.0, 0.5, 0.9)
EVALUATIONS = 150
SETTINGS = {"evaluations": EVALUATIONS}

ARMS: Mapping[str, Mapping[str, object]] = {
    "none": {},
    "outcomes": {"context": {"history": "outcomes"}},
    "raw": {"context": {"history": "full"}},
    "built": {"session": {"shown": True}},
    "irrelevant": {"session": {"shown": True}},
}
"""Keys of `[memory]` by arm."""


class Breaches(Counting):
    """Counts evaluations, and those of programs that broke a rule."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.wrong = 0

    def on_event(self, event: Event) -> None:
        """Count, and raise `ReachedError` when a right program has all good ideas."""
        if event.kind == "evaluated":
            self.wrong += event.evaluation.status is not Status.AC
        super().on_event(event)


def rows(
    seeds: Iterable[int] = SEEDS, compliances: Iterable[float] = COMPLIANCES
) -> dict[str, Row]:
    """Run what is missing and return a row a compliance and seed, with all arms.

    Args:
        seeds: Seeds of the world and of the model.
        compliances: Compliances of the models.
    """
    tasks = {
        f"{compliance}/{seed}": partial(row, compliance, seed)
        for compliance in compliances
        for seed in seeds
    }
    return fill("constraints", tasks, settings=SETTINGS, jobs=1)


def row(compliance: float, seed: int) -> Row:
    """Return evaluations and breaches of each arm."""
    return {arm: spent(arm, compliance, seed) for arm in ARMS}


def spent(arm: str, compliance: float, seed: int) -> dict[str, int]:
    """Return the evaluations that a run takes, at most all of them, and the breaches."""
    counting = Breaches(seed)
    with tempfile.TemporaryDirectory() as folder:
        config = run_file(arm, compliance, seed, results=Path(folder))
        try:
            start(
                config,
                problem=problem(),
                listeners=[counting],
                evaluators=lambda *_: Ruled(seed),
            )
        except ReachedError:
            return {"evaluations": counting.evaluations, "wrong": counting.wrong}
    return {"evaluations": EVALUATIONS, "wrong": counting.wrong}


def run_file(arm: str, compliance: float, seed: int, *, results: Path) -> Run:
    """Return the run file of an arm: LocalMemory shows a status and no more."""
    misled = " misled" if arm == "irrelevant" else ""
    model = {
        "name": f"{compliance} seed {seed}{misled}",
        "provider": "experiments.worlds.constraints:RuleBreaker",
    }
    local = {"status_only": True}
    return Run.model_validate(
        {
            "problem": "ideas",
            "policy": "portfolio",
            "operators": ["rewriting", "repair"],
            "models": {"main": model},
            "seed": seed,
            "generation_size": 1,
            "results": str(results),
            "memory": {"prior": False, "local": local, **ARMS[arm]},
            "budget": {"evaluations": EVALUATIONS},
            "prompt": {"contrast": False, "diverse": False, "siblings": False},
            "asking": {"in_flight": 1},
        }
    )


def table(found: Mapping[str, Row]) -> str:
    """Return the Markdown: a compliance and an arm a line."""
    lines = [
        "| compliance | arm | seeds | evaluations | that broke a rule | ratio | 95 % |",
        "|--:|---|--:|--:|--:|--:|---|",
    ]
    for compliance in COMPLIANCES:
        own = [each for key, each in found.items() if key.startswith(f"{compliance}/")]
        lines += [_line(compliance, arm, own) for arm in ARMS if own]
    return "\n".join(lines)


def _line(compliance: float, arm: str, own: list[Row]) -> str:
    took = statistics.fmean(each[arm]["evaluations"] for each in own)
    wrong = statistics.fmean(each[arm]["wrong"] / each[arm]["evaluations"] for each in own)
    ratios = [each[arm]["evaluations"] / each["none"]["evaluations"] for each in own]
    ratio = ratio_interval(ratios)
    figures = (
        f"{took:.0f} | {wrong:.0%} | {ratio.mean:.2f} | {ratio.low:.2f} to {ratio.high:.2f}"
    )
    return f"| {compliance} | {arm} | {len(own)} | {figures} |"
