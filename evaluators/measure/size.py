"""How much work a run is given: distinct inputs a run, and the rung they come from.

A run must take long enough to be told apart from its start-up; how long is the user's
choice (`Measure`). What was found for two programs is remembered, so that later blocks of
a comparison do not look again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from evaluators.answers.bench import Batch, Bench
from evaluators.measure.duel import Duel, Key, in_calls
from evaluators.measure.finals import Finals
from evaluators.measure.first_calls import (
    FirstCalls,
    all_but_first,
    batch_of,
    calls_before,
    smaller_input,
)
from se_agent.config.sections import Measure
from se_agent.problem.model import Expr
from se_agent.values.evaluation import InputSet

if TYPE_CHECKING:
    from numpy.random import Generator

POOL = 64
"""Inputs a rung that the search draws from before it climbs: each is answered only once."""

SMALLEST_POOL = 8
"""Inputs a rung, however slow the initial program is on them."""

POOL_SECONDS = 4.0
"""CPU seconds that the initial program may take for the inputs of one rung."""

CLIMB_SECONDS = 0.5
"""CPU seconds that the initial program may take for one input of a rung to climb to."""

_CALLS = 4  # that are measured in a run at least, where they do not take too long,
_HOT = 0.005  # and take less seconds together: a call after a wait finds the caches cold
_BEGUN = 0.5  # of what a process takes before its calls: a run takes as long at least
_SHOWN = 1.15  # times as fast at a first look: less may be noise
_JUMP = 8  # a net time near the resolution foretells little: never grow by more at once
_NEAR = 1.2  # a run that is so near the goal is long enough
_REMEMBERED = 512


@dataclass(frozen=True)
class Size:
    """How much work a run is given: inputs a run, from rung `level`.

    Attributes:
        inputs: How many are measured.
        level: Rung that they come from.
        warm: How many come before them; 0: calls are not timed apart, and all counts.
    """

    inputs: int
    level: int
    warm: int = 0


@dataclass(frozen=True)
class Final:
    """What a final block runs on: a batch a pair.

    Of their `distinct` inputs the search may have had `searched`, too.
    """

    size: Size
    batches: Sequence[Batch]
    searched: int
    distinct: int


@dataclass(frozen=True)
class _Grown:
    """A batch that grew until it was long enough, or full.

    Attributes:
        batch: Both sides ran on it.
        full: Whether a run may not answer more.
        faster: Net CPU seconds of the faster side.
        begun: Those of starting a process, until its calls.
    """

    batch: Batch
    full: bool
    faster: float
    begun: float


@dataclass
class Sizes:
    """Finds the size for two programs, and the inputs of a block.

    Attributes:
        bench: Where they run.
        measure: How long runs shall take.
    """

    bench: Bench
    measure: Measure
    _known: dict[tuple[Key, InputSet], Size] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._finals = Finals(self.bench, self.bench.runner.most)
        self._first = FirstCalls(self.bench)

    def search(self, duel: Duel, rng: Generator) -> tuple[Size, Batch]:
        """Return the size of a search block, and its batch of fresh inputs.

        It climbs to a larger rung only when as many inputs as a run may answer are still
        too quick, and the initial program can answer that rung.
        """
        known = self._known.get((duel.key, InputSet.SEARCH))
        if known:
            exprs = self._shuffled(known.level, rng, known.inputs + known.warm)
            return known, _batch(self.bench, exprs, known)
        level = self._telling(duel, rng)
        while True:
            grown = self._searched(duel, rng, level)
            if grown is not None:
                size = Size(grown.batch.measured, level, grown.batch.warm)
                return self._keep(duel, InputSet.SEARCH, size), grown.batch
            level += 1

    def _telling(self, duel: Duel, rng: Generator) -> int:
        """Return the rung to begin with: that of the claim, where only that one shows a gain.

        A better algorithm may bring nothing yet on the smaller inputs of the search.
        """
        ladder = self.bench.problem.ladder
        small, large = ladder.search_level, ladder.final_level
        alike = duel.reference.content == duel.candidate.content
        if alike or not in_calls(duel) or large <= small:
            return small
        if not _is_answered_within(self.bench, large, self.measure.slow_seconds):
            return small
        here = self._looked(duel, rng, small)
        if not 1 / _SHOWN < here < _SHOWN:
            return small
        shown = _SHOWN * max(1.0, here)
        return large if all(self._looked(duel, rng, large) > shown for _ in range(2)) else small

    def _looked(self, duel: Duel, rng: Generator, level: int) -> float:
        """Return how many times as fast the candidate is on a rung, at a first look."""
        exprs = self._shuffled(level, rng, POOL)
        warm = int(self._first.are_long(duel, level, exprs))
        reference, candidate = duel.probe(_batch(self.bench, exprs, Size(1, level, warm)))
        return reference / candidate

    def further(self, size: Size, rng: Generator, count: int) -> list[Batch]:
        """Return so many batches of a size for the search, or fewer; no input is read twice."""
        exprs = self._shuffled(size.level, rng, count * size.inputs + size.warm)
        each = self.bench.pool.distinct(exprs, count * size.inputs + size.warm)
        starts = range(0, len(each) - size.inputs + 1, size.inputs)[:count]
        return [self._run_of(each, at, size) for at in starts]

    def _run_of(self, exprs: Sequence[Expr], at: int, size: Size) -> Batch:
        """Return a run on the inputs from a place on, in a ring; none comes twice in it.

        Those that come after them come before them, as far as there are so many.
        """
        turn = (*exprs[at:], *exprs[:at])
        before, single = turn[size.inputs :][: size.warm], len(exprs) == 1
        if size.warm and single:
            before = smaller_input(self.bench, exprs[0], size.level)
        batch = self.bench.batch((*before, *turn[: size.inputs]))
        return replace(batch, warm=len(before), borrowed=bool(before) and single)

    def _searched(self, duel: Duel, rng: Generator, level: int) -> _Grown | None:
        """Return the batch to use on this rung; None when a larger one is called for.

        Only where there is no larger one are more inputs answered than the pool has.
        """
        exprs = self._shuffled(level, rng, POOL)
        most = _measured_of(min(self.bench.most(exprs), len(exprs)), duel)
        enough = self.measure.fast_seconds / 4
        first = duel.probe(batch_of(self.bench, exprs, 1))
        # Looking ahead spares the initial program dozens of inputs of a rung that is left.
        if min(first) * most < enough and _climbable(self.bench, level + 1):
            return None
        grown = self._grown(duel, level, exprs, most, self.measure.slow_seconds)
        if not (grown.full and grown.faster < max(enough, grown.begun / 4)):
            return grown
        if _climbable(self.bench, level + 1):
            return None
        exprs = self._shuffled(level, rng, self.bench.runner.most)
        more = _measured_of(min(self.bench.most(exprs), len(exprs)), duel)
        if more <= most:
            return grown
        return self._grown(duel, level, exprs, more, self.measure.slow_seconds, inputs=most)

    def final(self, duel: Duel, number: int, units: int) -> Final:
        """Return what a final block runs on: inputs of its own, where seeds give new ones.

        No input comes twice in a run. Where there are too few for so many pairs, or for so
        long runs, each is used as often as any other: two or three pairs, or short runs, would
        leave a block to the noise.
        """
        exprs = self._finals.exprs(number, units)
        wanted = self._final_size(duel, exprs)
        dealt = self._finals.unmet(exprs, number, units, units * wanted.inputs)
        count = len(dealt.exprs)
        inputs = max(1, min(wanted.inputs, count - bool(wanted.warm and count > 1)))
        size = replace(wanted, inputs=inputs, warm=min(wanted.warm, max(1, count - inputs)))
        # Runs overlap where there are few inputs, and begin so that all inputs weigh alike.
        pairs = min(count, units)
        starts = [i * count // pairs for i in range(pairs)]
        batches = [self._run_of(dealt.exprs, at, size) for at in starts]
        used = {e for at in starts for e in (2 * dealt.exprs)[at : at + inputs]}
        rounds = max(1, round(units / pairs))
        size = replace(size, warm=batches[0].warm)
        return Final(size, batches * rounds, len(used & dealt.searched), len(used))

    def _final_size(self, duel: Duel, exprs: Sequence[Expr]) -> Size:
        known = self._known.get((duel.key, InputSet.FINAL))
        if known:
            return known
        most = max(1, _measured_of(self.bench.most(exprs), duel))
        # A final block averages over all its inputs: shorter runs than in the search will do.
        level, slow = self.bench.problem.ladder.final_level, self.measure.slow_seconds
        grown = self._grown(duel, level, exprs, most, slow / 6, two=slow)
        batch = grown.batch
        return self._keep(duel, InputSet.FINAL, Size(batch.measured, level, batch.warm))

    def _grown(
        self,
        duel: Duel,
        level: int,
        exprs: Sequence[Expr],
        most: int,
        slow: float,
        *,
        inputs: int = 1,
        two: float = 0.0,
    ) -> _Grown:
        """Let a batch grow until a run is long enough.

        Where two calls take no more than `two` seconds, they are told apart though one would be
        a run: what is claimed of a call leaves out how long its answer takes to be written. So
        are those of a rung on which a first call does what no other has to do.
        """
        apart = False
        while True:
            before = calls_before(inputs) if apart else 0
            batch = _batch(self.bench, exprs, Size(inputs, level, before))
            nets = duel.probe(batch)
            begun = _begun(duel, batch)
            # Where it is a heavy import, short runs are many imports, and say little.
            enough = max(self.measure.fast_seconds, min(_BEGUN * begun, slow))
            goal = min(_goal(duel, inputs, nets, enough, slow), _JUMP * inputs, most)
            full = inputs >= most or batch.measured < inputs
            short = _is_short(nets, inputs, enough) or 2 * max(nets) <= two * inputs
            together = in_calls(duel) and not apart
            if together and (short or self._first.are_long(duel, level, exprs)):
                apart = True
            elif full or goal <= inputs:
                return _Grown(batch, full, min(nets), begun)
            inputs = goal

    def _shuffled(self, level: int, rng: Generator, inputs: int) -> list[Expr]:
        """Return those to draw from for a run on so many of them, in random order."""
        pool = POOL if inputs <= POOL else self.bench.runner.most
        exprs = self.bench.exprs(InputSet.SEARCH, pool, level=level)
        if exprs and self.bench.problem.ladder.fresh:
            seconds = max(self.bench.oracle.seconds(exprs[0]), 1e-9)
            exprs = exprs[: max(SMALLEST_POOL, int(POOL_SECONDS / seconds))]
        return [exprs[i] for i in rng.permutation(len(exprs))]

    def _keep(self, duel: Duel, which: InputSet, size: Size) -> Size:
        if len(self._known) >= _REMEMBERED:
            self._known.pop(next(iter(self._known)))
        self._known[duel.key, which] = size
        return size


def _batch(bench: Bench, exprs: Sequence[Expr], size: Size) -> Batch:
    return batch_of(bench, exprs, size.inputs, size.warm, size.level)


def _climbable(bench: Bench, level: int) -> bool:
    fresh = bench.problem.ladder.fresh
    return fresh and _is_answered_within(bench, level, CLIMB_SECONDS)


def _is_answered_within(bench: Bench, level: int, seconds: float) -> bool:
    """Say whether there is such a rung, and the initial program takes no longer for a call."""
    first = bench.exprs(InputSet.SEARCH, 1, level=level)
    return bool(first) and bench.oracle.seconds(first[0], at_most=seconds) <= seconds


def _goal(
    duel: Duel, inputs: int, nets: tuple[float, float], enough: float, slow: float
) -> int:
    """Return the inputs after which a run takes long enough, and has several calls."""
    missing = min(enough / min(nets), slow / max(nets))
    if in_calls(duel):
        several = _CALLS / inputs, _HOT / min(nets), slow / max(nets)
        missing = max(missing, min(several))
    return inputs if missing <= _NEAR else math.ceil(inputs * missing)


def _begun(duel: Duel, batch: Batch) -> float:
    """Return CPU seconds that a process takes until its calls, or its answers, begin."""
    startup = duel.base(batch).clock.startup
    return startup.first or startup.loading + startup.answers


def _is_short(nets: tuple[float, float], inputs: int, enough: float) -> bool:
    """Say whether one call is no run: what is done once is then told apart from it.

    Of longer calls it is next to nothing, and counts: to make another would take as long.
    """
    return min(nets) * _NEAR < enough * inputs


def _measured_of(inputs: int, duel: Duel) -> int:
    """Return how many inputs of a run are measured, where it may answer so many."""
    return all_but_first(inputs) if in_calls(duel) else inputs
