"""Where a run stands: a fold over its events, live and after a crash alike.

The loop records an event and applies it here; a resumed run applies the recorded ones. There
is no other way for state to change, so both end in the same place.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from se_agent.conversation import Role
from se_agent.costs import Costs
from se_agent.engine.budget import Spent
from se_agent.engine.choice import WRITING, Returns, counted
from se_agent.engine.experience import Experience
from se_agent.engine.families import Families
from se_agent.engine.judge import refuted
from se_agent.engine.knowledge import Knowledge
from se_agent.engine.population import Population
from se_agent.engine.siblings import Siblings
from se_agent.engine.standing import standing
from se_agent.events import (
    BlockMeasured,
    Challenged,
    Confirmed,
    Ended,
    Evaluated,
    Event,
    GenerationOpened,
    Learned,
    Observed,
    Proposed,
    Remembered,
    Retested,
    RolledBack,
    SearchEnded,
    Selected,
    SelfTested,
    Started,
    Trimmed,
)
from se_agent.memory.local import Applied, LocalMemory
from se_agent.protocols import Archiving, Policy
from se_agent.talks import Planned, Replied, Told, Unanswered
from se_agent.types import (
    Block,
    Counterexample,
    Evaluation,
    Hunt,
    InputSet,
    Member,
    Observation,
    Slot,
    Solution,
    Status,
    Step,
    Strategy,
    Trial,
)

Pair = tuple[str, str, InputSet]
Retest = tuple[str, str, str]
"""A solution, and the arguments and links of a counterexample."""


@dataclass
class OpenSlot:
    """The recorded stages of an open step; `returns` as they were when it was selected."""

    slot: Slot | None = None
    returns: Mapping[str, Returns] = field(default_factory=dict)
    answers: dict[tuple[Role, int], Replied | Unanswered] = field(default_factory=dict)
    planned: tuple[Strategy, ...] | None = None
    proposed: Proposed | None = None
    evaluated: Evaluated | None = None
    blocks: dict[Pair, list[Block]] = field(default_factory=dict)
    hunts: dict[str, Hunt] = field(default_factory=dict)
    retested: dict[Retest, Evaluation] = field(default_factory=dict)

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
        found += [e for (name, *_), e in self.retested.items() if name == made.id]
        hunt = self.hunts.get(made.id)
        found += [refuted(hunt.found)] if hunt is not None and hunt.found else []
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

    def known(self, reference: Solution, candidate: Solution, inputs: InputSet) -> list[Block]:
        """Return the blocks of a comparison that were measured already."""
        return list(self.blocks.get((reference.id, candidate.id, inputs), ()))

    @property
    def cost_seconds(self) -> float:
        """CPU seconds of its evaluation and its comparisons; a champion's trials are apart."""
        costs = [block.cost_seconds for blocks in self.blocks.values() for block in blocks]
        costs += [self.evaluated.evaluation.cost_seconds] if self.evaluated else []
        return math.fsum(costs)


