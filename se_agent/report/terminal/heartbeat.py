"""A sign of life: who has been silent for long is asked to say something.

Not here: what is said.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_OFTEN = 1.0  # seconds between two looks


class Beat:
    """Calls somebody from a thread of its own after each long silence.

    Args:
        say: Is given the seconds of silence since something was heard.
        long: Seconds of silence until it is called, and between two calls.
        clock: Seconds, from any time on.
    """

    def __init__(
        self,
        say: Callable[[float], None],
        long: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._say = say
        self._long = long
        self._clock = clock
        self._begun = self._last = clock()
        self._saying = False
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to listen."""
        self._thread = threading.Thread(target=self._listen, name="beat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Listen no more."""
        self._done.set()
        if self._thread is not None:
            self._thread.join()

    def heard(self) -> None:
        """Take note that something was said; what is said on demand ends no silence."""
        self._last = self._clock()
        if not self._saying:
            self._begun = self._last

    def look(self) -> None:
        """Have something said, if nothing was for long."""
        if self._clock() - self._last < self._long:
            return
        self._saying = True
        try:
            self._say(self._clock() - self._begun)
        finally:
            self._saying = False

    def _listen(self) -> None:
        while not self._done.wait(_OFTEN):
            self.look()
