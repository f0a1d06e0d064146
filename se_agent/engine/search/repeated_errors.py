"""Errors that were mended twice, and came back: nobody is asked to mend them again. Pure.

Told of closed steps only. Not here: who mends a failure (`authoring`).
"""

from __future__ import annotations

from typing import TypeVar

from se_agent.program.error_template import error_template
from se_agent.values.evaluation import Evaluation, Status
from se_agent.values.search_context import Failure
from se_agent.values.step import Step

TRIES = 2
"""Times that a mended program may say the same again, before its error is left alone."""

_REMEMBERED = 1024  # programs whose error is known, errors that came back


_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_Known = tuple[str, str]  # a strategy, and the template of an error


class RepeatedErrors:
    """How often an error of a strategy was there again after it had been mended.

    One that is mended at last begins anew: it can be mended.
    """

    def __init__(self) -> None:
        self._errors: dict[str, _Known] = {}
        self._returns: dict[_Known, int] = {}

    def tell(self, step: Step) -> None:
        """Take note of a program that fails, and of one that was mended, in vain or not."""
        before = self._errors.get(step.slot.subject)
        if step.evaluation is None:
            return
        found = (step.slot.strategy, error_key(step.evaluation))
        if before is not None and step.evaluation.status is Status.AC:
            self._returns.pop(before, None)
        if not found[1]:
            return
        if before == found:
            self._returns[found] = self._returns.pop(found, 0) + 1
        self._errors[step.slot.child] = found
        _forget_oldest(self._errors)
        _forget_oldest(self._returns)

    def is_hopeless(self, failure: Failure) -> bool:
        """Say whether an error was mended in vain as often as it may be."""
        known = (failure.solution.strategy, error_key(failure.evaluation))
        return self._returns.get(known, 0) >= TRIES


def _forget_oldest(known: dict[_Key, _Value]) -> None:
    if len(known) > _REMEMBERED:
        del known[next(iter(known))]


def error_key(seen: Evaluation) -> str:
    """Return the key of what a program says when it fails; empty: it says nothing itself.

    A wrong answer has no words of its own: two of them need not be one error.
    """
    if seen.status not in (Status.RE, Status.CE) or not seen.feedback:
        return ""
    return error_template(seen.feedback).key
