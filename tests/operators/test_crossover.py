"""Crossover unites the edits of two programs of one base; a conflict goes to the first."""

from __future__ import annotations

import dataclasses

import pytest

from operators.crossover import Crossover
from operators.rewrite.genome import apply_edits, rule
from se_agent.protocols import Operator
from se_agent.types import Brief, Edit, Solution
from tests.contracts.operator import OperatorContract, brief

BASE = """
def solve(xs, b):
    count = 0
    seen = []
    for x in xs:
        if x not in seen and x in b:
            seen.append(x)  # once
            count += 1
    return count
"""


def edits(name: str) -> list[Edit]:
    found = rule(name)
    assert found
    return [candidate.edit for candidate in found.candidates(BASE)]


BESIDE, INSTEAD = edits("seen_set")
(HASHED,) = edits("set_membership")


def pair(
    first: list[Edit], second: list[Edit], *, bases: tuple[str, str] = ("B", "B")
) -> Brief:
    texts = [apply_edits(BASE, own).text for own in (first, second)]
    made = brief(*texts)
    parents = tuple(
        dataclasses.replace(parent, base=base, edits=tuple(own))
        for parent, base, own in zip(made.slot.parents, bases, (first, second), strict=True)
    )
    return dataclasses.replace(made, slot=dataclasses.replace(made.slot, parents=parents))


class TestContract(OperatorContract):
    @pytest.fixture
    def operator(self) -> Operator:
        return Crossover()

    @pytest.fixture
    def given(self) -> Brief:
        return pair([BESIDE], [HASHED])


def test_both_edits_are_in_the_child() -> None:
    proposal = Crossover().propose(pair([BESIDE], [HASHED]))
    assert proposal
    assert proposal.solution.edits == (BESIDE, HASHED)
    assert proposal.solution.base == "B"
    assert proposal.solution.text == apply_edits(BASE, [BESIDE, HASHED]).text
    assert "b_set = set(b)" in proposal.solution.text
    assert "seen_set.add(x)" in proposal.solution.text
    assert "`set_membership` in `solve`" in proposal.direction


def test_a_conflict_goes_to_the_first_parent() -> None:
    proposal = Crossover().propose(pair([BESIDE], [INSTEAD, HASHED]))
    assert proposal
    assert proposal.solution.edits == (BESIDE, HASHED)
    assert proposal.notes == ("dropped: seen_set in solve",)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(pair([BESIDE], [BESIDE]), id="the-same"),
        pytest.param(pair([BESIDE], [INSTEAD]), id="only-a-conflict"),
        pytest.param(pair([BESIDE], []), id="the-base"),
        pytest.param(pair([BESIDE], [HASHED], bases=("B", "C")), id="another-base"),
        pytest.param(pair([], [HASHED]), id="the-second-parent"),
    ],
)
def test_nothing_to_unite(given: Brief) -> None:
    assert Crossover().propose(given) is None


def test_the_base_itself_may_be_a_parent() -> None:
    initial = Solution(id="B", files={"main.py": BASE})
    made = pair([BESIDE], [HASHED])
    slot = dataclasses.replace(made.slot, parents=(made.slot.parents[0], initial))
    assert Crossover().propose(dataclasses.replace(made, slot=slot)) is None
