"""The neutral referee: do two programs the same, is one faster, by how much, how sure?

Not here: which inputs are used (`plan`), and the words for the outcome
(`se_agent.cli.verdict`).
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from se_agent.abilities.evaluator import Challenger, Growable, Observing, Reducing
from se_agent.config.sections import Judge, Measure
from se_agent.engine.judging.comparison import contest
from se_agent.engine.judging.self_test import self_test, unanswered
from se_agent.errors import TooSmallError
from se_agent.protocols import Evaluator
from se_agent.stats.sequential import SECOND_LOOK, FixedRule, SequentialRule, sequential
from se_agent.stats.summary import (
    FirstCall,
    busy,
    costly_start,
    first_call,
    less_on_the_wall,
    lessening_reason,
    told_apart,
)
from se_agent.values.doubts import of_answers, of_branches, of_search
from se_agent.values.evaluation import (
    Block,
    Comparison,
    Counterexample,
    FailedCase,
    Hunt,
    InputSet,
    SequentialDecision,
    Status,
)
from se_agent.values.observation import GROWS_FASTER, GrowthPair, Untaken
from se_agent.values.solution import Solution
from se_agent.wire import EXACT, Tolerance
from se_agent.wording import counted

_OLD = "the old function"


class RefereeOutcome(enum.StrEnum):
    """What can be said of the new program."""

    FASTER = "faster"  # proven, on fresh blocks
    SLOWER = "slower"  # the whole interval lies below nothing gained
    NOT_PROVEN = "not_proven"  # neither
    DIFFERENT = "different"  # it does not do the same


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What the referee found.

    Attributes:
        outcome: The verdict.
        gain: Net CPU of old / new; None where the programs differ.
        interval: 99 % interval of `gain`; None where the programs differ, or the new one was
            stopped: `gain` is then the most that it can be, and `new_seconds` the least.
        old_seconds: Net CPU seconds of one call of the old one.
        new_seconds: The same of the new one.
        blocks: Blocks that the gain rests on, each with a new address-space layout.
        inputs: Distinct inputs a run answers in them.
        spread: Deviation between blocks of identical code, from the self-test, a fraction.
        compared: How often answers were compared before anything was timed.
        distinct: On how many different inputs.
        seed: Seed that inputs were drawn by.
        made_up: Inputs that were made up to find a difference, in vain.
        different: The first input on which the answers differ.
        stopped: Why the new one was not measured to the end, or not at all (`blocks` is 0: its
            results were not compared to the end either); empty when it was.
        on_the_wall: Time on the wall of old / new, where it is clearly less than the gain.
        waits: Whether it is known that others on the core did not make it less.
        busy: Part of the time in which the two were ready to run, and others had their core;
            None where that was not read.
        alone: CPU seconds of a process that makes one call, old and new, where the new one
            takes longer.
        first: What a process takes until its first call is over, and when the new one pays.
        growth: How the time of both grows with the input, where the gain is proven.
        reason: Why a gain counts for nothing: `grows_faster`.
        notes: Doubts worth telling, one sentence each.
        within: What floats of the results may differ by.
        input: The whole input of `different`, where it is known.
    """

    outcome: RefereeOutcome
    gain: float | None = None
    interval: tuple[float, float] | None = None
    old_seconds: float = 0.0
    new_seconds: float = 0.0
    blocks: int = 0
    inputs: int = 0
    spread: float = 0.0
    compared: int = 0
    distinct: int = 0
    seed: int = 0
    made_up: int = 0
    different: FailedCase | None = None
    stopped: str = ""
    on_the_wall: float | None = None
    waits: bool = False
    busy: float | None = None
    alone: tuple[float, float] | None = None
    first: FirstCall | None = None
    growth: GrowthPair | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()
    within: Tolerance = EXACT
    input: Counterexample | None = None


