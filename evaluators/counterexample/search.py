"""The search for a counterexample: a program against the initial one, on inputs made up."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any  # values of any type that may cross the wire

from evaluators.bench import Bench
from evaluators.counterexample.asking import Input
from evaluators.counterexample.corpus import Corpus, Round
from evaluators.counterexample.shrink import shrunk
from evaluators.counterexample.verdicts import Wrong
from se_agent import wire
from se_agent.types import (
    Calls,
    Counterexample,
    Evaluation,
    Hunt,
    Measurement,
    Solution,
    Status,
)

_PATIENCE = 4.0  # seconds on the wall that a second of CPU time may take
_MAKING = 0.7  # share of the time in which inputs are made; the rest is for shrinking


class CounterexampleSearch:
    """Looks for inputs on which programs of one problem differ from its initial one.

    Args:
        bench: Where programs run.
        corpus: Makes their inputs.
    """

    def __init__(self, bench: Bench, corpus: Corpus) -> None:
        self._bench = bench
        self._corpus = corpus

    def hunt(self, solution: Solution, *, seconds: float) -> Hunt:
        """Return what the search came to.

        Args:
            solution: Right on all tests so far.
            seconds: CPU seconds that it may take, ours and the programs'; four times as many
                on the wall.

        Raises:
            ProblemError: The inputs that were seen cannot be made again.
        """
        before, clock = self._bench.sandbox.spent, self._clock()
        tried, outside = 0, ""

        def more() -> bool:
            return clock() < seconds

        found: Counterexample | None = None
        for round_ in self._corpus.rounds(lambda: clock() < _MAKING * seconds):
            tried += sum(one.calls is Calls.SINGLE for one in round_.inputs)
            fair, strange = self._differing(solution.text, round_)
            outside = outside or (_line(strange[0]) if strange else "")
            for wrong in fair:
                found = found or self._refuted(solution.text, wrong, more)
            if found is not None:
                break
        cost = self._bench.sandbox.spent - before
        return Hunt(tried=tried, found=found, outside=outside, cost_seconds=cost)

    def retest(self, solution: Solution, tests: Sequence[Counterexample]) -> Evaluation:
        """Run a program on counterexamples found before; the first failure ends it."""
        before, verdicts = self._bench.sandbox.spent, self._corpus.verdicts
        inputs = [Input.again(test) for test in tests]
        wrong = verdicts.wrong(solution.text, inputs, verdicts.right(inputs))
        sure = (verdicts.alone(solution.text, one) for one in wrong if one is not None)
        first = next((one for one in sure if one is not None), None)
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

    def _differing(self, program: str, round_: Round) -> tuple[list[Wrong], list[Wrong]]:
        """Return what is wrong on fair inputs, the smallest first, and on all others."""
        wrong = self._corpus.verdicts.wrong(program, round_.inputs, round_.right)
        fair, strange = list[Wrong](), list[Wrong]()
        for one, counts in zip(wrong, round_.fair, strict=True):
            if one is not None:
                (fair if counts and self._in_range(one) else strange).append(one)
        form = self._corpus.form
        fair.sort(
            key=lambda one: (
                one.input.calls is Calls.REPEATED,  # who is wrong at once is told so
                form.weight(form.value(one.input)),
            )
        )
        return fair[:3], strange

    def _in_range(self, wrong: Wrong) -> bool:
        """Say whether a program that took too much did so on an input as those seen."""
        if wrong.status not in (Status.TLE, Status.MLE):
            return True
        return self._corpus.form.bounds.within(wrong.input)

    def _refuted(
        self, program: str, wrong: Wrong, more: Callable[[], bool]
    ) -> Counterexample | None:
        """Make a failing input small, and see that it fails in another layout as well."""
        form = self._corpus.form
        _, wrong = shrunk(
            form.value(wrong.input),
            wrong,
            lambda batch: list(self._failing(program, batch, wrong.input.calls)),
            form,
            more=more,
        )
        self._bench.sandbox.restart()
        again = self._failing_inputs(program, [wrong.input])[0]
        if again is None or not self._corpus.verdicts.agree(wrong, again):
            return None
        return Counterexample(
            arguments=wrong.input.told,
            links=wire.dumps(list(wrong.input.links)).decode(),
            calls=wrong.input.calls,
            failed=again.failed,
            status=again.status,
        )

    def _failing(
        self, program: str, batch: Sequence[Any], calls: Calls
    ) -> Iterator[Wrong | None]:
        inputs = [self._corpus.form.input(value) for value in batch]
        if calls is Calls.REPEATED:
            inputs = [one and one.repeated for one in inputs]
        found = self._failing_inputs(program, [one for one in inputs if one is not None])
        alone = self._corpus.verdicts.alone
        verdicts = (wrong and alone(program, wrong) for wrong in found)
        return (None if one is None else next(verdicts) for one in inputs)

    def _failing_inputs(self, program: str, inputs: Sequence[Input]) -> list[Wrong | None]:
        verdicts, fair = self._corpus.verdicts, self._corpus.fair(inputs)
        asked = [one for one, counts in zip(inputs, fair, strict=True) if counts]
        wrong = iter(verdicts.wrong(program, asked, verdicts.right(asked)))
        found = (next(wrong) if counts else None for counts in fair)
        return [one if one is not None and self._in_range(one) else None for one in found]


def _line(wrong: Wrong) -> str:
    case = wrong.failed
    return f"{case.input[:200]}: expected {case.expected[:120]}, got {case.got[:120]}"
