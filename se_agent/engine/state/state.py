"""Where a run stands: an ordered registry of folds over its events.

The loop records an event and applies it here; a resumed run applies the recorded ones. There
is no other way for state to change, so both end in the same place.

Each event goes to the folds that read its kind, in the order of the registry (`State.folds`).
The order is total, and part of what a fold may rely on: where it looks at another one, those
before it have moved on by the event already, and those after it have not. So:

1. `open_steps` comes before whatever a closed step changes: these read what was closed.
2. `population` comes before those that ask then who is a member or the incumbent.
3. `search_context` comes before `observations`: a solution that was not watched itself has its
   parent's observation only once its step is closed.
4. `memory` comes before `exhaustion`: it asks for the generation that the closed step is of.
5. `progress` counts steps and generations for all before it; they see the old numbers.
6. `run_record` is the last of ours: an end that is taken back is there until then. Whether it
   is taken back, `State.reopened` says to all folds alike.
7. Folds of others follow, in the order of the run file's `folds`. They see events, not us.

When a slot is selected, and all folds know of it, each that has a picture (`at`) gives it: that
is what the slot may see, whatever happens while it is worked on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from se_agent.abilities.optional import Picturing
from se_agent.config.changes import changed
from se_agent.config.fold_names import check_folds
from se_agent.config.roles import RoleMatrix
from se_agent.config.run_file import Run
from se_agent.engine.state.budget import BudgetLimits, SpentFold
from se_agent.engine.state.counterexamples import CounterexamplesFold
from se_agent.engine.state.dedup_index import ContentsFold
from se_agent.engine.state.exhaustion import IdleFold
from se_agent.engine.state.experience import ExperienceFold
from se_agent.engine.state.extension import reopens
from se_agent.engine.state.facts import Facts
from se_agent.engine.state.histories import HistoriesFold
from se_agent.engine.state.memory_fold import MemoryFold, OutputsFold
from se_agent.engine.state.observations import ObservationsFold
from se_agent.engine.state.open_generation import SiblingsFold
from se_agent.engine.state.open_steps import OpenSteps
from se_agent.engine.state.population import PopulationFold
from se_agent.engine.state.progress import (
    PolicyFold,
    ProgressFold,
    ReturnsFold,
    RunRecord,
    TrimsFold,
)
from se_agent.engine.state.search_context import SearchFindingsFold
from se_agent.engine.state.slot_snapshot import SlotSnapshot
from se_agent.engine.state.trial_history import FamiliesFold
from se_agent.errors import blame
from se_agent.events import Event, Resumed, Selected
from se_agent.memory import MemoryStack
from se_agent.protocols import Fold, Policy
from se_agent.stats.costs import Costs

Apply = Callable[[Event], None]


class State(Facts):
    """The registry.

    Attributes:
        folds: All folds by name, in the order in which they are told of an event.
        outside: Names of those that are no part of the engine.
        reopened: Whether the run was taken up last in order to go on with its search.
    """

    def __init__(
        self,
        policy: Policy,
        memory: MemoryStack | None,
        outside: Mapping[str, Fold] | None = None,
        roles: RoleMatrix | None = None,
    ) -> None:
        """Begin before the first event.

        Args:
            policy: Is told of closed steps only.
            memory: None when memory is off.
            outside: Folds of others, by name.
            roles: What roles of models need; None: as by default.

        Raises:
            ConfigError: One of these has the name of one of ours.
        """
        self.reopened = False
        self.roles = RoleMatrix() if roles is None else roles
        self.costs = Costs()
        self.open = OpenSteps(self)
        self.contents = ContentsFold(self)
        self.families = FamiliesFold(self)
        self.knowledge = SearchFindingsFold(self)
        self.siblings = SiblingsFold(self)
        self.idle = IdleFold(self)
        self.outputs = OutputsFold()
        self.experience = ExperienceFold(self)
        self._spent = SpentFold(self)
        self._returns = ReturnsFold(self)
        self._population = PopulationFold(self)
        self._counterexamples = CounterexamplesFold(self)
        self._observations = ObservationsFold(self)
        self._memory = MemoryFold(self, memory)
        self._histories = HistoriesFold(self)
        self._policy = PolicyFold(self, policy)
        self._progress = ProgressFold(self)
        self._trims = TrimsFold(self)
        self._record = RunRecord(self)
        self.outside = tuple(outside or ())
        check_folds(self.outside, "folds")
        self.folds: dict[str, Fold] = {**self._ours(), **(outside or {})}
        self._readers: dict[type[Event], tuple[Apply, ...]] = {}

    def __getstate__(self) -> dict[str, object]:
        """Return all folds; who reads what is found out anew."""
        return {**vars(self), "_readers": {}}

    def apply(self, event: Event) -> None:
        """Move on by one event.

        Raises:
            FoldError: A fold or a memory tier of others failed; this state is of no more use.
        """
        kind = type(event)
        readers = self._readers.get(kind)
        if readers is None:
            readers = self._readers[kind] = self._readers_of(kind)
        if isinstance(event, Resumed):  # before a fold forgets the end
            self.reopened = reopens(self, event)
        for apply in readers:
            apply(event)
        if kind is Selected:
            self.open[event.slot].past = self._picture(event.slot)

    def limits(self, config: Run) -> BudgetLimits:
        """Return what the run may spend, given the run file that it began with, or a later."""
        config = changed(config, self.settings)
        effect = self.populated.best.effect if self.populated.members else 0.0
        return BudgetLimits.of(config, self.begun, self._record.tested, effect=effect)

    def tested_of(self, slot: int) -> int:
        """Return how many counterexamples the candidate of a slot is evaluated on."""
        past = self.open.of(slot).past
        return past.tested if past else self.tested

    def pictures(self, slot: int) -> dict[str, object]:
        """Return what the folds of others show a slot, which may not be selected yet."""
        return pictures_of({name: self.folds[name] for name in self.outside}, slot)

    def _ours(self) -> dict[str, Fold]:
        """Return the folds of the engine, in their order."""
        return {
            "costs": self.costs,
            "open_steps": self.open,
            "outputs": self.outputs,
            "dedup_index": self.contents,
            "budget": self._spent,
            "model_returns": self._returns,
            "trial_history": self.families,
            "population": self._population,
            "counterexamples": self._counterexamples,
            "search_context": self.knowledge,
            "observations": self._observations,
            "memory": self._memory,
            "histories": self._histories,
            "open_generation": self.siblings,
            "exhaustion": self.idle,
            "experience": self.experience,
            "policy": self._policy,
            "progress": self._progress,
            "trims": self._trims,
            "run_record": self._record,
        }

    def _readers_of(self, kind: type[Event]) -> tuple[Apply, ...]:
        return tuple(
            partial(_apply_outside, name, fold) if name in self.outside else fold.apply
            for name, fold in self.folds.items()
            if issubclass(kind, tuple(fold.reads))
        )

    def _picture(self, slot: int) -> SlotSnapshot:
        """Return what a slot may see that was just selected."""
        return SlotSnapshot(
            closed=self._progress.at(slot),
            memory=self._memory.at(slot),
            threads=self._histories.at(slot),
            surcharge=self._histories.surcharge,
            observed=self._observations.at(slot),
            history=self.families.at(slot),
            knowledge=self.knowledge.at(slot),
            population=self._population.at(slot),
            tested=self._counterexamples.at(slot),
            folds=self.pictures(slot),
        )


def pictures_of(folds: Mapping[str, Fold], slot: int) -> dict[str, object]:
    """Return what folds of others show a slot, by name.

    Raises:
        FoldError: One of them failed.
    """
    found: dict[str, object] = {}
    for name, fold in folds.items():
        if isinstance(fold, Picturing):
            with blame(f"fold {name!r}"):
                found[name] = fold.at(slot)
    return found


def _apply_outside(name: str, fold: Fold, event: Event) -> None:
    with blame(f"fold {name!r}"):
        fold.apply(event)
