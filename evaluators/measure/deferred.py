"""Work that a program puts off until its answers are given: estimated, and counted.

A program may answer, and work at its next call, when its answer is released, or when the
process ends. A run shows little of that work, where it answers few inputs. So whoever claims
a gain runs again: on several batches in processes of their own, and on all of them in one
process, which then ends as a script does. One process should take what the others take
together, or less. What it takes beyond that was put off. Not here: what a block is (`block`).
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, cycle, islice, product
from typing import NamedTuple

from evaluators.answers.bench import Batch
from evaluators.measure.clock import FINEST
from evaluators.measure.duel import Duel, DuelSide, Key
from evaluators.measure.watched import Watched
from evaluators.sandbox.job import Job, JobOutcome
from evaluators.sandbox.usage import Watch
from se_agent.values.evaluation import Block
from se_agent.values.objective import Objective, Quantity

GAIN = 0.05
"""Effect up to which nobody looks: work that is put off cannot have brought much of it."""

CLEAR = 0.25
"""Share of a run's time beyond which work counts as put off; below it may be noise."""

QUIET = 3
"""Blocks of a claim that found nothing put off, after which no other one looks."""

_LOOKS = 5
_MOST_LOOKS = 9  # before work is said to be put off: five were wrong in 3 of 60 blocks
_PLAIN = 4.0  # times what is clear: then the first looks are enough
_EMPTY = 3  # runs of the empty program before a process runs first; later one is enough
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
    used = list(islice(cycle(batches), batches_for(block.inputs)))
    late = _late(duel, used, block.inputs * figure.candidate)
    if not late:
        return block
    reference, candidate = _endings(duel, used)
    more = reference.more / candidate.more
    left = math.log(min(more, reference.whole / candidate.whole))
    loss = max(0.0, math.log(figure.reference / figure.candidate) - left)
    share = min(1.0, late / candidate.more)
    why = f"{share:.0%} of its work is done after its answers, and counts"
    return lessened(block, duel.objective, loss, why)


class Claim:
    """The blocks that back a claim, of which the first ones look for what is put off.

    Each looks on inputs of its own. A process knows nothing of others, so what none of so many
    found is put off by none. Found once, all that follow look.
    """

    def __init__(self) -> None:
        self._quiet: Counter[Key] = Counter()
        self._late: set[Key] = set()

    def counted(self, duel: Duel, block: Block, batches: Sequence[Batch]) -> Block:
        """Return a block as `counted` does, or as it is where enough have found nothing."""
        if block.number == 0:
            del self._quiet[duel.key]
        if self._quiet[duel.key] >= QUIET and duel.key not in self._late:
            return block
        found = counted(duel, block, batches)
        if found is block:
            self._quiet[duel.key] += 1
        else:
            self._late.add(duel.key)
        return found


def _late(duel: Duel, batches: Sequence[Batch], shown: float) -> float:
    """Return CPU seconds that the candidate puts off for each batch; 0: nothing to speak of.

    Args:
        duel: The duel between the block's programs.
        batches: One process answers all of them, and others answer one each.
        shown: CPU seconds that the block has read of what is measured of a batch.
    """
    side = DuelSide.CANDIDATE
    # One alone as in `first`, to see its end; the others as the block has read them: with
    # a process's first calls apart, a candidate may do there what it likes.
    apart = [_Process.on_all(duel, side, batches[:1])]
    apart += [_Process.on_one(duel, side, batch) for batch in batches[1:]]
    ending = _ending(duel, side, batches)
    found = list[float]()
    for look in range(_MOST_LOOKS):
        alone, *others = (process.run() for process in apart)
        whole, first = (process.run() for process in ending)
        # A process that ends releases what it has built, which takes less than building it.
        built = alone.loading + alone.net
        end = (first.net - alone.net - built) / len(batches)
        more = (whole.net - first.net - sum(run.net for run in others)) / len(others)
        # The middle of looks, not the fewest of each: short runs have more luck than long ones.
        found.append(max(more, end))
        late = statistics.median(found)
        runs = (whole, first, alone, *others)
        least = CLEAR * shown + sum(run.blur for run in runs) / len(others)
        if look and late <= least:
            return 0.0
        if look >= _LOOKS - 1 and late > _PLAIN * least:
            break
    return late


class _Ending(NamedTuple):
    """CPU seconds in processes that end: of all batches, and of one batch more."""

    whole: float
    more: float


def _endings(duel: Duel, batches: Sequence[Batch]) -> tuple[_Ending, _Ending]:
    """Return what each side takes in processes that are taken to their end.

    In these is all that is put off, whenever it is done; in one batch more nothing is that is
    done once. The sides take turns: a core has fast minutes and slow ones.
    """
    processes = [_ending(duel, side, batches) for side in DuelSide]
    # Of each run the fewest seconds count: others on the core only ever add to it.
    fewest = [[math.inf, math.inf] for _ in DuelSide]
    for _, side in product(range(_LOOKS), DuelSide):
        nets = (process.run().net for process in processes[side])
        fewest[side] = [*map(min, fewest[side], nets)]
    reference, candidate = (
        _Ending(whole, max((whole - first) / (len(batches) - 1), FINEST))
        for whole, first in fewest
    )
    return reference, candidate


def _ending(duel: Duel, side: DuelSide, batches: Sequence[Batch]) -> tuple[_Process, _Process]:
    """Return processes of one side that end as a script does: on all batches, and on the first.

    What a program releases once, such as its tables, is in both.
    """
    whole, first = (
        _Process.on_all(duel, side, some, to_the_end=True) for some in (batches, batches[:1])
    )
    return whole, first


class _Run(NamedTuple):
    """Net CPU seconds of a run without loading, those of loading, those that say nothing."""

    net: float
    loading: float
    blur: float


@dataclass(frozen=True)
class _Process:
    """A process of one side that may be run again and again, each time anew.

    Attributes:
        duel: With room for all inputs of the batch.
        side: Program that it runs.
        batch: What it answers.
    """

    duel: Duel
    side: DuelSide
    batch: Batch

    @classmethod
    def on_all(
        cls, duel: Duel, side: DuelSide, batches: Sequence[Batch], *, to_the_end: bool = False
    ) -> _Process:
        """Return one that answers what is measured of so many batches."""
        batch = Batch(
            tuple(chain.from_iterable(batch.inputs[batch.warm :] for batch in batches)),
            tuple(chain.from_iterable(batch.expected[batch.warm :] for batch in batches)),
        )
        return cls(_larger(duel, len(batches), to_the_end), side, batch)

    @classmethod
    def on_one(cls, duel: Duel, side: DuelSide, batch: Batch) -> _Process:
        """Return one that answers a batch as in the block; what is between its calls counts."""
        return cls(_larger(duel, 1), side, batch)

    def run(self) -> _Run:
        """Run it once; empty runs come first, fewer of them where some are known."""
        for _ in range(1 if self.duel.base(self.batch).empty else _EMPTY):
            self.duel.empty(self.batch)
        clock = self.duel.base(self.batch).clock
        run = self.duel.run(self.side, self.batch)
        loading = max(0.0, run.cpu.loading - clock.startup.loading)
        net = clock.net(run.without_loading().cpu) + clock.net_between(run.cpu)
        return _Run(net, loading, clock.resolution)


def _larger(duel: Duel, times: int, to_the_end: bool = False) -> Duel:
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
    larger = Duel(bench, duel.reference, duel.candidate, patient=True)
    return larger.on(_Whole(bench.sandbox, Watch(), to_the_end))


def lessened(block: Block, objective: Objective, loss: float, why: str) -> Block:
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
        reservation=why,
    )
