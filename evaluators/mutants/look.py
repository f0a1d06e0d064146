"""A right program on some inputs, for its mutants to be held against.

Not here: what the mutants are (`mutants`), and what a difference says of the tests
(`strength`). Programs are run by evaluators, as in any run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Self

from se_agent.errors import ProblemError
from se_agent.problem.model import Case, Expr, Problem
from se_agent.protocols import Evaluator
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.solution import Solution

_SLOWER = 10.0
"""Times the CPU of the original, after which a mutant is taken to run for ever."""

_SHORTEST = 0.25  # CPU seconds of that limit, at least
_INPUTS = 16  # further inputs of each of the two smallest sizes
_INPUTS_SECONDS = 2.0  # CPU seconds of the original for those of one size
_SEED = 500_000  # of further inputs: apart from tests, from the search and from its end


class MutantLook:
    """Tells what mutants do differently. Processes start at first use.

    Args:
        problem: Its visible tests, or the inputs of its score, are what is looked at.
        original: The right program.
        make: Returns a new evaluator of a problem.
    """

    def __init__(
        self, problem: Problem, original: Solution, make: Callable[[Problem], Evaluator]
    ) -> None:
        self._problem = problem
        self._original = original
        self._make = make
        self._evaluator: Evaluator | None = None
        self._score: float | None = None
        self.cost_seconds = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: object, trace: TracebackType | None
    ) -> None:
        if self._evaluator is not None:
            self._evaluator.close()

    def difference(self, text: str) -> Evaluation | None:
        """Return what a program does differently from the original, or None.

        Args:
            text: Text of the program, or of the first file of one that has several.

        Raises:
            ProblemError: The inputs cannot be made, or the original is not right on them.
        """
        if self._evaluator is None:
            self._evaluator = self._started()
        files = {**self._original.files, self._problem.path: text}
        found = self._evaluated(replace(self._original, id="mutant", files=files))
        same = found.status is Status.AC and _as_good(found.score, self._score)
        return None if same else found

    def _started(self) -> Evaluator:
        """Return an evaluator that ends endless loops soon: the original says how soon."""
        right = self._original_on(self._problem)
        assert right.measurement is not None
        limits = self._problem.limits
        enough = max(_SHORTEST, _SLOWER * right.measurement.cpu_seconds)
        hasty = replace(limits, cpu_seconds=min(enough, limits.cpu_seconds))
        self._score = right.score
        return self._make(replace(self._problem, limits=hasty))

    def _original_on(self, problem: Problem) -> Evaluation:
        self._evaluator = self._make(problem)
        try:
            right = self._evaluated(self._original)
        finally:
            self._evaluator.close()
        if right.status is not Status.AC:
            raise ProblemError(
                f"the initial program of {problem.name!r} ends with {right.status} on inputs "
                f"that mutants are to be tried on: {right.feedback.strip()[:200]}",
                hint="correct the program, raise the limits, or check with --mutants 0",
            )
        return right

    def _evaluated(self, solution: Solution) -> Evaluation:
        assert self._evaluator is not None
        found = self._evaluator.evaluate(solution)
        self.cost_seconds += found.cost_seconds
        return found


def _as_good(score: float | None, other: float | None) -> bool:
    if score is None or other is None:
        return score is other
    return math.isclose(score, other, rel_tol=1e-9, abs_tol=1e-12)


def beyond_tests(problem: Problem, seconds: float) -> Problem:
    """Return the problem with other visible tests, from its generator or its inputs.

    No run measures on what a generator makes here: each may become a visible test. A scored
    problem has no tests; another seed gives it other inputs.

    Args:
        problem: With inputs.
        seconds: CPU seconds that the original takes for a large input.
    """
    if not problem.timed:
        return problem
    count = min(_INPUTS, int(_INPUTS_SECONDS / seconds)) if seconds else _INPUTS
    cases = (
        Case(name=f"{expr.code}, seed {expr.seed}", input=expr)
        for expr in _inputs(problem, max(1, count))
    )
    return replace(problem, cases=tuple(cases))


def _inputs(problem: Problem, count: int) -> Iterator[Expr]:
    ladder = problem.ladder
    if not ladder.fresh:
        yield from ladder.search[:count]
        return
    for level, codes in enumerate(ladder.rungs[: ladder.search_level + 1]):
        for index in range(count if level < 2 else 1):
            yield Expr(code=codes[index % len(codes)], seed=_SEED + index, level=level)
