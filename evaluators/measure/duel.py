"""Two programs in one address-space layout: single runs, checked, losers cut short.

Not here: which inputs a run answers (`size`), and how many runs make a block (`block`).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from evaluators.bench import Batch, Bench, Trial
from evaluators.inputs import patient
from evaluators.measure.clock import Clock, Gross
from evaluators.sandbox.job import Outcome
from se_agent.types import Solution, Status

LOST_FACTOR = 3.0
"""A candidate that takes so many times the CPU of its reference has lost."""

LOST_SECONDS = 0.05
"""CPU seconds of grace on top, so that no start-up hiccup is a loss."""

_PROBE_EMPTY = 3
_PATIENCE = 10.0  # times the CPU limit: the inputs of a rung may be larger than the tests

Key = tuple[str, str]
"""Content addresses of a reference and a candidate."""


class Side(enum.IntEnum):
    """Who runs."""

    REFERENCE = 0
    CANDIDATE = 1


class SideEndedError(Exception):
    """A run that ends the block; caught by the block, never seen outside."""

    def __init__(self, side: Side, trial: Trial) -> None:
        super().__init__(f"{side.name.lower()}: {trial.status}")
        self.side = side
        self.trial = trial


class LostError(Exception):
    """The candidate used up its time cap; caught by the block, never seen outside.

    Attributes:
        nets: Net CPU seconds an input of the reference, and those of the cap.
    """

    def __init__(self, nets: tuple[float, float]) -> None:
        super().__init__(f"net seconds {nets}")
        self.nets = nets


@dataclass
class Duel:
    """Runs either side on batches of inputs, one at a time.

    Attributes:
        bench: Where they run.
        reference: What the candidate is measured against.
        candidate: The other.
    """

    bench: Bench
    reference: Solution
    candidate: Solution
    _slowest: dict[Batch, float] = field(default_factory=dict)
    _empty: dict[tuple[str, Batch], list[Gross]] = field(default_factory=dict)
    _probed: dict[Batch, tuple[float, float]] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """The content addresses of the two: the same for every block of a comparison."""
        return self.reference.content, self.candidate.content

    def probe(self, batch: Batch) -> tuple[float, float]:
        """Run both once, reference first, and return net CPU seconds: first impressions.

        It warms up, too: asked again about a batch, it runs nothing.

        Raises:
            SideEndedError: A run failed, or an answer is wrong.
            LostError: The candidate ran into the cap.
        """
        if batch not in self._probed:
            for _ in range(_PROBE_EMPTY):
                self.empty(batch)
            nets = [self.clock(side, batch).net(self.gross(side, batch)) for side in Side]
            self._probed[batch] = nets[0], nets[1]
        return self._probed[batch]

    def gross(self, side: Side, batch: Batch) -> Gross:
        """Return the gross CPU seconds of one run; empty ones come first.

        Once the reference has run on a batch, its time caps that of the candidate.

        Raises:
            SideEndedError: The run failed, or an answer is wrong.
            LostError: The candidate ran into the cap.
        """
        patience = _PATIENCE * self.bench.problem.limits.cpu_seconds
        if side is Side.REFERENCE:
            run = self._run(side, batch, patience)
            self._slowest[batch] = max(sum(run), self._slowest.get(batch, 0.0))
            return run
        slowest = self._slowest.get(batch)
        if slowest is None:
            return self._run(side, batch, patience)
        ours, theirs = (self.clock(side, batch) for side in Side)
        cap = LOST_FACTOR * slowest + LOST_SECONDS
        try:
            return self._run(side, batch, cap)
        except SideEndedError as err:
            if err.trial.status is not Status.TLE:
                raise
            each = len(batch.inputs)
            nets = ours.net(Gross(slowest)) / each, theirs.net(Gross(cap)) / each
            raise LostError(nets) from err

    def empty(self, batch: Batch) -> None:
        """Run a program that does nothing on these inputs: what its CPU time is, all pay.

        Where loading does not count, each side has its own.
        """
        runner, limits = self.bench.runner, patient(self.bench.problem.limits)
        for text in dict.fromkeys(self._nothing(side) for side in Side):
            outcome = runner.run(self.bench.sandbox, text, batch.inputs, limits)
            self._empty.setdefault((text, batch), []).append(gross(outcome))

    def clock(self, side: Side, batch: Batch) -> Clock:
        """Return the clock for runs of a side on a batch, from the empty runs so far.

        Of the candidate no more is subtracted than of its reference: work that it does while
        it is loaded counts.
        """
        empty = self._empty[self._nothing(side), batch]
        if side is Side.CANDIDATE:
            reference = self._empty[self._nothing(Side.REFERENCE), batch]
            empty = min(empty, reference, key=lambda runs: sum(Clock.of(runs).startup))
        return Clock.of(empty)

    def _nothing(self, side: Side) -> str:
        solution = self.candidate if side is Side.CANDIDATE else self.reference
        return self.bench.runner.empty(solution.text)

    def _run(self, side: Side, batch: Batch, cpu_seconds: float) -> Gross:
        solution = self.candidate if side is Side.CANDIDATE else self.reference
        trial = self.bench.trial(solution.text, batch, cpu_seconds=cpu_seconds)
        if trial.status is not Status.AC:
            raise SideEndedError(side, trial)
        return gross(trial)


def gross(run: Outcome | Trial) -> Gross:
    """Return the CPU seconds of a run in the two parts that are never mixed."""
    return Gross(run.cpu_seconds - run.after_seconds, run.after_seconds)
