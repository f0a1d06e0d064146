"""The stages of a step that is not closed yet, and what a closed one comes to.

Not here: what a closed step changes (each fold says so itself).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from se_agent.chat.events import Objected, Planned, Replied, RolledBack, Unanswered
from se_agent.chat.messages import LEARNING, family_of
from se_agent.engine.search.choice import Returns
from se_agent.engine.state.population import Population
from se_agent.engine.state.slot_snapshot import SlotSnapshot
from se_agent.events import (
    BlockMeasured,
    Challenged,
    Evaluated,
    Event,
    GenerationOpened,
    Learned,
    Proposed,
    Resumed,
    Retested,
    Seeded,
    Selected,
    Trimmed,
)
from se_agent.memory_events import Fetched
from se_agent.values.evaluation import (
    Block,
    Evaluation,
    Hunt,
    InputSet,
    Status,
    TestKey,
    refuted_evaluation,
)
from se_agent.values.search_context import Strategy
from se_agent.values.solution import Solution
from se_agent.values.step import Slot, Step

if TYPE_CHECKING:
    from se_agent.engine.state.state import State

Pair = tuple[str, str, InputSet]
Retest = tuple[str, TestKey]
"""A solution, and what tells a counterexample from others."""


@dataclass
class OpenSlot:
    """The recorded stages of an open step; `returns` as they were when it was selected."""

    slot: Slot | None = None
    informed: bool = False
    past: SlotSnapshot | None = None
    returns: Mapping[str, Returns] = field(default_factory=dict)
    answers: dict[tuple[str, int], Replied | Unanswered] = field(default_factory=dict)
    fetched: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    objected: dict[tuple[str, int], str] = field(default_factory=dict)
    planned: tuple[Strategy, ...] | None = None
    proposed: Proposed | None = None
    evaluated: Evaluated | None = None
    blocks: dict[Pair, list[Block]] = field(default_factory=dict)
    hunts: dict[str, Hunt] = field(default_factory=dict)
    retested: dict[Retest, Evaluation] = field(default_factory=dict)

    def hear(self, event: Replied | Unanswered | Objected | Fetched | Planned) -> None:
        """Take note of what came of a call."""
        match event:
            case Replied() | Unanswered():
                self.answers[family_of(event.role), event.attempt] = event
            case Objected():
                self.objected[family_of(event.role), event.attempt] = event.why
            case Fetched():
                at = (family_of(event.role), event.attempt)
                self.fetched.setdefault(at, []).append(event.text)
            case Planned():
                self.planned = event.strategies

    def measure(self, event: Evaluated | BlockMeasured | Challenged | Retested) -> None:
        """Take note of what was measured."""
        match event:
            case Evaluated():
                self.evaluated = event
            case BlockMeasured():
                pair = (event.reference, event.candidate, event.inputs)
                self.blocks.setdefault(pair, []).append(event.block)
            case Challenged():
                self.hunts[event.solution] = event.hunt
            case Retested():
                self.retested[event.solution, event.test] = event.evaluation

    @property
    def candidate(self) -> Solution | None:
        """The new solution, if there is one and it is not a duplicate."""
        proposed = self.proposed
        if proposed is None or proposed.proposal is None or proposed.duplicate_of:
            return None
        return proposed.proposal.solution

    @property
    def fault(self) -> Evaluation | None:
        """How the candidate was seen to be wrong; None where it was not."""
        made, found = self.candidate, [self.evaluated.evaluation] if self.evaluated else []
        if made is None:
            return None
        found += [e for (name, _), e in self.retested.items() if name == made.id]
        hunt = self.hunts.get(made.id)
        found += [refuted_evaluation(hunt.found)] if hunt is not None and hunt.found else []
        found += [
            Evaluation(status=block.status, failing=block.failing, feedback=block.feedback)
            for (_, candidate, _), blocks in self.blocks.items()
            for block in blocks
            if candidate == made.id and block.status is not Status.AC
        ]
        return next((one for one in found if one.status is not Status.AC), None)

    @property
    def replies(self) -> list[Replied]:
        """What models answered, in the order of recording."""
        return [answer for answer in self.answers.values() if isinstance(answer, Replied)]

    def unlearn(self) -> None:
        """Forget what models said of a lesson: the directions that they saw hold no more."""
        answers = self.answers.items()
        self.answers = {at: answer for at, answer in answers if answer.role not in LEARNING}

    def recorded_blocks(
        self, reference: Solution, candidate: Solution, inputs: InputSet
    ) -> list[Block]:
        """Return the blocks of a comparison that were measured already."""
        return list(self.blocks.get((reference.id, candidate.id, inputs), ()))

    @property
    def cost_seconds(self) -> float:
        """CPU seconds of its evaluation and its comparisons; a champion's trials are apart."""
        costs = [block.cost_seconds for blocks in self.blocks.values() for block in blocks]
        costs += [self.evaluated.evaluation.cost_seconds] if self.evaluated else []
        return math.fsum(costs)


