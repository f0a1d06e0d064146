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
from itertools import chain, cycle, islice, product
from typing import NamedTuple

from evaluators.answers.bench import Batch
from evaluators.measure.clock import FINEST
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
_MOST_LOOKS = (
    9  # before work is said to be put off: five were wrong in 3 of 60 on a shared core
)
_EMPTY = 3  # runs of the empty program before each one
_BATCHES, _CALLS = 4, 8  # in one process, at most and about: what is done at each so many shows
_FEWEST_BATCHES = 3  # so that a slow minute of the core during one does not hide the others


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
    return max(_FEWEST_BATCHES, min(_BATCHES, _CALLS // inputs))


def counted(duel: Duel, block: Block, batches: Sequence[Batch]) -> Block:
    """Return a block of a gain with what the candidate puts off counted.

    Args:
        duel: The duel between the block's programs.
        block: With the figures of both in CPU time.
        batches: Batches of inputs, as its runs had; used again where there are too few.

    Raises:
        SideEndedError: A program is not right where one process answers all of them.
    """
    figure = next(one for one in block.figures if one.quantity is Quantity.CPU)
    whole = (replace(batch, warm=0) for batch in batches)  # its calls are no more apart
    used = list(islice(cycle(whole), batches_for(block.inputs)))
    late = _late(duel, used, len(used[0].inputs) * figure.candidate)
    if not late:
        return block
    reference, candidate = _ending(duel, used)
    more = reference.more / candidate.more
    left = math.log(min(more, reference.whole / candidate.whole))
    loss = max(0.0, math.log(figure.reference / figure.candidate) - left)
    return _lessened(block, duel.objective, min(1.0, late / candidate.more), loss)


def _late(duel: Duel, batches: Sequence[Batch], shown: float) -> float:
    """Return CPU seconds that the candidate puts off for each batch; 0: nothing to speak of.

    Args:
        duel: The duel between the block's programs.
        batches: One process answers all of them, and others answer one each.
        shown: CPU seconds that the block has read of a batch.
    """
    fewest = [math.inf] * (len(batches) + 2)
    for look in range(_MOST_LOOKS):
        usual = [_run(duel, DuelSide.CANDIDATE, (one,)) for one in batches]
        runs = [*_ended(duel, DuelSide.CANDIDATE, batches), *usual]
        fewest = [min(known, run.net) for known, run in zip(fewest, runs, strict=True)]
        whole, first, alone, *others = fewest
        # A process that ends releases what it has built, which takes less than building it.
        built = alone + max(run.loading for run in usual)
        late = max(
            (whole - first - sum(others)) / len(others),
            (first - alone - built) / len(batches),
        )
        if look and late <= CLEAR * shown + sum(run.blur for run in runs) / len(others):
            return 0.0
    return late


class _Ending(NamedTuple):
    """CPU seconds in processes that end: of all batches, and of one batch more."""

    whole: float
    more: float


def _ending(duel: Duel, batches: Sequence[Batch]) -> tuple[_Ending, _Ending]:
    """Return what each side takes in processes that are taken to their end.

    In these is all that is put off, whenever it is done; in one batch more nothing is that is
    done once. The sides take turns: a core has fast minutes and slow ones.
    """
    fewest = [[math.inf, math.inf] for _ in DuelSide]
    for _, side in product(range(_LOOKS), DuelSide):
        nets = (run.net for run in _ended(duel, side, batches))
        fewest[side] = [*map(min, fewest[side], nets)]
    reference, candidate = (
        _Ending(whole, max((whole - first) / (len(batches) - 1), FINEST))
        for whole, first in fewest
    )
    return reference, candidate


class _Run(NamedTuple):
    """Net CPU seconds of a run without loading, those of loading, those that say nothing."""

    net: float
    loading: float
    blur: float


def _ended(duel: Duel, side: DuelSide, batches: Sequence[Batch]) -> tuple[_Run, _Run]:
    """Run one side on all batches, and on the first, and each time to the end of its process.

    What a program releases once, such as its tables, is in both.
    """
    whole, first = (_run(duel, side, some, to_the_end=True) for some in (batches, batches[:1]))
    return whole, first


def _run(
    duel: Duel, side: DuelSide, batches: Sequence[Batch], *, to_the_end: bool = False
) -> _Run:
    """Run one side on so many batches in one process; empty runs come first."""
    batch = Batch(
        tuple(chain.from_iterable(batch.inputs for batch in batches)),
        tuple(chain.from_iterable(batch.expected for batch in batches)),
    )
    larger = _larger(duel, len(batches)).on(_Whole(duel.bench.sandbox, Watch(), to_the_end))
    for _ in range(_EMPTY):
        larger.empty(batch)
    clock = larger.base(batch).clock
    run = larger.run(side, batch)
    return _Run(clock.net(run.without_loading().cpu), run.cpu.loading, clock.resolution)


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
    lost = timely * loss
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
        reservation=f"{share:.0%} of its work is done after its answers, and counts",
    )
