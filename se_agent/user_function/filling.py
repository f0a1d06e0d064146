"""Recorded calls that are too short to measure: others are made up, like them.

Tests call a function to see that it is right: a few times, on small inputs. Measured on these
alone, a third of the functions of published packages would be refused. Not here: how an input
is made (the evaluators), nor which inputs are measured (`plan`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import replace
from itertools import islice

from se_agent import wire
from se_agent.problem.model import RUN_INPUTS
from se_agent.user_function.inputs import SHARES, with_made_up
from se_agent.user_function.jail_calls import Answered
from se_agent.user_function.plan import given
from se_agent.user_function.survey import Survey

Further = Callable[[Sequence[bytes], str, str], Iterator[bytes]]
"""Makes inputs up, like others, for a function of this name in a text; all in wire form."""

_SHORT = 0.4  # share of what a run shall take; half of that both sets need, and a look is rough
_BATCH = 64  # inputs that one process is asked about
_SECONDS = 0.5  # CPU seconds of all that are made up; a batch that takes half of it is left out
_BYTES = 16_000_000  # of all that are made up, and of their answers
_STRIKES = 3  # batches that are left out, or end before their time, after which it is over
_LARGEST = 8 << 10  # bytes of an input that is changed
_MOST = SHARES * RUN_INPUTS


def filled(survey: Survey, further: Further, *, enough: float) -> Survey:
    """Return the survey with inputs made up, where recorded calls are too short together.

    Only such on which the function raises nothing, and answers as it was seen to: as many as
    runs may answer, unless fewer take long enough.

    Args:
        survey: A survey of recorded calls alone; any other is returned as it is.
        further: Makes inputs up.
        enough: CPU seconds that a run shall take.

    Raises:
        ProblemError: The function answers none of its inputs; see `Survey.answered`.
    """
    source = survey.source
    if not source.only_recorded:
        return survey
    cases = tuple(given(source))
    calls = survey.made([case.input for case in cases])
    look = survey.answered(calls, [case.name for case in cases])
    known = len(set(calls))
    if look.seconds / look.answered * known >= _SHORT * enough:
        return survey
    small = [data for data in calls if len(data) <= _LARGEST]
    target = survey.caller.target
    made = further(small, target.module.text, target.function)
    usual = _Usual(survey.caller.called(calls).answers)
    loading = survey.caller.idle(calls).cpu_seconds
    chosen = tuple(islice(_answered(survey, made, usual, loading), max(0, _MOST - known)))
    return replace(survey, source=with_made_up(source, chosen)) if chosen else survey


class _Usual:
    """Knows the kinds of answers to recorded calls, and how common each is.

    Where the function finds nothing, say, it takes another way through its code: a gain there
    is none for those who call it with what is found.
    """

    def __init__(self, recorded: Sequence[Answered]) -> None:
        self._seen = Counter(_kind(one) for one in recorded if not one.error)
        self._used = Counter[object]()

    def takes(self, answer: Answered) -> bool:
        """Say whether an answer is of a kind seen, at most twice as common; count it then."""
        kind = _kind(answer)
        share = self._seen[kind] / max(1, self._seen.total())
        if not share or self._used[kind] > 2 * share * (self._used.total() + 1):
            return False
        self._used[kind] += 1
        return True


def _kind(answer: Answered) -> object:
    """Return the type of an answer, and whether it is none, true, negative or empty."""
    value = wire.loads(answer.data)
    if value is None or isinstance(value, bool):
        return value
    number = isinstance(value, int | float)
    return type(value), (value > 0) - (value < 0) if number else _empty(value)


def _empty(value: object) -> bool:
    return isinstance(value, Sized) and not len(value)


def _answered(
    survey: Survey, made: Iterator[bytes], usual: _Usual, loading: float
) -> Iterator[bytes]:
    """Yield inputs that the function answers, as usual, without an exception, not for long."""
    strikes, seconds, size = 0, 0.0, 0
    while strikes < _STRIKES and seconds < _SECONDS and size < _BYTES:
        batch = tuple(islice(made, _BATCH))
        if not batch:
            return
        done = survey.caller.called(batch)
        took = max(0.0, done.cpu_seconds - loading)
        if took > _SECONDS / 2:
            strikes += 1
            continue
        strikes += bool(done.failure)
        seconds += took
        asked = [*zip(batch, done.answers, strict=False)]
        size += sum(len(data) + len(one.data) + len(one.arguments) for data, one in asked)
        yield from (data for data, one in asked if not one.error and usual.takes(one))
