"""Run something that makes a run: show it, end it well, and say what came of it.

`run` and `resume` are this with different work. Interruption is a normal end here: the journal
has everything, and the last line says how to go on.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.cli.conclusion import conclude
from se_agent.cli.row import broken_off, row
from se_agent.cli.screen import Screen
from se_agent.command import command
from se_agent.errors import ModelError

if TYPE_CHECKING:
    from se_agent.engine.record.result import Result
    from se_agent.protocols import Listener

INTERRUPTED = 130
NO_GENERATION = 3


class Watch:
    """Remembers the run folder, which is all that matters once something goes wrong."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def __call__(self, folder: Path) -> None:
        """Take note of it."""
        self.folder = folder


Work = Callable[["Listener", Watch], "Result"]


def drive(
    work: Work,
    screen: Screen,
    *,
    folder: Path | None = None,
) -> int:
    """Do the work, show it, and return the exit code.

    Args:
        work: Starts or resumes a run; is given a listener, and whom to tell the run's folder.
        screen: Where it is shown.
        folder: Of the run, where it exists already.

    Raises:
        SeAgentError: As the work raises it; with `--json` the row was printed before.
    """
    watch = Watch(folder)
    try:
        with terminable(), screen.view(folder) as view:
            result = work(view, watch)
    except KeyboardInterrupt:
        _interrupted(screen, watch.folder)
        return INTERRUPTED
    except BaseException as err:
        if watch.folder is not None and isinstance(err, ModelError):
            screen.offer("saved. Resume with", command("resume", watch.folder))
        if watch.folder is not None and screen.as_json:
            screen.answer(row(broken_off(watch.folder, "failed")))
        raise
    conclude(result, screen)
    return exit_code(result)


def exit_code(result: Result) -> int:
    """Return 3 for a budget that ended before one generation was finished, else 0."""
    budget = result.budget_end not in ("", "exhausted")
    return NO_GENERATION if budget and result.generations == 0 else 0


def _interrupted(screen: Screen, folder: Path | None) -> None:
    if folder is None:
        screen.say("interrupted; nothing was started, nothing is lost")
        return
    screen.offer("interrupted; saved. Resume with", command("resume", folder))
    screen.answer(row(broken_off(folder, "interrupted")))


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM end a run as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
