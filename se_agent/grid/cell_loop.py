"""Many cells, some of them at a time, in their order. One that fails spoils none.

Not here: how a cell runs (`cell_run`, `cell_process`), nor what is shown of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

_Item = TypeVar("_Item")
_Found_co = TypeVar("_Found_co", covariant=True)
_Found = TypeVar("_Found")
_PAUSE = 0.05
"""Seconds between two looks at what runs: a cell takes many times as long."""


class RunningCell(Protocol[_Found_co]):
    """A cell that was begun."""

    def poll(self) -> _Found_co | None:
        """Return what it came to; None while it runs."""

    def stop(self) -> None:
        """End it and wait for that; what it measured is saved."""


@dataclass(frozen=True)
class EndedCell(Generic[_Found]):
    """A cell that ran to its end within the call that began it."""

    found: _Found

    def poll(self) -> _Found | None:
        """Return what it came to."""
        return self.found

    def stop(self) -> None:
        """Nothing runs any more."""


def run_cells(
    items: Iterable[_Item],
    begin: Callable[[_Item, int], RunningCell[_Found]],
    on_end: Callable[[_Item, _Found], None],
    *,
    jobs: int = 1,
    on_wait: Callable[[Sequence[_Item]], None] | None = None,
) -> None:
    """Begin each cell once there is room for it; interrupted, end those that run.

    Args:
        items: The cells; the next is asked for when there is room for it.
        begin: Begins a cell; is told how many run then, this one included.
        on_end: Is told what a cell came to.
        jobs: Number of cells at a time.
        on_wait: Is told again and again of the cells that run, while none of them ends.
    """
    waiting, running = iter(items), list[tuple[_Item, RunningCell[_Found]]]()
    try:
        while True:
            while len(running) < jobs and (item := next(waiting, None)) is not None:
                running.append((item, begin(item, len(running) + 1)))
            if not running:
                return
            if _take_ended(running, on_end):
                continue
            if on_wait:
                on_wait([item for item, _ in running])
            time.sleep(_PAUSE)
    finally:
        for _, cell in running:
            cell.stop()


def _take_ended(
    running: list[tuple[_Item, RunningCell[_Found]]], on_end: Callable[[_Item, _Found], None]
) -> bool:
    """Take the cells that have ended off the list; say whether there was one."""
    ended = [(pair, found) for pair in running if (found := pair[1].poll()) is not None]
    for pair, found in ended:
        running.remove(pair)
        on_end(pair[0], found)
    return bool(ended)
