"""What memory advises a portfolio: recommended first, tabu last, and what nobody tried."""

from __future__ import annotations

import dataclasses

from se_agent.engine.search.portfolio import Portfolio
from se_agent.memory.directions import TABU
from se_agent.types import Edit, Member, Offer, Offers
from tests.contracts.policy import OPERATORS, view
from tests.engine.search.test_policies import asked, genome, offering


def test_what_memory_calls_tabu_is_tried_last_and_never_banned() -> None:
    shown = offering(("a", "f", None), ("b", "f", None))
    told = dataclasses.replace(shown, advice={"a@f": TABU, "b@g": TABU})
    counts = asked(Portfolio(OPERATORS, seed=1), told)
    assert counts["b"] > 4 * counts["a"] > 0


def test_what_memory_recommends_is_tried_first() -> None:
    shown = offering(("a", "f", None), ("b", "f", None))
    even, told = Portfolio(OPERATORS, seed=1), dataclasses.replace(shown, advice={"a@f": 2.0})
    counts = asked(Portfolio(OPERATORS, seed=1), told)
    assert counts["a"] > 1.3 * asked(even, shown)["a"]
    assert counts["b"] > 0


def edited(member: Member, initial: Member) -> Member:
    """Return the member as one whose edits start from the initial program."""
    base = initial.solution.id
    return dataclasses.replace(member, solution=dataclasses.replace(member.solution, base=base))


def test_what_a_model_wrote_keeps_its_slot() -> None:
    best, initial = genome("A", "x"), view(8).initial.solution.id
    old, new = (
        Offer(edit=Edit(rule=rule, function="f", node="0"), content=rule) for rule in "ab"
    )
    offers: dict[str, Offers] = {"A": {"a": (old,), "b": ()}, initial: {"a": (), "b": (new,)}}
    shown = dataclasses.replace(
        view(8),
        best=best,
        members=(best,),
        offers=lambda parent: offers[parent.id],
        advice={"a@f": TABU},
    )
    slots = (Portfolio({"a": 1, "b": 1}, seed=s).ask(shown) for s in range(20))
    assert {slot.parents[0].id for slot in slots if slot} == {"A"}


def test_an_incumbent_of_which_all_is_known_leaves_its_slot_to_what_is_new() -> None:
    """What is offered of the initial program only is tried on it."""
    operators, initial = {"a": 1, "b": 1}, view(8).initial
    best = edited(genome("A", "x"), initial)
    known, new = (
        (Offer(edit=Edit(rule=rule, function="f", node="0"), content=rule),) for rule in "ab"
    )
    offers: dict[str, Offers] = {
        best.solution.id: {"a": known, "b": ()},
        initial.solution.id: {"a": known, "b": new},
    }
    shown = dataclasses.replace(
        view(8), best=best, members=(best,), offers=lambda parent: offers[parent.id]
    )
    told = dataclasses.replace(shown, advice={"a@f": TABU})
    assert set(asked(Portfolio(operators, seed=1), told)) == {"b"}
    for advice in ({}, {"a@f": TABU, "b@f": TABU}, {"a@f": 2.0}):
        counts = asked(Portfolio(operators, seed=1), dataclasses.replace(shown, advice=advice))
        assert set(counts) == {"a"}
