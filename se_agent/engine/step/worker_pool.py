"""The threads of a search: each takes on one kind of work, and tells when it is done.

Not here: what is done (`loop`), nor the evaluators and models that do it.
"""

from __future__ import annotations

import enum
import queue
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import NamedTuple, Self


class Work(enum.Enum):
    """What a thread does for a slot."""

    ASK = "ask"
    MEASURE = "measure"
    CLOSE = "close"


class WorkResult(NamedTuple):
    """A piece of work that is finished, and what came of it."""

    work: Work
    slot: int
    result: object


class WorkerPool:
    """Threads for each kind of work, with what they wait to tell.

    1. Used by one thread.
    2. Work of a kind is begun in the order in which it was given.
    3. To leave it is to wait for what is under way; before, that has to be told to end.
    """

    def __init__(self, *, in_flight: int, workers: int) -> None:
        """Have threads for calls and for evaluations, and one that closes steps.

        Args:
            in_flight: Calls at a time. Of several there are twice as many threads for them: who
                asks is ready with its prompt when a call ends (`Calls` sees to it that it
                waits). One at a time asks in the order of the slots.
            workers: Evaluations at a time.
        """
        asking = 2 * in_flight if in_flight > 1 else 1
        sizes = {Work.ASK: asking, Work.MEASURE: workers, Work.CLOSE: 1}
        self._pools = {work: ThreadPoolExecutor(size) for work, size in sizes.items()}
        self._done: queue.SimpleQueue[tuple[Work, int, Future[object]]] = queue.SimpleQueue()
        self._given = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        err: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in self._pools.values():
            pool.shutdown()

    def give(self, work: Work, slot: int, function: Callable[[], object]) -> None:
        """Have a function called by the next thread that is free."""
        self._given += 1
        future = self._pools[work].submit(function)
        future.add_done_callback(lambda done: self._done.put((work, slot, done)))

    @property
    def busy(self) -> bool:
        """Whether there is something to wait for."""
        return self._given > 0

    def wait(self) -> WorkResult:
        """Return the next piece of work that is finished; what it raised is raised here."""
        work, slot, future = self._done.get()
        self._given -= 1
        return WorkResult(work, slot, future.result())
