"""What memory advises a portfolio: recommended first, tabu last."""

from __future__ import annotations

import dataclasses

from se_agent.engine.search.portfolio import Portfolio
from se_agent.memory.local.directions import TABU
from se_agent.values.memory_context import Advice, Believed
from se_agent.values.solution import Edit
from se_agent.values.view import Offer, Offers
from tests.contracts.policy import OPERATORS, view
from tests.engine.search.test_policies import asked, genome, offering


def test_what_memory_calls_tabu_is_tried_last_and_never_banned() -> None:
    shown = offering(("a", "f", None), ("b", "f", None))
    told = dataclasses.replace(shown, advice=Advice(directions={"a@f": TABU, "b@g": TABU}))
    counts = asked(Portfolio(OPERATORS, seed=1), told)
    assert counts["b"] > 4 * counts["a"] > 0


def test_what_memory_recommends_is_tried_first() -> None:
    shown = offering(("a", "f", None), ("b", "f", None))
    even, told = (
        Portfolio(OPERATORS, seed=1),
        dataclasses.replace(shown, advice=Advice(directions={"a@f": 2.0})),
    )
    counts = asked(Portfolio(OPERATORS, seed=1), told)
    assert counts["a"] > 1.3 * asked(even, shown)["a"]
    assert counts["b"] > 0


def test_what_a_model_wrote_keeps_its_slot() -> None:
    """What is on offer for the initial program alone is none of its."""
    best, initial = genome("A", "x"), view(8).initial.solution.id
    old, new = (
        Offer(edit=Edit(rule=rule, function="f", node=rule), content=rule) for rule in "ab"
    )
    offers: dict[str, Offers] = {"A": {"a": (old,), "b": ()}, initial: {"a": (), "b": (new,)}}
    shown = dataclasses.replace(
        view(8),
        best=best,
        members=(best,),
        offers=lambda parent: offers[parent.id],
        advice=Advice(believed=lambda: {old.edit: Believed(0.0, 0.01, 0.0)}),
    )
    policies = (Portfolio({"a": 1, "b": 1}, seed=s, uniting="polish") for s in range(20))
    slots = [policy.ask(shown) for policy in policies]
    assert {slot.parents[0].id for slot in slots if slot} == {"A"}
