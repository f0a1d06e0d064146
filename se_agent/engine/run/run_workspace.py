"""What a run writes beside its journal: large outputs, and session logs.

A workspace that cannot be used costs the run a sentence, and nothing else. Not here: the
workspace itself (`se_agent.memory`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from se_agent.config.run_file import Run
from se_agent.engine.journal.journal import Journal
from se_agent.engine.journal.session_logs import LogPast, SessionLogger, sessions_folder
from se_agent.engine.judging.evaluator_pool import Recorder
from se_agent.engine.judging.kept_outputs import KeptOutputs
from se_agent.errors import MemoryFileError
from se_agent.events import Event
from se_agent.memory import Workspace, group_of, workspace_folder
from se_agent.memory_events import Noted
from se_agent.protocols import Listener


@dataclass
class RunWorkspace:
    """What a run writes beside its journal.

    Attributes:
        outputs: Keeps large outputs.
        logger: Writes session logs; None: there are none.
        trouble: Why nothing can be written, in a sentence; empty: it can.
    """

    outputs: KeptOutputs
    logger: SessionLogger | None = None
    trouble: str = ""
    _record: Recorder | None = None
    _untold: tuple[str, ...] = ()

    def among(self, listeners: Sequence[Listener]) -> tuple[Listener, ...]:
        """Return these listeners and the logger, if there is one."""
        return (*listeners, self.logger) if self.logger else tuple(listeners)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be told at the start of a run."""
        return (self.trouble,) if self.trouble else ()

    def recall(self, pasts: Sequence[object]) -> None:
        """Give the logger its past, if it is among those of all listeners."""
        if self.logger is not None:
            past = next((past for past in pasts if isinstance(past, LogPast)), None)
            self.logger.restore(past)

    def catch_up(self, events: Iterable[Event]) -> None:
        """Bring the logs up to the last event; see `SessionLogger.catch_up`."""
        if self.logger is not None:
            self.logger.catch_up(events)

    def attach(self, record: Recorder, *, tells: bool = False) -> KeptOutputs:
        """Have trouble put on record, and return what keeps outputs.

        Args:
            record: Records the run.
            tells: Whether the trouble of opening the workspace is not on record yet.
        """
        self._record = record
        for trouble in (*(self.notes if tells else ()), *self._untold):
            record(Noted(text=trouble))
        self._untold = ()
        return self.outputs

    def tell(self, trouble: str) -> None:
        """Put trouble on record; before anything records the run, once something does."""
        if self._record is None:
            self._untold = (*self._untold, trouble)
        else:
            self._record(Noted(text=trouble))


@contextmanager
def run_workspace(folder: Path, config: Run, journal: Journal) -> Iterator[RunWorkspace]:
    """Open what a run writes beside its journal, and close it at the end.

    Args:
        folder: Folder of the run.
        config: Its `memory`.
        journal: Its journal, which has the texts of the logs.
    """
    made = RunWorkspace(KeptOutputs())
    place = workspace_folder(config.memory.workspace.path, folder.parent)
    with ExitStack() as stack:
        if place is not None:
            try:
                workspace = stack.enter_context(Workspace.open(place))
                _fill(made, workspace, folder, config, journal)
            except MemoryFileError as err:
                made.trouble = f"nothing is kept beside this run: {err}"
        if made.logger is not None:
            stack.callback(made.logger.close)
        yield made


def _fill(
    made: RunWorkspace, workspace: Workspace, folder: Path, config: Run, journal: Journal
) -> None:
    section, group = config.memory.artifacts, group_of(folder, workspace.folder)
    if config.memory.workspace.logs:
        logs = sessions_folder(workspace.folder, group)
        made.logger = SessionLogger(logs, journal.text, made.tell)
    if section.enabled:
        made.outputs = KeptOutputs(
            store=workspace.artifacts(),
            group=group,
            limit=section.offload_characters,
            head=section.head_characters,
            tail=section.tail_characters,
        )
