"""A pair: both sides on one batch, and the figures of both in all that was read of them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from evaluators.answers.bench import Batch
from evaluators.measure.duel import Duel, DuelSide
from evaluators.measure.reading import Base, ClockReading
from se_agent.values.evaluation import Figure
from se_agent.values.objective import Figures, Quantity


@dataclass
class Pair:
    """Readings of both sides on one batch; more than one run of a side is averaged."""

    batch: Batch
    reference: list[ClockReading] = field(default_factory=list)
    candidate: list[ClockReading] = field(default_factory=list)

    def add(self, side: DuelSide, run: ClockReading) -> None:
        """Take note of a run."""
        (self.reference if side is DuelSide.REFERENCE else self.candidate).append(run)


@dataclass(frozen=True)
class Both:
    """Net figures of both sides, in every quantity that was read of both.

    Attributes:
        reference: Those of the reference.
        candidate: Those of the candidate.
        blur: Seconds on the wall, for one input, that cannot be told from none.
        present: Seconds on the wall of both, reference first, less those in which others had
            their core; empty where that was not read.
        between: CPU seconds for one input of both, reference first, that lie between calls
            which are timed apart; empty where they are not.
    """

    reference: Figures
    candidate: Figures
    blur: float
    present: tuple[float, ...] = ()
    between: tuple[float, ...] = ()

    @classmethod
    def of(cls, duel: Duel, pair: Pair, inputs: int) -> Both:
        """Return the figures of a pair whose runs answered so many inputs."""
        base = duel.base(pair.batch)
        found: tuple[dict[Quantity, float], dict[Quantity, float]] = ({}, {})
        for quantity in Quantity:
            sides = (pair.reference, pair.candidate)
            nets = [base.net(quantity, runs, inputs) for runs in sides]
            for figures, net in zip(found, nets, strict=True):
                if net is not None and None not in nets:
                    figures[quantity] = net
        present = _present(base.empty, pair, inputs)
        return cls(*found, base.blur / inputs, present, _between(pair, inputs))


def _present(empty: Sequence[ClockReading], pair: Pair, inputs: int) -> tuple[float, ...]:
    """Return the net seconds on the wall of both sides, as if nobody had wanted their core."""
    runs = (*empty, *pair.reference, *pair.candidate)
    if any(run.delayed is None for run in runs):
        return ()
    base = Base([run.present for run in empty])
    sides = ([run.present for run in side] for side in (pair.reference, pair.candidate))
    nets = [base.net(Quantity.WALL, side, inputs) for side in sides]
    return tuple(net for net in nets if net is not None) if None not in nets else ()


def _between(pair: Pair, inputs: int) -> tuple[float, ...]:
    """Return the CPU seconds of both sides that lie between their calls."""
    if not pair.batch.warm:
        return ()
    sides = (pair.reference, pair.candidate)
    return tuple(statistics.fmean(run.cpu.between for run in side) / inputs for side in sides)


def presence(each: Sequence[Both]) -> tuple[float, ...]:
    """Return the medians of `present` over pairs; empty where one of them has none."""
    if not all(both.present for both in each):
        return ()
    return tuple(map(statistics.median, zip(*(both.present for both in each), strict=True)))


def medians(each: Sequence[Both]) -> dict[Quantity, Figure]:
    """Return the medians over pairs, in the quantities that all of them have."""
    known = [q for q in Quantity if all(q in both.reference for both in each)]
    return {
        quantity: Figure(
            quantity,
            statistics.median(both.reference[quantity] for both in each),
            statistics.median(both.candidate[quantity] for both in each),
        )
        for quantity in known
    }
