"""The right solutions of a run and their composed gains: a fold over closed steps.

Quality is the effect composed along judged comparisons from the initial program, with summed
variance. It ranks and chooses; it never claims. The incumbent changes only by a significant
direct comparison, which the loop arranges.
"""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from se_agent.abilities.optional import Archiving
from se_agent.events import Event, GenerationOpened, Learned, Started, Trimmed
from se_agent.protocols import Policy
from se_agent.values.solution import Solution
from se_agent.values.step import Step
from se_agent.values.view import Member

if TYPE_CHECKING:
    from se_agent.engine.state.state import State

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


class PopulationFold:
    """The population, moved on by closed steps and by trials at the end of a search.

    Attributes:
        value: None before the run is started.
    """

    reads: ClassVar = (Started, GenerationOpened, Learned, Trimmed)

    def __init__(self, run: State) -> None:
        self.value: Population | None = None
        self._run = run

    def apply(self, event: Event) -> None:
        """Take in who is right, drop who is wrong, and crown the incumbent."""
        match event:
            case Started():
                self.value = Population.of(event.initial)
            case GenerationOpened():
                self._forget(event)
            case Learned():
                self._close(self._run.populated, event)
            case Trimmed() if event.effect is not None:
                self._trim(self._run.populated, event, event.effect)

    def at(self, slot: int) -> Population:
        """Return the population with a slot's parents and the elite."""
        chosen = self._run.open[slot].slot
        parents = chosen.parents if chosen else ()
        return self._run.populated.copy([parent.id for parent in parents])

    def _forget(self, event: GenerationOpened) -> None:
        """Drop who will not be named again.

        From here on a solution is named by an open slot, or it is a member, or a new one.
        """
        run = self._run
        wanted = {*kept(run.policy)}
        wanted |= {failure.solution.parents[0] for failure in run.knowledge.failures}
        filled = (run.open[n].slot for n in range(run.closed, event.slot) if n in run.open)
        wanted |= {parent.id for slot in filled if slot for parent in slot.parents}
        run.populated.forget(wanted)

    def _close(self, population: Population, event: Learned) -> None:
        step = self._run.open.last.step
        made = right_solution(event, step)
        if step is not None and made is not None and event.effect is not None:
            population.add(
                Member(
                    solution=made,
                    effect=event.effect,
                    variance=event.variance,
                    proven=_proven_line(population, step, event),
                )
            )
        for gone in event.withdrawn:
            population.withdraw(gone)
        population.crown(event.best)

    def _trim(self, population: Population, event: Trimmed, effect: float) -> None:
        """Let a smaller program that is not worse take the champion's place."""
        population.add(
            Member(
                solution=event.solution,
                effect=effect,
                variance=event.variance,
                proven=population.members[event.reference].proven,
            )
        )
        population.crown(event.solution.id)


def kept(policy: Policy) -> Iterable[str]:
    """Return the ids of programs that a policy builds upon although no view shows them."""
    return policy.kept() if isinstance(policy, Archiving) else ()


def right_solution(event: Learned, step: Step | None) -> Solution | None:
    """Return the solution that joins the population as its step is closed, or None."""
    if event.effect is None or step is None or step.proposal is None:
        return None
    return step.proposal.solution


def _proven_line(population: Population, step: Step, event: Learned) -> bool:
    """Say whether every comparison on the way from the initial program was significant."""
    parent = population.members.get(step.slot.parents[0].id)
    significant = event.verdict is not None and event.verdict.significant
    return significant and parent is not None and parent.proven
