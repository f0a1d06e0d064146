"""Replay: run the loop again on what a journal recorded, and hold the two side by side.

Policy, operators, judge, memory and folds run for real; evaluations, blocks and the clock come
from the record, and so does what a person did: each rollback, and what the run was told. If the
events agree, the run is what its configuration says it is.
"""

from __future__ import annotations

import json
import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from se_agent.conversation import Message, Role
from se_agent.costs import Reading
from se_agent.engine.judging.arena import Recorder
from se_agent.engine.record.canonical import canonical
from se_agent.engine.record.folder import stored
from se_agent.engine.record.journal import Journal
from se_agent.engine.record.transcript import packed
from se_agent.engine.rollback import rollback_to
from se_agent.engine.run import Opened, drive
from se_agent.engine.state.state import State
from se_agent.engine.telling import told
from se_agent.engine.wiring import new_state
from se_agent.errors import SeAgentError
from se_agent.events import (
    BlockMeasured,
    Challenged,
    Ended,
    Evaluated,
    Event,
    GenerationOpened,
    Learned,
    Observed,
    Retested,
    RolledBack,
    SearchEnded,
    Started,
    Trimmed,
)
from se_agent.lessons import Direction
from se_agent.talks import Replied, Told, Unanswered
from se_agent.types import (
    Block,
    Counterexample,
    Evaluation,
    Hunt,
    InputSet,
    Kind,
    Measurement,
    Observation,
    Preflight,
    Solution,
    Status,
    TestKey,
)


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
        self._hunts: dict[str, deque[Hunt]] = {}
        self._observed = {e.solution: e.observation for e in events if isinstance(e, Observed)}
        self._retested: dict[tuple[str, TestKey], Evaluation] = {}
        self._tested: set[tuple[str, TestKey]] = set()
        self._evaluated: set[str] = set()
        tests: list[Counterexample] = []
        self._closed = {event.child for event in events if isinstance(event, Learned)}
        self._closed |= {e.solution.id for e in events if isinstance(e, Trimmed)}
        for event in events:
            if isinstance(event, Challenged):
                self._hunts.setdefault(event.solution, deque()).append(event.hunt)
                tests += [event.hunt.test] if event.hunt.test else []
            elif isinstance(event, Retested):
                self._retested[event.solution, event.test] = event.evaluation
            elif isinstance(event, Evaluated):
                self._evaluations[event.solution, event.content] = event.evaluation
                self._tested |= {(event.solution, t.key) for t in tests}
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
        self._evaluated.add(solution.id)
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

    def hunt(self, solution: Solution, *, seconds: float, strict: bool = False) -> Hunt:
        """Return the next recorded search; none where the run went on without one."""
        if self._hunts.get(solution.id):
            return self._hunts[solution.id].popleft()
        if solution.id in self._closed:
            return Hunt()
        raise _RecordEndsError(f"{solution.id}: no search on record")

    def retest(self, solution: Solution, tests: Sequence[Counterexample]) -> Evaluation:
        """Return the recorded outcome; for tests before an evaluation, that one holds it.

        It holds what they cost, too: the same test may come once more, after it.
        """
        (*_, test) = tests
        name = (solution.id, test.key)
        if name in self._tested and solution.id not in self._evaluated:
            return Evaluation(status=Status.AC, measurement=Measurement(cpu_seconds=0.0))
        if name not in self._retested:
            raise _RecordEndsError(f"{solution.id}: no test on record")
        return self._retested[name]

    def flagged(self, solution: Solution) -> Solution | None:
        """Return what was measured with more compiler flags, if anything was."""
        begins = f"{solution.id}, compiled with "
        names = (candidate for _, candidate, _, _ in self._blocks)
        found = next((name for name in names if name.startswith(begins)), None)
        return Solution(id=found, files=solution.files) if found else None

    def observe(self, solution: Solution) -> Observation:
        """Return what was seen; nothing where the run went on without."""
        return self._observed.get(solution.id, Observation())

    def close(self) -> None:
        """Nothing to end."""


class RecordedCalls:
    """Gives the answers that were recorded; asks nobody, and needs no endpoint.

    An answer stands for what was asked now: where that is another conversation than the
    recorded one, the replay shows it.
    """

    def __init__(self, record: Recorder, events: Sequence[Event]) -> None:
        self._record = record
        self._answers = {
            (e.slot, e.role, e.attempt): e
            for e in events
            if isinstance(e, Replied | Unanswered)
        }

    def ask(
        self,
        slot: int,
        role: Role,
        messages: Sequence[Message],
        *,
        attempt: int = 0,
        schema: Mapping[str, Any] | None = None,
    ) -> Replied | Unanswered:
        """Return the recorded answer."""
        known = self._record.state.open.of(slot).answers.get((role, attempt))
        if known is not None:
            return known
        answer = self._answers.get((slot, role, attempt))
        if answer is None:
            raise _RecordEndsError(f"slot {slot}: no reply on record")
        if isinstance(answer, Replied) or answer.request:
            answer = answer.model_copy(update={"request": packed(messages).digest})
        self._record(answer)
        return answer

    def finish(self) -> None:
        """Nothing is under way."""

    def close(self) -> None:
        """Nothing is under way."""


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

    def glance(self, child_seconds: float) -> Reading:
        """Leave all time: whatever was put off for want of it is on record."""
        return Reading(-math.inf, -math.inf)


class Repeating(Recorder):
    """Records what a replay comes to, and what a person did at the place of the record.

    Memory moves on with closed steps, and a generation is asked with what was known when it was
    opened: which two of these events a rollback or a suggestion lies between is all that
    matters of its place.
    """

    def __init__(self, journal: Journal, state: State, recorded: Iterable[Event]) -> None:
        super().__init__(journal, state, ())
        self._passed = 0
        self._done: dict[int, list[RolledBack | Told]] = {}
        self._lists: dict[int, tuple[Direction, ...]] = {}
        self._named: set[int] = set()
        passed = 0
        for event in recorded:
            passed += isinstance(event, _PLACES)
            if isinstance(event, RolledBack | Told):
                self._done.setdefault(passed, []).append(event)
            if isinstance(event, RolledBack):
                self._named.add(event.version)

    def __call__(self, event: Event, texts: Iterable[str] = ()) -> None:
        """Record one event, and what a person did right after it."""
        self._recorded(event, texts)
        if not isinstance(event, _PLACES):
            return
        self._passed += 1
        for done in self._done.get(self._passed, ()):
            if isinstance(done, Told):
                self._recorded(told(self.state, done.direction))
            elif done.version in self._lists:
                # A run that took another way may never have had it; then it is missed.
                found = self._lists[done.version]
                self._recorded(rollback_to(self.state, done.version, found))

    def _recorded(self, event: Event, texts: Iterable[str] = ()) -> None:
        """Record one event, and keep the directions that it made, if a rollback names them."""
        super().__call__(event, texts)
        memory = self.state.memory
        if memory is not None and memory.version in self._named:
            self._lists.setdefault(memory.version, memory.attempted_directions)


_PLACES = (Started, GenerationOpened, Learned)


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
        record = Repeating(again, new_state(config, tokenizer=started.tokenizer), events)
        record(started)
        opened = Opened(config, problem, record, RecordedCalls(record, events))
        recorded = [RecordedEvaluator(events)] * config.workers
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
