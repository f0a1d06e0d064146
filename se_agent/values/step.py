"""Values that travel between the stages: frozen, with units, and without I/O.

Not here: what is written to disk (`events`, `lessons`, `config`), nor what a problem is
(`problem`). One word is used throughout: an *effect* is how much better a candidate is than
its reference, ln(reference / candidate) of net CPU seconds for timed problems and the score
difference in the improving direction for scored ones. Effects add up along a line of descent.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from se_agent.values.answer import Answer
from se_agent.values.evaluation import (
    Block,
    Branch,
    Calls,
    Comparison,
    Counterexample,
    Decision,
    Evaluation,
    FailedCase,
    Figure,
    Hunt,
    InputSet,
    Kind,
    Measurement,
    Preflight,
    Status,
    TestKey,
    Verdict,
    refuted,
)
from se_agent.values.objective import Goal
from se_agent.values.observation import Allocation, Call, HotLine, Observation, Scaling
from se_agent.values.randomness import Purpose, rng_at
from se_agent.values.search_context import Failure, Known, Strategy
from se_agent.values.solution import Edit, Solution

__all__ = [
    "Allocation",
    "Answer",
    "Believed",
    "Block",
    "Branch",
    "Brief",
    "Call",
    "Calls",
    "Comparison",
    "Conditions",
    "Counterexample",
    "Decision",
    "Edit",
    "Evaluation",
    "FailedCase",
    "Failure",
    "Figure",
    "Goal",
    "HotLine",
    "Hunt",
    "InputSet",
    "Kind",
    "Known",
    "Measurement",
    "Member",
    "Observation",
    "Offer",
    "Preflight",
    "Proposal",
    "Purpose",
    "Scaling",
    "Slot",
    "Solution",
    "Status",
    "Step",
    "Strategy",
    "TestKey",
    "Trial",
    "Verdict",
    "View",
    "refuted",
    "rng_at",
]


@dataclass(frozen=True, kw_only=True)
class Slot:
    """What to try next, as a policy decided it.

    Attributes:
        number: Place in the order of steps, from 0; also the address of its randomness.
        generation: Generation that it belongs to, from 1.
        child: Id that the solution made here will have.
        parents: One for a mutation, two for a crossover; the first is the reference: the child
            is compared with it.
        operator: Registered name.
        variant: Which of several proposals the operator has for these parents, from 0.
        strategy: Name of the one that the child follows; empty: none is named.
        subject: Id of the candidate that the child repairs; empty: none.
        edits: Changes on offer for the last parent that are to be made together on it, in
            order; empty: the operator knows by itself.
    """

    number: int
    generation: int
    child: str
    parents: tuple[Solution, ...]
    operator: str
    variant: int = 0
    strategy: str = ""
    subject: str = ""
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A program that was tried, and what came of it.

    Attributes:
        solution: The program.
        effect: Composed from the initial program; None: it was not right.
    """

    solution: Solution
    effect: float | None


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """How programs are run, as far as whoever writes one has to know.

    Attributes:
        confined: Whether one that opens files, or starts threads or processes, is refused.
        cpu_seconds: Limit of a run.
        memory_bytes: Limit of a run.
    """

    confined: bool
    cpu_seconds: float
    memory_bytes: int


