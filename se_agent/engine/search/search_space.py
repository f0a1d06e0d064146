"""How much there is to search: the distinct programs that operators make of the initial one.

Nothing runs and nothing is measured; whether a program is right or faster is another matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from se_agent.abilities.optional import Offering
from se_agent.protocols import Operator
from se_agent.values.brief import Brief
from se_agent.values.solution import Solution
from se_agent.values.step import Proposal


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
    brief: Brief, operators: Iterable[Operator], *, cap: int = 100, depth: int = 3
) -> Reach:
    """Count breadth-first what mutations make of the initial program.

    Args:
        brief: For a change of the initial program, which is where to start.
        operators: Those without changes of their own are left out; see `mutations`.
        cap: Candidates after which to stop.
        depth: Edits in a row.
    """
    changing, (initial,) = mutations(operators), brief.slot.parents
    seen, found, level = {initial.content}, dict[str, int](), [initial]
    for _ in range(depth):
        grown: list[Solution] = []
        for parent in level:
            for proposal in _children(brief, parent, changing, seen):
                name = proposal.solution.operator
                found[name] = found.get(name, 0) + 1
                grown.append(proposal.solution)
                if sum(found.values()) >= cap:
                    return Reach(candidates=cap, complete=False, depth=depth, by_operator=found)
        level = grown
    total = sum(found.values())
    return Reach(candidates=total, complete=True, depth=depth, by_operator=found)


def offered(brief: Brief, operators: Iterable[Operator]) -> bool:
    """Say whether a mutation has something for the program of a brief.

    One that does not tell beforehand counts as having: it may propose in some slots only.
    """
    (parent,) = brief.slot.parents
    asked = replace(brief, tried={parent.content})
    return any(_has(operator, asked) for operator in mutations(operators))


def mutations(operators: Iterable[Operator]) -> list[Operator]:
    """Return the operators with changes of their own: others unite or mend programs."""
    return [
        operator
        for operator in operators
        if operator.arity == 1 and not unites(operator) and not mends(operator)
    ]


def unites(operator: object) -> bool:
    """Say whether an operator of one parent has no changes of its own; see `Operator`."""
    return bool(getattr(operator, "unites", False))


def _has(operator: Operator, brief: Brief) -> bool:
    offers = operator.offers(brief) if isinstance(operator, Offering) else None
    return offers is None or bool(offers)


def _children(
    brief: Brief, parent: Solution, operators: Iterable[Operator], seen: set[str]
) -> Iterator[Proposal]:
    """Yield what is new, and add its content to `seen`."""
    for operator in operators:
        while proposal := operator.propose(_asked(brief, parent, operator.name, seen)):
            content = proposal.solution.content
            if content in seen:
                break  # it does not heed what was tried: there is no end to it
            seen.add(content)
            yield proposal


def _asked(brief: Brief, parent: Solution, operator: str, seen: set[str]) -> Brief:
    number = len(seen)
    slot = replace(
        brief.slot,
        number=number,
        child=f"Gen1_Sol_{number}",
        parents=(parent,),
        operator=operator,
    )
    return replace(brief, slot=slot, tried=seen)


def mends(operator: object) -> bool:
    """Say whether an operator mends failing programs and makes nothing else; see `Operator`."""
    return bool(getattr(operator, "mends", False))


def guesses(operator: object) -> bool:
    """Say whether an operator's candidates rest on observed behaviour alone; see `Operator`."""
    return bool(getattr(operator, "guesses", False))


def is_plain(operator: object) -> bool:
    """Say whether what an operator writes reads as well as before; see `Operator`."""
    return bool(getattr(operator, "is_plain", True))
