"""An event loop on a thread of its own, for the threads that wait for what is done on it.

Not here: what is done on it (`openai`).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

T = TypeVar("T")

_LONGEST = 5.0  # seconds that the end of a loop may take; its thread then dies with the process
_STEPS = 10  # that what has just begun may take: else Python warns of work that was never begun


class Background:
    """A loop that starts with the first work, and ends for good with `close`.

    1. `run` may be called by any number of threads, and blocks each until its work is done.
    2. `close` cancels all work, by any thread, as often as one likes; whoever waits in `run`,
       or calls it later, gets None.

    Args:
        name: Name of the thread.
        at_end: Is awaited on the loop when all work has ended.
    """

    def __init__(self, name: str, at_end: Callable[[], Awaitable[None]]) -> None:
        self._name = name
        self._at_end = at_end
        self._lock = threading.Lock()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Return what the work returns, or raise what it raises; None: the loop was closed."""
        with self._lock:
            if self._closed:
                work.close()
                return None
            future = asyncio.run_coroutine_threadsafe(work, self._loop or self._started())
        try:
            return future.result()
        except CancelledError:
            return None
        except BaseException:
            future.cancel()  # whoever waited was interrupted: nobody needs the rest
            raise

    def close(self) -> None:
        """Cancel what is under way, and wait for the thread to end."""
        with self._lock:
            self._closed = True
            if self._loop and self._stop and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._stop.set)
        if self._thread:
            self._thread.join(_LONGEST)

    def _started(self) -> asyncio.AbstractEventLoop:
        ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(ready)), name=self._name, daemon=True
        )
        self._thread.start()
        ready.wait()
        assert self._loop, "set before it is ready"
        return self._loop

    async def _serve(self, ready: threading.Event) -> None:
        self._stop, self._loop = asyncio.Event(), asyncio.get_running_loop()
        ready.set()
        await self._stop.wait()
        for _ in range(_STEPS):
            await asyncio.sleep(0)
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        await self._at_end()
