"""How the strategies of a run fare: tries, proven gains, best programs. A pure fold.

Not here: which of them is followed next (`allocation`, `cse`), nor what a prompt tells of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from se_agent.engine.search.arms import Arms
from se_agent.known import Strategy
from se_agent.types import Member, Step, View

ACTIVE = 16
"""Strategies that are followed: a plan makes five, and a new one drives out the worst."""

_DOUBT = 2.0  # standard errors that a program's effect is lowered by before it is ranked


@dataclass
class Course:
    """How a strategy fares.

    Attributes:
        tries: Steps of a model that followed it.
        barren: Of these the last ones in a row that were no proven gain.
        best: Id of its best right program; empty: none was right.
        effect: Of that one, composed from the initial program.
    """

    tries: int = 0
    barren: int = 0
    best: str = ""
    effect: float = -math.inf


@dataclass
class Strategies:
    """The strategies that are followed, in the order in which they were planned.

    Attributes:
        courses: By name.
        arms: What it was worth to follow each; empty for steps that follow none.
    """

    courses: dict[str, Course] = field(default_factory=dict)
    arms: Arms = field(default_factory=Arms)

    def plan(self, strategies: Iterable[Strategy]) -> None:
        """Take in new strategies; what was followed in vain so far is given another chance."""
        for course in self.courses.values():
            course.barren = 0
        for strategy in strategies:
            if strategy.name:
                self.courses.setdefault(strategy.name, Course())
        while len(self.courses) > ACTIVE:
            tried = [name for name, course in self.courses.items() if course.tries]
            del self.courses[min(tried or self.courses, key=self._effect)]

    def tell(self, step: Step, *, written: bool) -> None:
        """Take note of a closed step that made a candidate, or should have.

        Args:
            step: The step.
            written: Whether it was a model's; a polish moves the best program only.
        """
        self._leave(step.withdrawn)
        course = self.courses.get(step.slot.strategy)
        if course is not None and step.effect is not None and step.effect > course.effect:
            course.best, course.effect = step.slot.child, step.effect
        if not written:
            return
        self.arms.add(step.slot.strategy, float(step.gain > 0))
        if course is not None:
            course.tries += 1
            course.barren = 0 if step.gain else course.barren + 1

    def _leave(self, gone: Sequence[str]) -> None:
        """Forget best programs that turned out to be wrong."""
        for course in self.courses.values() if gone else ():
            if course.best in gone:
                course.best, course.effect = "", -math.inf

    def kept(self) -> list[str]:
        """Return the ids of the best programs."""
        return [course.best for course in self.courses.values() if course.best]

    def ranked(self) -> list[str]:
        """Return the names, best program first."""
        return sorted(self.courses, key=self._effect, reverse=True)

    def stuck(self, streak: int) -> bool:
        """Say whether the two best had this many tries in a row without a proven gain."""
        leading = self.ranked()[:2]
        return bool(leading) and all(self.courses[n].barren >= streak for n in leading)

    def _effect(self, name: str) -> float:
        return self.courses[name].effect


def bests(view: View) -> dict[str, Member]:
    """Return the best known program by strategy, doubt included; those of none are left out."""
    found: dict[str, Member] = {}
    for member in view.known.values():
        name = member.solution.strategy
        if name and (name not in found or sure(member) > sure(found[name])):
            found[name] = member
    return found


def sure(member: Member) -> float:
    """Return the effect that a program has in all likelihood."""
    return member.effect - _DOUBT * math.sqrt(member.variance)
