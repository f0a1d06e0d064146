"""How much there is to search: the distinct programs that operators make of the initial one.

Nothing runs and nothing is measured; whether a program is right or faster is another matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from se_agent.abilities.optional import Offering
from se_agent.problem.model import Problem
from se_agent.protocols import Operator
from se_agent.values.brief import Brief
from se_agent.values.observation import Observation
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal, Slot

_NOTHING = Observation()


@dataclass(frozen=True, kw_only=True)
class Reach:
    """What was found.

    Attributes:
        candidates: Distinct programs, by content address, the initial one left out.
        complete: Whether these are all within `depth`; else the cap ended the search.
        depth: Edits after which a program was not changed further.
        by_operator: How many each operator found first.
    """

    candidates: int
    complete: bool
    depth: int
    by_operator: dict[str, int]


def reachable(
    problem: Problem,
    initial: Solution,
    operators: Iterable[Operator],
    *,
    cap: int = 100,
    depth: int = 3,
    observed: Observation = _NOTHING,
) -> Reach:
    """Count breadth-first what mutations make of the initial program.

    Args:
        problem: The problem; its entry point and editable function hold.
        initial: Where to start.
        operators: Those without changes of their own are left out; see `mutations`.
        cap: Candidates after which to stop.
        depth: Edits in a row.
        observed: What the initial program was seen to do; by default nothing.
    """
    changing = mutations(operators)
    seen, found, level = {initial.content}, dict[str, int](), [initial]
    for _ in range(depth):
        grown: list[Solution] = []
        for parent in level:
            for proposal in _children(problem, parent, changing, seen, observed):
                name = proposal.solution.operator
                found[name] = found.get(name, 0) + 1
                grown.append(proposal.solution)
                if sum(found.values()) >= cap:
                    return Reach(candidates=cap, complete=False, depth=depth, by_operator=found)
        level = grown
    total = sum(found.values())
    return Reach(candidates=total, complete=True, depth=depth, by_operator=found)


def offered(
    problem: Problem,
    initial: Solution,
    operators: Iterable[Operator],
    *,
    observed: Observation = _NOTHING,
) -> bool:
    """Say whether a mutation has something for the initial program.

    One that does not tell beforehand counts as having: it may propose in some slots only.
    """
    brief = _brief(problem, initial, "", {initial.content}, observed)
    return any(_has(operator, brief) for operator in mutations(operators))


def mutations(operators: Iterable[Operator]) -> list[Operator]:
    """Return the operators with changes of their own: others unite what these make."""
    return [operator for operator in operators if operator.arity == 1 and not unites(operator)]


def unites(operator: object) -> bool:
    """Say whether an operator of one parent has no changes of its own; see `Operator`."""
    return bool(getattr(operator, "unites", False))


def _has(operator: Operator, brief: Brief) -> bool:
    offers = operator.offers(brief) if isinstance(operator, Offering) else None
    return offers is None or bool(offers)


def _children(
    problem: Problem,
    parent: Solution,
    operators: Iterable[Operator],
    seen: set[str],
    observed: Observation,
) -> Iterator[Proposal]:
    """Yield what is new, and add its content to `seen`."""
    for operator in operators:
        while proposal := operator.propose(
            _brief(problem, parent, operator.name, seen, observed)
        ):
            content = proposal.solution.content
            if content in seen:
                break  # it does not heed what was tried: there is no end to it
            seen.add(content)
            yield proposal


def _brief(
    problem: Problem, parent: Solution, operator: str, seen: set[str], observed: Observation
) -> Brief:
    number = len(seen)
    slot = Slot(
        number=number,
        generation=1,
        child=f"Gen1_Sol_{number}",
        parents=(parent,),
        operator=operator,
    )
    return Brief(
        problem=problem.statement,
        language=problem.language,
        imports=problem.imports,
        entry_point=problem.entry_point,
        editable=problem.editable,
        slot=slot,
        tried=seen,
        observed=observed,
        answer=problem.answer,
    )


def guesses(operator: object) -> bool:
    """Say whether an operator's candidates rest on observed behaviour alone; see `Operator`."""
    return bool(getattr(operator, "guesses", False))
