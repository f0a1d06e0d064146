"""How much there is to search in the shipped functions, without a model."""

from __future__ import annotations

import pytest

from se_agent.config.run_file import Run
from se_agent.engine.run.resolve import ResolvedRun
from se_agent.engine.search.search_space import mutations, offered, reachable
from se_agent.problem.loading import find_problems, load_problem
from se_agent.problem.model import ProblemKind
from se_agent.values.brief import Brief
from se_agent.values.step import Proposal
from se_agent.values.view import Offer

FUNCTIONS = [
    name for name in find_problems() if load_problem(name).kind is ProblemKind.FUNCTION
]


def resolved(name: str, *operators: str) -> ResolvedRun:
    return ResolvedRun.of(Run(problem=name, operators=operators), load_problem(name))


def test_there_are_eight_of_them() -> None:
    assert len(FUNCTIONS) == 8


@pytest.mark.tier("runs")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_shipped_function_has_30_candidates_and_more(name: str) -> None:
    run = resolved(name)
    found = reachable(run.first_brief, run.rules, cap=30)
    assert (found.candidates, found.complete) == (30, False)
    assert sum(found.by_operator.values()) == 30


class Rare:
    """Changes a program in every second slot; it does not tell beforehand."""

    name = "tests:Rare"
    arity = 1

    def propose(self, brief: Brief) -> Proposal | None:
        """Return a comment more, if the slot suits it."""
        if brief.slot.number % 2:
            return None
        (parent,) = brief.slot.parents
        child = brief.child({"main.py": f"{parent.text}\n# more"}, operator=self.name)
        return Proposal(solution=child, direction="say more")


class Nothing(Rare):
    """Tells that it has nothing."""

    def offers(self, brief: Brief) -> tuple[Offer, ...]:
        """Return no offer."""
        return ()


class Pair(Rare):
    """Needs two parents, and there is one."""

    arity = 2


@pytest.mark.parametrize(
    ("operators", "found"),
    [([], False), ([Nothing()], False), ([Pair()], False), ([Nothing(), Rare()], True)],
)
def test_one_that_cannot_tell_beforehand_may_have_something(
    operators: list[Rare], found: bool
) -> None:
    assert offered(resolved(FUNCTIONS[0]).first_brief, operators) == found


def test_who_only_unites_has_no_change_of_its_own() -> None:
    alone = resolved("order_report", "polish")
    assert mutations(alone.rules) == []
    assert not offered(alone.first_brief, alone.rules)
    both = resolved("order_report", "polish", "counter")
    assert [each.name for each in mutations(both.rules)] == ["counter"]