@dataclass
class State:
    """The fold.

    Attributes:
        policy: Is told of closed steps only.
        memory: LocalMemory; None when memory is off.
        seen: The memory when the current generation was opened: its slots are asked with it.
        taught: What the last lesson, or suggestion, did to memory.
        told: How many directions a person entered.
        costs: What was spent of time and on models.
        returns: What models have brought in closed steps, by name.
        contents: Id by content address, of all that was proposed.
        open: Stages by slot; -1 holds what belongs to the run itself.
        generation: The last one that was opened.
        closed: Number of closed steps.
        barren: Generations in a row, before the current one, that brought nothing new.
        fresh: Whether the current one brought something new.
        asked: Whether the policy found anything to ask in the current one.
        tests: Counterexamples of closed steps, oldest first.
        tested: How many of them there were when the current generation was opened.
        families: The newest trials of closed steps, for operators that learn from them.
        unrefuted: Members to which a search found no counterexample.
        observed: What was seen of a member, or of its nearest ancestor that was watched, by id.
        fruitless: Closed steps in a row whose models were asked for a candidate and gave none.
        in_vain: Operators that had nothing new since something new was last found.
        trimmed: Edits of the champion that were left out for a trial, after the search.
        experience: What was found out about operators, for later runs.
        siblings: Closed steps of a generation that is not complete.
        knowledge: Strategies, failures and contrasts, for briefs of operators that read.
    """

    policy: Policy
    memory: LocalMemory | None
    seen: LocalMemory | None = None
    taught: Applied | None = None
    told: int = 0
    started: Started | None = None
    spread: float | None = None
    population: Population | None = None
    spent: Spent = field(default_factory=Spent)
    costs: Costs = field(default_factory=Costs)
    returns: Mapping[str, Returns] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)
    open: dict[int, OpenSlot] = field(default_factory=lambda: defaultdict(OpenSlot))
    generation: GenerationOpened | None = None
    closed: int = 0
    barren: int = 0
    fresh: bool = True
    asked: bool = True
    tests: list[Counterexample] = field(default_factory=list)
    tested: int = 0
    families: Families = field(default_factory=Families)
    unrefuted: set[str] = field(default_factory=set)
    observed: dict[str, Observation] = field(default_factory=dict)
    fruitless: int = 0
    in_vain: set[str] = field(default_factory=set)
    experience: Experience = field(default_factory=Experience)
    siblings: Siblings = field(default_factory=Siblings)
    knowledge: Knowledge = field(default_factory=Knowledge)
    remembered: Remembered | None = None
    search_ended: SearchEnded | None = None
    trimmed: list[Trimmed] = field(default_factory=list)
    confirmed: Confirmed | None = None
    ended: Ended | None = None

    def apply(self, event: Event) -> None:
        """Move on by one event."""
        self.costs.apply(event)
        match event:
            case Started():
                self._start(event)
            case SelfTested():
                self.spread = event.spread
            case GenerationOpened():
                self._open_generation(event)
            case Selected():
                self.open[event.slot].slot = _filled(event, self.populated, self.generation)
                self.open[event.slot].returns = self.returns
                self.asked = True
            case Replied() | Unanswered():
                self.open[event.slot].answers[event.role, event.attempt] = event
                self.spent.ask([event] if event.slot < 0 else ())
            case Planned():
                self.open[event.slot].planned = event.strategies
            case Proposed():
                self._propose(event)
            case Evaluated():
                self.open[event.slot].evaluated = event
            case BlockMeasured():
                pair = (event.reference, event.candidate, event.inputs)
                self.open[event.slot].blocks.setdefault(pair, []).append(event.block)
            case Challenged():
                self.open[event.slot].hunts[event.solution] = event.hunt
                if event.hunt.found is None and not event.hunt.put_off:
                    self.unrefuted.add(event.solution)
            case Observed():
                self.observed[event.solution] = event.observation
            case Retested():
                key = (event.solution, event.arguments, event.links)
                self.open[event.slot].retested[key] = event.evaluation
            case Learned():
                self._close(event)
            case RolledBack():
                assert self.memory is not None, "there is nothing to roll back"
                self.memory = self.memory.rolled_back(event.directions)
            case Told():
                assert self.memory is not None, "there is nobody to tell it to"
                self.taught = self.memory.told(event.direction)
                self.memory = self.taught.memory
                self.told += 1
            case SearchEnded():
                self.search_ended = event
            case Trimmed():
                self.open.pop(event.slot, None)
                self.trimmed.append(event)
                self.contents[event.solution.content] = event.solution.id
                self._trim(event)
            case Confirmed():
                self.confirmed = event
            case Remembered():
                self.remembered = event
            case Ended():
                self.ended = event

    @property
    def populated(self) -> Population:
        """The population; the run was started."""
        assert self.population is not None, "the run was not started"
        return self.population

    def finished(self) -> bool:
        """Say whether the current generation has no open slot."""
        opened = self.generation
        return opened is None or self.closed >= opened.slot + opened.size

    def exhausted(self, operators: Iterable[str]) -> bool:
        """Say whether two generations brought nothing new, whichever of these was asked."""
        idle = self.barren + (not self.fresh) >= 2
        return idle and (self.in_vain.issuperset(operators) or not self.asked)

    def seen_of(self, solution: Solution) -> Observation:
        """Return what was seen of a member, or of its nearest ancestor that was watched."""
        return self.observed.get(solution.id, Observation())

    def _start(self, event: Started) -> None:
        self.started = event
        self.population = Population.of(event.initial)
        self.families.add(Trial(solution=event.initial, effect=0.0))
        self.contents[event.initial.content] = event.initial.id

    def _open_generation(self, event: GenerationOpened) -> None:
        if self.generation is not None:
            self.barren = 0 if self.fresh else self.barren + 1
        self.tested, self.seen = len(self.tests), self.memory
        self.siblings.open(event)
        self.generation, self.fresh, self.asked = event, False, False
        # No slot is open: what names a solution from here on names a member, or a new one.
        kept = {*self.policy.kept()} if isinstance(self.policy, Archiving) else set[str]()
        kept |= {failure.solution.parents[0] for failure in self.knowledge.failures}
        self.populated.forget(kept)
        members = self.populated.members
        self.observed = {name: o for name, o in self.observed.items() if name in members}
        self.unrefuted &= members.keys()

    def _propose(self, event: Proposed) -> None:
        self.open[event.slot].proposed = event
        self.spent.proposals += 1
        slot = self.open[event.slot].slot
        if event.proposal is None or event.duplicate_of:
            if slot is not None and not self.open[event.slot].answers:
                self.in_vain.add(slot.operator)
        else:
            self.fresh = True
            self.in_vain.clear()
            solution = event.proposal.solution
            self.contents[solution.content] = solution.id
            self.spent.evaluations += 1

    def _close(self, event: Learned) -> None:
        stages, seen = self.open.pop(event.slot, OpenSlot()), self.observed.get(event.child)
        self.tests += [hunt.found for hunt in stages.hunts.values() if hunt.found]
        step = closed_step(stages, event)
        self.spent.ask(stages.answers.values())
        gained = step is not None and step.gain > 0
        self.returns = counted(self.returns, stages.replies, gain=gained)
        if any(role in WRITING for role, _ in stages.answers):
            self.fruitless = 0 if stages.candidate else self.fruitless + 1
        if stages.candidate is not None:
            self.families.add(Trial(solution=stages.candidate, effect=event.effect))
        if event.effect is not None and step is not None and step.proposal is not None:
            made, proven = step.proposal.solution, _proven_line(self.populated, step, event)
            effect, variance = event.effect, event.variance
            self._join(Member(solution=made, effect=effect, variance=variance, proven=proven))
        for gone in event.withdrawn:
            self.populated.withdraw(gone)
            self.families.withdraw(gone)
        if event.withdrawn:
            self.knowledge.withdraw(event.withdrawn, self.populated.elite)
        self.populated.crown(event.best)
        self.closed += 1
        self._remember(event, stages, step)
        if step is not None:
            self.policy.tell(step)
            self.experience.tell(step)
            self.knowledge.tell(step, stages.fault, seen.scaling if seen else None)

    def _remember(self, event: Learned, stages: OpenSlot, step: Step | None) -> None:
        assert self.started is not None
        self.siblings.close(event.slot, stages, step, self.started.measure)
        if self.memory is None:
            return
        generation = self.generation.generation if self.generation else 0
        status = standing(self.started, self.populated.best, generation)
        self.taught = self.memory.apply(event.lesson, status, bank=event.bank)
        self.memory = self.taught.memory

    def _trim(self, event: Trimmed) -> None:
        """Let a smaller program that is not worse take the champion's place."""
        if event.effect is None:
            return
        member = Member(
            solution=event.solution,
            effect=event.effect,
            variance=event.variance,
            proven=self.populated.members[event.reference].proven,
        )
        self._join(member)
        self.populated.crown(event.solution.id)

    def _join(self, member: Member) -> None:
        """Take in a right solution; unless it was watched, it has its parent's observation."""
        self.populated.add(member)
        for parent in member.solution.parents[:1]:
            if parent in self.observed:
                self.observed.setdefault(member.solution.id, self.observed[parent])


def _proven_line(population: Population, step: Step, event: Learned) -> bool:
    """Say whether every comparison on the way from the initial program was significant."""
    parent = population.members.get(step.slot.parents[0].id)
    significant = event.verdict is not None and event.verdict.significant
    return significant and parent is not None and parent.proven


def _filled(event: Selected, population: Population, opened: GenerationOpened | None) -> Slot:
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
    )


def closed_step(stages: OpenSlot, event: Learned) -> Step | None:
    """Return a closed step, or None for a slot that no policy filled."""
    if stages.slot is None or stages.proposed is None:
        return None
    evaluated = stages.evaluated
    return Step(
        slot=stages.slot,
        proposal=stages.proposed.proposal,
        duplicate_of=stages.proposed.duplicate_of,
        evaluation=evaluated.evaluation if evaluated else None,
        verdict=event.verdict,
        effect=event.effect,
        planned=stages.planned or (),
        cost_seconds=stages.cost_seconds,
    )