@dataclass(frozen=True, kw_only=True)
class Brief:
    """All that an operator may know.

    Attributes:
        problem: The statement.
        goal: What is to be better.
        language: That programs are written in, as `Language` says.
        imports: Packages that they may import besides the standard library.
        entry_point: The function that is called; empty for a `stdio` program.
        editable: The only function that may change; empty: all of the program.
        conditions: How programs are run; None: nobody says.
        slot: What to try.
        memory: The rendered memory, inside its token limit (LM-31).
        tried: Content addresses that were tried already; proposing one is wasted. Only asked
            `in`: it may be a view of something large.
        observed: What the first parent was seen to do, or else its nearest ancestor that was
            watched: names and numbers of lines are that one's.
        answer: What the answers of a `score` problem are, if it says so.
        history: The newest trials of programs of the first parent's base, oldest first.
        known: Strategies, failures and contrasts, for operators that can read.
        room: Characters of a program that a prompt may show.
        seed: Of the run; randomness of an operator comes from `rng_at(seed, slot, ...)`.
    """

    problem: str
    slot: Slot
    goal: Goal = field(default_factory=Goal)
    language: str = "python"
    imports: tuple[str, ...] = ()
    entry_point: str = ""
    editable: str = ""
    conditions: Conditions | None = None
    memory: str = ""
    tried: Container[str] = frozenset()
    observed: Observation = field(default_factory=Observation)
    answer: Answer | None = None
    history: Sequence[Trial] = ()
    known: Known = field(default_factory=Known)
    room: int = 32_000
    seed: int = 0

    def child(
        self,
        files: Mapping[str, str],
        *,
        operator: str,
        base: str = "",
        edits: Sequence[Edit] = (),
    ) -> Solution:
        """Return the solution of this slot: id, parents and strategy are not a choice."""
        return Solution(
            id=self.slot.child,
            files=files,
            parents=tuple(parent.id for parent in self.slot.parents),
            operator=operator,
            strategy=self.slot.strategy,
            base=base,
            edits=tuple(edits),
        )


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A solution and what its maker declared before it was evaluated.

    Attributes:
        solution: The candidate.
        direction: What was changed, in high-level words.
        expected_effect: What the maker expects of it.
        lessons_used: Ids or titles of the lessons it drew on.
        notes: What happened on the way, such as edits that were dropped.
    """

    solution: Solution
    direction: str
    expected_effect: str = ""
    lessons_used: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Step:
    """One slot, finished: what was tried and what came of it.

    `proposal` is None when the operator had nothing new; `duplicate_of` names the solution
    of the same content, which was not evaluated again. Neither has an evaluation. `planned`
    are the strategies of a step that made some, `effect` is that of a right candidate composed
    from the initial program, `cost_seconds` the CPU seconds of its evaluation and its
    comparisons. `withdrawn` are the ids of programs that turned out to be wrong meanwhile.
    """

    slot: Slot
    proposal: Proposal | None = None
    duplicate_of: str = ""
    evaluation: Evaluation | None = None
    comparison: Comparison | None = None
    verdict: Verdict | None = None
    planned: tuple[Strategy, ...] = ()
    effect: float | None = None
    cost_seconds: float = 0.0
    withdrawn: tuple[str, ...] = ()

    @property
    def gain(self) -> float:
        """The effect, where it is proven and above zero; else 0."""
        proven = self.verdict is not None and self.verdict.significant
        return max(self.verdict.effect, 0.0) if self.verdict and proven else 0.0


@dataclass(frozen=True, kw_only=True)
class Member:
    """A right solution of the population.

    Attributes:
        solution: The program.
        effect: Composed along judged comparisons from the initial program.
        variance: Summed along the same path.
        proven: Whether every comparison on that path was significant.
    """

    solution: Solution
    effect: float = 0.0
    variance: float = 0.0
    proven: bool = True


@dataclass(frozen=True, kw_only=True)
class Offer:
    """One change that an operator could make of a parent, told before it is asked for.

    Attributes:
        edit: The change; its rule and its function are what a policy learns about.
        content: Content address of the program that it would make.
        heat: Share of the parent's cost that is spent where the change is, 0 to 1; None where
            that is not known.
    """

    edit: Edit
    content: str
    heat: float | None = None


Offers = Mapping[str, Sequence[Offer]]
"""What is new for a parent, by operator and in the order of its variants.

An operator that is not named says nothing of what it has: it must be asked.
"""


def _unsaid(_: Solution) -> Offers:
    return {}


def _unknown(_: Solution) -> str:
    return ""


class Believed(NamedTuple):
    """What memory believes of a change that was tried, alone or together with others.

    Attributes:
        gain: Share of the initial program's cost that it saves.
        error: Standard error of that.
        blame: How likely it is what made a program wrong, or slower: 0 where another program
            had it without that harm, 1 where nothing else can have been it.
        measured: Whether a right program told what it saves; else `gain` is a guess.
    """

    gain: float
    error: float
    blame: float
    measured: bool = True


@dataclass(frozen=True, kw_only=True)
class View:
    """The past that a slot may see: closed steps, as many as the run's schedule says.

    Attributes:
        slot: Number of the slot to fill.
        generation: Generation that it belongs to, from 1.
        index: Place within the generation, from 0.
        initial: The program that the run started from.
        best: The incumbent, which only a significant direct comparison replaces.
        members: Right solutions, best composed effect first, at most a few dozen.
        advice: What memory says of each direction by its key, as a factor on the weight of a
            change that follows it: above 1 for recommended ones, below 1 for tabu ones. A soft
            prior, never a ban.
        believed: Tells what memory believes of each change that was tried; None: there is no
            memory, or the program is scored.
        prior: Wins and losses of operators in earlier runs, on programs like this one, as a
            bandit may begin with: a few at most.
        known: Right solutions by id: members, and what the policy keeps (`Archiving`).
        given: Slots that were filled already and are not closed yet.
        strategies: All that were planned, in order.
        failures: The newest model-written candidates that were not right, oldest first.
        offers: Tells what operators have for a parent that was not tried yet, not even in
            `given`; most have nothing.
        hottest: Tells the line in which a program spends most of its time; empty: unknown.
    """

    slot: int
    generation: int
    index: int
    initial: Member
    best: Member
    members: tuple[Member, ...] = ()
    advice: Mapping[str, float] = field(default_factory=dict)
    believed: Callable[[], Mapping[Edit, Believed]] | None = field(default=None, repr=False)
    prior: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    known: Mapping[str, Member] = field(default_factory=dict, repr=False)
    given: tuple[Slot, ...] = ()
    strategies: tuple[Strategy, ...] = ()
    failures: tuple[Failure, ...] = ()
    offers: Callable[[Solution], Offers] = field(default=_unsaid, repr=False)
    hottest: Callable[[Solution], str] = field(default=_unknown, repr=False)

    def fill(
        self,
        *parents: Solution,
        operator: str,
        variant: int = 0,
        strategy: str = "",
        subject: str = "",
        edits: tuple[Edit, ...] = (),
    ) -> Slot:
        """Return this slot, filled; its id and its address are not a choice."""
        return Slot(
            number=self.slot,
            generation=self.generation,
            child=f"Gen{self.generation}_Sol_{self.index}",
            parents=parents,
            operator=operator,
            variant=variant,
            strategy=strategy,
            subject=subject,
            edits=edits,
        )
