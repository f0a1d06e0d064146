"""The supervisor: whoever has most to do is asked next."""

from __future__ import annotations

import dataclasses

import pytest

from se_agent.engine.search.supervisor import IN_VAIN, Supervisor
from se_agent.protocols import Policy
from se_agent.values.evaluation import Branch, Status, Verdict
from se_agent.values.memory_context import Advice, NextAction
from se_agent.values.solution import Solution
from se_agent.values.step import Slot
from se_agent.values.view import Member, View
from tests.contracts.policy import OPERATORS, PolicyContract, view
from tests.contracts.writing_policy import (
    BOTH,
    WRITTEN,
    WritingPolicyContract,
    answered,
    seen,
)
from tests.engine.search.test_allocation import INITIAL

MEND = NextAction("repair", "mend F1", "evaluator says: wrong")
UNITE = NextAction("cross_over", "begin", "mutate completed")
CHANGE = NextAction("mutate", "follow advice", "profiler: line 3 costs most")


class TestSupervisor(PolicyContract, WritingPolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return supervisor()

    @pytest.fixture
    def twin(self) -> Policy:
        return supervisor()

    @pytest.fixture
    def writing(self) -> Policy:
        return supervisor(written=True)

    @pytest.fixture
    def its_twin(self) -> Policy:
        return supervisor(written=True)


def supervisor(*, written: bool = False) -> Supervisor:
    if written:
        return Supervisor(BOTH, seed=3, written=WRITTEN)
    return Supervisor(OPERATORS, seed=3)


def advised(shown: View, *actions: NextAction) -> View:
    return dataclasses.replace(shown, advice=Advice(actions=lambda: actions))


class Grown:
    """A supervised search whose five strategies have a program each."""

    def __init__(self) -> None:
        self.policy = supervisor(written=True)
        self.known = {"Gen0_Sol_0": INITIAL}
        self.number = 0
        while len(self.known) < 6:
            self.step(gain=0.1)

    def step(self, *actions: NextAction, gain: float = 0.0) -> Slot:
        shown = dataclasses.replace(view(self.number), solutions=self.known)
        slot = self.policy.ask(advised(shown, *actions))
        assert slot is not None
        id_ = f"S{self.number}"
        own = Solution(id=id_, files={"m": f"x = {self.number}"}, strategy=slot.strategy)
        if slot.operator != "plan":
            self.known = self.known | {id_: Member(solution=own, effect=self.number / 10)}
        step = answered(dataclasses.replace(slot, child=id_))
        verdict = Verdict(
            status=Status.AC,
            perf_diff=gain,
            effect=gain,
            interval=(gain, gain),
            significant=gain > 0,
            branch=Branch.SUCCESS,
        )
        self.policy.tell(dataclasses.replace(step, verdict=verdict))
        self.number += 1
        return slot


@pytest.mark.row("LF-96")
def test_an_error_is_mended_before_anything_else() -> None:
    policy = supervisor(written=True)
    slot = policy.ask(advised(seen(0), CHANGE, MEND))
    assert slot is not None
    assert (slot.operator, slot.subject) == ("repair", "F1")
    begun = policy.ask(advised(seen(0), CHANGE))
    assert begun is not None
    assert begun.operator == "plan"


@pytest.mark.row("LF-96")
def test_the_role_that_memory_names_first_is_asked() -> None:
    grown = Grown()
    assert grown.step(UNITE, CHANGE).operator == "recombination"
    assert grown.step(CHANGE, UNITE).operator in ("mutation", "rewriting")
    assert grown.step(NextAction("extract", "begin", "-"), UNITE).operator == "recombination"


@pytest.mark.row("LF-96")
def test_who_was_asked_in_vain_waits_for_others() -> None:
    grown = Grown()
    grown.step(UNITE, gain=1.0)
    for _ in range(IN_VAIN):
        assert grown.step(UNITE, CHANGE).operator == "recombination"
    assert grown.step(UNITE, CHANGE, gain=1.0).operator != "recombination"
    assert grown.step(UNITE, CHANGE).operator == "recombination"


@pytest.mark.row("LF-96")
def test_a_search_with_nothing_left_to_ask_ends() -> None:
    policy = Supervisor({}, seed=3)
    assert policy.ask(view(0)) is None
