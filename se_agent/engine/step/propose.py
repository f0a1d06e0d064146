"""The start of a step: the policy is asked what to try, and the operator gets its brief.

Not here: what the policy answers (`search.policies`), when an operator is asked, and what
becomes of the candidate (`loop`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from operator import attrgetter

from se_agent.abilities.optional import FailureMending, Relaying, TextMending
from se_agent.engine.judging.evaluator_pool import Recorder
from se_agent.engine.models.briefing import brief_of, for_mender, for_reader, seen_in
from se_agent.engine.models.model_operator import ModelOperator
from se_agent.engine.search.offer_cache import OfferCache
from se_agent.engine.search.search_space import mends, unites
from se_agent.engine.state.budget import Spent
from se_agent.engine.state.dedup_index import Tried
from se_agent.engine.state.open_steps import OpenSlot
from se_agent.engine.state.slot_snapshot import SlotSnapshot
from se_agent.engine.state.state import State
from se_agent.engine.step.components import Parts
from se_agent.engine.step.proposal_order import ProposalOrder, Turn
from se_agent.engine.step.recalled_slots import RecalledPrograms, recalled_slot
from se_agent.events import Proposed, Selected
from se_agent.memory import guide_text
from se_agent.memory_events import ShownMemory
from se_agent.protocols import Operator
from se_agent.values.brief import Brief
from se_agent.values.memory_context import Advice, MemoryContext
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.recall import RECALL
from se_agent.values.search_context import Failure
from se_agent.values.session import NOTHING_AGREED
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot
from se_agent.values.view import Offers, View

WITHHELD = 1 / 8
"""Share of slots without memory, by which a run estimates what memory was worth."""

PATIENCE = 8
"""Steps in a row for which models had no candidate, after which they may be done with."""

_NOTHING = MemoryContext()


class ProposalWork:
    """Asks the policy and makes briefs; selections and proposals are recorded in it."""

    def __init__(self, parts: Parts, record: Recorder, turns: ProposalOrder) -> None:
        self._parts = parts
        self._record = record
        self._state = record.state
        self._turns = turns
        self._stock = OfferCache(parts.operators)
        self._said: dict[int, MemoryContext] = {}  # of slots whose model is not asked yet

    def select(self, number: int) -> bool:
        """Ask the policy for a slot; return whether there is room, and something to try."""
        if not self._state.limits(self._parts.config).room(self.reserved(number)):
            return False
        view = self._view(number)
        chosen = recalled_slot(self._state.recalled, view, self._parts.operators)
        if chosen is None:
            if _switched(self._record, view):
                view = self._view(number)
            chosen = self._state.policy.ask(view)
        if chosen is None:
            return False
        informed = _informed(self._state, self._parts.config.seed, number)
        said = _said(self._state, self._parts, chosen) if informed else None
        self._record(
            Selected(
                slot=number,
                child=chosen.child,
                parents=tuple(parent.id for parent in chosen.parents),
                operator=chosen.operator,
                variant=chosen.variant,
                strategy=chosen.strategy,
                subject=chosen.subject,
                edits=chosen.edits,
                informed=informed,
                shown_memory=_shown(said) if said else None,
            )
        )
        if said:
            self._said[number] = said
        return True

    def proposing(self, number: int) -> Callable[[], Proposal | None]:
        """Return what makes the proposal of a selected slot, from what is known by now."""
        slot, past = _selected(self._state.open[number])
        operator = _operator(slot.operator, self._parts, self._state)
        role = operator.written.role if isinstance(operator, ModelOperator) else ""
        memory = self._said.pop(number, None)  # a run that is taken up again has none
        if memory is None:
            memory = past.memory.context(slot, role) if past.memory else _NOTHING
        brief = replace(
            brief_of(self._parts.problem, self._parts.config, slot),
            tried=self._tried(number, past.closed),
            observed=past.observed,
            history=past.history,
            memory=memory,
            session=past.memory.session if past.memory else NOTHING_AGREED,
            folds=past.folds,
        )
        if mends(operator):
            failure = past.knowledge.failure(slot.subject)
            return partial(operator.propose, for_mender(brief, failure))
        if not isinstance(operator, ModelOperator):
            return partial(operator.propose, brief)
        config = self._parts.config
        told, rounds = config.prompt, config.memory.artifacts.read_rounds
        mender = next((one for one in self._parts.operators.values() if mends(one)), None)
        if isinstance(mender, TextMending):  # it puts right what would be refused
            brief = replace(brief, mended_text=mender.mended_text)
        reader = partial(for_reader, brief, past.knowledge, past.population, told, rounds)
        if not config.memory.experience.guide_pack:
            return lambda: operator.propose(reader())
        return lambda: operator.propose(_guided(reader(), past))

    def written(self, number: int) -> bool:
        """Say whether a model writes the proposal of a selected slot."""
        slot, _ = _selected(self._state.open[number])
        operator = _operator(slot.operator, self._parts, self._state)
        return isinstance(operator, ModelOperator)

    def propose(self, turn: Turn) -> None:
        """Record a proposal, or that of which it is a duplicate."""
        twin = None
        if turn.proposal is not None:
            twin = self._state.contents.get(turn.proposal.solution.content)
        self._record(
            Proposed(
                slot=turn.slot,
                proposal=turn.proposal,
                duplicate_of=twin.solution if twin else "",
            )
        )

    def reserved(self, number: int) -> Spent:
        """Return what was spent before a slot: that of open ones as if all brings something.

        It is worked out from what the slot may see: replies may be there by luck.
        """
        filled = [n for n, _ in self._filled(number)]
        asking = [n for n in filled if self.written(n)]
        made = [n for n in filled if n not in asking and self._new(n)]
        spent = self._state.spent
        return replace(
            spent,
            evaluations=spent.evaluations + len(asking) + len(made),
            stale=spent.stale + len(asking) + len(made),
            proposals=spent.proposals + len(filled),
            calls=spent.calls + len(asking),
        )

    def unfinished(self) -> Iterator[str]:
        """Yield the operators that do not say themselves that the incumbent is done with.

        Models never say so; they are given up after several steps in a row without a candidate.
        Who unites what others have is done when these are.
        """
        state, best = self._state, self._state.populated.best.solution
        given_up = state.idle.fruitless >= PATIENCE
        tried, pictures = self._tried(state.closed, state.closed), state.pictures(state.closed)
        offers = self._offers(tried, pictures, best)
        for name, operator in self._parts.operators.items():
            if unites(operator) or mends(operator):
                continue
            if offers.get(name, True) and not (
                given_up and isinstance(operator, ModelOperator)
            ):
                yield name

    def _new(self, number: int) -> bool:
        """Say whether a rule made a candidate for an open slot, and a new one."""
        stages = self._state.open[number]
        _, past = _selected(stages)
        on_record = stages.proposed.proposal if stages.proposed else None
        made = on_record or self._turns.made(number)
        tried = self._tried(number, past.closed)
        return made is not None and made.solution.content not in tried

    def _filled(self, number: int) -> Iterator[tuple[int, Slot]]:
        """Yield the open slots before one, if they have something to try."""
        for earlier in range(self._state.closed, number):
            stages = self._state.open.get(earlier)
            if stages is not None and stages.slot is not None:
                yield earlier, stages.slot

    def _tried(self, number: int, closed: int) -> Tried:
        promised = self._turns.promised(number)
        return Tried(self._state.contents, number, closed, promised)

    def _view(self, number: int) -> View:
        state, population = self._state, self._state.populated
        assert state.generation is not None
        assert state.started is not None
        informed = _informed(self._state, self._parts.config.seed, number)
        return View(
            slot=number,
            generation=state.generation.generation,
            index=number - state.generation.slot,
            initial=population.initial,
            best=population.best,
            members=tuple(population.elite),
            advice=_advice(state, informed),
            solutions=population.members,
            open_slots=tuple(slot for _, slot in self._filled(number)),
            strategies=state.knowledge.strategies,
            stale=state.stale,
            failures=state.knowledge.repairable(population.members.keys()),
            offers=partial(
                self._offers, self._tried(number, state.closed), state.pictures(number)
            ),
            can_mend=partial(_can_mend, self._parts, state, self._tried(number, state.closed)),
            hottest=partial(_hottest, state),
        )

    def _offers(self, tried: Tried, folds: Mapping[str, object], parent: Solution) -> Offers:
        asked = Slot(number=0, generation=0, child="", parents=(parent,), operator="")
        brief = brief_of(self._parts.problem, self._parts.config, asked)
        return self._stock.offers(
            replace(brief, tried=tried, observed=self._state.seen_of(parent), folds=folds)
        )


def _switched(record: Recorder, view: View) -> bool:
    """Let another policy go on, where the search has several; say whether it does."""
    policy = record.state.policy
    switch = policy.due(view) if isinstance(policy, Relaying) else None
    if switch is not None:
        record(switch)
    return switch is not None


def _guided(brief: Brief, past: SlotSnapshot) -> Brief:
    """Return a brief that tells what is known of failures like the one to repair."""
    failure = brief.search.failure
    if failure is None:
        return brief
    others = (one.evaluation for one in past.knowledge.failures if one is not failure)
    related = past.memory.graph.lines_of(failure.evaluation) if past.memory else ()
    guide = guide_text(failure.evaluation, others, brief.session, related=related)
    return replace(brief, search=replace(brief.search, guide=guide))


def _operator(name: str, parts: Parts, state: State) -> Operator:
    if name == RECALL and state.recalled is not None:
        return RecalledPrograms(state.recalled.programs)
    return parts.operators[name]


def _said(state: State, parts: Parts, chosen: Slot) -> MemoryContext | None:
    """Return what memory says to a model that a slot asks; None: it asks none."""
    operator, memory = parts.operators.get(chosen.operator), state.seen
    if memory is None or not isinstance(operator, ModelOperator):
        return None
    return memory.context(chosen, operator.written.role)


def _shown(said: MemoryContext) -> ShownMemory:
    """Return what is on record of what a model was shown of memory."""
    return ShownMemory(
        lessons=said.shown,
        withheld=said.withheld,
        items=said.items,
        items_withheld=said.items_withheld,
        tokens=said.tokens,
    )


def _can_mend(parts: Parts, state: State, tried: Tried, failure: Failure) -> bool:
    """Say whether the operator that mends has something new for a failure."""
    parent = state.populated.members.get(failure.solution.parents[0])
    mender = next((one for one in parts.operators.values() if mends(one)), None)
    if parent is None or not isinstance(mender, FailureMending):
        return False
    asked = Slot(number=0, generation=0, child="", parents=(parent.solution,), operator="")
    session = state.seen.session if state.seen else NOTHING_AGREED
    brief = brief_of(parts.problem, parts.config, asked)
    brief = replace(brief, tried=tried, session=session)
    return mender.can_mend(for_mender(brief, failure))


def _advice(state: State, informed: bool | None) -> Advice:
    """Return what memory advises a slot: nothing where it is without memory.

    Args:
        state: The state of a run that was started.
        informed: See `_informed`; None: of changes there may be a belief, but nothing more.
    """
    assert state.started is not None
    if informed is False:
        return Advice()
    said = state.seen.advice() if state.seen else Advice()
    if informed is None:
        return Advice(believed=said.believed)
    return replace(said, prior={**said.prior, **state.started.prior})


def _hottest(state: State, program: Solution) -> str:
    """Return the line in which a program spends most of its time; empty: unknown."""
    hot = seen_in(state.seen_of(program), program).hot
    return max(hot, key=attrgetter("share")).text if hot else ""


def _selected(stages: OpenSlot) -> tuple[Slot, SlotSnapshot]:
    assert stages.slot is not None
    assert stages.past is not None
    return stages.slot, stages.past


def _informed(state: State, seed: int, slot: int) -> bool | None:
    """Say whether a slot has memory: all but one in eight, unless there is none yet."""
    assert state.started is not None
    if not state.started.prior and (state.seen is None or state.seen.empty):
        return None
    return bool(rng_at(seed, slot, Purpose.WITHOUT_MEMORY).random() >= WITHHELD)
