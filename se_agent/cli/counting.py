"""Progress of work that is counted: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from se_agent.cli.screen import Screen

_SILENCE = 3.0  # seconds without a line

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
