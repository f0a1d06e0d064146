"""What is on offer: asked once, and without what was tried."""

from __future__ import annotations

import dataclasses

from se_agent.engine.search.offer_cache import PARENTS, OfferCache
from se_agent.values.brief import Brief
from se_agent.values.solution import Edit
from se_agent.values.view import Offer
from tests.fakes import Step1, Step3, brief, solution


class Telling(Step1):
    """An operator that tells what it has, and counts how often it was asked."""

    asked = 0

    def offers(self, brief: Brief) -> tuple[Offer, ...]:
        """Two programs."""
        self.asked += 1
        edit = Edit(rule=self.name, function="f", node="0")
        contents = (f"{brief.slot.parents[0].id} {n}" for n in range(2))
        return tuple(
            Offer(edit=edit, content=content)
            for content in contents
            if content not in brief.tried
        )


class Secretive(Step3):
    """An operator that knows only when it is asked."""

    def offers(self, brief: Brief) -> None:
        """Something, perhaps."""


class Marrying(Telling):
    """An operator of two parents: what it has depends on the mate."""

    arity = 2


def asking(name: str, **changes: object) -> Brief:
    given = brief("x = 0")
    slot = dataclasses.replace(given.slot, parents=(solution("x = 0", id=name),))
    return dataclasses.replace(given, slot=slot, **changes)  # type: ignore[arg-type]


def test_an_operator_is_asked_once_and_what_was_tried_is_left_out() -> None:
    operator = Telling()
    stock = OfferCache({"tells": operator})
    assert [o.content for o in stock.offers(asking("A"))["tells"]] == ["A 0", "A 1"]
    assert [o.content for o in stock.offers(asking("A", tried={"A 0"}))["tells"]] == ["A 1"]
    assert operator.asked == 1


def test_another_brief_is_asked_anew() -> None:
    operator = Telling()
    stock = OfferCache({"tells": operator})
    stock.offers(asking("A"))
    stock.offers(asking("A", editable="f"))
    assert operator.asked == 2


def test_only_who_tells_is_named() -> None:
    operators = {"tells": Telling(), "silent": Step3(), "asked": Secretive()}
    stock = OfferCache(operators | {"cross": Marrying()})
    assert set(stock.offers(asking("A"))) == {"tells"}


def test_the_parents_asked_last_are_kept() -> None:
    operator = Telling()
    stock = OfferCache({"tells": operator})
    for n in range(PARENTS):
        stock.offers(asking(f"P{n}"))
    stock.offers(asking("P0"))
    stock.offers(asking("new"))
    assert operator.asked == PARENTS + 1
    stock.offers(asking("P0"))
    assert operator.asked == PARENTS + 1
    stock.offers(asking("P1"))
    assert operator.asked == PARENTS + 2
