"""What a prompt of a made-up world is told, and what that saves: a run by arm, world and seed.

A model listens as far as its compliance says. Counted are the evaluations until a right program
has all that is wanted, and how many programs failed; ratios are paired by seed: geometric means
with intervals of 95 %. Not here: the worlds themselves (`constraints`, `errors`, `lessons`).
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.figures.compliance import Counting, ReachedError
from experiments.figures.ideas import problem
from experiments.figures.rows import Row, fill
from se_agent.config.run_file import Run
from se_agent.engine.run.start import start
from se_agent.events import Event
from se_agent.stats.bootstrap import ratio_interval
from se_agent.values.evaluation import Status

if TYPE_CHECKING:
    from se_agent.protocols import Evaluator

SEEDS = range(10)
COMPLIANCES = (0.0, 0.5, 0.9)
EVALUATIONS = 150
SETTINGS = {"evaluations": EVALUATIONS}

NONE, RAW, BUILT, SIBLINGS, TIERS = "none", "raw", "built", "siblings", "all tiers"
PAIRS = ((BUILT, RAW), (SIBLINGS, TIERS))
"""Arms that are compared with each other, besides each of them with `none`."""


@dataclass(frozen=True, kw_only=True)
class Arm:
    """What prompts are told, and who listens.

    Attributes:
        memory: Keys of `[memory]`; LocalMemory shows a status and no more unless they say so.
        operators: Operators besides those of the world.
        siblings: Whether prompts show what was made from the same parent in vain.
        misread: Word behind the name of a model that takes what it is told for something else.
    """

    memory: Mapping[str, object] = field(default_factory=dict)
    operators: tuple[str, ...] = ()
    siblings: bool = False
    misread: str = ""


@dataclass(frozen=True, kw_only=True)
class World:
    """A made-up world.

    Attributes:
        name: Name of its rows.
        arms: By name; the one that is told nothing is `none`.
        provider: Module and class of its model, which is called by compliance and seed.
        evaluator: Makes what counts the points, of a seed.
        wanted: Gives the ideas that a right program has in the end, of a seed.
        policy: Search.
        operators: What the model does.
    """

    name: str
    arms: Mapping[str, Arm]
    provider: str
    evaluator: Callable[[int], Evaluator]
    wanted: Callable[[int], Collection[int]]
    policy: str
    operators: tuple[str, ...]


class Failures(Counting):
    """Counts evaluations, and those of programs that were not right."""

    def __init__(self, wanted: Collection[int]) -> None:
        super().__init__(wanted)
        self.wrong = 0

    def on_event(self, event: Event) -> None:
        """Count, and raise `ReachedError` when a right program has all that is wanted."""
        if event.kind == "evaluated":
            self.wrong += event.evaluation.status is not Status.AC
        super().on_event(event)


def rows(
    world: World,
    seeds: Iterable[int] = SEEDS,
    compliances: Iterable[float] = COMPLIANCES,
) -> dict[str, Row]:
    """Run what is missing and return a row a compliance and seed, with all arms.

    Args:
        world: The world.
        seeds: Seeds of the world and of the model.
        compliances: Compliances of the models.
    """
    tasks = {
        f"{compliance}/{seed}": partial(row, world, compliance, seed)
        for compliance in compliances
        for seed in seeds
    }
    settings = {**SETTINGS, "arms": [*world.arms]}
    return fill(world.name, tasks, settings=settings, jobs=1)


def row(world: World, compliance: float, seed: int) -> Row:
    """Return evaluations and failures of each arm."""
    return {arm: spent(world, arm, compliance, seed) for arm in world.arms}


def spent(world: World, arm: str, compliance: float, seed: int) -> dict[str, int]:
    """Return the evaluations that a run takes, at most all of them, and the failures."""
    counting = Failures(world.wanted(seed))
    with tempfile.TemporaryDirectory() as folder:
        config = run_file(world, arm, compliance, seed, results=Path(folder))
        try:
            start(
                config,
                problem=problem(),
                listeners=[counting],
                evaluators=lambda *_: world.evaluator(seed),
            )
        except ReachedError:
            return {"evaluations": counting.evaluations, "wrong": counting.wrong}
    return {"evaluations": EVALUATIONS, "wrong": counting.wrong}


def run_file(world: World, arm: str, compliance: float, seed: int, *, results: Path) -> Run:
    """Return the run file of an arm: each step sees all earlier ones."""
    told = world.arms[arm]
    model = {"name": f"{compliance} seed {seed} {told.misread}", "provider": world.provider}
    return Run.model_validate(
        {
            "problem": "ideas",
            "policy": world.policy,
            "operators": [*world.operators, *told.operators],
            "models": {"main": model},
            "seed": seed,
            "generation_size": 1,
            "results": str(results),
            "memory": {"prior": False, "local": {"status_only": True}, **told.memory},
            "budget": {"evaluations": EVALUATIONS},
            "prompt": {"contrast": False, "diverse": False, "siblings": told.siblings},
            "asking": {"in_flight": 1},
        }
    )


def model_parts(name: str) -> tuple[float, int, str]:
    """Return compliance, seed and what is misread, of the name of a model.

    Args:
        name: Such as `0.9 seed 3`, or `0.9 seed 3 misled`.
    """
    compliance, _, rest = name.partition(" seed ")
    seed, _, misread = rest.partition(" ")
    return float(compliance), int(seed), misread


def table(world: World, found: Mapping[str, Row]) -> str:
    """Return the Markdown: a compliance and an arm a line, then arms against each other."""
    lines = [
        "| compliance | arm | seeds | evaluations | that failed | ratio | 95 % |",
        "|--:|---|--:|--:|--:|--:|---|",
    ]
    by_compliance = {
        compliance: [each for key, each in found.items() if key.startswith(f"{compliance}/")]
        for compliance in COMPLIANCES
    }
    for compliance, own in by_compliance.items():
        lines += [_line(compliance, arm, own) for arm in world.arms if own]
    lines += ["", "| compliance | arm | against | ratio | 95 % |", "|--:|---|---|--:|---|"]
    for compliance, own in by_compliance.items():
        lines += _against(compliance, own) if own else ()
    return "\n".join(lines)


def _line(compliance: float, arm: str, own: Sequence[Row]) -> str:
    took = statistics.fmean(each[arm]["evaluations"] for each in own)
    wrong = statistics.fmean(each[arm]["wrong"] / each[arm]["evaluations"] for each in own)
    figures = f"{took:.0f} | {wrong:.0%} | {_ratio(own, arm, NONE)}"
    return f"| {compliance} | {arm} | {len(own)} | {figures} |"


def _against(compliance: float, own: Sequence[Row]) -> Iterator[str]:
    for arm, other in PAIRS:
        yield f"| {compliance} | {arm} | {other} | {_ratio(own, arm, other)} |"


def _ratio(own: Sequence[Row], arm: str, other: str) -> str:
    ratios = [each[arm]["evaluations"] / each[other]["evaluations"] for each in own]
    ratio = ratio_interval(ratios)
    return f"{ratio.mean:.2f} | {ratio.low:.2f} to {ratio.high:.2f}"
