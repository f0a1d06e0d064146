"""Programs of a model that rules and tuners look at before they go on elsewhere: a fold. Pure.

Structure comes from the model, constants and small change from rules. Not here: which of their
changes is made (`portfolio`).
"""

from __future__ import annotations

from collections.abc import Iterator

from se_agent.values.evaluation import Status
from se_agent.values.solution import Solution
from se_agent.values.step import Step
from se_agent.values.view import View

TRIES = 4
"""Changes of a promising program that rules try before all others."""

WAITING = 8
"""Programs that wait for it; an older one gives way."""

_STRATEGIES = 64  # that are remembered to have had theirs


class Polishing:
    """Programs that wait for a polish: proven gains, or near misses of a strategy without."""

    def __init__(self) -> None:
        self._left: dict[str, int] = {}
        self._had: dict[str, None] = {}

    def tell(self, step: Step, *, written: bool) -> None:
        """Let a promising program of a model wait, and count a change that a rule made."""
        for gone in step.withdrawn:
            self._left.pop(gone, None)
        if written:
            if self._promising(step):
                self._had[step.slot.strategy] = None
                self._left[step.slot.child] = TRIES
                _trim(self._left, WAITING)
                _trim(self._had, _STRATEGIES)
            return
        parent = step.slot.parents[0].id
        if parent in self._left:
            self._left[parent] -= 1
            if not self._left[parent]:
                del self._left[parent]

    def waiting(self, view: View) -> Iterator[Solution]:
        """Yield who waits, the newest first, those whose turn is under way left out."""
        for name, left in reversed(self._left.items()):
            given = sum(slot.parents[0].id == name for slot in view.open_slots)
            if given < left and name in view.solutions:
                yield view.solutions[name].solution

    def kept(self) -> list[str]:
        """Return the ids of who waits."""
        return list(self._left)

    def _promising(self, step: Step) -> bool:
        verdict = step.verdict
        if verdict is None or verdict.status is not Status.AC or step.effect is None:
            return False
        near = verdict.interval[1] > 0 and step.slot.strategy not in self._had
        return verdict.significant or near


def _trim(known: dict[str, int] | dict[str, None], size: int) -> None:
    while len(known) > size:
        del known[next(iter(known))]
