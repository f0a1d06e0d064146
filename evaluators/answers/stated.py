"""What a row of a problem set states, against what its program answers: alike, loosely.

Such rows mix up lists and tuples, so that nobody is held to them. Not here: what is right
(`evaluators.answers.oracle`).
"""

from __future__ import annotations

import math
import re

from evaluators.answers.bench import Bench
from evaluators.running.shown import one_line
from se_agent.errors import ProblemError

_NEAR = 1e-6
_TUPLE = (
    "most likely `args` is wrong: it is the tuple of arguments, ([1, 2],) where there is one"
)


def unlike(bench: Bench) -> list[str]:
    """Note the first case of which the row states something else than its program answers."""
    if not bench.problem.stated:
        return []
    cases, runner = bench.problem.cases, bench.runner
    answers = bench.oracle.case_answers(bench.pool.real([case.input for case in cases]))
    for case, stated, given in zip(cases, bench.problem.stated, answers, strict=True):
        try:
            wanted = runner.typed(runner.literal(stated).value)
        except (ProblemError, TypeError, RecursionError):
            continue  # no literal: nothing to compare with
        if given.error or not alike(wanted, runner.typed(given.value)):
            row = f"The row states {one_line(stated)} for {case.name!r}"
            if given.error:
                return [_raised(row, bench.problem.entry_point, given.error)]
            got = one_line(runner.show(given.value))
            return [f"{row}, its program answers {got}: the program is believed."]
    return []


def _raised(row: str, entry_point: str, error: str) -> str:
    """Note that a value is stated where the program raises an exception, and why perhaps.

    Args:
        row: What the row states, and of which case.
        entry_point: What was called.
        error: The exception, with its type.
    """
    what = one_line(error).rstrip(".")
    told = f"{row}, but its program raises {what}. The program is believed"
    if re.match(rf"TypeError: {re.escape(entry_point)}\(\) (takes|missing) ", error):
        return f"{told}; {_TUPLE}."
    return f"{told}."


def alike(one: object, other: object) -> bool:
    """Compare loosely: lists and tuples are the same, and so are numbers that are near.

    Args:
        one: From a Python literal.
        other: What a program answered; arrays are lists.
    """
    if hasattr(other, "tolist"):
        other = other.tolist()
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[k], other[k]) for k in one)
    if isinstance(one, float) and isinstance(other, int | float):
        return _near(one, other)
    if isinstance(one, int) and isinstance(other, float):
        return _near(one, other)
    return bool(one == other)


def _near(one: float, other: float) -> bool:
    try:
        return math.isclose(one, other, rel_tol=_NEAR, abs_tol=_NEAR)
    except OverflowError:  # an integer beyond all floats
        return False
