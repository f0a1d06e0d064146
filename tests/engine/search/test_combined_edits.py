"""Several changes on offer are made together, as a choice beside each of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest

from se_agent.engine.search.portfolio import Portfolio
from se_agent.memory.local.directions import TABU
from se_agent.protocols import Policy
from se_agent.values.evaluation import Status
from se_agent.values.memory_context import Advice
from se_agent.values.solution import Edit
from se_agent.values.step import Slot, Step
from tests.contracts.policy import OPERATORS, Offered, PolicyContract, nothing_new, view
from tests.engine.search.test_policies import judged


def uniting(seed: int = 3) -> Policy:
    return Portfolio(OPERATORS, seed=seed, uniting="polish")


def asked(
    policy: Policy, *given: Slot, advice: Mapping[str, float] | None = None
) -> list[Slot]:
    """Return the slots of many views that make changes together."""
    shown = dataclasses.replace(
        view(0, given=given), offers=Offered(), advice=Advice(directions=advice or {})
    )
    slots = (policy.ask(dataclasses.replace(shown, slot=8 * n)) for n in range(60))
    return [slot for slot in slots if slot is not None and slot.edits]


class TestContract(PolicyContract):
    """As for every policy; and what is not a union is as without one."""

    @pytest.fixture
    def policy(self) -> Policy:
        return uniting()

    @pytest.fixture
    def twin(self) -> Policy:
        return uniting()

    def test_same_past_same_unions(self, policy: Policy, twin: Policy) -> None:
        for number in range(40):
            shown = dataclasses.replace(view(8 * number), offers=Offered())
            slot = policy.ask(shown)
            assert slot == twin.ask(shown)
            if slot is not None and number % 3 == 0:
                step = judged(number, slot.operator, significant=number % 2 == 0)
                step = dataclasses.replace(step, slot=slot)
                policy.tell(step)
                twin.tell(step)

    def test_takes_what_is_on_offer_and_never_asks_for_what_is_not(
        self, policy: Policy
    ) -> None:
        offered = Offered()
        for slot in asked(policy):
            known = {offer.edit for each in offered(slot.parents[0]).values() for offer in each}
            assert known.issuperset(slot.edits)


def test_they_have_places_of_their_own() -> None:
    slots = asked(uniting())
    assert 10 < len(slots) < 60
    for slot in slots:
        assert slot.operator == "polish"
        assert sorted(edit.function for edit in slot.edits) == ["f", "g"]
        assert len(slot.parents) == 1


def test_one_such_slot_of_a_parent_is_under_way_at_a_time() -> None:
    policy = uniting()
    first = asked(policy)[0]
    parents = {slot.parents[0].id for slot in asked(policy, first)}
    assert parents
    assert first.parents[0].id not in parents


@pytest.mark.parametrize("judged_", [True, False])
def test_the_same_is_never_named_twice(judged_: bool) -> None:
    policy = uniting()
    first = asked(policy)[0]
    step = judged(1, "polish", significant=True) if judged_ else nothing_new(first)
    policy.tell(dataclasses.replace(step, slot=first))
    named = [(slot.parents[0].id, frozenset(slot.edits)) for slot in asked(policy)]
    assert named
    assert (first.parents[0].id, frozenset(first.edits)) not in named


def test_what_fails_is_made_less_often() -> None:
    policy = uniting()
    before = len(asked(policy))
    for n in range(20):
        policy.tell(judged(n, "polish", significant=False))
    assert len(asked(policy)) < before / 2


@pytest.mark.parametrize("prior", [(0.0, 6.0), (6.0, 0.0)])
def test_earlier_runs_say_nothing_of_how_often_changes_are_made_together(
    prior: tuple[float, float],
) -> None:
    def slots_of(known: dict[str, tuple[float, float]]) -> list[Slot | None]:
        policy = uniting()
        views = (
            dataclasses.replace(view(8 * n), offers=Offered(), advice=Advice(prior=known))
            for n in range(50)
        )
        return [policy.ask(each) for each in views]

    slots = slots_of({"polish": prior})
    assert slots == slots_of({})
    assert any(slot and slot.edits for slot in slots)


WRONG, SLOWER, NOISE = (Status.WA, (0.9, 1.1)), (Status.AC, (-0.3, -0.1)), (Status.AC, (-1, 1))


def told(
    operator: str, edits: tuple[Edit, ...], how: tuple[Status, tuple[float, float]]
) -> Step:
    """A step without a gain, of these edits."""
    step = judged(1, operator, significant=False, edits=edits)
    assert step.verdict is not None
    verdict = dataclasses.replace(step.verdict, status=how[0], interval=how[1])
    together = edits if operator == "polish" else ()
    slot = dataclasses.replace(step.slot, edits=together)
    return dataclasses.replace(step, slot=slot, verdict=verdict)


@pytest.mark.parametrize(("how", "spoils"), [(WRONG, True), (SLOWER, True), (NOISE, False)])
def test_what_was_wrong_or_slower_together_is_in_no_union(
    how: tuple[Status, tuple[float, float]], spoils: bool
) -> None:
    policy = uniting()
    policy.tell(told("polish", asked(policy)[0].edits, how))
    assert (asked(policy) == []) == spoils


@pytest.mark.parametrize(("advice", "spoils"), [(TABU, True), (0.3, False), (1.0, False)])
def test_what_memory_calls_tabu_is_in_no_union(advice: float, spoils: bool) -> None:
    assert (asked(uniting(), advice={"b@g": advice}) == []) == spoils


def test_what_is_made_alone_is_doubted_no_more() -> None:
    policy = uniting()
    edits = asked(policy)[0].edits
    policy.tell(told("polish", edits, WRONG))
    assert not asked(policy)
    for edit in edits:
        policy.tell(judged(1, edit.rule, significant=True, edits=(edit,)))
    assert asked(policy)


def test_to_who_knows_of_no_union_each_change_is_made_alone() -> None:
    assert asked(Portfolio(OPERATORS, seed=3)) == []
