"""What members were seen to do when they were watched: a fold.

Not here: who is watched (`commit`), and what a brief says of it (`briefing`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from se_agent.engine.state.population import right_solution
from se_agent.events import Event, GenerationOpened, Learned, Observed, Trimmed
from se_agent.values.observation import Observation
from se_agent.values.solution import Solution

if TYPE_CHECKING:
    from se_agent.engine.state.state import State


class ObservationsFold:
    """Observations by id: of a member, or of its nearest ancestor that was watched."""

    reads: ClassVar = (Observed, GenerationOpened, Learned, Trimmed)

    def __init__(self, run: State) -> None:
        self.found: dict[str, Observation] = {}
        self._run = run

    def of(self, solution: Solution) -> Observation:
        """Return what was seen of a member, or of its nearest ancestor that was watched."""
        return self.found.get(solution.id, Observation())

    def apply(self, event: Event) -> None:
        """Take in what was seen; who joins the population inherits, who left is forgotten."""
        match event:
            case Observed():
                self.found[event.solution] = event.observation
            case GenerationOpened():
                members = self._run.populated.members
                self.found = {name: o for name, o in self.found.items() if name in members}
            case Learned():
                self._inherit(right_solution(event, self._run.open.last.step))
            case Trimmed() if event.effect is not None:
                self._inherit(event.solution)

    def at(self, slot: int) -> Observation:
        """Return what was seen of a slot's first parent."""
        return self.of(self._run.open.parent_of(slot))

    def _inherit(self, made: Solution | None) -> None:
        for parent in made.parents[:1] if made else ():
            if made is not None and parent in self.found:
                self.found.setdefault(made.id, self.found[parent])
