"""Policies: the contract for each, and what sets them apart."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest

from se_agent.engine.policies import BestOfN, Portfolio, SequentialRefine
from se_agent.protocols import Policy
from se_agent.types import Branch, Proposal, Status, Step, Verdict
from tests.contracts.policy import OPERATORS, PolicyContract, view
from tests.fakes import solution


class TestBestOfN(PolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return BestOfN(OPERATORS, seed=3)

    @pytest.fixture
    def twin(self) -> Policy:
        return BestOfN(OPERATORS, seed=3)

    def test_every_first_parent_is_the_initial_program(self, policy: Policy) -> None:
        slots = [policy.ask(view(n)) for n in range(30)]
        assert {s.parents[0].id for s in slots if s} == {"Gen0_Sol_0"}


class TestSequentialRefine(PolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return SequentialRefine(OPERATORS, seed=3)

    @pytest.fixture
    def twin(self) -> Policy:
        return SequentialRefine(OPERATORS, seed=3)

    def test_refines_the_incumbent_with_the_operators_in_turn(self, policy: Policy) -> None:
        slots = [policy.ask(view(n)) for n in range(4)]
        assert {s.parents[0].id for s in slots if s} == {"Gen1_Sol_2"}
        assert slots[:4] == [policy.ask(view(n)) for n in range(4)]
        assert [s.operator for s in slots if s] == ["a", "b", "c", "cross"]


class TestPortfolio(PolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return Portfolio(OPERATORS, seed=3)

    @pytest.fixture
    def twin(self) -> Policy:
        return Portfolio(OPERATORS, seed=3)


def judged(slot_number: int, operator: str, *, significant: bool) -> Step:
    slot = view(slot_number).fill(solution("x = 0"), operator=operator)
    verdict = Verdict(
        status=Status.AC,
        perf_diff=1.0,
        effect=1.0,
        interval=(0.9, 1.1),
        significant=significant,
        branch=Branch.SUCCESS,
    )
    child = solution(f"y = {slot_number}", id=slot.child)
    return Step(slot=slot, proposal=Proposal(solution=child, direction=""), verdict=verdict)


def drawn(policy: Policy, *, advice: dict[str, float] | None = None) -> Counter[str]:
    views = (dataclasses.replace(view(8 * n), advice=advice or {}) for n in range(300))
    return Counter(slot.operator for v in views if (slot := policy.ask(v)))


def test_a_portfolio_turns_to_what_paid_off() -> None:
    policy = Portfolio(OPERATORS, seed=1)
    for n in range(30):
        policy.tell(judged(n, "b", significant=n % 2 == 0))
        policy.tell(judged(n, "a", significant=False))
    counts = drawn(policy)
    assert counts["b"] > 3 * counts["a"]


def test_old_rewards_fade() -> None:
    policy = Portfolio(OPERATORS, seed=1)
    for n in range(20):
        policy.tell(judged(n, "b", significant=True))
    for n in range(400):
        policy.tell(judged(n, "a", significant=n % 4 == 0))
    assert drawn(policy)["b"] < 150


def test_memory_advises_and_never_bans() -> None:
    plain = drawn(Portfolio(OPERATORS, seed=1))
    advised = drawn(Portfolio(OPERATORS, seed=1), advice={"a": 2.0, "b": 0.5})
    assert advised["a"] > plain["a"]
    assert 0 < advised["b"] < plain["b"]


def test_another_seed_looks_elsewhere() -> None:
    slots = [Portfolio(OPERATORS, seed=s).ask(view(9)) for s in range(20)]
    assert len({(s.operator, s.parents[0].id) for s in slots if s}) > 1


@pytest.mark.parametrize(
    ("policy", "pairs"),
    [
        pytest.param(SequentialRefine({"cross": 2}, seed=3), 19, id="the-incumbent's"),
        pytest.param(Portfolio({"cross": 2}, seed=3), 20 * 19, id="everybody's"),
    ],
)
def test_nothing_is_left_only_when_every_mate_was_met(policy: Policy, pairs: int) -> None:
    met = set()
    for generation in range(400):
        slot = policy.ask(view(8 * generation, members=20))
        if slot is None:
            break
        met.add(tuple(parent.id for parent in slot.parents))
        policy.tell(Step(slot=slot))
    assert len(met) == pairs


def test_a_generation_meets_as_many_mates_as_it_has_slots() -> None:
    policy = SequentialRefine({"cross": 2}, seed=3)
    slots = [policy.ask(view(n, members=9)) for n in range(8)]
    assert len({slot.parents[1].id for slot in slots if slot}) == 8
