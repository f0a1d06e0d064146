"""Calls of a library function that cannot take long, whatever they are given.

Lines are counted, not seconds, so that the same calls give the same answer on every machine.
Not here: the jail. A library function is ours; it is bounded because nobody asked for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import FrameType
from typing import Any  # arguments and results are plain data of any type

from operators.known_functions.adapter import FAILURES

_CALL = 5_000  # lines that one call may run
_ALL = 60_000  # lines that all calls of one function may run
_PLAIN = (bool, int, float, str, type(None))
_BITS, _ITEMS = 4096, 512  # of arguments that results are remembered for
_REMEMBERED = 32 * 2**20  # bytes of results, about


class Silence(Enum):
    """Why there is no result."""

    REFUSED = "refused"  # the function said that it is not made for these arguments
    BROKE = "broke"  # it failed in another way
    LONG = "long"  # it was stopped, or not called any more


class _TooLongError(BaseException):
    """The lines are used up; nothing that a library function catches."""


@dataclass
class KnownResults:
    """Results of calls, with the lines that they ran, as long as there is room.

    A program and the next one that is watched make nearly the same calls. Only results that
    nobody can change are kept, and lists of them.
    """

    _results: dict[tuple[Callable[..., Any], str], tuple[Any, int, int]] = field(
        default_factory=dict
    )
    _size: int = 0

    def find(self, function: Callable[..., Any], key: str, most: int) -> tuple[Any, int] | None:
        """Return what came of a call that was allowed as many lines, and the lines it ran."""
        found = self._results.get((function, key))
        if found is None or found[2] != most:
            return None
        result, lines, _ = found
        return (result.copy() if isinstance(result, list) else result), lines

    def keep(
        self, function: Callable[..., Any], key: str, result: Any, lines: int, most: int
    ) -> None:
        """Keep what came of a call, unless it could be changed."""
        items = result if isinstance(result, list) else [result]
        if not all(isinstance(item, (*_PLAIN, Silence)) for item in items):
            return
        self._size += len(key) + sum(map(sys.getsizeof, items))
        if self._size > _REMEMBERED:
            self._results.clear()
            self._size = 0
        kept = items.copy() if isinstance(result, list) else result
        self._results[function, key] = kept, lines, most


def _is_small(value: Any) -> bool:
    """Say whether a value is told from others at little cost: numbers and short collections."""
    if isinstance(value, int):
        return value.bit_length() < _BITS
    if isinstance(value, str):
        return len(value) < _ITEMS
    if isinstance(value, list | tuple):
        return len(value) < _ITEMS and all(map(_is_small, value))
    return value is None or isinstance(value, float)


class Bounded:
    """A function whose calls share a number of lines.

    Args:
        function: The function.
        remembered: What came of calls before.
    """

    def __init__(self, function: Callable[..., Any], remembered: KnownResults) -> None:
        self._function = function
        self._remembered = remembered
        self._left = _ALL

    def __call__(self, arguments: Sequence[Any]) -> Any:
        """Return what the function returns, or why it did not."""
        most = min(_CALL, self._left)
        if most <= 0:
            return Silence.LONG
        if not all(map(_is_small, arguments)):
            return self._called(arguments)
        key = repr(arguments)
        if (found := self._remembered.find(self._function, key, most)) is not None:
            result, lines = found
            self._left -= lines
            return result
        before = self._left
        result = self._called(arguments)
        if self._left or before == most:  # else there was no memory: that may be another time
            self._remembered.keep(self._function, key, result, before - self._left, most)
        return result

    def _called(self, arguments: Sequence[Any]) -> Any:
        allowed = left = min(_CALL, self._left)

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
