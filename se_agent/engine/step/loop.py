"""The loop: four verbs, in this order, of each slot. The only place that sees all parts.

    while open(number):                     # a generation; else the search has ended
        for slot in generation:
            select(slot)                    # the policy: parents and operator, what to try next
            propose(slot, proposal(slot))   # the operator; None: it has nothing new to offer
            measure(slot)                   # evaluation; if right, blocks against the parent
            commit(learned(slot))           # verdict, lesson, place: the step is closed, once

What a verb does is on record before anything that depends on it starts; what is on record is
not done again. `proposal`, `measure` and `learn` may take long and decide nothing: a thread
may call them for several slots at a time. Not here: when (`scheduler`).
"""

from __future__ import annotations

from collections.abc import Callable

from se_agent.engine.judging.evaluator_pool import Arena, Recorder
from se_agent.engine.judging.judge import judge
from se_agent.engine.step.commit import StepCommit
from se_agent.engine.step.components import Parts
from se_agent.engine.step.generation import GenerationStart
from se_agent.engine.step.proposal_order import ProposalOrder, Turn
from se_agent.engine.step.propose import ProposalWork
from se_agent.events import Learned
from se_agent.values.evaluation import Comparison, Evaluation, Status
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot, Step


class Loop:
    """The verbs, over the state that a run's journal folds to.

    Attributes:
        turns: Proposals that are made and not on record yet.
    """

    def __init__(self, parts: Parts, arena: Arena, record: Recorder) -> None:
        self._parts = parts
        self._arena = arena
        self._record = record
        self._state = record.state
        self.turns = ProposalOrder(steady=self._state.steady)
        self._filling = ProposalWork(parts, record, self.turns)
        self._opening = GenerationStart(parts, record, self._filling)
        self._closing = StepCommit(arena, record.state, parts)

    def open(self, number: int) -> bool:
        """Open the generation that begins at a slot, or end the search; say if it is open."""
        return self._opening.open(number)

    def select(self, number: int) -> bool:
        """Ask the policy what to try in a slot; return whether there is something."""
        self._record.busy(f"step {number}: what to try next is chosen")
        return self._state.open.of(number).slot is not None or self._filling.select(number)

    def is_written(self, number: int) -> bool:
        """Say whether a model writes the proposal of a selected slot."""
        return self._filling.written(number)

    def proposal(self, number: int) -> Callable[[], Proposal | None]:
        """Return what asks the operator of a selected slot: what it is told is fixed now."""
        return self._filling.proposing(number)

    def propose(self, number: int, proposal: Proposal | None) -> Solution | None:
        """Record a proposal; return the candidate, if it is a new one."""
        self._filling.propose(Turn(number, proposal))
        return self._state.open[number].candidate

    def measure(self, number: int) -> tuple[Evaluation, Comparison | None]:
        """Evaluate a new candidate and, if it is right, compare it with its parent."""
        slot, candidate = self._measured(number)
        evaluation = self._arena.evaluate(number, candidate)
        if evaluation.status is not Status.AC:
            return evaluation, None
        rule = self._parts.rule
        return evaluation, self._arena.compare(number, slot.parents[0], candidate, rule)

    def learn(self, number: int) -> Learned:
        """Judge a measured step, let it meet the incumbent, and distil its lesson."""
        stages = self._state.open.of(number)
        if stages.slot is None or stages.candidate is None:
            return self._closing.unfilled_event(number)
        evaluation, comparison = self.measure(number)
        step = Step(
            slot=stages.slot,
            proposal=stages.proposed.proposal if stages.proposed else None,
            evaluation=evaluation,
            comparison=comparison,
            verdict=judge(evaluation, comparison),
        )
        return self._closing.learned_event(step, stages.candidate)

    def is_slow_to_close(self, number: int) -> bool:
        """Say whether a model may be asked, or something measured, where a step is closed."""
        candidate = self._state.open.of(number).candidate
        return candidate is not None or self._closing.contrasts(number)

    def commit(self, learned: Learned) -> None:
        """Close a step: memory, population and policy move on, once."""
        self._record(learned)

    def _measured(self, number: int) -> tuple[Slot, Solution]:
        stages = self._state.open[number]
        assert stages.slot is not None
        assert stages.candidate is not None
        return stages.slot, stages.candidate