@dataclass(frozen=True)
class Referee:
    """Compares two programs on the inputs of an evaluator's problem.

    Attributes:
        evaluator: Measures.
        judge: When a gain is proven.
        measure: How many blocks are taken.
        tell: Is told what begins, one line at a time.
        at: Is told how far it is.
        within: What floats of the results may differ by, as the evaluator compares them.
    """

    evaluator: Evaluator
    judge: Judge
    measure: Measure
    tell: Callable[[str], None]
    at: Callable[[str], None]
    within: Tolerance = EXACT

    def compare(
        self,
        old: Solution,
        new: Solution,
        *,
        compared: int,
        distinct: int,
        seed: int = 0,
        notes: tuple[str, ...] = (),
    ) -> Proof:
        """Return what can be said of `new` against `old`.

        Args:
            old: The reference; its answers are right by definition.
            new: The other.
            compared: How many answers the evaluator compares.
            distinct: On how many different inputs.
            seed: Seed that the evaluator draws inputs by.
            notes: Doubts known beforehand.

        Raises:
            ProblemError: The old program cannot be measured.
        """
        self.tell(f"comparing the results on {inputs(compared, distinct)} ...")
        found = self._compared(old, new, notes)
        return replace(
            found, compared=compared, distinct=distinct, seed=seed, within=self.within
        )

    def _compared(self, old: Solution, new: Solution, notes: tuple[str, ...]) -> Proof:
        small = None
        try:
            notes += self.evaluator.preflight(old).notes
        except TooSmallError as err:
            small = err  # a different result is still worth telling
        evaluation = self.evaluator.evaluate(new)
        if evaluation.status is not Status.AC:
            failed = evaluation.failing[0] if evaluation.failing else None
            ended = _failed(failed, evaluation.status, evaluation.feedback, notes)
            return self._reduced(ended, new, failed)
        doubts = [*of_answers(evaluation), *of_branches(self._untaken(old))]
        hunt = self._hunt(new)
        if hunt.found is not None:
            found = hunt.found
            ended = _failed(found.failed, found.status, "", notes)
            return replace(ended, input=found)
        if small is not None:
            raise small
        notes += tuple(doubt.words for doubt in (*doubts, *of_search(hunt)))
        return replace(self._timed(old, new, notes), made_up=hunt.tried)

    def _reduced(self, proof: Proof, new: Solution, failed: FailedCase | None) -> Proof:
        """Return a proof of different results with the input made small, if that can be."""
        seconds = self.judge.counterexample_seconds
        able = isinstance(self.evaluator, Reducing) and failed is not None and failed.input
        if proof.different is None or not able:
            return proof
        self.tell("making the input smaller on which they differ ...")
        assert isinstance(self.evaluator, Reducing)
        assert failed is not None
        found = self.evaluator.reduced(new, failed, seconds=seconds)
        return replace(proof, different=found.failed, input=found) if found else proof

    def _hunt(self, new: Solution) -> Hunt:
        """Look for an input on which the two differ."""
        seconds = self.judge.counterexample_seconds
        if seconds == 0 or not isinstance(self.evaluator, Challenger):
            return Hunt()
        self.tell(
            f"looking for an input on which they differ, {seconds:g} s of CPU at most ..."
        )
        return self.evaluator.hunt(new, seconds=seconds)

    def _untaken(self, old: Solution) -> Sequence[Untaken]:
        """Return the branches of the old program that no watched input takes."""
        if not isinstance(self.evaluator, Observing):
            return ()
        return self.evaluator.observe(old).untaken

    def _timed(self, old: Solution, new: Solution, notes: tuple[str, ...]) -> Proof:
        spread = self._spread(old)
        rule = sequential(self.judge, spread)
        most = f"at most {rule.max_blocks + 1}"
        found = self._contest(rule, old, new, "timing old against new", most)
        proven = found.status is Status.AC and found.decision is SequentialDecision.YES
        if found.status is Status.AC and found.reference_status is Status.AC:
            found = self._contest(
                FixedRule(
                    blocks=self.measure.confirm_blocks,
                    per_block=self.measure.confirm_inputs,
                    spread=spread,
                ),
                old,
                new,
                "timing again, in fresh blocks",
                str(self.measure.confirm_blocks),
                InputSet.FINAL,
            )
        last = found.blocks[-1]
        if last.reference_status is not Status.AC:
            raise unanswered(_OLD, last.reference_status, last.feedback)
        if last.status is Status.TLE:  # stopped for its time: nothing was seen to differ
            return _stopped(found, spread, notes)
        if last.status is not Status.AC:
            failed = last.failing[0] if last.failing else None
            ended = _different(failed, last.status, last.feedback, notes)
            return self._reduced(ended, new, failed)
        low = math.log1p(self.judge.margin) if proven else math.inf
        return self._grown(_proof(found, low, spread, notes), old, new)

    def _grown(self, proof: Proof, old: Solution, new: Solution) -> Proof:
        """Say how both grow; there is no gain where the new one grows faster."""
        able = isinstance(self.evaluator, Growable) and proof.outcome is RefereeOutcome.FASTER
        if not able:
            return proof
        self.tell("measuring how both grow with the input ...")
        assert isinstance(self.evaluator, Growable)
        growth = self.evaluator.growth(old, new)
        if growth is None or not growth.is_worse:
            return replace(proof, growth=growth)
        refused = RefereeOutcome.NOT_PROVEN
        return replace(proof, outcome=refused, growth=growth, reason=GROWS_FASTER)

    def _spread(self, old: Solution) -> float:
        """Return the deviation between blocks of identical code."""

        def compare(rule: SequentialRule) -> Comparison:
            what = "timing identical code, to know the noise"
            return self._contest(rule, old, old, what, str(self.measure.self_test_blocks))

        found = self_test(compare, measure=self.measure, judge=self.judge, who=_OLD)
        return found.spread

    def _contest(
        self,
        rule: SequentialRule,
        old: Solution,
        new: Solution,
        what: str,
        most: str,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Comparison:
        self.tell(f"{what} ...")

        def done(block: Block) -> None:
            self.at(_so_far(block, most))

        # A proof that was broken off starts again: its blocks are told, and not kept.
        return contest(self.evaluator, rule, old, new, inputs=inputs, record=done)


def inputs(compared: int, distinct: int) -> str:
    """Say on what results were compared, such as `15 distinct inputs (180 comparisons)`."""
    told = counted(distinct, "distinct input")
    return told if compared == distinct else f"{told} ({compared} comparisons)"


def _so_far(block: Block, most: str) -> str:
    again = block.number >= SECOND_LOOK
    number = block.number - SECOND_LOOK if again else block.number
    done = f"block {number + 1} of {most}"
    return f"a large gain, measured a second time, {done}" if again else done


def _proof(found: Comparison, enough: float, spread: float, notes: tuple[str, ...]) -> Proof:
    low, high = found.interval
    outcome = RefereeOutcome.NOT_PROVEN
    if low > enough:
        outcome = RefereeOutcome.FASTER
    elif high < 0:
        outcome = RefereeOutcome.SLOWER
    return Proof(
        outcome=outcome,
        gain=math.exp(found.effect),
        interval=(math.exp(low), math.exp(high)),
        old_seconds=found.reference,
        new_seconds=found.candidate,
        blocks=len(found.blocks),
        inputs=max(block.inputs for block in found.blocks),
        spread=math.expm1(spread),
        on_the_wall=less_on_the_wall(found.blocks)
        if outcome is RefereeOutcome.FASTER
        else None,
        waits=told_apart(found.blocks),
        busy=busy(found.blocks),
        alone=costly_start(found.blocks) if outcome is RefereeOutcome.FASTER else None,
        first=first_call(found.blocks),
        notes=(*(f"{why}." for why in lessening_reason(found.blocks)), *notes),
    )


def _stopped(found: Comparison, spread: float, notes: tuple[str, ...]) -> Proof:
    """Return what is known of a program that took too long: bounds, by its last block.

    Of one that waits there are none: CPU time says nothing of it.
    """
    last = found.blocks[-1]
    known = last.effect < 0
    return Proof(
        outcome=RefereeOutcome.SLOWER if known else RefereeOutcome.NOT_PROVEN,
        gain=math.exp(last.effect) if known else None,
        old_seconds=last.reference,
        new_seconds=last.candidate,
        blocks=len(found.blocks),
        inputs=last.inputs,
        spread=math.expm1(spread),
        stopped=last.feedback,
        notes=notes,
    )


def _failed(
    failed: FailedCase | None, status: Status, feedback: str, notes: tuple[str, ...]
) -> Proof:
    """Return what is known of a program that failed where the old one answers.

    Of one that did not end no difference was seen, and there is no figure.
    """
    if status is not Status.TLE:
        return _different(failed, status, feedback, notes)
    why, where = feedback, ""
    if failed:
        why = failed.got.removeprefix(f"{status}: ")
        parts = ", ".join(filter(None, (failed.name, failed.input)))
        where = f" on {parts}, which the old one answers"
    stopped = f"the new function does not end{where}: {why}"
    return Proof(outcome=RefereeOutcome.SLOWER, stopped=stopped, notes=notes)


def _different(
    failed: FailedCase | None,
    status: Status,
    feedback: str,
    notes: tuple[str, ...],
) -> Proof:
    shown = failed or FailedCase(name="", expected="", got=f"{status}: {feedback}".strip())
    return Proof(outcome=RefereeOutcome.DIFFERENT, different=shown, notes=notes)
