"""How far a run has come, and what it has on record of itself: the folds that come last.

Not here: what a search found (each other fold has its own).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from se_agent.abilities.optional import Relaying
from se_agent.engine.search.choice import Returns, begun, counted
from se_agent.engine.state.extension import last_opened
from se_agent.events import (
    Confirmed,
    Ended,
    Event,
    GenerationOpened,
    Learned,
    Relayed,
    Remembered,
    Resumed,
    SearchEnded,
    Seeded,
    SelfTested,
    Started,
    Trimmed,
)
from se_agent.memory_events import Recalled, Surveyed
from se_agent.protocols import Policy

if TYPE_CHECKING:
    from se_agent.engine.state.state import State


class ReturnsFold:
    """What models have brought in closed steps, by name."""

    reads: ClassVar = (Learned, Recalled)

    def __init__(self, run: State) -> None:
        self.value: Mapping[str, Returns] = {}
        self._run = run

    def apply(self, event: Event) -> None:
        """Count the replies of a closed step; begin with what earlier runs say of models."""
        if isinstance(event, Recalled):
            self.value = begun(event.preferences.models)
            return
        last = self._run.open.last
        self.value = counted(self.value, last.stages.replies, self._run.roles, gain=last.gained)


class PolicyFold:
    """The search: it is told of closed steps only, and of a switch to another policy."""

    reads: ClassVar = (Learned, Relayed)

    def __init__(self, run: State, policy: Policy) -> None:
        self.policy = policy
        self._run = run

    def apply(self, event: Event) -> None:
        """Tell of a closed step, if its slot was filled."""
        if isinstance(event, Relayed):
            assert isinstance(self.policy, Relaying), "only such a policy switches"
            self.policy.go_on(event)
        elif (step := self._run.open.last.step) is not None:
            self.policy.tell(step)


class ProgressFold:
    """The fold.

    Attributes:
        steady: Whether slots see the past move on within a generation.
        generation: The last one that was opened.
        since: How many steps were closed when it was opened.
        closed: Number of closed steps.
        gained: How many were closed when the last new best program had come.
        passed: Number of the generation that trials at an earlier end were named after.
    """

    reads: ClassVar = (Started, GenerationOpened, Learned, Resumed)

    def __init__(self, run: State) -> None:
        self.steady = False
        self.generation: GenerationOpened | None = None
        self.since = self.closed = self.gained = self.passed = 0
        self._run = run

    def apply(self, event: Event) -> None:
        """Count."""
        match event:
            case Learned():
                self.closed += 1
                if event.child and event.child == event.best:
                    self.gained = self.closed
            case GenerationOpened():
                self.generation, self.since = event, self.closed
            case Started():
                self.steady = event.config.get("schedule") == "steady"
            case Resumed() if self._run.reopened:
                self.passed = 1 + last_opened(self._run)

    def at(self, slot: int) -> int:
        """Return how many closed steps a slot sees: those of slots 0 ... this - 1."""
        del slot
        return self.closed


class TrimsFold:
    """The fold.

    Attributes:
        trimmed: Edits of the champion that were left out for a trial, after the search.
        trials: How many were at earlier ends of the search.
    """

    reads: ClassVar = (Trimmed, Resumed)

    def __init__(self, run: State) -> None:
        self.trimmed: list[Trimmed] = []
        self.trials = 0
        self._run = run

    def apply(self, event: Event) -> None:
        """Take in a trial."""
        if isinstance(event, Trimmed):
            self.trimmed.append(event)
        elif isinstance(event, Resumed) and self._run.reopened:
            self.trials += len(self.trimmed) + 1  # one more may have been broken off
            self.trimmed = []


class RunRecord:
    """What happens once in a run; it forgets an end after all others were told of it.

    Attributes:
        spread: How much identical code differs; None before the self-test.
        tested: The self-test; None before it.
        settings: Settings of the run file that were changed since the run began, by dotted key.
        seeded: What the confirmation draws by; None before it, and in older journals.
        surveyed: Whether the initial program was read, and a pack of knowledge.
        recalled: What earlier runs give; None: nothing.
    """

    reads: ClassVar = (
        *(Started, Surveyed, Recalled, SelfTested, SearchEnded, Seeded),
        *(Confirmed, Remembered, Ended, Resumed),
    )

    search_ended: SearchEnded | None
    seeded: Seeded | None
    confirmed: Confirmed | None
    remembered: Remembered | None
    ended: Ended | None

    def __init__(self, run: State) -> None:
        self.started: Started | None = None
        self.spread: float | None = None
        self.tested: SelfTested | None = None
        self.surveyed = False
        self.recalled: Recalled | None = None
        self.settings: dict[str, object] = {}
        self._run = run
        self._forget_end()

    def apply(self, event: Event) -> None:
        """Take note of it."""
        match event:
            case Started():
                self.started = event
            case Surveyed():
                self.surveyed = True
            case Recalled():
                self.recalled = event
            case SelfTested():
                self.spread, self.tested = event.spread, event
            case Resumed():
                self.settings |= event.settings
                if self._run.reopened:
                    self._forget_end()
            case _:
                self._end(event)

    def _end(self, event: Event) -> None:
        match event:
            case SearchEnded():
                self.search_ended = event
            case Seeded():
                self.seeded = event
            case Confirmed():
                self.confirmed = event
            case Remembered():
                self.remembered = event
            case Ended():
                self.ended = event

    def _forget_end(self) -> None:
        self.search_ended = self.confirmed = self.remembered = self.ended = None
        self.seeded = None
