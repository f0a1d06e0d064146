"""What a jail reports, checked before anything is made of it: the one door for all readers.

A program may report whatever it likes: counts that no journal holds, times without end, a
range longer than all memory where a list is due. What does not fit is a `WireError`, which a
reader takes for a report that is none; it is the loss of that program and of nobody else. Pure.
Not here: decoding (`se_agent.wire`), and how answers are compared (`evaluators.answers.check`).
"""

from __future__ import annotations

import math
import re
from typing import Any  # a report may be of any type

from se_agent.errors import WireError

MOST = 1 << 60
"""Largest count, bytes or seconds; more is made up."""

_DIGITS = re.compile(rb"[0-9]{1,18}")


def rows(found: object) -> list[Any] | tuple[Any, ...]:
    """Return a list or tuple as it is.

    Raises:
        WireError: It is none: a range of a program may be longer than all memory.
    """
    if type(found) is list or type(found) is tuple:
        return found
    raise _unfit(found, "a list")


def part(found: object, index: int) -> Any:
    """Return one element of a list or tuple.

    Raises:
        WireError: It is none, or has not so many.
    """
    parts = rows(found)
    if index < len(parts):
        return parts[index]
    raise _unfit(found, f"{index + 1} values")


def place(found: object, most: int) -> int:
    """Return the number of a line, from 1.

    Raises:
        WireError: It is none of that many lines.
    """
    if type(found) is int and 0 < found <= most:
        return found
    raise _unfit(found, "a line")


def figure(found: object) -> float:
    """Return a count, bytes or seconds, cut to what a journal holds: 0 to `MOST`.

    Raises:
        WireError: It is no number, or not finite.
    """
    if type(found) is int or (type(found) is float and math.isfinite(found)):
        return min(max(found, 0), MOST)
    raise _unfit(found, "a number")


def real(found: object) -> float:
    """Return a float as it is, which need not be finite.

    Raises:
        WireError: It is none.
    """
    if type(found) is float:
        return found
    raise _unfit(found, "a float")


def seconds(packed: float, most: float) -> float:
    """Return seconds that a process says it took, 0 to `most`; no number is `most`."""
    return min(max(packed, 0.0), most) if math.isfinite(packed) else most


def count(digits: bytes) -> int | None:
    """Return a count that is written in decimal; None for what is none, or too long for one."""
    return int(digits) if _DIGITS.fullmatch(digits) else None


def _unfit(found: object, due: str) -> WireError:
    return WireError(f"a {type(found).__name__} where {due} is due")
