"""What a brief may tell of the past besides memory: strategies, failures, contrasts.

Values only. Not here: who collects them (`se_agent.engine`), nor how they are put into words
(`operators`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from se_agent.values.evaluation import Evaluation
from se_agent.values.observation import Scaling

if TYPE_CHECKING:
    from se_agent.values.solution import Solution


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """One way to solve the problem, structurally unlike the others; the unit of allocation.

    Attributes:
        name: A few words, unique in a run; solutions that follow it carry it.
        idea: What is done, in a sentence or two.
        complexity: Expected, in the size of the input, such as `O(n log n)`.
    """

    name: str
    idea: str = ""
    complexity: str = ""


@dataclass(frozen=True, kw_only=True)
class StrategyRecord:
    """How a strategy has fared: a line of the ledger that `replan` reads.

    Attributes:
        strategy: The one.
        tries: Steps that followed it.
        gains: How many of them were proven better than their parent.
        best: Id of its best right solution; empty: none was right.
        effect: Effect of its best right solution, from the initial program; None: none was
            right.
        scaling: Scaling of its best right solution, where it was watched.
        failure: Why its last wrong candidate failed, in a few words.
    """

    strategy: Strategy
    tries: int = 0
    gains: int = 0
    best: str = ""
    effect: float | None = None
    scaling: Scaling | None = None
    failure: str = ""


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A candidate that was not right, and what was seen; `repair` may mend it.

    Attributes:
        solution: The candidate; its first parent is what it will be compared with.
        evaluation: Status, failing cases, feedback.
    """

    solution: Solution
    evaluation: Evaluation


@dataclass(frozen=True, kw_only=True)
class Card:
    """A change and what it brought, measured.

    Attributes:
        child: Id of the solution that it made.
        strategy: Strategy that it follows; empty: none was named.
        diff: Unified, from the parent.
        effect: ln(parent / child) of the objective, or the difference of scores.
        interval: Interval of the effect, 99 %.
        significant: Whether the effect is proven.
    """

    child: str
    diff: str
    effect: float
    interval: tuple[float, float]
    strategy: str = ""
    significant: bool = False


@dataclass(frozen=True, kw_only=True)
class Repeat:
    """A program that a model answered with though it had been tried before.

    Attributes:
        times: Answers in a row that brought nothing new.
        known: Id of the solution that was tried.
        program: The last of these answers.
    """

    times: int
    known: str
    program: Solution


@dataclass(frozen=True, kw_only=True)
class Sibling:
    """A program made from the same parent that was no proven gain, and why not.

    Attributes:
        child: Its id.
        direction: What was changed, in words.
        result: What was measured, or how it failed, in a phrase.
    """

    child: str
    direction: str
    result: str


@dataclass(frozen=True, kw_only=True)
class SearchContext:
    """All of it, for one slot.

    Attributes:
        effects: Effects of the slot's parents, in their order, composed from the initial
            program; empty: not told.
        strategy: Strategy that the slot follows; None: free.
        ledger: All strategies so far, in the order in which they were planned.
        failure: What the slot shall repair; None: nothing.
        cards: At most two: a win, and a near miss of another strategy.
        siblings: What was made from the slot's first parent in vain, oldest first.
        diverse: A right program unlike the parents; None: there is none.
        lead: Effect of `diverse` from the initial program, where it is the best program so
            far; None: it is not.
        repeat: What the last answers repeated; None: the last one was new.
        guide: What is known of failures like the one to repair, as lines; empty: not told.
    """

    effects: tuple[float, ...] = ()
    strategy: Strategy | None = None
    ledger: tuple[StrategyRecord, ...] = ()
    failure: Failure | None = None
    cards: tuple[Card, ...] = field(default=())
    siblings: tuple[Sibling, ...] = ()
    diverse: Solution | None = None
    lead: float | None = None
    repeat: Repeat | None = None
    guide: str = ""