class OpenSlots(defaultdict[int, OpenSlot]):
    """Stages by slot; -1 holds what belongs to the run itself. Indexing opens a slot."""

    def __init__(self) -> None:
        """Begin without any."""
        super().__init__(OpenSlot)

    def __reduce__(self) -> tuple[object, ...]:
        """Return how it is made anew: without an argument, other than a `defaultdict`."""
        return OpenSlots, (), None, None, iter(self.items())

    def of(self, slot: int) -> OpenSlot:
        """Return what is on record of a slot, and open none."""
        return self.get(slot, OpenSlot())


class ClosedSlot(NamedTuple):
    """The slot that was closed last.

    Attributes:
        stages: All that is on record of it.
        step: What they come to; None: no policy filled the slot.
    """

    stages: OpenSlot
    step: Step | None

    @property
    def gained(self) -> bool:
        """Whether its gain is proven."""
        return self.step is not None and self.step.gain > 0


class OpenSteps(OpenSlots):
    """Open slots, moved on by their stages.

    It comes before whatever a closed step changes: those folds read `last`.
    """

    reads: ClassVar = (
        *(Selected, Replied, Unanswered, Objected, Fetched, Planned, Proposed),
        *(Evaluated, BlockMeasured, Challenged, Retested),
        *(Learned, RolledBack, Trimmed, Seeded, Resumed),
    )

    def __init__(self, run: State) -> None:
        super().__init__()
        self.last = ClosedSlot(OpenSlot(), None)
        self._run = run

    def __reduce__(self) -> tuple[object, ...]:
        """Return how it is made anew: without an argument, other than a `defaultdict`."""
        return OpenSteps, (self._run,), {"last": self.last}, None, iter(self.items())

    def parent_of(self, slot: int) -> Solution:
        """Return the first parent of a slot that was selected and is open."""
        chosen = self[slot].slot
        assert chosen is not None, "nothing was selected for it"
        return chosen.parents[0]

    def apply(self, event: Event) -> None:
        """Take in a stage, or close a step."""
        match event:
            case BlockMeasured() | Evaluated() | Challenged() | Retested():
                self[event.slot].measure(event)
            case Learned():
                stages = self.pop(event.slot, OpenSlot())
                self.last = ClosedSlot(stages, closed_step(stages, event))
            case Selected():
                self._select(event)
            case Proposed():
                self[event.slot].proposed = event
            case Replied() | Unanswered() | Objected() | Fetched() | Planned():
                self[event.slot].hear(event)
            case _:
                self._drop(event)

    def _select(self, event: Selected) -> None:
        run, stages = self._run, self[event.slot]
        stages.slot = filled_slot(event, run.populated, run.generation)
        stages.informed = bool(event.informed)
        stages.returns = run.returns

    def _drop(self, event: Event) -> None:
        """Forget what holds no more."""
        match event:
            case RolledBack() if event.session is None:
                for stages in self.values():
                    stages.unlearn()
            case Trimmed():
                self.pop(event.slot, None)
            case Seeded():  # all face a search on inputs that nobody could know
                own = self[event.slot]
                own.hunts = {name: hunt for name, hunt in own.hunts.items() if hunt.found}
            case Resumed() if self._run.reopened:
                self._reopen()

    def _reopen(self) -> None:
        """What was measured at the end of a search says nothing of the next one."""
        for slot in [slot for slot in self if slot < -1]:
            del self[slot]  # of a trial that was broken off
        own = self[-1]
        own.blocks = {p: found for p, found in own.blocks.items() if p[2] is InputSet.SEARCH}
        own.hunts = {name: hunt for name, hunt in own.hunts.items() if not hunt.put_off}


def filled_slot(
    event: Selected, population: Population, opened: GenerationOpened | None
) -> Slot:
    """Return the slot that was selected."""
    assert opened is not None
    return Slot(
        number=event.slot,
        generation=opened.generation,
        child=event.child,
        parents=tuple(population.members[p].solution for p in event.parents),
        operator=event.operator,
        variant=event.variant,
        strategy=event.strategy,
        subject=event.subject,
        edits=event.edits,
    )


def closed_step(stages: OpenSlot, event: Learned) -> Step | None:
    """Return a closed step, or None for a slot that no policy filled.

    Its evaluation is the one in which it failed, whenever that was, or the first.
    """
    if stages.slot is None or stages.proposed is None:
        return None
    first = stages.evaluated.evaluation if stages.evaluated else None
    return Step(
        slot=stages.slot,
        proposal=stages.proposed.proposal,
        duplicate_of=stages.proposed.duplicate_of,
        evaluation=stages.fault or first,
        verdict=event.verdict,
        effect=event.effect,
        planned=stages.planned or (),
        cost_seconds=stages.cost_seconds,
        withdrawn=event.withdrawn,
    )
