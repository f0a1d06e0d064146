"""Where a run stands: a fold over its events, live and after a crash alike.

The loop records an event and applies it here; a resumed run applies the recorded ones. There
is no other way for state to change, so both end in the same place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from se_agent.chat.events import Objected, Planned, Replied, Told, Unanswered
from se_agent.config.changes import changed
from se_agent.config.run_file import Run
from se_agent.engine.search.choice import Returns, counted
from se_agent.engine.state.budget import BudgetLimits, Spent
from se_agent.engine.state.dedup_index import Contents, Origin
from se_agent.engine.state.exhaustion import Idle
from se_agent.engine.state.experience import Experience
from se_agent.engine.state.extension import go_on
from se_agent.engine.state.global_status import standing
from se_agent.engine.state.open_generation import Siblings
from se_agent.engine.state.open_steps import OpenSlot, OpenSlots, closed_step, filled
from se_agent.engine.state.population import Population
from se_agent.engine.state.search_context import Knowledge
from se_agent.engine.state.slot_snapshot import Past
from se_agent.engine.state.trial_history import Families
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
    Resumed,
    Retested,
    RolledBack,
    SearchEnded,
    Seeded,
    Selected,
    SelfTested,
    Started,
    Trimmed,
)
from se_agent.memory import MemoryStack
from se_agent.protocols import Archiving, Policy
from se_agent.stats.costs import Costs
from se_agent.values.brief import Trial
from se_agent.values.closed_step import ClosedStep
from se_agent.values.evaluation import Counterexample
from se_agent.values.observation import Observation
from se_agent.values.solution import Solution
from se_agent.values.step import Step
from se_agent.values.view import Member


@dataclass
class State:
    """The fold.

    Attributes:
        policy: Is told of closed steps only.
        memory: Of all tiers; None when memory is off.
        seen: The memory that slots selected now are asked with.
        told: How many directions a person entered.
        spent: By closed steps: what is decided by it does not depend on who was faster.
        costs: What was spent of time and on models.
        returns: What models have brought in closed steps, by name.
        contents: Who proposed it first, by content address.
        open: Stages by slot; -1 holds what belongs to the run itself.
        generation: The last one that was opened.
        since: How many steps were closed when the last one was opened.
        steady: Whether slots see the past move on within a generation.
        closed: Number of closed steps.
        idle: Whether closed steps still found something new.
        tests: Counterexamples of closed steps, oldest first, then those of the confirmation.
        tested: How many of them candidates of slots selected now are evaluated on.
        families: The newest trials of closed steps, for operators that learn from them.
        unrefuted: Members to which a search that compared something found no counterexample.
        observed: What was seen of a member, or of its nearest ancestor that was watched, by id.
        trimmed: Edits of the champion that were left out for a trial, after the search.
        trials: How many were at earlier ends of the search.
        settings: Of the run file that were changed since the run began, by dotted key.
        passed: Number of the generation that trials at an earlier end were named after.
        seeded: What the confirmation draws by; None before it, and in older journals.
        experience: What was found out about operators, for later runs.
        siblings: Closed steps of a generation that is not complete.
        knowledge: Strategies, failures and contrasts, for briefs of operators that read.
    """

    policy: Policy
    memory: MemoryStack | None
    seen: MemoryStack | None = None
    told: int = 0
    started: Started | None = None
    spread: float | None = None
    population: Population | None = None
    spent: Spent = field(default_factory=Spent)
    costs: Costs = field(default_factory=Costs)
    returns: Mapping[str, Returns] = field(default_factory=dict)
    contents: Contents = field(default_factory=Contents)
    open: OpenSlots = field(default_factory=OpenSlots)
    generation: GenerationOpened | None = None
    since: int = 0
    steady: bool = False
    closed: int = 0
    idle: Idle = field(default_factory=Idle)
    tests: list[Counterexample] = field(default_factory=list)
    tested: int = 0
    families: Families = field(default_factory=Families)
    unrefuted: set[str] = field(default_factory=set)
    observed: dict[str, Observation] = field(default_factory=dict)
    experience: Experience = field(default_factory=Experience)
    siblings: Siblings = field(default_factory=Siblings)
    knowledge: Knowledge = field(default_factory=Knowledge)
    remembered: Remembered | None = None
    search_ended: SearchEnded | None = None
    trimmed: list[Trimmed] = field(default_factory=list)
    trials: int = 0
    settings: dict[str, object] = field(default_factory=dict)
    passed: int = 0
    seeded: Seeded | None = None
    confirmed: Confirmed | None = None
    ended: Ended | None = None

    def apply(self, event: Event) -> None:
        """Move on by one event."""
        self.costs.apply(event)
        if self.memory is not None and not isinstance(event, Learned):
            self.memory = self.memory.apply(event)
        match event:
            case Started():
                self._start(event)
            case SelfTested():
                self.spread = event.spread
            case GenerationOpened():
                self._open_generation(event)
            case Selected():
                self._select(event)
            case Replied() | Unanswered():
                self.open[event.slot].hear(event)
                self.spent.ask([event] if event.slot < 0 else ())
            case Objected() | Planned():
                self.open[event.slot].hear(event)
            case Proposed():
                self._propose(event)
            case Evaluated():
                self.open[event.slot].evaluated = event
            case BlockMeasured():
                pair = (event.reference, event.candidate, event.inputs)
                self.open[event.slot].blocks.setdefault(pair, []).append(event.block)
            case Challenged():
                _challenge(self, event)
            case Observed():
                self.observed[event.solution] = event.observation
            case Retested():
                stages = self.open[event.slot]
                stages.retested[event.solution, event.test] = event.evaluation
            case Learned():
                self._close(event)
            case RolledBack():
                assert self.memory is not None, "there is nothing to roll back"
                for stages in self.open.values():
                    stages.unlearn()
            case Told():
                assert self.memory is not None, "there is nobody to tell it to"
                self.told += 1
            case SearchEnded():
                self.search_ended = event
            case Trimmed():
                self.open.pop(event.slot, None)
                self.trimmed.append(event)
                self.contents.know(event.solution, event.slot)
                self._trim(event)
            case Seeded():
                _draw(self, event)
            case Confirmed():
                self.confirmed = event
            case Remembered():
                self.remembered = event
            case Ended():
                self.ended = event
            case Resumed():
                go_on(self, event)

    def limits(self, config: Run) -> BudgetLimits:
        """Return what the run may spend, given the run file that it began with, or a later."""
        assert self.started is not None, "the run was not started"
        return BudgetLimits.of(changed(config, self.settings), self.started)

    @property
    def populated(self) -> Population:
        """The population; the run was started."""
        assert self.population is not None, "the run was not started"
        return self.population

    def seen_of(self, solution: Solution) -> Observation:
        """Return what was seen of a member, or of its nearest ancestor that was watched."""
        return self.observed.get(solution.id, Observation())

    def tested_of(self, slot: int) -> int:
        """Return how many counterexamples the candidate of a slot is evaluated on."""
        past = self.open.of(slot).past
        return past.tested if past else self.tested

    def _start(self, event: Started) -> None:
        self.started = event
        self.steady = event.config.get("schedule") == "steady"
        self.population = Population.of(event.initial)
        self.families.add(Trial(solution=event.initial, effect=0.0))
        self.contents[event.initial.content] = Origin(event.initial.id, event.slot)

    def _open_generation(self, event: GenerationOpened) -> None:
        self.tested, self.seen = len(self.tests), self.memory
        self.generation, self.since = event, self.closed
        self.idle.open(event)
        self.siblings.open(event)
        # From here on a solution is named by an open slot, or it is a member, or a new one.
        wanted = {*kept(self.policy)}
        wanted |= {failure.solution.parents[0] for failure in self.knowledge.failures}
        filled = (self.open[n].slot for n in range(self.closed, event.slot) if n in self.open)
        wanted |= {parent.id for slot in filled if slot for parent in slot.parents}
        self.populated.forget(wanted)
        members = self.populated.members
        self.observed = {name: o for name, o in self.observed.items() if name in members}
        self.unrefuted &= members.keys()

    def _select(self, event: Selected) -> None:
        stages = self.open[event.slot]
        stages.slot = filled(event, self.populated, self.generation)
        stages.returns = self.returns
        parent = stages.slot.parents[0]
        stages.past = Past(
            closed=self.closed,
            memory=self.seen if event.informed else None,
            observed=self.seen_of(parent),
            history=self.families.of(parent),
            knowledge=self.knowledge.copy(),
            population=self.populated.copy(event.parents),
            tested=self.tested,
        )

    def _propose(self, event: Proposed) -> None:
        stages = self.open[event.slot]
        stages.proposed = event
        if event.proposal is None:
            return
        solution = event.proposal.solution
        origin = self.contents.know(solution, event.slot)
        if not stages.answers:
            rule = min(origin.rule, event.slot)
            self.contents[solution.content] = origin._replace(rule=rule)

    def _close(self, event: Learned) -> None:
        stages, seen = self.open.pop(event.slot, OpenSlot()), self.observed.get(event.child)
        generation = self.idle.unfinished[0].generation  # later ones may be open already
        self.idle.close(event.slot, stages)
        self.spent.proposals += stages.proposed is not None
        self.spent.evaluations += stages.candidate is not None
        self.spent.stale += stages.candidate is not None
        self.spent.ask(stages.answers.values())
        self.tests += [hunt.test for hunt in stages.hunts.values() if hunt.test]
        step = closed_step(stages, event)
        gain = step is not None and step.gain > 0
        self.returns = counted(self.returns, stages.replies, gain=gain)
        if stages.candidate is not None:
            self.families.add(Trial(solution=stages.candidate, effect=event.effect))
        if event.effect is not None and step is not None and step.proposal is not None:
            made, proven = step.proposal.solution, _proven_line(self.populated, step, event)
            effect, variance = event.effect, event.variance
            _join(self, Member(solution=made, effect=effect, variance=variance, proven=proven))
        for gone in event.withdrawn:
            self.populated.withdraw(gone)
            self.families.withdraw(gone)
        if event.withdrawn:
            self.knowledge.withdraw(event.withdrawn, self.populated.elite)
        if event.child and event.best == event.child:
            self.spent.stale = 0
        self.populated.crown(event.best)
        self.closed += 1
        self._remember(event, stages, step, generation)
        if self.steady:
            self.tested, self.seen = len(self.tests), self.memory
        if step is not None:
            self.policy.tell(step)
            self.experience.tell(step)
            self.knowledge.tell(step, stages.fault, seen.scaling if seen else None)

    def _remember(
        self, event: Learned, stages: OpenSlot, step: Step | None, generation: int
    ) -> None:
        assert self.started is not None
        self.siblings.close(event.slot, stages, step, self.started.measure)
        if self.memory is None:
            return
        status = standing(self.started, self.populated.best, generation)
        self.memory = self.memory.apply(event, ClosedStep(step, status))

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
        _join(self, member)
        self.populated.crown(event.solution.id)


def _challenge(state: State, event: Challenged) -> None:
    """Take note of a search for a counterexample."""
    state.open[event.slot].hunts[event.solution] = event.hunt
    if event.hunt.found is None and event.hunt.tried:
        state.unrefuted.add(event.solution)
    if event.hunt.test is not None and event.slot < 0:
        state.tests.append(event.hunt.test)  # a step's: when the step is closed


def _draw(state: State, event: Seeded) -> None:
    """Let all face a search on inputs that nobody could know; who was refuted stays so."""
    own, state.seeded = state.open[event.slot], event
    own.hunts = {name: hunt for name, hunt in own.hunts.items() if hunt.found}
    state.unrefuted.clear()


def _join(state: State, member: Member) -> None:
    """Take in a right solution; unless it was watched, it has its parent's observation."""
    state.populated.add(member)
    for parent in member.solution.parents[:1]:
        if parent in state.observed:
            state.observed.setdefault(member.solution.id, state.observed[parent])


def kept(policy: Policy) -> Iterable[str]:
    """Return the ids of programs that a policy builds upon although no view shows them."""
    return policy.kept() if isinstance(policy, Archiving) else ()


def _proven_line(population: Population, step: Step, event: Learned) -> bool:
    """Say whether every comparison on the way from the initial program was significant."""
    parent = population.members.get(step.slot.parents[0].id)
    significant = event.verdict is not None and event.verdict.significant
    return significant and parent is not None and parent.proven
