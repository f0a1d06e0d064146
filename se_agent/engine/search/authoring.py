"""What a model may be asked for: a plan, a program that follows a strategy, a repair, a union.

What all searches that think in strategies share. Pure. Not here: which of it comes next
(`allocation`, `self_evolution`), and what a prompt says (`operators`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from se_agent.chat.messages import Role, family_of
from se_agent.config.roles import RoleMatrix
from se_agent.engine.search.bandit import Arms
from se_agent.engine.search.repairs import AuthoringState, Repairs
from se_agent.engine.search.strategies import Strategies, bests
from se_agent.values.solution import Solution
from se_agent.values.step import Slot, Step
from se_agent.values.view import Member, View

if TYPE_CHECKING:
    from numpy.random import Generator

PLANS = 3
"""Times that a first plan is asked for, once a generation."""

_REMEMBERED = 1024  # questions that were in vain

Question = tuple[str, ...]
"""What a model is asked: operator, strategy, subject and parents."""


@dataclass(frozen=True, kw_only=True)
class OperatorNames:
    """Model-written operators by what they are for; empty where there is none.

    Attributes:
        plan: Makes the first strategies.
        replan: Makes more of them.
        analyse: Says what the program is like, and what it has to keep to.
        rewrite: Writes a program anew.
        refine: Changes a part of one.
        makers: All that change one program.
        unite: Makes one program of two.
        repair: Mends one that is not right.
        shares: Those that have a share of the slots of their own, with that.
    """

    plan: str = ""
    replan: str = ""
    analyse: str = ""
    rewrite: str = ""
    refine: str = ""
    makers: tuple[str, ...] = ()
    unite: str = ""
    repair: str = ""
    shares: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, written: Mapping[str, str], matrix: RoleMatrix) -> OperatorNames:
        """Return the kit: each by its role, or else the first that has what is needed."""

        def one(role: str, others: Iterable[str] = ()) -> str:
            exact = (name for name, its in written.items() if its == role)
            alike = (n for n, its in written.items() if family_of(its) == family_of(role))
            return next(iter([*exact, *alike, *others]), "")

        makers = tuple(name for name, role in written.items() if matrix.makes(role))
        pairs = [name for name, role in written.items() if matrix[role].parents > 1]
        return cls(
            plan=one(Role.PLAN),
            replan=one(Role.REPLAN),
            analyse=next((n for n, its in written.items() if its == Role.ANALYSE), ""),
            rewrite=one(Role.REWRITE, makers),
            refine=one(Role.REFINE, makers),
            makers=makers,
            unite=one(Role.CROSS_OVER, pairs),
            repair=one(Role.REPAIR, (n for n, role in written.items() if matrix[role].mends)),
            shares={
                name: matrix[role].share
                for name, role in written.items()
                if matrix[role].share > 0
                and (name in makers or (family_of(role) != Role.PLAN and name not in pairs))
            },
        )

    def questions(self, parent: Solution, operator: str, name: str, view: View) -> list[Slot]:
        """Return what an operator, and else any other one, may be asked; none without it.

        Args:
            parent: The program that is to be changed.
            operator: The operator that comes first.
            name: Name of the strategy; empty: none.
            view: The past.
        """
        makers = dict.fromkeys([operator, *self.makers]) if operator else {}
        return [view.fill(parent, operator=each, strategy=name) for each in makers]

    def by_share(self, view: View, rng: Generator) -> Slot | None:
        """Ask an operator whose role has a share of its own about the incumbent, if drawn."""
        best = view.best.solution
        for operator, share in self.shares.items():
            if rng.random() < share:
                return view.fill(best, operator=operator, strategy=best.strategy)
        return None


class WrittenOperators:
    """Fills slots for a model, and keeps what came of them by strategy."""

    def __init__(
        self, written: Mapping[str, str], matrix: RoleMatrix | None = None, mending: str = ""
    ) -> None:
        """Take the model-written operators with their roles, and what these need.

        Args:
            written: Roles by name of the operator.
            matrix: What the roles need; None: as by default.
            mending: Operator that mends failures without a model; empty: there is none.
        """
        self._written = dict(written)
        self._matrix = RoleMatrix() if matrix is None else matrix
        self.kit = OperatorNames.of(written, self._matrix)
        self.strategies = Strategies()
        self._makers = Arms()
        self._asked = self._plans = self._replans = 0
        self.analyses = Analyses(self.kit.analyse)
        self._done = AuthoringState()
        self.repairs = Repairs(mending, self.kit.repair)
        self._vain = Vain()

    def tell(self, step: Step) -> None:
        """Take note of a closed step, whoever made it."""
        slot = step.slot
        self.repairs.tell(step)
        role = self._written.get(slot.operator)
        if role is None:
            self.strategies.tell(step, written=False)
            return
        if self.analyses.is_told(slot):
            return
        self._asked += 1
        row = self._matrix[role]
        if not row.writes:
            if family_of(role) == Role.PLAN:
                self._note_plan(step)
            return
        self.strategies.tell(step, written=True)
        self._vain.tell(step)
        if self._matrix.makes(role):
            self._makers.add(slot.operator, float(step.gain > 0))
        if row.parents > 1:
            self._done.add(slot)

    def _note_plan(self, step: Step) -> None:
        if self.strategies.courses:
            self._replans += 1
            self.analyses.due += bool(step.planned)
        else:
            self._plans += 1
        if step.planned:
            self.strategies.plan(step.planned)

    def tries(self, name: str, view: View) -> int:
        """Return how often a model followed a strategy, slots under way included."""
        return self.strategies.courses[name].tries + sum(
            slot.strategy == name for slot in self._under_way(view)
        )

    def plan(self, view: View) -> Slot | None:
        """Ask for the first strategies, unless that is under way or was tried in vain."""
        if self.strategies.courses or not self.kit.plan or self._plans >= PLANS:
            return None
        return self._planned(self.kit.plan, view)

    def replan(self, view: View) -> Slot | None:
        """Ask for more strategies, unless that is under way or was done too often."""
        slots = self._asked + len(self._under_way(view))
        if not self.kit.replan or self._replans + 1 > slots * self._matrix[Role.REPLAN].share:
            return None
        return self._planned(self.kit.replan, view)

    def _planned(self, operator: str, view: View) -> Slot | None:
        if self.planning(view):
            return None
        return view.fill(view.best.solution, operator=operator)

    def planning(self, view: View) -> bool:
        """Say whether a plan is under way."""
        return any(
            family_of(self._written[slot.operator]) == Role.PLAN
            for slot in self._under_way(view)
        )

    def follow(self, name: str, view: View, rng: Generator) -> Slot | None:
        """Have a strategy's failed program mended, its first one written, or its best changed.

        Args:
            name: Name of the strategy; empty: the incumbent is changed, freely.
            view: The past.
            rng: Draws the operator.
        """
        if (slot := self.repairs.next(name, view)) is not None:
            return slot
        best = bests(view).get(name) if name else view.best
        if best is None:
            return self.write(name, view)
        first = bool(name) and self.tries(name, view) == 1
        drawn = self._makers.best(self.kit.makers, rng, view.advice.prior)
        wanted = self.kit.refine if first else drawn
        questions = self.kit.questions(best.solution, wanted, name, view)
        return self._vain.least(questions, self._under_way(view))

    def write(self, name: str, view: View) -> Slot | None:
        """Have the initial program written anew, after a strategy if one is named."""
        questions = self.kit.questions(view.initial.solution, self.kit.rewrite, name, view)
        return self._vain.least(questions, self._under_way(view))

    def unite(self, view: View, first: Member, second: Member) -> Slot | None:
        """Make one program of two, the first of which it follows; each pair once."""
        if not self.kit.unite or first.solution.content == second.solution.content:
            return None
        slot = view.fill(
            first.solution,
            second.solution,
            operator=self.kit.unite,
            strategy=first.solution.strategy,
        )
        return slot if self._done.is_new(slot, self._under_way(view)) else None

    def _under_way(self, view: View) -> list[Slot]:
        """Return the open slots of models that bring a plan or a program."""
        names = self._written.keys() - {self.kit.analyse}
        return [slot for slot in view.open_slots if slot.operator in names]


class Analyses:
    """Has the best program read before anything is written, and after each replan (LF-35).

    A program that other strategies are sought for may be of another kind by now.
    """

    def __init__(self, operator: str) -> None:
        """Take the operator that analyses; empty: there is none."""
        self._operator, self._done, self.due = operator, 0, 1

    def is_told(self, slot: Slot) -> bool:
        """Take note of a closed slot, if it was an analysis; say whether it was."""
        was = slot.operator == self._operator
        self._done += was
        return was

    def next(self, view: View) -> Slot | None:
        """Ask for an analysis that is due and not under way."""
        under_way = sum(slot.operator == self._operator for slot in view.open_slots)
        if not self._operator or self._done + under_way >= self.due:
            return None
        return view.fill(view.best.solution, operator=self._operator)


class Vain:
    """Questions whose last answers brought nothing new, and how many of these there were."""

    def __init__(self) -> None:
        self._times: dict[Question, int] = {}

    def tell(self, step: Step) -> None:
        """Take note of an answer; one that brings something new lets the question be new."""
        question, new = _question(step.slot), step.proposal is not None
        times = self._times.pop(question, 0)
        if not new or step.duplicate_of:
            self._times[question] = times + 1
            if len(self._times) > _REMEMBERED:
                del self._times[next(iter(self._times))]

    def least(self, questions: Iterable[Slot], under_way: Iterable[Slot]) -> Slot | None:
        """Return the question that was least often in vain, of equal ones the first."""
        asked = list(under_way)
        return min(questions, key=lambda slot: self.times(slot, asked), default=None)

    def times(self, slot: Slot, under_way: Iterable[Slot]) -> int:
        """Return how often a question was answered in vain; what is under way may be, too.

        Of one that was never answered in vain nobody knows that: it is asked any number of
        times at once.
        """
        question = _question(slot)
        if question not in self._times:
            return 0
        return self._times[question] + sum(_question(one) == question for one in under_way)


def _question(slot: Slot) -> Question:
    parents = tuple(parent.id for parent in slot.parents)
    return slot.operator, slot.strategy, slot.subject, *parents
