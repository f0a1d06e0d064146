"""Work that a program puts off until its answers are given: estimated, and counted.

A program may answer, and work at its next call, when its answer is released, or when the
process ends. A run shows little of that work, where it answers few inputs. So whoever claims
a gain runs again: on several batches in processes of their own, and on all of them in one
process, which then ends as a script does. One process should take what the others take
together, or less. What it takes beyond that was put off. Not here: what a block is (`block`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, cycle, islice

from evaluators.answers.bench import Batch
from evaluators.measure.duel import Duel, DuelSide
from evaluators.measure.watched import Watched
from evaluators.sandbox.job import Job, JobOutcome
from evaluators.sandbox.usage import Watch
from se_agent.values.evaluation import Block
from se_agent.values.objective import Objective, Quantity

GAIN = 0.05
"""Effect up to which nobody looks: work that is put off cannot have brought much of it."""

CLEAR = 0.25
"""Share of a run's time beyond which work counts as put off; below it may be noise."""

_LOOKS = 5  # of each run the fewest seconds count: others on the core only ever add to it
_EMPTY = 3  # runs of the empty program before each one
_BATCHES, _CALLS = 4, 8  # in one process, at most and about: what is done at each so many shows


@dataclass(frozen=True)
class _Whole(Watched):
    """Has jobs tell loading apart, and some of them end as a script does.

    Attributes:
        to_the_end: Whether they do.
    """

    to_the_end: bool = False

    def run(self, job: Job) -> JobOutcome:
        """Run the job so; see `Sandbox.run`."""
        return super().run(replace(job, load_apart=True, to_the_end=self.to_the_end))


def batches_for(inputs: int) -> int:
    """Return how many batches of so many inputs it takes."""
    return max(2, min(_BATCHES, _CALLS // inputs))


def counted(duel: Duel, block: Block, batches: Sequence[Batch]) -> Block:
    """Return a block of a gain with what the candidate puts off counted.

    Args:
        duel: The duel between the block's programs.
        block: With the figures of both in CPU time.
        batches: Batches of inputs, as its runs had; used again where there are too few.

    Raises:
        SideEndedError: A program is not right where one process answers all of them.
    """
    share = _share(duel, DuelSide.CANDIDATE, block, batches)
    if not share:
        return block
    both_put_off = min(share, _share(duel, DuelSide.REFERENCE, block, batches))
    return _lessened(block, duel.objective, share, math.log1p(share) - math.log1p(both_put_off))


def _share(duel: Duel, side: DuelSide, block: Block, batches: Sequence[Batch]) -> float:
    """Return what one side puts off, as a share of what its runs show; 0: nothing."""
    figure = next(one for one in block.figures if one.quantity is Quantity.CPU)
    each = figure.candidate if side is DuelSide.CANDIDATE else figure.reference
    whole = (replace(batch, warm=0) for batch in batches)  # its calls are no more apart
    used = list(islice(cycle(whole), batches_for(block.inputs)))
    seconds = len(used[0].inputs) * each
    fewest = [math.inf] * (len(used) + 1)
    for look in range(_LOOKS):
        nets, blur = _nets(_larger(duel, len(used)), side, used)
        fewest = [*map(min, fewest, nets)]
        found = (fewest[0] - sum(fewest[1:])) / (len(used) - 1)
        if look and found <= CLEAR * seconds + blur:
            return 0.0
    return found / max(seconds, blur)


def _nets(duel: Duel, side: DuelSide, batches: Sequence[Batch]) -> tuple[list[float], float]:
    """Return the seconds of a run on all batches, of one on each, and those that say nothing.

    The first batch is taken to its end, too: what a program releases once, such as the tables
    that it was loaded with, is no work that was put off.
    """
    whole = Batch(
        tuple(chain.from_iterable(batch.inputs for batch in batches)),
        tuple(chain.from_iterable(batch.expected for batch in batches)),
    )
    ending, usual = (duel.on(_Whole(duel.bench.sandbox, Watch(), end)) for end in (True, False))
    runs = [(ending, whole), (ending, batches[0]), *((usual, one) for one in batches[1:])]
    nets, blurs = zip(*(_net(one, side, batch) for one, batch in runs), strict=True)
    return list(nets), sum(blurs) / (len(batches) - 1)


def _net(duel: Duel, side: DuelSide, batch: Batch) -> tuple[float, float]:
    """Return net CPU seconds of a run without loading, and those that say nothing."""
    for _ in range(_EMPTY):
        duel.empty(batch)
    clock = duel.base(batch).clock
    return clock.net(duel.run(side, batch).without_loading().cpu), clock.resolution


def _larger(duel: Duel, times: int) -> Duel:
    """Return a duel in CPU time, of runs that may take and answer so many times as much."""
    limits = duel.bench.problem.limits
    room = replace(
        limits,
        cpu_seconds=times * limits.cpu_seconds,
        memory_bytes=times * limits.memory_bytes,
        output_bytes=times * limits.output_bytes,
    )
    problem = replace(duel.bench.problem, limits=room)
    bench = replace(duel.bench, problem=problem)
    return Duel(bench, duel.reference, duel.candidate, patient=True)


def _lessened(block: Block, objective: Objective, share: float, loss: float) -> Block:
    """Return the block with a loss in time; what it holds in memory stays as it was read."""
    timely = sum(w for quantity, w in objective.weights if quantity is not Quantity.MEMORY)
    lost, late = timely * loss, share / (1 + share)
    figures = tuple(
        figure
        if figure.quantity is Quantity.MEMORY
        else replace(figure, candidate=figure.candidate * math.exp(loss))
        for figure in block.figures
    )
    return replace(
        block,
        effect=block.effect - lost,
        candidate=block.candidate * math.exp(lost),
        pair_effects=tuple(effect - lost for effect in block.pair_effects),
        figures=figures,
        reservation=f"{late:.0%} of its work is done after its answers, and counts",
    )
