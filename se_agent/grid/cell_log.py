"""`cell.json`: what is on record of a cell beside its run, such as the load while it ran.

Each time that the cell was begun is an attempt; one without an end was killed. It decides
nothing but whether a cell that failed is tried again: what a run came to is in its journal.
"""

from __future__ import annotations

import datetime as dt
import os
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from se_agent.engine.journal.folder import make_folder, make_root
from se_agent.errors import JournalError
from se_agent.files.run_files import content, replace_whole
from se_agent.wire.spelling import encodable

_FILE = "cell.json"

CellOutcome = Literal["running", "ended", "interrupted", "failed"]


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class CellAttempt(_Kept):
    """One time that a cell was begun.

    Attributes:
        began: When, as ISO 8601.
        seconds: How long it took on the wall; None: it was killed, or is running.
        jobs: Number of cells that might run at a time.
        beside: Number of cells that ran when it was begun, itself included.
        cores: Processors that we may use.
        load_before: Processes that wanted one, on average over 1, 5 and 15 minutes, before.
        load_after: The same afterwards.
        outcome: How it ended.
        reason: Why it failed or was interrupted.
    """

    began: str
    seconds: float | None = None
    jobs: int = 1
    beside: int = 1
    cores: int = 1
    load_before: tuple[float, ...] = ()
    load_after: tuple[float, ...] = ()
    outcome: CellOutcome = "running"
    reason: str = ""


class CellLog(_Kept):
    """All attempts of a cell, the last one last."""

    grid: str
    cell: str
    attempts: tuple[CellAttempt, ...] = ()

    @property
    def failure(self) -> str:
        """Why the cell failed; empty: it did not, or was begun again since."""
        last = self.attempts[-1] if self.attempts else None
        if last is None or last.outcome != "failed":
            return ""
        return last.reason or "no reason is on record"

    @property
    def seconds(self) -> float:
        """How long it took in all, as far as known."""
        return sum(each.seconds or 0.0 for each in self.attempts)

    def begun(self, jobs: int, beside: int) -> CellLog:
        """Return the log with another attempt that begins now."""
        attempt = CellAttempt(
            began=dt.datetime.now().astimezone().isoformat(timespec="seconds"),
            jobs=jobs,
            beside=beside,
            cores=cores(),
            load_before=load(),
        )
        return self.model_copy(update={"attempts": (*self.attempts, attempt)})

    def ended(self, outcome: CellOutcome, seconds: float, reason: str = "") -> CellLog:
        """Return the log with the end of its last attempt."""
        *before, last = self.attempts
        end = {
            "outcome": outcome,
            "seconds": round(seconds, 3),
            "reason": encodable(reason),
            "load_after": load(),
        }
        return self.model_copy(update={"attempts": (*before, last.model_copy(update=end))})

    def keep(self, folder: Path) -> None:
        """Write it into the cell's folder, wholly or not at all.

        Raises:
            JournalError: The folder cannot be written.
        """
        make_root(folder.parent.parent)
        make_folder(folder)
        try:
            replace_whole(folder / _FILE, self.model_dump_json(indent=1).encode())
        except OSError as err:
            raise JournalError(
                f"{folder}: cannot be written: {err.strerror}", hint="make room and go on"
            ) from err


def read_log(folder: Path, grid: str = "", cell: str = "") -> CellLog:
    """Return the log of a cell; an empty one where there is none that can be read."""
    with suppress(OSError, ValidationError):
        return CellLog.model_validate_json(content(folder / _FILE))
    return CellLog(grid=grid, cell=cell)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def load() -> tuple[float, ...]:
    """Return how many processes want a processor, on average over 1, 5 and 15 minutes."""
    with suppress(OSError):
        return tuple(round(value, 2) for value in os.getloadavg())
    return ()
