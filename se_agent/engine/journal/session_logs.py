"""Session logs: what each agent of a run was asked, said and achieved, in order (SQ-06).

One file for machines and one for people per agent, and another pair each time the run is
opened.
They are derived from the journal, and nothing else reads them. Not here: what a line says
(`log_lines`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from se_agent.engine.journal.log_lines import LogFold, LogLine, Text
from se_agent.errors import reason
from se_agent.events import Event, Resumed
from se_agent.files.run_files import open_regular
from se_agent.wire.spelling import encodable

_FLAGS = os.O_RDWR | os.O_CREAT


class LogPair(NamedTuple):
    """The two files of one agent: JSON lines, and Markdown."""

    rows: str
    markdown: str


class LogPast(NamedTuple):
    """What a logger knows of the run so far: the fold, and how long each file is, in bytes."""

    fold: LogFold
    sizes: dict[str, int]


def sessions_folder(workspace: Path, run: str) -> Path:
    """Return where the logs of a run lie (SQ-13)."""
    return workspace / "groups" / run / "sessions"


def session_logs(events: Iterable[Event], text: Text) -> dict[str, LogPair]:
    """Return the logs of a run by `agent/number`, as a logger writes them. Pure.

    Args:
        events: All of them, oldest first.
        text: The journal's texts by digest.
    """
    fold, made = LogFold(), dict[str, tuple[list[str], list[str]]]()
    for event in events:
        for line in fold.lines(event, text):
            rows, told = made.setdefault(_name(fold, line), ([], []))
            rows.append(encodable(line.row))
            told.append(encodable(line.markdown))
    return {name: LogPair("".join(rows), "".join(told)) for name, (rows, told) in made.items()}


class SessionLogger:
    """A listener that writes the logs; told of the past again, it leaves what is there.

    Args:
        folder: Where the logs of the run lie.
        text: The journal's texts by digest.
        tell: Is told in a sentence, once, why nothing can be written any more.
    """

    def __init__(self, folder: Path, text: Text, tell: Callable[[str], None]) -> None:
        self._folder, self._text, self._tell = folder, text, tell
        self._files: dict[str, int] = {}
        self._past = LogPast(LogFold(), {})
        self._is_stale = self._is_broken = False

    def on_event(self, event: Event) -> None:
        """Write the lines of an event."""
        if self._is_stale or self._is_broken:
            return
        try:
            if isinstance(event, Resumed):
                self._end_files()
            fold = self._past.fold
            for line in fold.lines(event, self._text):
                self._write(f"{_name(fold, line)}.jsonl", line.row)
                self._write(f"{_name(fold, line)}.md", line.markdown)
        except OSError as err:
            self._is_broken = True
            self._tell(f"session logs are not written any more: {reason(err)}")

    def snapshot(self) -> LogPast:
        """Return what it knows; see `Resumable`."""
        return self._past

    def restore(self, past: object) -> None:
        """Know that instead; without it, or where a file is shorter, all are written anew."""
        self._is_stale = not (isinstance(past, LogPast) and self._is_written(past))
        if isinstance(past, LogPast):
            self._past = past

    def catch_up(self, events: Iterable[Event]) -> None:
        """Bring the files up to the last event, where what it was told does not suffice.

        Args:
            events: All of the run's; they are read only if they are needed.
        """
        if self._is_stale:
            self._past, self._is_stale = LogPast(LogFold(), {}), False
            for event in events:
                self.on_event(event)

    def _is_written(self, past: LogPast) -> bool:
        paths = {self._folder / name: size for name, size in past.sizes.items()}
        try:
            return all(p.is_file() and p.stat().st_size >= size for p, size in paths.items())
        except OSError:  # a folder that cannot be entered; what is written next tells of it
            return False

    def close(self) -> None:
        """Close the files."""
        while self._files:
            os.close(self._files.popitem()[1])

    def _write(self, name: str, text: str) -> None:
        """Have a text stand at the end of what was written so far, whatever stands there."""
        data, place = encodable(text).encode(), self._past.sizes.get(name, 0)
        file = self._file(name)
        found = os.pread(file, len(data), place)
        if found != data:
            if found:
                os.ftruncate(file, place)
            if os.pwrite(file, data, place) < len(data):
                raise OSError(28, os.strerror(28))
        self._past.sizes[name] = place + len(data)

    def _file(self, name: str) -> int:
        if name not in self._files:
            path = self._folder / name
            for folder in (*reversed(self._folder.parents[:2]), self._folder, path.parent):
                folder.mkdir(mode=0o700, exist_ok=True)
            self._files[name] = _opened(path)
        return self._files[name]

    def _end_files(self) -> None:
        """Cut off what a kill has left of a line that is not on record, and begin anew."""
        for name, file in self._files.items():
            os.ftruncate(file, self._past.sizes[name])
        self.close()


def write_logs(folder: Path, logs: Mapping[str, LogPair]) -> None:
    """Write all logs of a run anew.

    Raises:
        OSError: They cannot be.
    """
    for name, pair in logs.items():
        place = folder / name
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for suffix, text in ((".jsonl", pair.rows), (".md", pair.markdown)):
            with os.fdopen(_opened(place.with_suffix(suffix)), "wb") as file:
                file.truncate(0)
                file.write(text.encode())


def _opened(path: Path) -> int:
    """Return a file of a log, for its owner only."""
    file = open_regular(path, _FLAGS)
    os.fchmod(file, 0o600)
    return file


def _name(fold: LogFold, line: LogLine) -> str:
    return f"{line.agent}/{fold.opened}"


if TYPE_CHECKING:
    from se_agent.abilities.optional import Resumable
    from se_agent.protocols import Listener

    _: type[Listener] = SessionLogger
    _able: type[Resumable] = SessionLogger
