"""`se-agent run` of a shipped problem as a user starts it, looked at from outside."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from se_agent.engine.journal.journal import Journal
from se_agent.errors import JournalError
from se_agent.events import Event

PROBLEM = "order_report"
_NAME = "bench"


@dataclass(frozen=True)
class UserRun:
    """A run that is under way.

    Attributes:
        begun: When it was started, in seconds since 1970.
        pid: Id of the engine's process.
        screen: File of what it prints.
        journal: Where its events are, or will be.
    """

    begun: float
    pid: int
    screen: Path
    journal: Path
    _process: subprocess.Popen[bytes]

    @property
    def over(self) -> bool:
        """Whether it ended."""
        return self._process.poll() is not None

    def events(self) -> list[Event]:
        """Return what is on record so far."""
        try:
            with Journal(self.journal, write=False) as journal:
                return list(journal.events())
        except JournalError:
            return []  # there is none yet


@contextmanager
def started(*settings: str, program: Sequence[str] = ("se_agent",)) -> Iterator[UserRun]:
    """Start a run, and end it.

    Args:
        settings: As after `--set`.
        program: Module that is the command line, and what it is given first.
    """
    with tempfile.TemporaryDirectory() as folder:
        places = (f"results={folder}", f"name={_NAME}", *settings)
        sets = [part for setting in places for part in ("--set", setting)]
        command = [sys.executable, "-m", *program, "run", PROBLEM, *sets]
        begun = time.time()
        screen = Path(folder, "screen")
        with (
            screen.open("wb") as out,
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out) as process,
        ):
            try:
                path = Path(folder, _NAME, "run.db")
                yield UserRun(begun, process.pid, screen, path, process)
            finally:
                process.terminate()
