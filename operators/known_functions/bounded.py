"""Calls of a library function that cannot take long, whatever they are given.

Lines are counted, not seconds, so that the same calls give the same answer on every machine.
Not here: the jail. A library function is ours; it is bounded because nobody asked for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from enum import Enum
from types import FrameType
from typing import Any  # arguments and results are plain data of any type

from operators.known_functions.adapter import FAILURES

_CALL = 5_000  # lines that one call may run
_ALL = 60_000  # lines that all calls of one function may run


class Silence(Enum):
    """Why there is no result."""

    REFUSED = "refused"  # the function said that it is not made for these arguments
    BROKE = "broke"  # it failed in another way
    LONG = "long"  # it was stopped, or not called any more


class _TooLongError(BaseException):
    """The lines are used up; nothing that a library function catches."""


class Bounded:
    """A function whose calls share a number of lines."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._left = _ALL

    def __call__(self, arguments: Sequence[Any]) -> Any:
        """Return what the function returns, or why it did not."""
        allowed = left = min(_CALL, self._left)
        if left <= 0:
            return Silence.LONG

        def trace(_: FrameType, event: str, __: object) -> Any:
            nonlocal left
            if event == "line":
                left -= 1
                if left < 0:
                    raise _TooLongError
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            return self._function(*arguments)
        except _TooLongError:
            return Silence.LONG
        except (TypeError, ValueError):
            return Silence.REFUSED
        except MemoryError:
            left = self._left = 0  # what does not fit once is not tried again
            return Silence.LONG
        except FAILURES:
            return Silence.BROKE
        finally:
            sys.settrace(before)
            self._left -= allowed - left
