"""What is on record of one of many runs: the run, a note why there is none, or nothing.

Only what was made of the same problem under the same configuration counts. Not here: running
them (`se_agent.grid`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from se_agent.config.deviations import deviations
from se_agent.config.renamed_keys import names_of_today
from se_agent.config.run_file import Run, as_record, run_of_record
from se_agent.config.settings import flat
from se_agent.engine.journal.folder import JOURNAL, make_folder
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.result import Result, summarize
from se_agent.engine.journal.row_fingerprint import FREE_KEYS, fingerprint_of
from se_agent.errors import ConfigError, JournalError, ProblemError
from se_agent.events import Started
from se_agent.files.run_files import content, replace_whole
from se_agent.problem.loading import fingerprint
from se_agent.problem.model import Problem
from se_agent.wire.spelling import encodable

Skipped = Literal["not_measurable", "too_small"]

_NOTE = "skipped.json"


class Note(BaseModel):
    """Why a row has no run; `fingerprint` is that of the row and the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: Skipped
    reason: str
    fingerprint: str


class ProblemSource(Protocol):
    """Where the problem of a run comes from: a row of a problem set, or a folder."""

    @property
    def id(self) -> str:
        """What people call the problem; no two of one grid have the same."""

    @property
    def kind_of_source(self) -> str:
        """What it is, in one word, such as `row`."""

    def facts(self) -> object:
        """Return all that decides whether the problem can be measured, as JSON."""

    def load(self) -> Problem:
        """Return the problem.

        Raises:
            ProblemError: It cannot be used as it stands.
        """


@dataclass(frozen=True)
class CellRecord:
    """The record of a problem under a configuration, which names the folder.

    Attributes:
        row: The problem.
        config: The whole run file.
    """

    row: ProblemSource
    config: Run

    @property
    def folder(self) -> Path:
        """Folder of its run, or of its note."""
        return Path(self.config.results) / self.config.name

    def check(self) -> None:
        """Make sure that what is on record is of this problem and this configuration.

        Raises:
            ConfigError: It is not.
        """
        if note := self.note():
            if note.fingerprint != self._fingerprint():
                self._refuse(f"the {self.row.kind_of_source} or the configuration has changed")
        elif started := self.start_event():
            if keys := ", ".join(self._other_keys(started)):
                self._refuse(f"it was run under another configuration: {keys}")
            if started.problem != self._problem():
                self._refuse(f"the {self.row.kind_of_source} has changed")

    def note(self) -> Note | None:
        """Return why there is no run; a torn note is none."""
        return note_in(self.folder)

    def skip(self, status: Skipped, reason: str) -> Note:
        """Write down why there is no run, wholly or not at all.

        Raises:
            JournalError: The folder cannot be written.
        """
        note = Note(status=status, reason=encodable(reason), fingerprint=self._fingerprint())
        make_folder(self.folder)
        try:
            replace_whole(self.folder / _NOTE, note.model_dump_json().encode())
        except OSError as err:
            raise JournalError(
                f"{self.folder}: cannot be written: {err.strerror}",
                hint="make room, or give another place with `--set results=FOLDER`",
            ) from err
        return note

    def start_event(self) -> Started | None:
        """Return how the run began; None when none did, or its journal cannot be read."""
        try:
            with Journal(self.folder / JOURNAL, write=False) as journal:
                first = next(journal.events(), None)
        except JournalError:
            return None
        return first if isinstance(first, Started) else None

    def result(self) -> Result:
        """Return what the run came to so far.

        Raises:
            JournalError: Its journal cannot be read.
        """
        with Journal(self.folder / JOURNAL, write=False) as journal:
            return summarize(self.folder, journal.events())

    def _other_keys(self, started: Started) -> list[str]:
        """Return the dotted keys in which a run that has begun differs."""
        if started.settings is None:
            return _differing(_whole(started.config), self._deciding())
        now, before = deviations(self._deciding()), names_of_today(started.settings)
        own = (
            {"seed": self.config.seed, **now},
            {"seed": started.config.get("seed", 0), **before},
        )
        return _differing(*own)

    def _deciding(self) -> Mapping[str, object]:
        return as_record(self.config)

    def _fingerprint(self) -> str:
        return fingerprint_of(self.row.facts(), self._deciding())

    def _problem(self) -> str:
        try:
            return fingerprint(self.row.load())
        except ProblemError:
            return ""

    def _refuse(self, why: str) -> NoReturn:
        what = f"{self.row.kind_of_source} {self.row.id!r}"
        raise ConfigError(
            f"{self.folder} holds another result for {what}: {why}",
            hint="keep it and give another place with `--set results=FOLDER`, or remove it",
        )


def note_in(folder: Path) -> Note | None:
    """Return why a folder holds no run; None: nothing says so."""
    try:
        return Note.model_validate_json(content(folder / _NOTE))
    except (OSError, ValidationError):
        return None


def _whole(config: Mapping[str, object]) -> Mapping[str, object]:
    """Return a stored configuration, with the default of each key of ours that it lacks."""
    return as_record(run_of_record(config))


def _differing(old: Mapping[str, object], new: Mapping[str, object]) -> list[str]:
    """Return the dotted keys that decide a result and differ."""
    before, after = _deciding_keys(old), _deciding_keys(new)
    keys = dict.fromkeys([*before, *after])
    return [key for key in keys if before.get(key) != after.get(key)]


def _deciding_keys(config: Mapping[str, object]) -> dict[str, object]:
    told = {key: value for key, value in config.items() if key not in FREE_KEYS}
    return {".".join(setting.path): setting.value for setting in flat(told, "")}
