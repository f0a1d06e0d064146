"""What a journal says of each closed slot, gathered in one pass: the base of every harvest.

Beside that, how many programs each refuting input refuted, and when last. Inputs of earlier
runs count, too: one that refutes again is asked before one that does not.

Pure. Not here: what is learned from it across runs (`harvest`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from se_agent.chat.events import Replied
from se_agent.events import (
    BlockMeasured,
    Challenged,
    Evaluated,
    Event,
    Learned,
    Proposed,
    Retested,
    Selected,
)
from se_agent.memory.experience.long_term import KnownTest
from se_agent.memory_events import Recalled
from se_agent.values.evaluation import (
    Counterexample,
    Evaluation,
    Status,
    TestKey,
    refuted_evaluation,
)
from se_agent.values.step import Proposal

RUN_SLOT = -1
"""The slot of what belongs to the run itself, such as its confirmation."""


@dataclass
class SlotRecord:
    """One slot, with its stages.

    Attributes:
        number: Its number; `RUN_SLOT`: what belongs to the run, which comes last.
        selected: What the policy chose; None: nothing.
        proposal: What the operator made; None: nothing, or nothing new.
        replies: What models said.
        found: Solutions and how each was evaluated, in order: on the tests, on inputs that
            refuted others, in a search for such an input, and while it was measured.
        learned: How the step was closed; None: it belongs to the run.
        event: Number of that event in the journal.
        seconds: From its selection to its end, on the clock on the wall.
    """

    number: int
    selected: Selected | None = None
    proposal: Proposal | None = None
    replies: list[Replied] = field(default_factory=list)
    found: list[tuple[str, Evaluation]] = field(default_factory=list)
    learned: Learned | None = None
    event: int = 0
    seconds: float = 0.0

    @property
    def fault(self) -> Evaluation | None:
        """How its own candidate was seen to be wrong; None: it was not."""
        own = self.proposal.solution.id if self.proposal else ""
        failed = (one for id_, one in self.found if id_ == own and one.status is not Status.AC)
        return next(failed, None)

    def add(self, event: Event) -> None:
        """Take note of a stage."""
        match event:
            case Selected():
                self.selected = event
            case Proposed():
                self.proposal = None if event.duplicate_of else event.proposal
            case Replied():
                self.replies.append(event)
            case Evaluated() | Retested():
                self.found.append((event.solution, event.evaluation))
            case Challenged() if event.hunt.found is not None:
                self.found.append((event.solution, refuted_evaluation(event.hunt.found)))
            case BlockMeasured(block=block) if block.status is not Status.AC:
                evaluation = Evaluation(
                    status=block.status, failing=block.failing, feedback=block.feedback
                )
                self.found.append((event.candidate, evaluation))


def records_of(events: Iterable[tuple[int, Event]]) -> Iterator[SlotRecord]:
    """Yield closed slots in the order in which they were closed, then what is the run's.

    Args:
        events: Events of a run with their numbers, oldest first.
    """
    open_slots: dict[int, SlotRecord] = {}
    run = SlotRecord(RUN_SLOT)
    for number, event in events:
        if event.slot < 0:
            run.add(event)
            continue
        record = open_slots.setdefault(event.slot, SlotRecord(event.slot))
        record.add(event)
        if isinstance(event, Learned):
            record.learned, record.event = event, number
            if record.selected is not None:
                record.seconds = (event.at - record.selected.at).total_seconds()
            yield open_slots.pop(event.slot)
    yield run


@dataclass
class Refutations:
    """The refuting inputs of a run, gathered in one pass over its events."""

    _tests: dict[TestKey, Counterexample] = field(default_factory=dict)
    _programs: Counter[TestKey] = field(default_factory=Counter)
    _last: dict[TestKey, str] = field(default_factory=dict)

    def apply(self, event: Event) -> None:
        """Take note of an event."""
        match event:
            case Recalled():
                self._tests |= {test.key: test for test in event.tests}
            case Challenged() if event.hunt.test is not None:
                self._tests.setdefault(event.hunt.test.key, event.hunt.test)
                self._count(event.hunt.test.key, event)
            case Retested() if event.evaluation.status is not Status.AC:
                self._count(event.test, event)

    def tests(self, fingerprint: str) -> Iterator[KnownTest]:
        """Yield the inputs that refuted a program of the run, the first one found at first.

        Args:
            fingerprint: Hash of the problem.
        """
        for key, test in self._tests.items():
            if number := self._programs[key]:
                at = self._last[key]
                yield KnownTest(fingerprint=fingerprint, test=test, programs=number, at=at)

    def _count(self, key: TestKey, event: Event) -> None:
        self._programs[key] += 1
        self._last[key] = event.at.isoformat(timespec="seconds")
