"""Telling: a person enters a direction, or a constraint, into a run, be it under way or not.

What is told is a line of a file beside the journal, which has one writer. The run takes new
lines up at places that a replay finds again: before a generation is opened, and with a steady
schedule after each closed step. From then on they are on record. Not here: how memory keeps
them (`se_agent.memory.local.memory`, `se_agent.memory.session`).
"""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from se_agent.chat.escaping import inline
from se_agent.chat.events import Told
from se_agent.config.run_file import Run
from se_agent.engine.journal import folder as folders
from se_agent.engine.journal.journal import Journal
from se_agent.engine.judging.evaluator_pool import Recorder
from se_agent.engine.state.state import State
from se_agent.errors import ConfigError, JournalError
from se_agent.events import Event, GenerationOpened, Learned, SearchEnded
from se_agent.files.run_files import content, open_regular
from se_agent.memory import contradicts
from se_agent.protocols import Listener

FILE = "told.jsonl"
"""In the folder of a run."""

LONGEST = 300
"""Characters of a direction."""


class _Line(BaseModel):
    """A line of the file; `at` says when it was told, for people."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    direction: Annotated[str, Field(min_length=1)]
    at: float = 0.0
    constraint: bool = False


class Hint(NamedTuple):
    """What a person said, and whether right programs have to keep to it."""

    words: str
    constraint: bool = False


def tell(folder: Path, words: str, *, constraint: bool = False) -> str:
    """Enter a direction into a run, durable when this returns; return it as it is kept.

    Args:
        folder: Folder of the run.
        words: The direction, in high-level words.
        constraint: It is what a right program has to keep to, and goes to session memory.

    Raises:
        ConfigError: There are no words, or too many; or the run has no memory for it.
        JournalError: There is no such run, its folder cannot be written, or its search is over.
    """
    direction = inline(words).strip()
    if not direction:
        raise ConfigError(f"{words!r}: no words", hint='se-agent tell RUN "try union-find"')
    if len(direction) > LONGEST:
        raise ConfigError(
            f"{len(direction)} characters are too many for a direction",
            hint=f"say it in {LONGEST}: what to try, not how",
        )
    with Journal(folder / folders.JOURNAL, write=False) as journal:
        events = list(journal.events())
    _check(folder, events, constraint=constraint)
    more = {"constraint": True} if constraint else {}
    line = json.dumps({"direction": direction, "at": time.time(), **more}) + "\n"
    try:
        _append(folder / FILE, line.encode())
    except OSError as err:
        raise JournalError(
            f"{folder / FILE}: cannot be written: {err.strerror}",
            hint="make room, or tell it from an account that may write there",
        ) from err
    return direction


def heard(folder: Path) -> bool:
    """Say whether a run asks models, who alone read what it is told."""
    return bool(folders.configuration_of(folder).models)


def told_to(folder: Path) -> tuple[str, ...]:
    """Return the words of all that a run was ever told."""
    return tuple(hint.words for hint in hints_of(folder))


def denied_by(folder: Path, constraint: str) -> str:
    """Return the constraint that a run was told before and this one denies; empty: none."""
    said = (hint.words for hint in reversed(hints_of(folder)) if hint.constraint)
    return next((words for words in said if contradicts(words, constraint)), "")


def hints_of(folder: Path) -> tuple[Hint, ...]:
    """Return all that a run was ever told; what is no line of ours is passed over.

    A last line without its end is still being written.
    """
    try:
        lines = content(folder / FILE).split(b"\n")[:-1]
    except OSError:  # there is none, or what is there is no file of ours
        return ()
    return tuple(_read(lines))


class Hearing(Recorder):
    """Records the events of a run, and what it is told at the places where it may hear it."""

    def __init__(
        self,
        journal: Journal,
        state: State,
        listeners: Sequence[Listener],
        *,
        folder: Path,
        config: Run,
    ) -> None:
        super().__init__(journal, state, listeners)
        self._folder = folder
        self._remembers = config.memory.enabled
        self._steady = config.schedule == "steady"
        self._size = 0

    def __call__(self, event: Event, texts: Iterable[str] = ()) -> None:
        """Record one event, and what was told, in the order in which a replay has them."""
        with self._guard:
            if isinstance(event, GenerationOpened) and event.slot == self.state.closed:
                self._hear()
            super().__call__(event, texts)
            if isinstance(event, Learned) and self._steady:
                self._hear()

    def _hear(self) -> None:
        """Record what was told since; `State.told` says how many lines are on record."""
        if not self._remembers or not self._grown():
            return
        for hint in hints_of(self._folder)[self.state.told :]:
            super().__call__(told(self.state, hint))

    def _grown(self) -> bool:
        """Say whether the file changed since it was last read."""
        try:
            size = (self._folder / FILE).lstat().st_size
        except FileNotFoundError:
            return False
        grown, self._size = size != self._size, size
        return grown


def told(state: State, hint: Hint) -> Told:
    """Return the event that enters what a person said into a run."""
    assert state.memory is not None, "a run without memory is told nothing"
    return Told(
        slot=state.closed,
        direction=hint.words,
        memory_version=state.memory.local.version + (not hint.constraint),
        constraint=hint.constraint,
    )


def _check(folder: Path, events: Sequence[Event], *, constraint: bool) -> None:
    _, config, _ = folders.stored(folder, events)
    if not config.memory.enabled:
        raise ConfigError(
            f"{folder}: this run has no memory, and would not know of it",
            hint="start one with memory.enabled = true",
        )
    kept = config.memory.session
    if constraint and not (kept.enabled and kept.constraints):
        raise ConfigError(
            f"{folder}: this run keeps no constraints, and would not know of it",
            hint="start one with memory.session.enabled and .constraints = true",
        )
    if any(isinstance(event, SearchEnded) for event in events):
        raise JournalError(
            f"{folder}: the search is over: nobody will ask with this direction",
            hint="start a new run, and tell that one",
        )


def _append(path: Path, line: bytes) -> None:
    """Write a line at once: of two who tell, neither tears the other's.

    It begins with an end of line: what a full disk has cut off before does not spoil it.
    """
    line = b"\n" + line
    descriptor = open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        if os.write(descriptor, line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _read(lines: Sequence[bytes]) -> Iterator[Hint]:
    for line in lines:
        try:
            found = _Line.model_validate_json(line)
        except ValidationError:
            continue
        said = inline(found.direction)[:LONGEST].strip()
        if said:
            yield Hint(said, found.constraint)
