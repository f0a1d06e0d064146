"""Replay: run the loop again on what a journal recorded, and hold the two side by side.

Policy, operators, judge, memory and folds run for real; evaluations, blocks and the clock come
from the record. If the events agree, the run is what its configuration says it is.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from se_agent.engine.arena import Recorder
from se_agent.engine.budget import Reading
from se_agent.engine.canonical import canonical
from se_agent.engine.folder import stored
from se_agent.engine.journal import Journal
from se_agent.engine.run import Opened, drive
from se_agent.engine.wiring import new_state
from se_agent.errors import SeAgentError
from se_agent.events import (
    BlockMeasured,
    Ended,
    Evaluated,
    Event,
    GenerationOpened,
    Replied,
    SearchEnded,
    Started,
)
from se_agent.types import Block, Evaluation, InputSet, Kind, Preflight, Solution


@dataclass(frozen=True, kw_only=True)
class Replay:
    """What a replay showed.

    Attributes:
        recorded: The journal's events, canonical.
        replayed: The replay's.
        complete: Whether the run had ended.
    """

    recorded: tuple[str, ...]
    replayed: tuple[str, ...]
    complete: bool

    @property
    def differences(self) -> tuple[str, ...]:
        """Replayed events that are not on record, and, of an ended run, the reverse.

        A replay of an unfinished run goes on a little where nothing has to be measured: what
        is of a stage that the record never reached is no difference.
        """
        recorded, replayed = Counter(self.recorded), Counter(self.replayed)
        extra = list((replayed - recorded).elements())
        if not self.complete:
            reached = {_stage(line) for line in self.recorded}
            return tuple(f"+ {line}" for line in extra if _stage(line) in reached)
        missing = (recorded - replayed).elements()
        return (*(f"+ {line}" for line in extra), *(f"- {line}" for line in missing))


class _RecordEndsError(SeAgentError):
    """The run broke off here; a replay can go no further."""


class RecordedEvaluator:
    """Answers from a journal; runs nothing."""

    def __init__(self, events: Sequence[Event]) -> None:
        started = next(event for event in events if isinstance(event, Started))
        self._kind = started.measure
        self._evaluations: dict[tuple[str, str], Evaluation] = {}
        self._blocks: dict[tuple[str, str, InputSet, int], Block] = {}
        for event in events:
            if isinstance(event, Evaluated):
                self._evaluations[event.solution, event.content] = event.evaluation
            elif isinstance(event, BlockMeasured):
                key = (event.reference, event.candidate, event.inputs, event.block.number)
                self._blocks[key] = event.block

    @property
    def kind(self) -> Kind:
        """Of the recorded run."""
        return self._kind

    def preflight(self, solution: Solution) -> Preflight:
        """Not needed: the start of the run is taken over as it is."""
        raise _RecordEndsError(f"{solution.id}: no preflight on record")

    def evaluate(self, solution: Solution) -> Evaluation:
        """Return the recorded evaluation of this id and content."""
        try:
            return self._evaluations[solution.id, solution.content]
        except KeyError:
            raise _RecordEndsError(f"{solution.id}: no evaluation on record") from None

    def block(
        self,
        reference: Solution,
        candidate: Solution,
        *,
        number: int,
        pairs: int,
        inputs: InputSet = InputSet.SEARCH,
    ) -> Block:
        """Return the recorded block."""
        try:
            return self._blocks[reference.id, candidate.id, inputs, number]
        except KeyError:
            raise _RecordEndsError(f"{candidate.id}: no block {number} on record") from None

    def close(self) -> None:
        """Nothing to end."""


class RecordedMeter:
    """Gives the readings that were recorded, one after the other."""

    def __init__(self, events: Sequence[Event]) -> None:
        read = (GenerationOpened, SearchEnded, Ended)
        self._readings = iter(
            [Reading(e.cpu_seconds, e.wall_seconds) for e in events if isinstance(e, read)]
        )

    def read(self, child_seconds: float) -> Reading:
        """Return the next reading."""
        try:
            return next(self._readings)
        except StopIteration:
            raise _RecordEndsError(f"nothing on record after {child_seconds:g} s") from None


def _stage(line: str) -> tuple[int, str]:
    event = json.loads(line)
    return event["slot"], event["kind"]


def replay(folder: Path) -> Replay:
    """Run a recorded run again without measuring anything.

    Raises:
        JournalError: There is no such run, or its folder is incomplete.
    """
    with Journal(folder / "run.db", write=False) as journal:
        events = list(journal.events())
    started, config, problem = stored(folder, events)
    with Journal(Path(":memory:")) as again:
        record = Recorder(again, new_state(config, tokenizer=started.tokenizer), ())
        record(started)
        for event in events:
            if isinstance(event, Replied):
                record(event)
        opened = Opened(config, problem, record)
        recorded = [RecordedEvaluator(events) for _ in range(config.workers)]
        try:
            drive(opened, recorded, RecordedMeter(events))
        except _RecordEndsError:
            complete = False
        else:
            complete = True
        replayed = canonical(again.events())
    return Replay(
        recorded=tuple(canonical(events)), replayed=tuple(replayed), complete=complete
    )
