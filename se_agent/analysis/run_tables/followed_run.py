"""A run that is read in one pass, and later only as far as it has gone on.

Whoever shows a run while it is under way asks again and again: what was read once is not read
anew. Not here: tables that are read when they are asked for (`run_reader`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from se_agent.analysis.run_tables.local_versions import LocalVersions
from se_agent.analysis.run_tables.memory_table import MemoryTable
from se_agent.analysis.run_tables.step_facts import Row
from se_agent.analysis.run_tables.tables import RunTables
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.result import Result, ResultFold
from se_agent.errors import SeAgentError
from se_agent.events import Event, Started


class FollowedRun:
    """What the events of a run come to, as far as they were read.

    An event that cannot be read is named and left out, as is what needs it.

    Attributes:
        folder: Folder of the run.
        tables: All tables but the memory.
        unread: A line for each event that cannot be read.
        no_memory: Why the memory could not be folded; empty: it could.
    """

    def __init__(self, folder: Path, listen: Callable[[Event], None]) -> None:
        """Take the folder of a run; nothing is read yet.

        Args:
            folder: Folder of the run.
            listen: Is told of each event, after the tables were.
        """
        self.folder = folder
        self.tables = RunTables(folder.name)
        self.unread: list[str] = []
        self.no_memory = ""
        self._listen = listen
        self._result = ResultFold(folder)
        self._memory: MemoryTable | None = None
        self._journal: Journal | None = None
        self._read = 0
        self._mark = ""

    @property
    def result(self) -> Result:
        """What the run has come to."""
        return self._result.result

    @property
    def memory(self) -> Sequence[Row]:
        """The rows of the memory; none where the run has none."""
        return list(self._memory.rows()) if self._memory else ()

    def is_same(self, journal: Journal) -> bool:
        """Say whether a journal begins with what was read: a copy may have taken its place."""
        if not self._read:
            return True
        try:
            return journal.mark(self._read)[1] == self._mark
        except SeAgentError:
            return False

    def read_on(self, journal: Journal) -> None:
        """Read the events that came since.

        Raises:
            JournalError: The journal is damaged.
            LookupError: The events do not belong together; see `belonging`.
        """
        self._journal = journal
        found = journal.numbered_events(after=self._read, unread=self._pass_over)
        for self._read, event in found:
            self.tables.apply(event)
            self._result.apply(event)
            self._remember(event)
            self._listen(event)
        if self._read:
            self._mark = journal.mark(self._read)[1]

    def _pass_over(self, why: str) -> None:
        if why not in self.unread:  # the last one of a journal is met again
            self.unread.append(why)

    def _text(self, digest: str) -> str:
        assert self._journal is not None, "an event was read"
        return self._journal.text(digest)

    def _remember(self, event: Event) -> None:
        if self.no_memory:
            return
        try:
            if isinstance(event, Started) and (memory := LocalVersions.of(event)):
                self._memory = MemoryTable(self.folder.name, memory, self._text)
            if self._memory is not None:
                self._memory.apply(event)
        except SeAgentError as err:  # such as a counter of tokens that is not here
            self.no_memory, self._memory = str(err), None
        except (LookupError, AssertionError):
            self.no_memory, self._memory = "an event that it needs cannot be read", None
