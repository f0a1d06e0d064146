"""What operators have on offer for a parent: asked for once, without what was tried since.

Not here: which of it is chosen (`policies`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Mapping
from dataclasses import replace

from se_agent.abilities.optional import Offering
from se_agent.protocols import Operator
from se_agent.values.brief import Brief
from se_agent.values.view import Offer, Offers

PARENTS = 64
"""Parents whose offers are kept: more than a view shows."""


class OfferCache:
    """The offers of a run's operators, by parent.

    1. An operator is asked once for a parent, as long as its brief is the same.
    2. What it costs in memory does not grow with the run.
    """

    def __init__(self, operators: Mapping[str, Operator]) -> None:
        self._offering = {
            name: operator
            for name, operator in operators.items()
            if operator.arity == 1 and isinstance(operator, Offering)
        }
        self._known: OrderedDict[str, tuple[Brief, dict[str, tuple[Offer, ...]]]] = (
            OrderedDict()
        )

    def offers(self, brief: Brief) -> Offers:
        """Return what is new for the first parent of a brief."""
        whole = self._whole(replace(brief, tried=frozenset(), history=()))
        return {name: _new(offers, brief.tried) for name, offers in whole.items()}

    def _whole(self, brief: Brief) -> Mapping[str, tuple[Offer, ...]]:
        parent = brief.slot.parents[0].id
        known = self._known.pop(parent, None)
        if known is None or known[0] != brief:
            known = brief, self._asked(brief)
        self._known[parent] = known
        if len(self._known) > PARENTS:
            self._known.popitem(last=False)
        return known[1]

    def _asked(self, brief: Brief) -> dict[str, tuple[Offer, ...]]:
        told = {name: operator.offers(brief) for name, operator in self._offering.items()}
        return {name: tuple(offers) for name, offers in told.items() if offers is not None}


def _new(offers: tuple[Offer, ...], tried: Container[str]) -> tuple[Offer, ...]:
    return tuple(offer for offer in offers if offer.content not in tried)
