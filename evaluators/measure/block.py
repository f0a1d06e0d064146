"""A block: two programs forked from one fresh fork server, in random order, many times.

Address-space layout favours one of two identical programs for as long as a process lives,
so a block starts the fork server anew, and its value is one number, however many pairs it
has; where its pairs disagree, as on a machine that others use, it takes more of them. Where the
code of a program lies favours one of two as well; where that can be moved, each pair lies
elsewhere. Not here: what a series of blocks proves (`se_agent.stats.sequential`).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from evaluators.answers.bench import Batch, Bench
from evaluators.measure import agreeing, alone, between, deferred
from evaluators.measure.duel import (
    Duel,
    DuelSide,
    Key,
    SideEndedError,
    TimingLostError,
    waited,
)
from evaluators.measure.pairs import Both, Pair, medians, presence
from evaluators.measure.size import Size, Sizes
from evaluators.measure.watched import EVERYTHING, watch_for
from evaluators.sandbox.job import Moving, Sandbox
from se_agent.config.sections import Measure
from se_agent.stats import waiting
from se_agent.stats.sequential import is_settled
from se_agent.stats.waiting import Seconds
from se_agent.values.evaluation import Block, FailedCase, Figure, InputSet, Status
from se_agent.values.objective import CPU_TIME, Objective, Quantity
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.solution import Solution

if TYPE_CHECKING:
    from numpy.random import Generator


MOST = 36
"""Pairs that a block takes at most where they disagree, unless it was asked for more."""

_SCREEN = 2  # pairs of a block whose gain is forgotten, whatever it says
_SURE = 8  # pairs, before a candidate is said to wait
_EMPTY = 12  # empty runs on a batch, of which one more would tell nothing new
_SHARE = 3  # of the pairs asked for: as many more at a time
_DEAR = 8.0  # CPU seconds of a block's pairs after which no more are run,
_SELF = 3.0  # the same where a program is compared with itself: a spread is told by less,
_ENOUGH = 6  # if there are so many, or as many as were asked for


@dataclass(frozen=True)
class _Plan:
    """What a block runs: a batch a pair, and how often each side, and none, runs on it.

    The search may have had `searched` of the `distinct` inputs of a final block, too. Until
    they are `settled`, more pairs are run, but not above `most`, nor after so many CPU
    `seconds`; nought: however long they take.
    """

    size: Size
    batches: Sequence[Batch]
    runs: tuple[int, int] = (1, 1)
    empty: int = 1
    searched: int = 0
    distinct: int = 0
    most: int = 0
    seconds: float = 0.0


class Blocks:
    """Measures blocks on a bench.

    Args:
        bench: Where programs run.
        measure: How long runs shall take.
        seed: Seed for the inputs, and for the order within pairs.
        objective: In which programs are compared.
        counting: Where instructions are counted, if they are the objective.
    """

    def __init__(
        self,
        bench: Bench,
        measure: Measure,
        *,
        seed: int,
        objective: Objective = CPU_TIME,
        counting: Sandbox | None = None,
    ) -> None:
        self._bench = bench
        self._sizes = Sizes(bench, measure)
        self._seed = seed
        self._objective = objective
        self._counting = counting
        self._prompt: Key | None = None  # of the comparison whose candidate puts nothing off
        self._claim = deferred.Claim()

    def draw(self, seed: int) -> None:
        """Draw final inputs, and the order within pairs, by another seed from now on."""
        self._seed = seed
        self._bench = replace(self._bench, final_seed=seed)
        self._sizes = Sizes(self._bench, self._sizes.measure)
        self._claim = deferred.Claim()

    def measure(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
        patient: bool = False,
    ) -> Block:
        """Return one block; see `se_agent.protocols.Evaluator.block`, and `Patient`.

        Raises:
            ProblemError: The inputs cannot be made, or the initial program does not answer.
        """
        before = self._spent
        self._bench.sandbox.restart()
        duel = Duel(self._bench, reference, candidate, self._objective, patient)
        if watch := watch_for(self._objective.quantities):
            duel = duel.watched(watch)
        try:
            block = self._measured(duel, number, pairs, inputs)
        except TimingLostError as err:
            block = _lost(number, inputs, err)
        except SideEndedError as err:
            block = _ended(number, err)
        return replace(block, cost_seconds=self._spent - before)

    @property
    def _spent(self) -> float:
        counting = 0.0 if self._counting is None else self._counting.spent
        return self._bench.sandbox.spent + counting

    def _measured(self, duel: Duel, number: int, pairs: int, inputs: InputSet) -> Block:
        if inputs is InputSet.FINAL:
            plan = self._final(duel, number, pairs)
        else:
            plan = self._search(duel, number, pairs)
        beside = _beside(duel, plan) if inputs is InputSet.FINAL else {}
        if self._objective.exact:
            counted = self._counted(duel, plan, number, beside)
            return self._with_all(duel, counted, plan, inputs)
        objective, each = self._objective, self._pairs(duel, plan, number)
        each, beside_calls = between.counted(each)
        effects = self._effects(each)
        middle = statistics.fmean if inputs is InputSet.FINAL else statistics.median
        block = Block(
            number=number,
            effect=middle(effects),
            reference=statistics.median(
                objective.figure(both.reference, both.reference) for both in each
            ),
            candidate=statistics.median(
                objective.figure(both.candidate, both.reference) for both in each
            ),
            pairs=len(each),
            inputs=plan.size.inputs,
            level=plan.size.level,
            searched=plan.searched,
            distinct=plan.distinct,
            pair_effects=tuple(effects),
            figures=tuple((beside | medians(each)).values()),
            unit=objective.unit,
            present=presence(each),
            warm=plan.size.warm,
            reservation=beside_calls,
        )
        first = plan.batches[0]
        if inputs is InputSet.FINAL or first.borrowed:
            block = alone.compared(duel, block, first, empty=plan.empty)
        return self._with_all(duel, block, plan, inputs)

    def _with_all(self, duel: Duel, block: Block, plan: _Plan, inputs: InputSet) -> Block:
        """Count what the candidate puts off beyond its answers, where a gain is claimed."""
        screen = inputs is InputSet.SEARCH and len(plan.batches) <= _SCREEN
        screen = screen and not self._objective.exact  # one block of it decides
        # The end of a script is in its time. Memory is not saved by work that comes later.
        blind = self._bench.runner.most == 1 or self._objective.only is Quantity.MEMORY
        if screen or blind or block.effect <= deferred.GAIN:
            return block
        if inputs is InputSet.FINAL:
            return self._claim.counted(duel, block, plan.batches)
        # A search looks until one block of a comparison has found nothing.
        if duel.key == self._prompt:
            return block
        rng = rng_at(self._seed, block.number, Purpose.INPUTS, *_address(duel))
        count = deferred.batches_for(plan.size.inputs)
        batches = self._sizes.further(plan.size, rng, count) or plan.batches
        found = deferred.counted(duel, block, batches)
        if found is block:
            self._prompt = duel.key
        return found

    def _counted(
        self, duel: Duel, plan: _Plan, number: int, beside: dict[Quantity, Figure]
    ) -> Block:
        """Count what each side is given on the first batch, once: again would be the same."""
        assert self._counting is not None, "an exact objective has what counts it"
        both = _once(duel.on(self._counting), plan, empty=1)
        counts = (both.reference, both.candidate)
        reference, candidate = (side[Quantity.INSTRUCTIONS] for side in counts)
        rng = rng_at(self._seed, number, Purpose.PAIR_ORDER, *_address(duel))

        def pair() -> Both:
            run = self._run(duel, plan, plan.batches[0], rng)
            return Both.of(duel, run, plan.size.inputs)

        block = Block(
            number=number,
            effect=math.log(reference / candidate),
            reference=reference,
            candidate=candidate,
            inputs=plan.size.inputs,
            level=plan.size.level,
            searched=min(plan.searched, plan.size.inputs),  # of one batch, others are not read
            figures=(*beside.values(), medians([both])[Quantity.INSTRUCTIONS]),
            unit=self._objective.unit,
        )
        return agreeing.with_cpu_time(block, pair)

    def _search(self, duel: Duel, number: int, pairs: int) -> _Plan:
        rng = rng_at(self._seed, number, Purpose.INPUTS, *_address(duel))
        size, batch = self._sizes.search(duel, rng)
        duel.probe(batch)
        same = duel.reference.content == duel.candidate.content
        seconds = _SELF if same else _DEAR
        return _Plan(size, [batch] * pairs, most=MOST, seconds=seconds)

    def _final(self, duel: Duel, number: int, pairs: int) -> _Plan:
        """Let the faster side run twice: it is cheap, and its noise weighs more."""
        final = self._sizes.final(duel, number, pairs)
        reference, candidate = duel.probe(final.batches[0])
        runs = (1, 2) if candidate < reference else (2, 1)
        met, distinct = final.searched, final.distinct
        return _Plan(final.size, final.batches, runs, empty=3, searched=met, distinct=distinct)

    def _pairs(self, duel: Duel, plan: _Plan, number: int) -> list[Both]:
        """Run the pairs of a plan, and more of them as long as they do not agree.

        Where a pair takes long, dozens of them would take minutes. Then a block has fewer, and
        those of the self-test, which say how much blocks differ, have the fewest: they may
        differ more than blocks of comparisons do, not less.

        Raises:
            SideEndedError: A run failed, or the candidate waits instead of computing.
            LostError: The candidate ran into the cap.
        """
        rng = rng_at(self._seed, number, Purpose.PAIR_ORDER, *_address(duel))
        batches, asked, done = plan.batches, len(plan.batches), list[Pair]()
        most, before = max(plan.most, asked), self._spent
        while True:
            for batch in batches:
                done.append(self._run(duel, plan, batch, rng))
                # Each final input counts: those of a claim are all run.
                dear = 0 < plan.seconds < self._spent - before
                if dear and len(done) >= _ENOUGH:
                    break
            each = [Both.of(duel, pair, plan.size.inputs) for pair in done]
            blind = self._objective.blind_to_waiting
            idle = _waiting(each, plan.size.inputs) if blind else None
            if idle and len(done) >= _SURE:
                raise waited(idle)
            enough = dear or is_settled(self._effects(each), asked)
            if len(done) >= most or (enough and not idle):
                return each
            more = min(max(1, asked // _SHARE), most - len(done))
            batches = plan.batches[:more]

    def _effects(self, each: Sequence[Both]) -> list[float]:
        return [self._objective.effect(both.reference, both.candidate) for both in each]

    def _run(self, duel: Duel, plan: _Plan, batch: Batch, rng: Generator) -> Pair:
        turns = [side for side in DuelSide for _ in range(plan.runs[side])]
        pair = Pair(batch)
        if isinstance(self._bench.sandbox, Moving):
            self._bench.sandbox.move()
        # Where calls are apart, next to nothing is subtracted: it need not be read for ever.
        known = len(duel.base(batch).empty) if plan.size.warm else 0
        for _ in range(min(plan.empty, max(0, _EMPTY - known))):
            duel.empty(batch)
        for turn in rng.permutation(turns):
            side = DuelSide(int(turn))
            pair.add(side, duel.run(side, batch))
        return pair


def _waiting(each: Sequence[Both], inputs: int) -> Seconds | None:
    """Return what a run of the candidate takes, if it waits: in all pairs, or all but one.

    By medians others on the core could make it late: where six wanted a core, three pairs were.
    Nor does it count what they do to empty programs: with large inputs, which take longer to
    read than a quick program computes, that was more than all it took.

    Args:
        each: The pairs.
        inputs: Distinct inputs that their runs answered.
    """
    found = medians(each)
    if Quantity.WALL not in found:
        return None
    cpu, wall = found[Quantity.CPU], found[Quantity.WALL]
    walls = presence(each) or (wall.reference, wall.candidate)
    reference = Seconds(inputs * cpu.reference, inputs * walls[0])
    runs = (
        Seconds(
            inputs * one.candidate[Quantity.CPU],
            inputs * ((one.present or (0.0, one.candidate[Quantity.WALL]))[1] - one.blur),
        )
        for one in each
    )
    if sum(waiting.waits_beside(run, reference) for run in runs) < max(1, len(each) - 1):
        return None
    return Seconds(inputs * cpu.candidate, inputs * walls[1])


def _beside(duel: Duel, plan: _Plan) -> dict[Quantity, Figure]:
    """Return figures that the pairs do not give: their runs are not watched for nothing."""
    return medians([_once(duel.watched(EVERYTHING), plan, empty=plan.empty)])


def _once(duel: Duel, plan: _Plan, *, empty: int) -> Both:
    """Run each side once on the first batch, after so many empty runs."""
    pair = Pair(plan.batches[0])
    for _ in range(empty):
        duel.empty(pair.batch)
    for side in DuelSide:
        pair.add(side, duel.run(side, pair.batch))
    return Both.of(duel, pair, plan.size.inputs)


def _address(duel: Duel) -> tuple[int, int]:
    reference, candidate = duel.key
    return int(reference[:16], 16), int(candidate[:16], 16)


def _lost(number: int, inputs: InputSet, err: TimingLostError) -> Block:
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
    ours, trial = err.side is DuelSide.REFERENCE, err.trial
    failed = FailedCase(
        name="a measured input",
        expected=trial.expected,
        got=trial.got,
        input=trial.input,
        relative=trial.relative,
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
