"""What a slot may see: fixed when it is selected, whatever happens while it is worked on.

It is taken by the fold, so that a run that is taken up again shows an open slot the same. Not
here: how much of the past that is (`loop`), and what is made of it (`filling`).
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from se_agent.engine.state.knowledge import Knowledge
from se_agent.engine.state.population import Population
from se_agent.memory.local import LocalMemory
from se_agent.types import Observation, Trial


@dataclass(frozen=True, kw_only=True)
class Past:
    """The closed steps that a slot may see, as far as its brief needs them.

    Attributes:
        closed: How many they are: slots 0 ... closed - 1.
        memory: Is rendered for the slot; None: it is asked without.
        observed: What the first parent was seen to do.
        history: Trials of the first parent's family.
        knowledge: Strategies, failures and contrasts.
        population: With the parents and the elite.
        tested: Counterexamples that the slot's candidate is evaluated on.
    """

    closed: int
    memory: LocalMemory | None
    observed: Observation
    history: tuple[Trial, ...]
    knowledge: Knowledge
    population: Population
    tested: int


class Origin(NamedTuple):
    """Who proposed a program first.

    Attributes:
        solution: Id of the first one of this content.
        slot: Of that one; -1 for the initial program.
        rule: First slot in which an operator made it without a model; infinite: in none.
    """

    solution: str
    slot: int
    rule: float = math.inf


@dataclass(frozen=True)
class Tried(Container[str]):
    """The content addresses that a slot may know: the same whenever it is asked.

    These are all of closed steps that the slot sees, and what rules made for open slots before
    it. What a model writes for those is not known yet, or known by luck: it is left out.

    Attributes:
        contents: Of the run so far.
        slot: The one.
        closed: How many closed steps it sees.
        promised: Made by rules for slots before it, and not on record yet.
    """

    contents: Mapping[str, Origin]
    slot: int
    closed: int
    promised: frozenset[str] = frozenset()

    def __contains__(self, content: object) -> bool:
        """Say whether a program was tried."""
        if content in self.promised:
            return True
        origin = self.contents.get(str(content))
        return origin is not None and (origin.slot < self.closed or origin.rule < self.slot)
