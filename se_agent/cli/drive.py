"""Run something that makes a run: show it, end it well, and say what came of it.

`run` and `resume` are this with different work. Interruption is a normal end here: the journal
has everything, and the last line says how to go on.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from se_agent.cli.conclusion import best_path, conclude, save_best
from se_agent.cli.json_row import broken_off, read, row
from se_agent.cli.screen import Screen
from se_agent.errors import JournalError, ModelError
from se_agent.wording import command

if TYPE_CHECKING:
    from se_agent.engine.journal.result import Result
    from se_agent.protocols import Listener

INTERRUPTED = 130
NO_GENERATION = 3


class RunWatch:
    """Remembers the run folder, which is all that matters once something goes wrong."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def __call__(self, folder: Path) -> None:
        """Take note of it."""
        self.folder = folder


Work = Callable[["Listener", RunWatch], "Result"]


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
        folder: Folder of the run, where it exists already.

    Raises:
        SeAgentError: As the work raises it; with `--json` the row was printed before.
    """
    watch = RunWatch(folder)
    try:
        with terminable(screen), screen.view(folder) as view:
            result = work(view, watch)
    except KeyboardInterrupt:
        _interrupted(screen, watch.folder)
        return INTERRUPTED
    except BaseException as err:
        if watch.folder is not None and isinstance(err, ModelError):
            _tell_best(screen, watch.folder)
            screen.offer("saved. Resume with", command("resume", watch.folder))
        if watch.folder is not None and screen.as_json:
            screen.answer(row(broken_off(watch.folder, "failed")))
        raise
    conclude(result, screen)
    return exit_code(result)


def exit_code(result: Result) -> int:
    """Return 3 for a budget that ended in the first generation with nothing proven, else 0."""
    budget = result.budget_end not in ("", "exhausted")
    too_small = budget and result.generations == 0 and result.status != "proven"
    return NO_GENERATION if too_small else 0


def _interrupted(screen: Screen, folder: Path | None) -> None:
    if folder is None:
        screen.say("interrupted; nothing was started, nothing is lost")
        return
    _tell_best(screen, folder)
    screen.offer("interrupted; saved. Resume with", command("resume", folder))
    screen.answer(row(broken_off(folder, "interrupted")))


def _tell_best(screen: Screen, folder: Path) -> None:
    """Save the best program so far, and say how good it seems to be."""
    from se_agent.report.words import phrases
    from se_agent.report.words.best import champion

    try:
        _, story = read(folder)
    except JournalError:
        return  # what broke the run off is told
    best, started = champion(story), story.started
    if best is None or started is None or best.id == started.initial.id:
        screen.say("best so far: the initial program")
        return
    save_best(folder, story)
    screen.say(f"best so far: {phrases.so_far(story)}: {best_path(folder, best)}")


@contextmanager
def terminable(screen: Screen) -> Iterator[None]:
    """Let Ctrl-C, or SIGTERM, end a run and say so at once; the second one quits.

    All that was measured is durable by then: who does not want to wait loses nothing.
    """
    signals = (signal.SIGINT, signal.SIGTERM)

    def stop(number: int, _: object) -> None:
        for each in signals:
            signal.signal(each, quit_)
        again = "Ctrl-C again" if number == signal.SIGINT else "a second signal"
        _say_now(screen, f"stopping: what was measured is saved; {again} quits at once")
        raise KeyboardInterrupt

    def quit_(*_: object) -> None:
        _say_now(screen, "quit")
        os._exit(INTERRUPTED)

    before = [signal.signal(each, stop) for each in signals]
    try:
        yield
    finally:
        for each, handler in zip(signals, before, strict=True):
            signal.signal(each, handler)


def _say_now(screen: Screen, text: str) -> None:
    """Print a line from a signal handler, whatever else is being printed."""
    with suppress(OSError, ValueError):
        os.write(screen.console.file.fileno(), f"\n{text}\n".encode())
