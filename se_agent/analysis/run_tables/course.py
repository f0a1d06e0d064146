"""What a run had spent when its best program was how good: a fold of its events. Pure.

Not here: what is made of a course (`se_agent.stats.anytime`).
"""

from __future__ import annotations

import math
from collections import Counter
from typing import NamedTuple

from se_agent.events import Event, Learned
from se_agent.stats.costs import Costs, Tally

SPENDINGS = ("evaluations", "calls", "tokens", "cpu_seconds", "money")
"""What a search spends, each a field of `CoursePoint`."""


class CoursePoint(NamedTuple):
    """Where a search stood when a step was closed.

    Attributes:
        evaluations: Candidates that were evaluated, of the steps that are closed. Those of
            open steps do not count yet: how many there are depends on the machine.
        calls: Calls of models that got a reply.
        tokens: Tokens of these calls, and of attempts that may be billed.
        cpu_seconds: CPU seconds of engine and candidates, as far as recorded.
        money: What the calls cost, in the currency of the run file; not a number: not known.
        effect: Effect of the incumbent over the initial program, composed of steps.
    """

    evaluations: float = 0.0
    calls: float = 0.0
    tokens: float = 0.0
    cpu_seconds: float = 0.0
    money: float = 0.0
    effect: float = 0.0


NOWHERE = CoursePoint()
"""Where a search begins."""


class CourseFold:
    """The fold.

    Attributes:
        points: A point for each step that changed the incumbent's effect.
        last: The point of the last closed step.
        best: Id of the incumbent.
        machine: The machine that the run began on, in words.
    """

    def __init__(self) -> None:
        self.points: list[CoursePoint] = []
        self.last = NOWHERE
        self.best = ""
        self.machine = ""
        self._costs = Costs()
        self._asked = Tally()
        self._ranks: dict[str, float] = {}
        self._evaluations = 0
        self._open: Counter[int] = Counter()

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        self._costs.apply(event)
        match event.kind:
            case "evaluated":
                self._open[event.slot] += event.slot >= 0
            case "learned":
                self._evaluations += self._open.pop(event.slot, 0)
                self._close(event)
            case "replied" | "unanswered" | "lost":
                self._asked = self._costs.asked.in_all
            case "started":
                self.best, self.machine = event.initial.id, event.machine
                self._ranks[self.best] = 0.0
            case _:
                pass

    def effect_of(self, solution: str) -> float | None:
        """Return the effect of a right program over the initial one; None of any other."""
        return self._ranks.get(solution)

    def _close(self, event: Learned) -> None:
        self.best = event.best
        if event.effect is not None:
            self._ranks[event.child] = event.effect
        for gone in event.withdrawn:
            self._ranks.pop(gone, None)
        before, self.last = self.last, self._point()
        if self.last.effect != before.effect:
            self.points.append(self.last)

    def _point(self) -> CoursePoint:
        asked, costs = self._asked, self._costs
        return CoursePoint(
            evaluations=self._evaluations,
            calls=asked.calls,
            tokens=asked.usage.total,
            cpu_seconds=max(self.last.cpu_seconds, costs.cpu_seconds),
            money=math.nan if asked.money is None else asked.money,
            effect=self._ranks.get(self.best, 0.0),
        )
