"""Work that cannot be counted: the seconds are counted on a terminal, it is a line elsewhere.

Not here: a run (`report.terminal.live`), and what can be counted (`counting`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from se_agent.cli.screen import Screen

_CLOCK = 12  # columns of the dots and of the seconds


@contextmanager
def phase(screen: Screen, what: str) -> Iterator[None]:
    """Say what goes on in the body.

    Args:
        screen: Where it is said; nothing of it stays on a terminal.
        what: Goes on.
    """
    if not screen.moving:
        screen.say(f"{what} ...")
        yield
        return
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    from se_agent.report.words.phrases import one_line

    columns = (TextColumn("{task.description} ..."), TimeElapsedColumn())
    with Progress(*columns, console=screen.console, transient=True) as line:
        line.add_task(one_line(what, screen.console.width - _CLOCK), total=None)
        yield
