"""A failing input made as small as it goes: many smaller ones are asked about at once.

A shrinker that tries one input after the other pays two processes for each; here they go by
the dozen, and the smallest that still fails is where the next round starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar  # values of any type that may cross the wire

from evaluators.counterexample.forms import Form

F = TypeVar("F")

_BATCH = 1 << 15  # parts of all inputs that are asked about at once


def shrunk(
    start: Any,
    found: F,
    failing: Callable[[Sequence[Any]], Sequence[F | None]],
    form: Form,
    *,
    more: Callable[[], bool],
) -> tuple[Any, F]:
    """Return the smallest failing input that was found, and what was found of it.

    Args:
        start: A failing input.
        found: What was found of it.
        failing: Says what is wrong with the answers to inputs; None where nothing is, and it
            may be where a lighter input fails.
        form: Knows smaller ones, and what makes an input a fair one.
        more: Whether there is time.
    """
    while more():
        better = _next(start, failing, form, more)
        if better is None:
            break
        start, found = better
    return start, found


def _next(
    start: Any,
    failing: Callable[[Sequence[Any]], Sequence[F | None]],
    form: Form,
    more: Callable[[], bool],
) -> tuple[Any, F] | None:
    waiting = _steps(start, form)
    at_once = max(1, min(form.at_once, _BATCH // (1 + form.weight(start)[0])))
    while more():
        batch = list(islice(waiting, at_once))
        if not batch:
            return None
        pairs = zip(batch, failing(batch), strict=True)
        hits = [(arguments, wrong) for arguments, wrong in pairs if wrong is not None]
        if hits:
            return min(hits, key=lambda hit: form.weight(hit[0]))
    return None


def _steps(start: Any, form: Form) -> Iterator[Any]:
    """Yield smaller inputs, each once."""
    most, seen = form.weight(start), set[str]()
    for plain in form.smaller(start):
        for arguments in (plain, form.bounds.bend(plain)):
            name = repr(arguments)
            if name not in seen and form.weight(arguments) < most:
                seen.add(name)
                yield arguments
