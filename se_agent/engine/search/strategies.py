"""How the strategies of a run fare: tries, proven gains, best programs. A pure fold.

Not here: which of them is followed next (`allocation`, `self_evolution`), nor what a prompt
tells of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from se_agent.engine.search.bandit import Arms
from se_agent.values.search_context import Strategy
from se_agent.values.step import Step
from se_agent.values.view import Member, View

ACTIVE = 16
"""Strategies that are followed: a plan makes five, and a new one drives out the worst."""

_HEIRS = 4  # right programs of a strategy that are remembered, the best ones
_DOUBT = 2.0  # standard errors that a program's effect is lowered by before it is ranked


@dataclass
class Course:
    """How a strategy fares.

    Attributes:
        tries: Steps of a model that followed it.
        barren: The last tries in a row that were no proven gain.
        right: Its best right programs with their effects, composed from the initial program,
            best first.
    """

    tries: int = 0
    barren: int = 0
    right: list[tuple[float, str]] = field(default_factory=list)

    @property
    def best(self) -> str:
        """Id of its best right program; empty: none was right."""
        return self.right[0][1] if self.right else ""

    @property
    def effect(self) -> float:
        """Effect of its best right program; minus infinity: none was right."""
        return self.right[0][0] if self.right else -math.inf

    def add(self, name: str, effect: float) -> None:
        """Take in a right program; of two that are as good the older one is the better."""
        self.right.append((effect, name))
        self.right.sort(key=lambda one: -one[0])
        del self.right[_HEIRS:]

    def drop(self, gone: Sequence[str]) -> None:
        """Forget programs that turned out to be wrong; the next best ones take their place."""
        self.right = [one for one in self.right if one[1] not in gone]


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
        for each in self.courses.values() if step.withdrawn else ():
            each.drop(step.withdrawn)
        course = self.courses.get(step.slot.strategy)
        if course is not None and step.effect is not None:
            course.add(step.slot.child, step.effect)
        if not written:
            return
        self.arms.add(step.slot.strategy, float(step.gain > 0))
        if course is not None:
            course.tries += 1
            course.barren = 0 if step.gain else course.barren + 1

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
    for member in view.solutions.values():
        name = member.solution.strategy
        if name and (name not in found or sure(member) > sure(found[name])):
            found[name] = member
    return found


def sure(member: Member) -> float:
    """Return the effect that a program has in all likelihood."""
    return member.effect - _DOUBT * math.sqrt(member.variance)
