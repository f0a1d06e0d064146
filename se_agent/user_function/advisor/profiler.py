"""Profiles a program from within: what functions cost by themselves and with what they call.

The text of this module is sent into the jail, or run as a file in front of a command, under any
Python from 3.9 on: it imports the standard library only. What it reports may be made up by the
program; `costs` reads it with care. Not here: what is worth the work (`ranking`).
"""

from __future__ import annotations

import cProfile
import time
from typing import Any  # what is called takes and gives anything

_MOST = 3000  # functions that are reported, those that cost most
_TRIES = 2000  # calls of an empty function that show what watching one costs

# File, name, line, calls, own seconds, seconds with what it calls, and its callees: the place
# of each among the rows, the calls, and the seconds of these with what they call in turn.
Row = tuple[str, str, int, int, float, float, list[tuple[int, int, float]]]


class Profiler:
    """Watches the calls of one thread; time is its CPU time."""

    def __init__(self) -> None:
        self._watch = cProfile.Profile(time.thread_time, builtins=False)

    def start(self) -> None:
        """Begin to watch."""
        self._watch.enable()

    def stop(self) -> None:
        """Watch no more."""
        self._watch.disable()

    def call(self, function: Any, arguments: Any = ()) -> Any:
        """Watch one call, and return what it gives."""
        self.start()
        try:
            return function(*arguments)
        finally:
            self.stop()

    def rows(self) -> list[Row]:
        """Return what was seen, without what watching itself takes."""
        inside, outside = _cost_of_watching()
        seen = [one for one in self._watch.getstats() if not isinstance(one.code, str)]
        seen.sort(key=lambda one: -one.totaltime)
        places = {one.code: place for place, one in enumerate(seen[:_MOST])}
        rows: list[Row] = []
        for one in seen[:_MOST]:
            below = [each for each in one.calls or () if each.code in places]
            calls = one.callcount - one.reccallcount or one.callcount
            taken = inside * one.callcount + outside * sum(each.callcount for each in below)
            code: Any = one.code
            rows.append(
                (
                    code.co_filename,
                    getattr(code, "co_qualname", code.co_name),
                    code.co_firstlineno,
                    calls,
                    max(0.0, one.inlinetime - taken),
                    one.totaltime,
                    [(places[each.code], each.callcount, each.totaltime) for each in below],
                )
            )
        return rows


def _cost_of_watching() -> tuple[float, float]:
    """Return the seconds that watching adds to a call, and to who makes it."""

    def empty() -> None:
        pass

    def many() -> None:
        for _ in range(_TRIES):
            empty()

    begun = time.thread_time()
    many()
    plain = time.thread_time() - begun
    watch = cProfile.Profile(time.thread_time, builtins=False)
    watch.enable()
    many()
    watch.disable()
    own = {one.code: one.inlinetime for one in watch.getstats()}
    inside, outside = own[empty.__code__], own[many.__code__]
    # About half of a plain call is spent on each side of it.
    return tuple(max(0.0, each - plain / 2) / _TRIES for each in (inside, outside))  # type: ignore[return-value]
