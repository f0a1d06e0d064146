"""Several changes on offer are made together, as a choice beside each of them."""

from __future__ import annotations

import dataclasses

import pytest

from se_agent.engine.search.map_elites import MapElites
from se_agent.engine.search.policies import (
    POLISH,
    BestOfN,
    Fixed,
    Policies,
    Random,
    SequentialRefine,
)
from se_agent.engine.search.portfolio import Portfolio
from se_agent.protocols import Policy
from se_agent.types import Edit, Slot
from tests.contracts.policy import OPERATORS, Offered, nothing_new, view
from tests.engine.search.test_policies import judged

KNOWN = OPERATORS | {POLISH: 1}


def asked(policy: Policy, *given: Slot) -> list[Slot]:
    """Return the slots of many views that make changes together."""
    views = (dataclasses.replace(view(8 * n, given=given), offers=Offered()) for n in range(60))
    slots = (policy.ask(each) for each in views)
    return [slot for slot in slots if slot is not None and slot.operator == POLISH]


def test_they_have_places_of_their_own() -> None:
    slots = asked(Portfolio(KNOWN, seed=3))
    assert 10 < len(slots) < 60
    for slot in slots:
        assert sorted(edit.function for edit in slot.edits) == ["f", "g"]
        assert len(slot.parents) == 1


def test_one_such_slot_of_a_parent_is_under_way_at_a_time() -> None:
    policy = Portfolio(KNOWN, seed=3)
    first = asked(policy)[0]
    parents = {slot.parents[0].id for slot in asked(policy, first)}
    assert parents
    assert first.parents[0].id not in parents


def test_where_nothing_new_came_of_it_the_parent_has_had_it() -> None:
    policy = Portfolio(KNOWN, seed=3)
    first = asked(policy)[0]
    policy.tell(nothing_new(first))
    assert first.parents[0].id not in {s.parents[0].id for s in asked(policy)}


def test_what_fails_is_made_less_often() -> None:
    policy = Portfolio(KNOWN, seed=3)
    before = len(asked(policy))
    for n in range(20):
        policy.tell(judged(n, POLISH, significant=False))
    assert len(asked(policy)) < before / 2


def test_what_was_in_a_union_without_a_gain_is_made_alone() -> None:
    policy = Portfolio(KNOWN, seed=3)
    first = asked(policy)[0]
    policy.tell(judged(1, POLISH, significant=False, edits=first.edits))
    assert {slot.edits for slot in asked(policy)}.isdisjoint({first.edits})
    again = Portfolio(KNOWN, seed=3)
    again.tell(judged(1, POLISH, significant=True, edits=first.edits))
    assert first.edits in {slot.edits for slot in asked(again)}


def test_what_failed_on_its_own_spoils_no_union() -> None:
    policy = Portfolio(KNOWN, seed=3)
    assert asked(policy)
    for n in range(3):
        edit = Edit(rule="b", function="g", node="0", occurrence=0)
        policy.tell(judged(n, "b", significant=False, edits=(edit,)))
    assert asked(policy) == []


@pytest.mark.parametrize("make", [Random, Fixed, MapElites, BestOfN, SequentialRefine])
def test_to_other_policies_it_is_nothing(make: type[Policies]) -> None:
    assert asked(make(KNOWN, seed=3)) == []


def test_where_a_run_has_no_such_operator_each_change_is_made_alone() -> None:
    assert asked(Portfolio(OPERATORS, seed=3)) == []
