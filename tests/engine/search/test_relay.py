"""A relay of policies: when another one goes on, from where, and what it knows."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from se_agent.engine.search.policies import BestOfN, SequentialRefine
from se_agent.engine.search.relay import Relay
from se_agent.events import Relayed
from se_agent.protocols import Policy
from se_agent.values.step import Slot, Step
from se_agent.values.view import View
from tests.contracts.policy import OPERATORS, PolicyContract, view


def relay(plateau: int = 3) -> Relay:
    first, second = SequentialRefine(OPERATORS, seed=3), BestOfN(OPERATORS, seed=3)
    return Relay(parts=[("first", first), ("second", second)], plateau=plateau)


class TestRelay(PolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        return relay()

    @pytest.fixture
    def twin(self) -> Policy:
        return relay()


def walk(policy: Relay, gains: list[bool]) -> list[Relayed]:
    """Fill and close a slot after the other, and return the switches."""
    found, stale = list[Relayed](), 0
    for number, gain in enumerate(gains):
        shown = dataclasses.replace(view(number), stale=stale)
        if (switch := policy.due(shown)) is not None:
            found.append(switch)
            policy.go_on(switch)
        slot = policy.ask(shown)
        assert slot is not None
        policy.tell(Step(slot=slot))
        stale = 0 if gain else stale + 1
    return found


class Endlessly:
    """Always has something, and keeps what it saw and was told."""

    def __init__(self) -> None:
        self.seen: list[View] = []
        self.told: list[int] = []

    def ask(self, view: View) -> Slot | None:
        self.seen.append(view)
        return view.fill(view.best.solution, operator="a")

    def tell(self, step: Step) -> None:
        self.told.append(step.slot.number)

    def kept(self) -> list[str]:
        return ["mine"]


NAMES = ("one", "two", "three")


def endless(plateau: int) -> Relay:
    return Relay(parts=[(name, Endlessly()) for name in NAMES], plateau=plateau)


@given(st.lists(st.booleans(), max_size=40), st.integers(1, 5))
def test_a_leg_ends_exactly_where_its_last_steps_brought_nothing(
    gains: list[bool], plateau: int
) -> None:
    begun, expected = 0, list[int]()
    for number in range(len(gains)):
        if number - begun >= plateau and not any(gains[number - plateau : number]):
            expected.append(number)
            begun = number
    switches = walk(endless(plateau), gains)
    assert [switch.slot for switch in switches] == expected
    assert [switch.leg for switch in switches] == [*range(1, len(switches) + 1)]
    assert [switch.policy for switch in switches] == [NAMES[s.leg % 3] for s in switches]
    assert {switch.best for switch in switches} <= {"Gen1_Sol_2"}


def leg_of(policy: Relay) -> Endlessly:
    found = policy.policy
    assert isinstance(found, Endlessly)
    return found


def test_who_goes_on_knows_nothing_of_before_but_the_best_program() -> None:
    policy = endless(2)
    walk(policy, [False] * 4)
    assert leg_of(policy).told == [2, 3]
    late = Step(slot=view(1).fill(view(1).best.solution, operator="a"))
    policy.tell(late)  # of the leg before, closed after the switch
    assert leg_of(policy).told == [2, 3]
    shown = leg_of(policy).seen[0]
    assert shown.initial.solution.id == "Gen1_Sol_2"
    assert [member.solution.id for member in shown.members] == ["Gen1_Sol_2"]
    assert policy.kept() == ["mine", "Gen1_Sol_2"]


def test_programs_of_its_own_leg_are_shown() -> None:
    policy = endless(2)
    walk(policy, [False] * 3)
    own = view(3).fill(view(3).best.solution, operator="a")
    policy.tell(Step(slot=dataclasses.replace(own, child="Gen1_Sol_1")))
    policy.ask(view(4))
    shown = [member.solution.id for member in leg_of(policy).seen[-1].members]
    assert shown == ["Gen1_Sol_2", "Gen1_Sol_1"]


def test_the_same_policy_comes_back_as_new() -> None:
    policy = endless(1)
    switches = walk(policy, [False] * 4)
    assert [switch.policy for switch in switches] == ["two", "three", "one"]
    assert leg_of(policy).told == [3]


class Silent(Endlessly):
    """Has nothing."""

    def ask(self, view: View) -> Slot | None:
        return None


def test_one_with_nothing_left_gives_way_once_no_step_is_open() -> None:
    policy = Relay(parts=[("a", Silent()), ("b", Silent()), ("c", Endlessly())], plateau=9)
    open_slot = view(0).fill(view(0).best.solution, operator="a")
    assert policy.due(view(1, given=[open_slot])) is None
    switch = policy.due(view(1))
    assert switch is not None
    assert (switch.policy, switch.leg, switch.why) == ("c", 2, "nothing_left")


def test_where_none_has_anything_nobody_goes_on() -> None:
    policy = Relay(parts=[("a", Silent()), ("b", Silent())], plateau=9)
    assert policy.due(view(1)) is None
