"""Runs for other tools: tables as CSV, JSON lines and Parquet, and whole runs for trackers.

Secrets of this machine and of the runs' projects are taken out of all texts. Not here: which
tables there are (`columns`), and what a tracker is given (`tracked_run`).
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

from se_agent.analysis.frames import frame
from se_agent.analysis.recorded_run import RecordedRun
from se_agent.analysis.recorded_runs import RecordedRuns
from se_agent.analysis.run_tables.columns import TABLES, TableColumn
from se_agent.analysis.run_tables.step_facts import Row
from se_agent.analysis.tracked_run import Redact, tracked
from se_agent.analysis.trackers import WRITERS
from se_agent.engine.journal.folder import JOURNAL, stored
from se_agent.engine.journal.journal import Journal
from se_agent.engine.run.resolve import redactor_of
from se_agent.environment import own
from se_agent.errors import ConfigError, JournalError, did_you_mean
from se_agent.files.run_files import write_whole
from se_agent.redaction.redactor import Redactor
from se_agent.redaction.secret_values import secrets_in

ExportFormat = Literal["csv", "jsonl", "parquet", "mlflow", "wandb"]
FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)

WORDS = frozenset(
    {
        *("direction", "entry", "evidence", "failed_case", "feedback", "problem", "reply"),
        *("settings", "strategy", "text", "why"),
    }
)
"""Columns with texts of programs, models and people, out of which secrets are taken."""

_NEEDS = {
    "parquet": ("analysis", "pyarrow"),
    "mlflow": ("mlflow", "mlflow", "sqlalchemy", "alembic"),
    "wandb": ("wandb", "wandb"),
}
"""The extra that a format needs, and what that brings."""


def export(
    runs: RecordedRun | RecordedRuns,
    to: Path,
    kind: str,
    tables: Sequence[str] = (),
) -> list[Path]:
    """Write tables of runs, or runs for a tracker, into a folder, and return the files.

    Args:
        runs: A run, or several.
        to: The folder; it is made if need be. Files of the same names are written anew.
        kind: One of `FORMATS`.
        tables: Names of tables; empty: all that there are of it. A tracker takes none.

    Raises:
        ConfigError: There is no such format or table, what it needs is not installed, or the
            folder cannot be written.
        JournalError: A run cannot be read.
    """
    require_format(kind, tables)
    each = [*_readable(runs)]
    redact = redactor_for(each)
    try:
        to.mkdir(parents=True, exist_ok=True)
        if kind in WRITERS:
            return WRITERS[kind]((tracked(run, redact) for run in each), to)
        return [_written(runs, to, kind, table, redact) for table in _chosen(runs, tables)]
    except OSError as err:
        raise ConfigError(
            f"{err.filename or to}: cannot be written: {err.strerror}",
            hint="choose another folder with `--to FOLDER`, or make room",
        ) from err


def require_format(kind: str, tables: Sequence[str] = ()) -> None:
    """Refuse a format that is not known, or has no tables, or needs what is not installed.

    Raises:
        ConfigError: It is refused.
    """
    if kind not in FORMATS:
        hint = did_you_mean(kind, FORMATS) or f"known: {', '.join(FORMATS)}"
        raise ConfigError(f"no format {kind!r}", hint=hint)
    if kind in WRITERS and tables:
        hint = "leave out --table, or choose --format csv, jsonl or parquet"
        raise ConfigError(f"{kind} takes whole runs, not tables", hint=hint)
    extra, *names = _NEEDS.get(kind, ("",))
    for name in names:
        if find_spec(name) is None:
            missing = f"the format {kind} needs {name}, which is not installed here"
            raise ConfigError(missing, hint=f"pip install 'se-agent[{extra}]'")


def redactor_for(runs: Iterable[RecordedRun]) -> Redact:
    """Return what takes the secrets of this machine and of the runs' projects out of a text.

    A run whose problem is not there any more has no project that could be looked into.
    """
    known = [Redactor(secrets_in((), own.given()))]
    for run in runs:
        try:
            with Journal(run.folder / JOURNAL, write=False) as journal:
                _, config, problem = stored(run.folder, journal.events(lessons=False))
        except (JournalError, ConfigError):
            continue
        known.append(redactor_of(problem, config))

    def redact(text: str) -> str:
        for one in known:
            text = one(text)
        return text

    return redact


def _readable(runs: RecordedRun | RecordedRuns) -> Iterator[RecordedRun]:
    if isinstance(runs, RecordedRun):
        yield runs
    else:
        bad = {left.folder for left in runs.left_out}
        yield from (run for run in runs if run.folder not in bad)


def _chosen(runs: RecordedRun | RecordedRuns, tables: Sequence[str]) -> Sequence[str]:
    of_one = [table for table in TABLES if table != "runs"]
    return tables or (of_one if isinstance(runs, RecordedRun) else [*TABLES])


def _written(
    runs: RecordedRun | RecordedRuns, to: Path, kind: str, table: str, redact: Redact
) -> Path:
    rows = list(_redacted(table, runs.rows(table), redact))
    made = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}[kind](table, rows)
    path = to / f"{table}.{kind}"
    write_whole(path, made)
    return path


def _redacted(table: str, rows: Iterable[Row], redact: Redact) -> Iterator[Row]:
    places = {n for n, column in enumerate(TABLES[table]) if column.name in WORDS}
    for row in rows:
        yield tuple(
            redact(value) if n in places and isinstance(value, str) else value
            for n, value in enumerate(row)
        )


def _csv(table: str, rows: Iterable[Row]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(column.name for column in TABLES[table])
    writer.writerows([_plain(value) for value in row] for row in rows)
    return out.getvalue().encode()


def _jsonl(table: str, rows: Iterable[Row]) -> bytes:
    columns: tuple[TableColumn, ...] = TABLES[table]
    lines = (
        json.dumps({c.name: _plain(value) for c, value in zip(columns, row, strict=True)})
        for row in rows
    )
    return "".join(f"{line}\n" for line in lines).encode()


def _parquet(table: str, rows: Sequence[Row]) -> bytes:
    out = io.BytesIO()
    frame(table, rows).to_parquet(out, index=False)
    return out.getvalue()


def _plain(value: object) -> object:
    """Return a value as a text file holds it."""
    return value.isoformat() if isinstance(value, dt.datetime) else value
