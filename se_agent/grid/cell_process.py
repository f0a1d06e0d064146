"""A cell in a process of its own: what breaks it, or fills its memory, breaks no other.

The process ends when its parent does, however that ends: it waits at a pipe that only the
parent holds open. A run that ends so goes on later from its journal.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NoReturn

from se_agent.config.run_file import as_record, run_of_record
from se_agent.engine.journal.cell_record import CellRecord
from se_agent.engine.journal.folder import JOURNAL
from se_agent.engine.run.resolve import EvaluatorFactory, registered_evaluator
from se_agent.environment.child_process import environment
from se_agent.environment.own import given, secrets_apart, set_apart
from se_agent.errors import JournalError, ModelError, SeAgentError
from se_agent.grid.cell_log import CellLog, CellOutcome, read_log
from se_agent.grid.cell_run import CellResult, cell_result, run_cell
from se_agent.grid.problem_sources import source_of_words, source_words
from se_agent.store.lock import is_locked

_CODE = str(Path(__file__).parents[2])
"""The folder that this program is imported from."""

_BEGIN = (
    "import sys; sys.argv[1] in sys.path or sys.path.insert(0, sys.argv[1]); "
    "from se_agent.grid.cell_process import main; main()"
)
"""Begins a cell with the same code as the parent, and no module of the current folder."""

_PATIENCE = 20.0
"""Seconds that a cell has to end itself once it is asked to."""

_HELD = 15.0
"""Seconds that a run of before may take to let go of its journal."""

_KILLS = 3
"""Attempts in a row that were killed from outside, after which a cell has failed."""

_KILLED = "its process was killed by signal"
_INTERRUPTED = 130


@dataclass
class CellProcess:
    """A cell that runs in a process."""

    record: CellRecord
    log: CellLog
    process: subprocess.Popen[str]
    said: IO[str]
    began: float = field(default_factory=time.monotonic)

    def poll(self) -> CellResult | None:
        """Return what the cell came to; None while it runs."""
        code = self.process.poll()
        if code is None:
            return None
        log = read_log(self.record.folder)
        last = log.attempts[-1] if log.attempts else None
        if last is None or last.outcome == "running":
            log = self._died(code)
            log.keep(self.record.folder)
        self._close()
        try:
            return on_record(self.record, log)
        except JournalError as err:  # others go on; the next start looks at it again
            return CellResult(id=log.cell, status="failed", reason=str(err))

    def stop(self) -> None:
        """Ask the process to end itself, and wait for that."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._close()

    def _died(self, code: int) -> CellLog:
        """Return the log of a process that could not say itself how it ended."""
        seconds = time.monotonic() - self.began
        if code >= 0:
            return self.log.ended("failed", seconds, self._last_words(code))
        log = self.log.ended("interrupted", seconds, f"{_KILLED} {-code}")
        last = log.attempts[-_KILLS:]
        if len(last) < _KILLS or not all(each.reason.startswith(_KILLED) for each in last):
            return log
        return self.log.ended("failed", seconds, f"{_KILLED} {-code}, {_KILLS} times in a row")

    def _last_words(self, code: int) -> str:
        self.said.seek(0)
        lines = [line.strip() for line in self.said.read()[-4000:].splitlines() if line.strip()]
        return (
            f"its process ended with exit code {code}: {lines[-1] if lines else 'in silence'}"
        )

    def _close(self) -> None:
        self.said.close()
        with suppress(BrokenPipeError):
            if self.process.stdin is not None:
                self.process.stdin.close()


def begin_process(
    record: CellRecord,
    *,
    grid: str,
    cell: str,
    jobs: int,
    beside: int,
    python: str = sys.executable,
) -> CellProcess:
    """Begin a cell in a process of its own.

    Args:
        record: The cell.
        grid: Name of its grid.
        cell: Its name in the grid.
        jobs: Number of cells that may run at a time.
        beside: Number of cells that run now, this one included.
        python: The interpreter.

    Raises:
        JournalError: Its folder cannot be written.
    """
    log = read_log(record.folder, grid, cell).begun(jobs, beside)
    log.keep(record.folder)
    words = {"config": as_record(record.config), "source": source_words(record.row)}
    said = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
    process = subprocess.Popen(
        [python, "-P", "-c", _BEGIN, _CODE],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=said,
        text=True,
        env=environment(**given()),  # all of ours: it is this program, and asks the models
        start_new_session=True,  # Ctrl-C is for the parent, which asks each cell to end
    )
    assert process.stdin is not None
    with suppress(BrokenPipeError):  # it has ended already; `poll` says why
        process.stdin.write(json.dumps(words) + "\n")
        process.stdin.flush()
    return CellProcess(record, log, process, said)


def on_record(record: CellRecord, log: CellLog) -> CellResult | None:
    """Return what is on record of a cell; None: it was not begun, or has to go on.

    Raises:
        JournalError: Its journal cannot be read.
    """
    if note := record.note():
        return cell_result(log.cell, note)
    found = record.result() if record.start_event() is not None else None
    if found is not None and found.status not in ("interrupted", "failed", "running"):
        return cell_result(log.cell, found)
    if log.failure:
        return CellResult(id=log.cell, status="failed", reason=log.failure, result=found)
    if not log.attempts:
        return None
    return CellResult(
        id=log.cell, status="interrupted", reason=log.attempts[-1].reason, result=found
    )


def main() -> NoReturn:
    """Run the cell that standard input describes; the log says how it ended."""
    with secrets_apart():
        words = json.loads(sys.stdin.readline())
        threading.Thread(target=_end_with_parent, daemon=True).start()
        signal.signal(signal.SIGTERM, _interrupt)
        sys.exit(_run(words))


def _run(words: Mapping[str, Mapping[str, object]]) -> int:
    config, source = run_of_record(words["config"]), source_of_words(words["source"])
    set_apart(endpoint.key for endpoint in config.models.values())  # before a problem is read
    return run_logged(CellRecord(source, config))


def run_logged(record: CellRecord, evaluators: EvaluatorFactory = registered_evaluator) -> int:
    """Run a cell to its end, write into its log how it ended, and return the exit code."""
    log, began = read_log(record.folder), time.monotonic()

    def end(outcome: CellOutcome, reason: str = "") -> None:
        log.ended(outcome, time.monotonic() - began, reason).keep(record.folder)

    try:
        if not _is_free(record):
            end("interrupted", "its run is open in another process")
            return _INTERRUPTED
        run_cell(record, evaluators)
    except KeyboardInterrupt:
        end("interrupted")
        return _INTERRUPTED
    except ModelError as err:
        end("interrupted", str(err))
        return _INTERRUPTED
    except SeAgentError as err:
        end("failed", str(err))
        return 1
    end("ended")
    return 0


def _is_free(record: CellRecord) -> bool:
    """Wait until nobody else writes the run: a process that was killed has children to end."""
    until = time.monotonic() + _HELD
    while is_locked(record.folder / JOURNAL):
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def _interrupt(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def _end_with_parent() -> None:
    """Wait until the pipe of the parent is closed, and end at once: all is on record."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(_INTERRUPTED)
