"""What is read of a run for its tables, each part when it is first asked for.

Not here: the run as an object (`recorded_run`).
"""

from __future__ import annotations

import gc
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from se_agent.analysis.run_tables.local_versions import LocalVersions
from se_agent.analysis.run_tables.memory_table import MemoryTable
from se_agent.analysis.run_tables.step_facts import Row
from se_agent.analysis.run_tables.tables import RunTables
from se_agent.chat.messages import Message
from se_agent.engine.journal.folder import JOURNAL
from se_agent.engine.journal.journal import Journal, belonging
from se_agent.engine.journal.transcript import unpacked_messages
from se_agent.events import Event, Proposed, Started, Trimmed
from se_agent.values.solution import Solution


class RunReader:
    """Reads the journal of a run, and keeps what tables are made of.

    Raises:
        JournalError: From each method: the run cannot be read.
    """

    def __init__(self, folder: Path, name: str) -> None:
        """Take the folder of a run, and what stands for it in tables."""
        self._path = folder / JOURNAL
        self._folder = folder
        self._name = name

    @cached_property
    def tables(self) -> RunTables:
        """All tables but the memory, in one pass."""
        tables = RunTables(self._name)
        with self._journal() as journal, belonging(self._folder), _no_collection():
            for event in self._events(journal):
                tables.apply(event)
        return tables

    @cached_property
    def memory(self) -> list[Row]:
        """Rows of the memory; none where the run has none."""
        with self._journal() as journal, belonging(self._folder), _no_collection():
            return self._memory_rows(journal)

    def _memory_rows(self, journal: Journal) -> list[Row]:
        table: MemoryTable | None = None
        for event in journal.events(kinds=MemoryTable.reads, bests=True):
            table = table or self._memory_table(event, journal)
            if table:
                table.apply(event)
        return list(table.rows()) if table else []

    def programs(self) -> Iterator[Solution]:
        """Yield the programs whole, with their edits; a table holds less of them."""
        with self._journal() as journal:
            for event in self._events(journal):
                if isinstance(event, Started):
                    yield event.initial
                elif isinstance(event, Trimmed):
                    yield event.solution
                elif isinstance(event, Proposed) and event.proposal and not event.duplicate_of:
                    yield event.proposal.solution

    def messages(self, request: str) -> tuple[Message, ...]:
        """Return what a model was asked, by the digest of the request."""
        with self._journal() as journal:
            return unpacked_messages(request, journal.text)

    def _events(self, journal: Journal) -> Iterator[Event]:
        """Yield the events, without those of a torn tail: a warning names the first of these.

        Raises:
            JournalError: An event cannot be read that others follow.
        """
        torn: list[str] = []
        for event in journal.events(lessons=False, unread=torn.append):
            if torn:
                deque(journal.events(lessons=False), maxlen=0)  # raises what is wrong there
            yield event
        if torn:
            warnings.warn(f"{self._folder}: {torn[0]}", stacklevel=2)

    def _journal(self) -> Journal:
        return Journal(self._path, write=False)

    def _memory_table(self, event: Event, journal: Journal) -> MemoryTable | None:
        """Return the table that begins with the start of a run; None: it has no memory."""
        memory = LocalVersions.of(event) if isinstance(event, Started) else None
        return MemoryTable(self._name, memory, journal.text) if memory else None


@contextmanager
def _no_collection() -> Iterator[None]:
    """Collect no circles of garbage: tables make none, and a look takes long."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
