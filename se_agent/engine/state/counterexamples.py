"""The counterexamples of a run, and the members to which none was found: a fold.

Not here: the search for one (`evaluator_pool`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from se_agent.events import Challenged, Event, GenerationOpened, Learned, Seeded
from se_agent.memory_events import Recalled
from se_agent.values.evaluation import Counterexample

if TYPE_CHECKING:
    from se_agent.engine.state.state import State


class CounterexamplesFold:
    """The fold.

    Attributes:
        tests: Those of earlier runs, then counterexamples of closed steps, oldest first, then
            those of the confirmation.
        tested: How many of them candidates of slots selected now are evaluated on.
        unrefuted: Members to which a search that compared something found no counterexample.
    """

    reads: ClassVar = (Recalled, Challenged, GenerationOpened, Learned, Seeded)

    def __init__(self, run: State) -> None:
        self.tests: list[Counterexample] = []
        self.tested = 0
        self.unrefuted: set[str] = set()
        self._run = run

    def apply(self, event: Event) -> None:
        """Take in what a search found, of a step when that is closed."""
        match event:
            case Recalled():
                self.tests += event.tests
                self.tested = len(self.tests)
            case Challenged():
                self._challenge(event)
            case Learned():
                hunts = self._run.open.last.stages.hunts.values()
                self.tests += [hunt.test for hunt in hunts if hunt.test]
                if self._run.steady:
                    self.tested = len(self.tests)
            case GenerationOpened():
                self.tested = len(self.tests)
                self.unrefuted &= self._run.populated.members.keys()
            case Seeded():  # another search awaits them; who was refuted stays so
                self.unrefuted.clear()

    def at(self, slot: int) -> int:
        """Return how many counterexamples a slot's candidate is evaluated on."""
        del slot
        return self.tested

    def _challenge(self, event: Challenged) -> None:
        if event.hunt.found is None and event.hunt.tried:
            self.unrefuted.add(event.solution)
        if event.hunt.test is not None and event.slot < 0:
            self.tests.append(event.hunt.test)  # a step's: when the step is closed
