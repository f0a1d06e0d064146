"""Values that travel between the stages: frozen, with units, and without I/O.

Not here: what is written to disk (`events`, `lesson`, `config`), nor what a problem is
(`problem`). One word is used throughout: an *effect* is how much better a candidate is than
its reference, ln(reference / candidate) of net CPU seconds for timed problems and the score
difference in the improving direction for scored ones. Effects add up along a line of descent.
"""

from __future__ import annotations

from dataclasses import dataclass

from se_agent.values.evaluation import Comparison, Evaluation, Verdict
from se_agent.values.search_context import Strategy
from se_agent.values.solution import Edit, Solution


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
        variant: Number of the proposal among those that the operator has for these parents,
            from 0.
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
