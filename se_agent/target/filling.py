"""Recorded calls that are too short to measure: others are made up, like them.

Tests call a function to see that it is right: a few times, on small inputs. Measured on these
alone, nearly half of the functions of published packages would be refused. Not here: how an
input is made (the evaluators), nor which inputs are measured (`target.plan`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from se_agent.problem import RUN_INPUTS, Expr
from se_agent.target.inputs import with_made_up
from se_agent.target.survey import Survey

Further = Callable[[Sequence[bytes], str, str], Iterator[bytes]]
"""Makes inputs up, like others, for a function of this name in a text; all in wire form."""

_HALVES = 2  # the search has one, the confirmation the other
_SHORT = 0.2  # share of what a run shall take; half of that is refused, and a look is rough
_FINEST = 1e-7  # CPU seconds of a call, at least
_BATCH = 256  # inputs that one process is asked about
_STRIKES = 3  # batches that do not come to their end, after which no more are asked about
_LARGEST = 8 << 10  # bytes of an input that is changed


def filled(survey: Survey, further: Further, *, enough: float) -> Survey:
    """Return the survey with inputs made up, where recorded calls are too short together.

    Only such on which the function raises nothing, and so many that a run takes long enough.

    Args:
        survey: Of recorded calls; any other is returned as it is.
        further: Makes inputs up.
        enough: CPU seconds that a run shall take.

    Raises:
        ProblemError: The function answers none of its inputs; see `Survey.answered`.
    """
    source = survey.source
    if source.generator or not source.recorded:
        return survey
    exprs = [Expr(code=f"_recorded({index})") for index in range(source.recorded)]
    calls = survey.made(exprs)
    look = survey.answered(calls, [f"recorded call {index}" for index in range(len(calls))])
    each, known = look.seconds / look.answered, len(set(calls))
    if each * known >= _SHORT * enough * _HALVES:
        return survey
    most = min(RUN_INPUTS, math.ceil(enough / max(each, _FINEST))) * _HALVES
    small = [data for data in calls if len(data) <= _LARGEST]
    target = survey.caller.target
    made = further(small, target.module.text, target.function)
    chosen = tuple(islice(_answered(survey, made), max(0, most - known)))
    return replace(survey, source=with_made_up(source, chosen)) if chosen else survey


def _answered(survey: Survey, made: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the inputs that the function answers, without an exception."""
    strikes = 0
    while strikes < _STRIKES and (batch := tuple(islice(made, _BATCH))):
        done = survey.caller.called(batch)
        asked = zip(batch, done.answers, strict=False)
        yield from (data for data, answer in asked if not answer.error)
        strikes += bool(done.failure)
