"""The search for a counterexample: a program against the initial one, on inputs made up."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any  # values of any type that may cross the wire

from evaluators.answers.bench import Bench
from evaluators.counterexample.allowance import Allowance
from evaluators.counterexample.asking import Input
from evaluators.counterexample.corpus import Corpus, Round
from evaluators.counterexample.differences import Wrong
from evaluators.counterexample.shrink import shrunk
from evaluators.counterexample.verdicts import Judged, Verdicts
from se_agent import wire
from se_agent.values.evaluation import (
    Calls,
    Counterexample,
    Evaluation,
    Hunt,
    Measurement,
    Status,
)
from se_agent.values.solution import Solution
from se_agent.wire.spelling import as_text

_PATIENCE = 4.0  # seconds on the wall that a second of CPU time may take
_MAKING = 0.7  # share of the time in which rounds begin; the rest is for shrinking
_TRIED = 3  # failing inputs of a round that are made small
_FEW = 40  # processes; where loading leaves time for no more, few inputs can be compared

Counting = Callable[[Sequence[Input]], list[bool]]


class CounterexampleSearch:
    """Looks for inputs on which programs of one problem differ from its initial one.

    Args:
        bench: Where programs run.
        corpus: Makes their inputs.
    """

    def __init__(self, bench: Bench, corpus: Corpus) -> None:
        self._bench = bench
        self._corpus = corpus

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Return what the search came to.

        Args:
            solution: Right on all tests so far.
            seconds: CPU seconds that it may take, ours and the programs'; four times as many
                on the wall.
            strict: Whether a difference on an input unlike those seen refutes it as well.

        Raises:
            ProblemError: The inputs that were seen cannot be made again.
        """
        before, clock = self._bench.sandbox.spent, self._clock()
        allowed = Allowance(clock, seconds)
        program = self._bench.runner.program_of(solution)
        tried, outside = 0, ""
        found: Counterexample | None = None
        for round_ in self._corpus.rounds(Allowance(clock, _MAKING * seconds), allowed):
            verdicts = self._corpus.verdicts.within(allowed)
            judged = verdicts.judged(program, round_.inputs, round_.right)
            tried += _compared(round_, judged)
            fair, strange = self._differing(round_, judged)
            outside = outside or (_line(strange[0]) if strange else "")
            for wrong in fair:
                found = found or self._refuted(program, wrong, allowed, self._corpus.fair)
            for wrong in strange[:_TRIED] if strict else ():
                found = found or self._refuted(
                    program,
                    wrong,
                    allowed,
                    lambda inputs: [*map(self._corpus.form.bounds.typed, inputs)],
                    fair=False,
                )
            if strict and found is None:
                found = self._answered(program, round_, allowed)
            if found is not None:
                break
        cost = self._bench.sandbox.spent - before
        note = "" if found else self._note(program, tried, seconds)
        return Hunt(tried=tried, found=found, outside=outside, note=note, cost_seconds=cost)

    def _answered(
        self, program: str, round_: Round, allowed: Allowance
    ) -> Counterexample | None:
        """Return an input at the edge of those seen that the initial program refuses.

        Who was taken for it by what was seen answers otherwise.
        """
        verdicts = replace(self._corpus.verdicts, expected=None)
        wrongs = verdicts.within(allowed).wrong(program, round_.refused, round_.refusals)
        first = next((one for one in wrongs if one is not None), None)
        if first is None:
            return None
        return self._refuted(
            program,
            first,
            allowed,
            lambda inputs: [*map(self._corpus.form.bounds.piecewise, inputs)],
            verdicts=verdicts,
            fair=False,
        )

    def made_small(
        self, solution: Solution, wrong: Wrong, *, seconds: float
    ) -> Counterexample | None:
        """Return what a program is wrong on as small as it goes in so many CPU seconds.

        None where the program is right on it in another layout.
        """
        allowed = Allowance(self._clock(), seconds)
        program = self._bench.runner.program_of(solution)
        return self._refuted(program, wrong, allowed, self._corpus.fair)

    def _note(self, program: str, tried: int, seconds: float) -> str:
        """Say why nothing was compared, or little."""
        loading, oracle = self._corpus.asking.loading, self._bench.oracle.program
        slowest = max(loading.known(oracle), loading.known(program))
        if _FEW * slowest > seconds:
            return (
                f"each process takes {slowest:.2g} s to load the program, and all have "
                f"{seconds:g} s (`judge.counterexample_seconds`)"
            )
        if tried:
            return ""
        if not self._corpus.seen:
            return "no input that was seen is small enough to be changed"
        return "no input was answered by both programs within its time"

    def retest(self, solution: Solution, tests: Sequence[Counterexample]) -> Evaluation:
        """Run a program on counterexamples found before; the first failure ends it.

        Raises:
            SandboxError: The initial program does not answer one of them any more.
        """
        before = self._bench.sandbox.spent
        # What is on record was fair, whatever the initial program answers to it.
        verdicts = Verdicts(self._bench, self._corpus.asking)
        inputs = [Input.again(test) for test in tests]
        program = self._bench.runner.program_of(solution)
        judged = verdicts.judged(program, inputs, verdicts.right(inputs))
        found = (
            _sure(verdicts, program, one, known)
            for one, known in zip(inputs, judged, strict=True)
        )
        first = next((one for one in found if one is not None), None)
        cost = self._bench.sandbox.spent - before
        if first is None:
            return Evaluation(
                status=Status.AC, measurement=Measurement(cpu_seconds=cost), cost_seconds=cost
            )
        return Evaluation(
            status=first.status,
            failing=(first.failed,),
            feedback=_line(first),
            cost_seconds=cost,
        )

    def _clock(self) -> Callable[[], float]:
        """Return a clock of CPU time; where programs wait, or others compute, of the wall."""

        def computed() -> float:
            return time.thread_time() + self._bench.sandbox.spent

        start, begun = computed(), time.monotonic()
        return lambda: max(computed() - start, (time.monotonic() - begun) / _PATIENCE)

    def _differing(
        self, round_: Round, judged: Sequence[Judged]
    ) -> tuple[list[Wrong], list[Wrong]]:
        """Return what is wrong on fair inputs, the smallest first, and on all others."""
        fair, strange = list[Wrong](), list[Wrong]()
        for (_, one), counts in zip(judged, round_.fair, strict=True):
            if one is not None:
                (fair if counts and self._in_range(one) else strange).append(one)
        form = self._corpus.form
        fair.sort(
            key=lambda one: (
                one.input.calls is Calls.REPEATED,  # who is wrong at once is told so
                form.weight(form.value(one.input)),
            )
        )
        return fair[:_TRIED], strange

    def _in_range(self, wrong: Wrong) -> bool:
        """Say whether a program that took too much did so on an input as those seen."""
        if wrong.status not in (Status.TLE, Status.MLE):
            return True
        return self._corpus.form.bounds.within(wrong.input)

    def _refuted(
        self,
        program: str,
        wrong: Wrong,
        more: Callable[[], bool],
        counts: Counting,
        *,
        verdicts: Verdicts | None = None,
        fair: bool = True,
    ) -> Counterexample | None:
        """Make a failing input small, and see that it fails in another layout as well.

        Args:
            program: The program that failed.
            wrong: How.
            more: Whether there is time.
            counts: Says which smaller inputs would do.
            verdicts: What compares; None: what compares all others.
            fair: Whether every program has to answer them.
        """
        form, verdicts = self._corpus.form, verdicts or self._corpus.verdicts
        hurried, calls = verdicts.within(more), wrong.input.calls
        _, wrong = shrunk(
            form.value(wrong.input),
            wrong,
            lambda batch: self._failing(program, batch, calls, hurried, counts),
            form,
            more=more,
        )
        self._bench.sandbox.restart()
        again = self._failing_inputs(program, [wrong.input], verdicts, counts)[0]
        if again is None or not verdicts.differences.agree(wrong, again):
            return None
        return Counterexample(
            arguments=wrong.input.told,
            links=as_text(wire.dumps(list(wrong.input.links))),
            calls=wrong.input.calls,
            failed=again.failed,
            status=again.status,
            fair=fair,
        )

    def _failing(
        self,
        program: str,
        batch: Sequence[Any],
        calls: Calls,
        verdicts: Verdicts,
        counts: Counting,
    ) -> list[Wrong | None]:
        """Return what is wrong with the lightest of a batch that fails for sure; no other."""
        form, known = self._corpus.form, list[Wrong | None]([None] * len(batch))
        inputs = [form.input(value) for value in batch]
        if calls is Calls.REPEATED:
            inputs = [one and one.repeated for one in inputs]
        places = [i for i, one in enumerate(inputs) if one is not None]
        asked = [one for one in inputs if one is not None]
        found = self._failing_inputs(program, asked, verdicts, counts)
        failing = [(i, one) for i, one in zip(places, found, strict=True) if one is not None]
        for i, wrong in sorted(failing, key=lambda pair: form.weight(batch[pair[0]])):
            # To be sure may take two processes, and the lightest is all that is asked for.
            if (sure := verdicts.alone(program, wrong)) is not None:
                known[i] = sure
                break
        return known

    def _failing_inputs(
        self, program: str, inputs: Sequence[Input], verdicts: Verdicts, counts: Counting
    ) -> list[Wrong | None]:
        able = counts(inputs)
        asked = [one for one, counted in zip(inputs, able, strict=True) if counted]
        wrong = iter(verdicts.wrong(program, asked, verdicts.right(asked)))
        found = (next(wrong) if counted else None for counted in able)
        return [one if one is not None and self._in_range(one) else None for one in found]


def _compared(round_: Round, judged: Sequence[Judged]) -> int:
    """Return on how many distinct inputs of a round the answers were compared."""
    pairs = zip(round_.inputs, judged, strict=True)
    return sum(known.compared and one.calls is Calls.SINGLE for one, known in pairs)


def _sure(verdicts: Verdicts, program: str, given: Input, known: Judged) -> Wrong | None:
    """Return how a program fails on a test: alone with it, unless what is known will do.

    Nothing known is not "right"; and what a caller found who changes answers may be the doing
    of another test.
    """
    if known.compared and (known.wrong is None or given.calls is Calls.SINGLE):
        return known.wrong
    return verdicts.settled(program, given)


def _line(wrong: Wrong) -> str:
    case = wrong.failed
    return f"{case.input[:200]}: expected {case.expected[:120]}, got {case.got[:120]}"
