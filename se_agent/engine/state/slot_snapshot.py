"""What a slot may see: fixed when it is selected, whatever happens while it is worked on.

Each fold gives its picture (`at`) when the slot is selected, so that a run that is taken up
again shows an open slot the same. Not here: how much of the past that is (`loop`), and what is
made of it (`propose`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from se_agent.engine.state.population import Population
from se_agent.engine.state.search_context import SearchFindings
from se_agent.memory import MemoryStack, Threads
from se_agent.values.brief import Trial
from se_agent.values.observation import Observation


@dataclass(frozen=True, kw_only=True)
class SlotSnapshot:
    """The closed steps that a slot may see, as far as its brief needs them.

    Attributes:
        closed: How many they are: slots 0 ... closed - 1.
        memory: What the slot is asked with; None: it is asked without.
        observed: What the first parent was seen to do.
        history: Trials of the first parent's family.
        knowledge: Strategies, failures and contrasts.
        population: With the parents and the elite.
        threads: What models tried in earlier steps, and what came of it.
        surcharge: Tokens of a prompt by model, as it counts, for one of ours: in closed steps.
        tested: Counterexamples that the slot's candidate is evaluated on.
        folds: Pictures of the folds that are no part of the engine, by name.
    """

    closed: int
    memory: MemoryStack | None
    observed: Observation
    history: tuple[Trial, ...]
    knowledge: SearchFindings
    population: Population
    threads: Threads
    surcharge: Mapping[str, float]
    tested: int
    folds: Mapping[str, object] = field(default_factory=dict)
