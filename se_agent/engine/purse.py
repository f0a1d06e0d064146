"""What calls of models may cost in all: hard limits, kept with many calls under way.

A call is let through only if it fits at its dearest beside all that is paid or under way. Not
here: when the search ends for want of money (`budget`), and what was paid by whom (`costs`).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Hashable
from dataclasses import dataclass

from se_agent.sections import Budget


@dataclass(frozen=True, kw_only=True)
class Charge:
    """Calls, tokens of both directions, and money in the run file's currency."""

    calls: int = 0
    tokens: int = 0
    money: float = 0.0


class Purse:
    """The limits of a run on its models.

    1. What was paid never exceeds a limit, as long as no call costs more than was reserved.
    2. A call that would fit if all calls under way were done at their dearest is let through.
    3. Used by many threads at a time.
    """

    def __init__(self, budget: Budget, paid: Charge) -> None:
        self._limits = {
            "calls": budget.calls,
            "tokens": budget.tokens,
            "money": budget.money,
        }
        self._paid = paid
        self._under_way: dict[Hashable, Charge] = {}
        self._guard = threading.Lock()

    def reserve(self, call: Hashable, dearest: Charge) -> str:
        """Put aside what a call may cost; return the name of a limit that has no room for it.

        Where one has none, nothing is put aside.
        """
        with self._guard:
            for name, limit in self._limits.items():
                if limit is not None and self._used(name) + getattr(dearest, name) > limit:
                    return name
            self._under_way[call] = dearest
        return ""

    def settle(self, call: Hashable, cost: Charge) -> None:
        """Pay for a call that is done, and give back what it left over."""
        with self._guard:
            del self._under_way[call]
            self._paid = Charge(
                calls=self._paid.calls + cost.calls,
                tokens=self._paid.tokens + cost.tokens,
                money=self._paid.money + cost.money,
            )

    def _used(self, name: str) -> float:
        charges = (self._paid, *self._under_way.values())
        return math.fsum(getattr(charge, name) for charge in charges)
