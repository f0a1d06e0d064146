"""How far a command is: a line that is rewritten on a terminal, elsewhere one now and then.

Not here: the picture of a run (`se_agent.report.terminal.live`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from se_agent.cli.screen import Screen

if TYPE_CHECKING:
    from rich.live import Live

SILENCE = 5.0
"""Seconds after which a line says where it is, where nothing can be rewritten."""


class Progress:
    """Tells which step begins, and within a step how far it is.

    Args:
        screen: Where it is shown.
        clock: Seconds, from any time on.
    """

    def __init__(self, screen: Screen, clock: Callable[[], float] = time.monotonic) -> None:
        self._screen = screen
        self._clock = clock
        self._last = clock()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self._screen.moving:
            from rich.live import Live

            self._live = Live(console=self._screen.console, transient=True, auto_refresh=False)
            self._live.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._live is not None:
            self._live.stop()

    def step(self, text: str) -> None:
        """Say what begins now: a line that stays."""
        self._show("")
        self._screen.say(text)
        self._last = self._clock()

    def at(self, text: str) -> None:
        """Say how far it is."""
        if self._live is not None:
            self._show(text)
        elif self._clock() - self._last >= SILENCE:
            self.step(f"  {text}")

    def _show(self, text: str) -> None:
        if self._live is not None:
            from rich.text import Text

            from se_agent.report.words.phrases import one_line

            fit = one_line(text, self._screen.console.width)
            self._live.update(Text(fit, style="dim", no_wrap=True), refresh=True)
