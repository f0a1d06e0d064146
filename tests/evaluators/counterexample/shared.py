"""Evaluators that the tests of a file only ask: one for each problem, closed after the file.

A run asks one evaluator about all its programs, too.
"""

from __future__ import annotations

from evaluators.kinds.function import FunctionEvaluator
from evaluators.kinds.stdio import StdioEvaluator
from se_agent.config.sections import Measure
from se_agent.problem.model import Problem, ProblemKind
from se_agent.values.evaluation import Hunt
from se_agent.values.solution import Solution

_made: list[tuple[Problem, FunctionEvaluator | StdioEvaluator]] = []


def evaluator_of(problem: Problem) -> FunctionEvaluator | StdioEvaluator:
    """Return the evaluator of a problem of functions or scripts; callers leave it open."""
    for known, made in _made:
        if known == problem:
            return made
    kind = FunctionEvaluator if problem.kind is ProblemKind.FUNCTION else StdioEvaluator
    new = kind(problem, measure=Measure())
    _made.append((problem, new))
    return new


def hunt(problem: Problem, text: str, *, seconds: float, strict: bool = False) -> Hunt:
    """Return what a search comes to for a program of this text."""
    solution = Solution(id="a", files={problem.path: text})
    return evaluator_of(problem).hunt(solution, seconds=seconds, strict=strict)


def close() -> None:
    """End all that were made."""
    while _made:
        _made.pop()[1].close()
