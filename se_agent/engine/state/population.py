"""The right solutions of a run and their composed gains: a fold over closed steps.

Quality is the effect composed along judged comparisons from the initial program, with summed
variance. It ranks and chooses; it never claims. The incumbent changes only by a significant
direct comparison, which the loop arranges.
"""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from se_agent.values.solution import Solution
from se_agent.values.view import Member

ELITE = 32
"""Members that a view shows."""


@dataclass
class Population:
    """Members by id, the best few in order, and the incumbent.

    1. `add` and `withdraw` are called once a closed step, in slot order.
    2. The cost of either does not grow with the number of members.
    3. `forget` is called between generations: all parents of open slots are members.
    """

    initial: Member
    best: Member
    members: dict[str, Member] = field(default_factory=dict)
    elite: list[Member] = field(default_factory=list)

    @classmethod
    def of(cls, initial: Solution) -> Population:
        """Return the population that holds the initial solution alone."""
        member = Member(solution=initial)
        return cls(initial=member, best=member, members={initial.id: member}, elite=[member])

    def copy(self, wanted: Iterable[str]) -> Population:
        """Return the population as it is now, with no more members than these and the elite."""
        members = {name: self.members[name] for name in wanted}
        return Population(self.initial, self.best, members, self.elite[:])

    def add(self, member: Member) -> None:
        """Take in a right solution; the elite stays sorted, best first."""
        self.members[member.solution.id] = member
        bisect.insort(self.elite, member, key=lambda m: -m.effect)
        del self.elite[ELITE:]

    def trusted(self, kept: Iterable[str] = ()) -> list[Solution]:
        """Return who may be built upon: the elite, and the incumbent, which may have left it.

        The initial program is left out: it is the oracle.

        Args:
            kept: Ids of others that may be, too; one that is no member is passed over.
        """
        others = (self.members[name] for name in kept if name in self.members)
        known = {m.solution.id: m.solution for m in (*self.elite, self.best, *others)}
        known.pop(self.initial.solution.id, None)
        return list(known.values())

    def forget(self, wanted: Collection[str]) -> None:
        """Drop whoever will not be named again: a long run keeps no more than a short one.

        The initial program, the incumbent and the elite stay, and the bases of all who stay.

        Args:
            wanted: Ids of others that stay; one that is no member is passed over.
        """
        names = {m.solution.id for m in (self.initial, self.best, *self.elite)}
        names |= names.union(wanted) & self.members.keys()
        names |= {self.members[name].solution.base for name in names}
        self.members = {name: m for name, m in self.members.items() if name in names}

    def crown(self, solution_id: str) -> None:
        """Make a member the incumbent."""
        self.best = self.members[solution_id]

    def fallback(self, gone: Collection[str]) -> Member:
        """Return the incumbent when these solutions turn out to be wrong.

        The initial program is the oracle and is never wrong.
        """
        if self.best.solution.id not in gone:
            return self.best
        proven = (m for m in self.elite if m.proven and m.solution.id not in gone)
        return max(proven, key=lambda m: m.effect, default=self.initial)

    def withdraw(self, solution_id: str) -> None:
        """Drop a solution that turned out to be wrong; the initial program stays."""
        if solution_id == self.initial.solution.id:
            return
        self.best = self.fallback({solution_id})
        gone = self.members.pop(solution_id, None)
        self.elite = [m for m in self.elite if m is not gone]
