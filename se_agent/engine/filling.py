"""The start of a step: the policy is asked what to try, and the operator for a candidate.

Not here: what the policy answers (`policies`), and what becomes of the candidate (`loop`).
"""

from __future__ import annotations

from se_agent.engine.arena import Recorder
from se_agent.engine.briefing import for_reader
from se_agent.engine.budget import Limits
from se_agent.engine.lifted import Lifted
from se_agent.engine.parts import Parts
from se_agent.engine.state import OpenSlot, State
from se_agent.engine.stock import Stock
from se_agent.engine.wiring import goal_of
from se_agent.events import Proposed, Selected
from se_agent.memory.directions import advice
from se_agent.memory.render import render_markdown
from se_agent.types import Brief, Offers, Proposal, Purpose, Slot, Solution, View, rng_at

WITHHELD = 1 / 8
"""Share of slots without memory, by which a run estimates what memory was worth."""

PATIENCE = 8
"""Steps in a row for which models had no candidate, after which they may be done with."""


class Filling:
    """Fills slots, one after the other, and records each stage."""

    def __init__(self, parts: Parts, record: Recorder) -> None:
        self._parts = parts
        self._record = record
        self._stock = Stock(parts.operators)

    def fill(self, slot: int, index: int) -> None:
        """Fill slot number `index` of its generation, unless that is on record.

        The past that policy and operator see ends before the generation.
        """
        stages = self._state.open.get(slot, OpenSlot())
        if stages.proposed is not None:
            return
        if stages.slot is None and not self._selected(slot, index):
            return
        proposal = self._propose(slot)
        twin = self._state.contents.get(proposal.solution.content, "") if proposal else ""
        self._record(Proposed(slot=slot, proposal=proposal, duplicate_of=twin))

    def unfinished(self) -> list[str]:
        """Return the operators that do not say themselves that the incumbent is done with.

        Models never say so; they are given up after several steps in a row without a candidate.
        """
        offers = self._offers(self._state.populated.best.solution)
        unfinished = [n for n, each in self._parts.operators.items() if offers.get(n, True)]
        if self._state.fruitless < PATIENCE:
            return unfinished
        operators = self._parts.operators
        return [name for name in unfinished if not isinstance(operators[name], Lifted)]

    @property
    def _state(self) -> State:
        return self._record.state

    def _selected(self, slot: int, index: int) -> bool:
        """Ask the policy; return whether there is room, and something to try."""
        assert self._state.started is not None
        limits = Limits.of(self._parts.config, self._state.started)
        if not limits.room(self._state.spent, asking=self._asking()):
            return False
        chosen = self._state.policy.ask(self._view(slot, index))
        if chosen is None:
            return False
        self._record(
            Selected(
                slot=slot,
                child=chosen.child,
                parents=tuple(parent.id for parent in chosen.parents),
                operator=chosen.operator,
                variant=chosen.variant,
                strategy=chosen.strategy,
                subject=chosen.subject,
                informed=self._informed(slot),
            )
        )
        return True

    def _asking(self) -> int:
        """Return how many open slots ask a model."""
        filled = (stages.slot for stages in self._state.open.values() if stages.slot)
        return sum(isinstance(self._parts.operators[s.operator], Lifted) for s in filled)

    def _view(self, slot: int, index: int) -> View:
        state, population = self._state, self._state.populated
        assert state.generation is not None
        assert state.started is not None
        told, seen = self._informed(slot), state.seen
        filled = (state.open[n].slot for n in range(slot - index, slot) if n in state.open)
        return View(
            slot=slot,
            generation=state.generation.generation,
            index=index,
            initial=population.initial,
            best=population.best,
            members=tuple(population.elite),
            advice=advice(seen.attempted_directions) if seen and told else {},
            prior=state.started.prior if told else {},
            known=population.members,
            given=tuple(earlier for earlier in filled if earlier is not None),
            strategies=state.knowledge.strategies,
            failures=state.knowledge.repairable(population.members.keys()),
            offers=self._offers,
        )

    def _informed(self, slot: int) -> bool | None:
        """Say whether a slot has memory: all but one in eight, unless there is none yet."""
        state = self._state
        assert state.started is not None
        if not state.started.prior and (state.seen is None or state.seen.empty):
            return None
        rng = rng_at(self._parts.config.seed, slot, Purpose.WITHOUT_MEMORY)
        return bool(rng.random() >= WITHHELD)

    def _offers(self, parent: Solution) -> Offers:
        asked = Slot(number=0, generation=0, child="", parents=(parent,), operator="")
        return self._stock.offers(self._brief(asked))

    def _propose(self, number: int) -> Proposal | None:
        slot, memory = self._state.open[number].slot, self._state.seen
        assert slot is not None
        told = memory is not None and self._informed(number)
        brief = self._brief(slot, memory=render_markdown(memory) if memory and told else "")
        operator = self._parts.operators[slot.operator]
        if isinstance(operator, Lifted):
            known, past = self._state.knowledge, self._state.populated
            brief = for_reader(brief, known, past, self._parts.config.prompt)
        return operator.propose(brief)

    def _brief(self, slot: Slot, *, memory: str = "") -> Brief:
        problem = self._parts.problem
        return Brief(
            problem=problem.statement,
            goal=goal_of(problem, self._parts.config),
            language=problem.language,
            imports=problem.imports,
            entry_point=problem.entry_point,
            editable=problem.editable,
            slot=slot,
            memory=memory,
            tried=self._state.contents.keys(),
            observed=self._state.seen_of(slot.parents[0]),
            answer=problem.answer,
            history=self._state.families.of(slot.parents[0]),
            seed=self._parts.config.seed,
        )
