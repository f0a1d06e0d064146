"""A block: two programs forked from one fresh fork server, in random order, many times.

Address-space layout favours one of two identical programs for as long as a process lives,
so a block starts the fork server anew, and its value is one number, however many pairs it
has. Not here: what a series of blocks proves (`se_agent.stats`).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from evaluators.bench import Batch, Bench
from evaluators.measure.clock import Gross
from evaluators.measure.duel import Duel, LostError, Side, SideEndedError
from evaluators.measure.size import Size, Sizes
from se_agent.config import Measure
from se_agent.types import Block, FailedCase, InputSet, Purpose, Solution, Status, rng_at


@dataclass
class _Pair:
    """Gross CPU seconds of both sides on one batch; more than one run of a side is averaged."""

    batch: Batch
    reference: list[Gross] = field(default_factory=list)
    candidate: list[Gross] = field(default_factory=list)

    def add(self, side: Side, run: Gross) -> None:
        (self.reference if side is Side.REFERENCE else self.candidate).append(run)


@dataclass(frozen=True)
class _Plan:
    """What a block runs: a batch a pair, and how often each side, and none, runs on it."""

    size: Size
    batches: Sequence[Batch]
    runs: tuple[int, int] = (1, 1)
    empty: int = 1


class Blocks:
    """Measures blocks on a bench.

    Args:
        bench: Where programs run.
        measure: How long runs shall take.
        seed: Of the order within pairs, and of the inputs.
    """

    def __init__(self, bench: Bench, measure: Measure, *, seed: int) -> None:
        self._bench = bench
        self._sizes = Sizes(bench, measure)
        self._seed = seed

    def measure(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Return one block; see `se_agent.protocols.Evaluator.block`.

        Raises:
            ProblemError: The inputs cannot be made, or the initial program does not answer.
        """
        before = self._bench.sandbox.spent
        self._bench.sandbox.restart()
        duel = Duel(self._bench, reference, candidate)
        try:
            block = self._measured(duel, number, pairs, inputs)
        except LostError as err:
            block = _lost(number, inputs, err)
        except SideEndedError as err:
            block = _ended(number, err)
        return replace(block, cost_seconds=self._bench.sandbox.spent - before)

    def _measured(self, duel: Duel, number: int, pairs: int, inputs: InputSet) -> Block:
        if inputs is InputSet.FINAL:
            plan = self._final(duel, number, pairs)
        else:
            plan = self._search(duel, number, pairs)
        done = self._run(duel, plan, number)
        each = [_nets(duel, pair, plan.size.inputs) for pair in done]
        effects = [math.log(reference / candidate) for reference, candidate in each]
        middle = statistics.fmean if inputs is InputSet.FINAL else statistics.median
        return Block(
            number=number,
            effect=middle(effects),
            reference=statistics.median(reference for reference, _ in each),
            candidate=statistics.median(candidate for _, candidate in each),
            pairs=len(done),
            inputs=plan.size.inputs,
            level=plan.size.level,
        )

    def _search(self, duel: Duel, number: int, pairs: int) -> _Plan:
        rng = rng_at(self._seed, number, Purpose.INPUTS, *_address(duel))
        size, batch = self._sizes.search(duel, rng)
        duel.probe(batch)
        return _Plan(size, [batch] * pairs)

    def _final(self, duel: Duel, number: int, pairs: int) -> _Plan:
        """Let the faster side run twice: it is cheap, and its noise weighs more."""
        size, batches = self._sizes.final(duel, number, pairs)
        reference, candidate = duel.probe(batches[0])
        runs = (1, 2) if candidate < reference else (2, 1)
        return _Plan(size, batches, runs, empty=3)

    def _run(self, duel: Duel, plan: _Plan, number: int) -> list[_Pair]:
        rng = rng_at(self._seed, number, Purpose.PAIR_ORDER, *_address(duel))
        turns = [side for side in Side for _ in range(plan.runs[side])]
        pairs = []
        for batch in plan.batches:
            pair = _Pair(batch)
            for _ in range(plan.empty):
                duel.empty(batch)
            for turn in rng.permutation(turns):
                side = Side(int(turn))
                pair.add(side, duel.gross(side, batch))
            pairs.append(pair)
        return pairs


def _nets(duel: Duel, pair: _Pair, inputs: int) -> tuple[float, float]:
    reference, candidate = (duel.clock(side, pair.batch) for side in Side)
    return (
        reference.net(Gross.mean(pair.reference)) / inputs,
        candidate.net(Gross.mean(pair.candidate)) / inputs,
    )


def _address(duel: Duel) -> tuple[int, int]:
    reference, candidate = duel.key
    return int(reference[:16], 16), int(candidate[:16], 16)


def _lost(number: int, inputs: InputSet, err: LostError) -> Block:
    """Return a block with a loss; in the confirmation it ends the candidate's.

    There one loss says that it fails where it must not: no average makes up for it.
    """
    reference, cap = err.nets
    return Block(
        number=number,
        effect=math.log(reference / cap),
        reference=reference,
        candidate=cap,
        status=Status.TLE if inputs is InputSet.FINAL else Status.AC,
        feedback="stopped: it takes more than three times the CPU of its reference",
    )


def _ended(number: int, err: SideEndedError) -> Block:
    """Return a block without a measurement: one side is not right on these inputs."""
    ours, trial = err.side is Side.REFERENCE, err.trial
    failed = FailedCase(
        name="a measured input", expected=trial.expected, got=trial.got, input=trial.input
    )
    return Block(
        number=number,
        effect=0.0,
        reference=0.0,
        candidate=0.0,
        status=Status.AC if ours else trial.status,
        reference_status=trial.status if ours else Status.AC,
        feedback=trial.feedback,
        failing=(failed,) if trial.failed >= 0 else (),
    )
