"""An input that refuted a program, made small to be shown: one of the visible or measured ones.

What a search makes up is small as it is. An input of the user's may be of any size, and all may
be of the same: others are made around it, whatever the lengths that were seen.
"""

from __future__ import annotations

from functools import cached_property

from evaluators.answers.bench import Bench
from evaluators.counterexample.asking import Input, ProgramReply
from evaluators.counterexample.corpus import Corpus
from evaluators.counterexample.differences import Wrong
from evaluators.counterexample.forms import LooseForm
from evaluators.counterexample.search import CounterexampleSearch
from evaluators.counterexample.verdicts import Verdicts
from se_agent.values.evaluation import Counterexample, Status
from se_agent.values.solution import Solution

_BESIDE = 256 << 10  # bytes of other inputs that are looked at for what all have in common
LONGEST = 8 << 20
"""Bytes of an input that is made smaller: of a larger one each look takes seconds."""


class Around(Corpus):
    """The corpus around one input: the same search, from there.

    Args:
        bench: Where programs run.
        data: The input.
        seed: Seed of the run.
    """

    def __init__(self, bench: Bench, data: bytes, *, seed: int) -> None:
        super().__init__(bench, LooseForm, seed=seed)
        self._data = data

    @cached_property
    def seen(self) -> tuple[bytes, ...]:
        """The input, and some of the visible cases, the smallest first."""
        cases = self._bench.pool.real([case.input for case in self._bench.problem.cases])
        room, kept = _BESIDE, [self._data]
        for other in sorted(dict.fromkeys(cases), key=len):
            room -= len(other)
            if room < 0:
                break
            kept.append(other)
        return tuple(dict.fromkeys(kept))

    def expect(self, wrong: Wrong) -> None:
        """Hold programs to the exceptions that the initial one raises on the input."""
        self.verdicts = self.verdicts.expecting([ProgramReply(Status.AC, wrong.right)])


def reduced(
    bench: Bench, solution: Solution, data: bytes, *, seconds: float, seed: int
) -> Counterexample | None:
    """Return a small input on which a program is wrong, or the given one as it is.

    Args:
        bench: Where programs run.
        solution: The program.
        data: An input on which it was seen to be wrong.
        seconds: CPU seconds that this may take, on top of one call of either program.
        seed: Seed of the run.

    Returns:
        None where the program is right now.

    Raises:
        SandboxError: The initial program does not answer the input any more.
    """
    around = Around(bench, data, seed=seed)
    program = bench.runner.program_of(solution)
    wrong = Verdicts(bench, around.asking).settled(program, Input(data))
    if wrong is None:
        return None
    whole = Counterexample(arguments=wrong.input.told, failed=wrong.failed, status=wrong.status)
    if len(data) > LONGEST or wrong.status is Status.TLE:  # each look at it would take long
        return whole
    around.expect(wrong)
    search = CounterexampleSearch(bench, around)
    return search.made_small(solution, wrong, seconds=seconds) or whole
