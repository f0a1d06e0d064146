"""LocalMemory as the events of a run moved it on: nothing else of the engine's state is made.

What a lesson does to memory depends on the head of the memory, too: the incumbent, its figure
and the generation. All three are on record, so that no program is judged, counted or compared
anew. Not here: the engine's own fold, with the other tiers (`se_agent.engine.state`).
"""

from __future__ import annotations

from collections import deque
from typing import ClassVar, Self

from se_agent.config.run_file import run_of_record
from se_agent.engine.run.resolve import counter_of
from se_agent.engine.state.global_status import standing
from se_agent.events import Event, GenerationOpened, Learned, Started
from se_agent.memory import LocalMemory, LocalTier, MemoryUpdate
from se_agent.values.closed_step import ClosedStep
from se_agent.values.lesson import GlobalStatus
from se_agent.values.solution import Solution
from se_agent.values.view import Member


class LocalVersions:
    """The fold; it takes events of other kinds, too, and passes over them.

    Attributes:
        reads: Kinds of the events that it goes on by.
    """

    reads: ClassVar = (
        "started",
        "recalled",
        "generation_opened",
        "proposed",
        "learned",
        "rolled_back",
        "told",
        "trimmed",
    )

    def __init__(self, memory: LocalMemory) -> None:
        """Begin before the first event."""
        self._tier = LocalTier(memory=memory)
        self._asked_with = 0
        self._opened: deque[GenerationOpened] = deque()
        self._made: dict[str, Solution] = {}
        self._effects: dict[str, float] = {}
        self._best = ""
        self._begun: Started | None = None
        self._place = ("", 0)
        self._stood = GlobalStatus()

    @classmethod
    def of(cls, started: Started) -> Self | None:
        """Return the fold of a run, before its first event; None: it has no memory.

        Raises:
            ConfigError: The run's settings have a key, or a counter of tokens, not known here.
        """
        config = run_of_record(started.config)
        if not config.memory.enabled:
            return None
        counter = counter_of(config, name=started.tokenizer)
        return cls(LocalMemory(limits=config.memory.local, counter=counter))

    @property
    def now(self) -> LocalMemory:
        """The memory after the last event."""
        return self._tier.memory

    @property
    def update(self) -> MemoryUpdate | None:
        """What the last lesson or suggestion did to the memory; None: there was none."""
        return self._tier.update

    @property
    def asked_with(self) -> int:
        """The version that slots selected now are asked with."""
        return self._asked_with

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        match event.kind:
            case "started":
                self._begun = event
                self._join(event.initial, 0.0)
            case "proposed" if event.proposal and not event.duplicate_of:
                self._note(event.proposal.solution)
            case "trimmed" if event.effect is not None:
                self._join(event.solution, event.effect)
            case "learned":
                self._learn(event)
            case "generation_opened":
                self._opened.append(event)
                self._asked_with = self.now.version
            case "recalled" | "rolled_back" | "told":
                self._tier = self._tier.apply(event)

    def _learn(self, event: Learned) -> None:
        if event.effect is not None:
            self._effects[event.child] = event.effect
        self._best = event.best
        self._tier = self._tier.apply(event, ClosedStep(None, self._status(event.slot)))
        if self._steady:
            self._asked_with = self.now.version

    def _status(self, slot: int) -> GlobalStatus:
        """Return where the run stood when the step of a slot was closed."""
        while self._opened[0].slot + self._opened[0].size <= slot:
            self._opened.popleft()
        place = self._best, self._opened[0].generation
        if place != self._place:
            assert self._begun is not None, "no step is closed before the run was started"
            best = Member(solution=self._made[self._best], effect=self._effects[self._best])
            self._place, self._stood = place, standing(self._begun, best, place[1])
        return self._stood

    @property
    def _steady(self) -> bool:
        return self._begun is not None and self._begun.config.get("schedule") == "steady"

    def _join(self, solution: Solution, effect: float) -> None:
        """Make a program the incumbent."""
        self._note(solution)
        self._effects[solution.id] = effect
        self._best = solution.id

    def _note(self, solution: Solution) -> None:
        """Keep what the head of the memory says of a program: of edits there may be many."""
        said = Solution(id=solution.id, files={}, strategy=solution.approach)
        self._made[solution.id] = said
