"""What the engine asks most often of where a run stands, by one word each.

Read only: folds change by events. Not here: the folds, and their order (`state`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from se_agent.engine.search.choice import Returns
from se_agent.engine.state.budget import Spent, SpentFold
from se_agent.engine.state.counterexamples import CounterexamplesFold
from se_agent.engine.state.memory_fold import MemoryFold
from se_agent.engine.state.observations import ObservationsFold
from se_agent.engine.state.population import Population, PopulationFold
from se_agent.engine.state.progress import (
    PolicyFold,
    ProgressFold,
    ReturnsFold,
    RunRecord,
    TrimsFold,
)
from se_agent.events import (
    Confirmed,
    Ended,
    GenerationOpened,
    Remembered,
    SearchEnded,
    Seeded,
    Started,
    Trimmed,
)
from se_agent.memory import MemoryStack
from se_agent.memory_events import Recalled
from se_agent.protocols import Policy
from se_agent.values.evaluation import Counterexample
from se_agent.values.observation import Observation
from se_agent.values.solution import Solution


class RunFacts:
    """What happened once in a run."""

    _record: RunRecord

    @property
    def started(self) -> Started | None:
        """The run's first event."""
        return self._record.started

    @property
    def begun(self) -> Started:
        """The run's first event; the run was started."""
        assert self._record.started is not None, "the run was not started"
        return self._record.started

    @property
    def spread(self) -> float | None:
        """How much identical code differs; None before the self-test."""
        return self._record.spread

    @property
    def surveyed(self) -> bool:
        """Whether the initial program was read, and a pack of knowledge."""
        return self._record.surveyed

    @property
    def recalled(self) -> Recalled | None:
        """What earlier runs give; None: nothing."""
        return self._record.recalled

    @property
    def settings(self) -> Mapping[str, object]:
        """Settings that were changed since the run began, by dotted key."""
        return self._record.settings

    @property
    def search_ended(self) -> SearchEnded | None:
        """The end of the search."""
        return self._record.search_ended

    @property
    def seeded(self) -> Seeded | None:
        """What the confirmation draws by."""
        return self._record.seeded

    @property
    def confirmed(self) -> Confirmed | None:
        """The confirmation."""
        return self._record.confirmed

    @property
    def remembered(self) -> Remembered | None:
        """The event that lets later runs know what this one found out."""
        return self._record.remembered

    @property
    def ended(self) -> Ended | None:
        """The run's end."""
        return self._record.ended


class ProgressFacts:
    """How far the run has come."""

    _progress: ProgressFold
    _trims: TrimsFold

    @property
    def generation(self) -> GenerationOpened | None:
        """The last generation that was opened."""
        return self._progress.generation

    @property
    def since(self) -> int:
        """How many steps were closed when it was opened."""
        return self._progress.since

    @property
    def closed(self) -> int:
        """Number of closed steps."""
        return self._progress.closed

    @property
    def stale(self) -> int:
        """Closed steps in a row without a new best program."""
        return self._progress.closed - self._progress.gained

    @property
    def steady(self) -> bool:
        """Whether slots see the past move on within a generation."""
        return self._progress.steady

    @property
    def passed(self) -> int:
        """Number of the generation that trials at an earlier end were named after."""
        return self._progress.passed

    @property
    def trimmed(self) -> Sequence[Trimmed]:
        """Trials to leave out edits of the champion, after the search."""
        return self._trims.trimmed

    @property
    def trials(self) -> int:
        """How many trials were at earlier ends of the search."""
        return self._trims.trials


class SearchFacts:
    """What the search knows, and what it has spent."""

    _policy: PolicyFold
    _returns: ReturnsFold
    _spent: SpentFold
    _population: PopulationFold
    _observations: ObservationsFold
    _counterexamples: CounterexamplesFold

    @property
    def policy(self) -> Policy:
        """The search."""
        return self._policy.policy

    @property
    def returns(self) -> Mapping[str, Returns]:
        """What models have brought in closed steps, by name."""
        return self._returns.value

    @property
    def spent(self) -> Spent:
        """What closed steps have spent: whatever is decided by it is the same for all."""
        return self._spent.value

    @property
    def population(self) -> Population | None:
        """The population; None before the run is started."""
        return self._population.value

    @property
    def populated(self) -> Population:
        """The population; the run was started."""
        assert self._population.value is not None, "the run was not started"
        return self._population.value

    @property
    def tests(self) -> Sequence[Counterexample]:
        """Counterexamples that were found."""
        return self._counterexamples.tests

    @property
    def tested(self) -> int:
        """How many of them candidates of slots selected now are evaluated on."""
        return self._counterexamples.tested

    @property
    def unrefuted(self) -> Set[str]:
        """Members to which a search that compared something found no counterexample."""
        return self._counterexamples.unrefuted

    @property
    def observed(self) -> Mapping[str, Observation]:
        """What was seen of members, by id."""
        return self._observations.found

    def seen_of(self, solution: Solution) -> Observation:
        """Return what was seen of a member, or of its nearest ancestor that was watched."""
        return self._observations.of(solution)


class MemoryFacts:
    """What memory holds."""

    _memory: MemoryFold

    @property
    def memory(self) -> MemoryStack | None:
        """The memory of all tiers; None when memory is off."""
        return self._memory.value

    @property
    def seen(self) -> MemoryStack | None:
        """The memory that slots selected now are asked with."""
        return self._memory.seen

    @property
    def told(self) -> int:
        """How many directions a person entered."""
        return self._memory.told


class Facts(RunFacts, ProgressFacts, SearchFacts, MemoryFacts):
    """Shortcuts into the folds; each is explained where the fold is."""
