"""Progress of work that is counted, or told in words: it redraws itself on a terminal.

Elsewhere it is a line now and then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from se_agent.cli.screen import Screen

_SILENCE = 3.0  # seconds without a line
_MOVING, _STILL = 2.0, 60.0
_INDENT = 14
_CLOCK = 12  # columns of the seconds

Told = Callable[[int, int], None]


@contextmanager
def counting(
    screen: Screen, what: str, clock: Callable[[], float] = time.monotonic
) -> Iterator[Told]:
    """Give the body a function that is told how much is done, and of how much.

    Args:
        screen: Where progress is shown; nothing of a bar stays.
        what: Is counted.
        clock: Tells seconds.
    """
    if not screen.moving:
        yield _lines(screen, what, clock)
        return
    from rich.progress import Progress

    with Progress(console=screen.console, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def _lines(screen: Screen, what: str, clock: Callable[[], float]) -> Told:
    last = clock()

    def told(done: int, of: int) -> None:
        nonlocal last
        if done < of and clock() - last > _SILENCE:
            screen.say(f"{what}: {done} of {of}")
            last = clock()

    return told


class LiveLine:
    """A line that somebody has something new for now and then.

    Args:
        show: Shows a text.
        pause: Seconds between two texts.
        clock: Tells seconds.
    """

    def __init__(
        self,
        show: Callable[[str], None],
        pause: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._show, self._pause, self._clock = show, pause, clock
        self._last = clock()

    def is_due(self) -> bool:
        """Say whether the last text is old enough for another one."""
        return self._clock() - self._last >= self._pause

    def show(self, text: str) -> None:
        """Show a text in the place of the last one."""
        self._last = self._clock()
        self._show(text)


@contextmanager
def live_line(screen: Screen) -> Iterator[LiveLine]:
    """Give the body a line below all that is printed meanwhile; nothing of it stays there."""
    if not screen.moving:
        yield LiveLine(lambda text: screen.say(f"{'':>{_INDENT}}{text}"), _STILL)
        return
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    from se_agent.report.words.phrases import one_line

    columns = (TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=screen.console, transient=True) as bar:
        task = bar.add_task("", total=None)
        room = screen.console.width - _CLOCK
        yield LiveLine(lambda text: bar.update(task, description=one_line(text, room)), _MOVING)
