"""What calls of models may cost in all: hard limits, kept with many calls under way.

A call is let through only if it fits at its dearest beside all that is paid or under way. While
it is calls under way that leave it no room, it waits for what they give back: most replies are
far from the longest. An endpoint that has not answered yet may write more than it is allowed
to: a call of it puts aside all that it could take, and goes alone where there is no room for
that. An attempt that failed may be billed as well: there is another one only if all of them
fit. Not here: when the search ends for want of money (`state.budget`), and what was paid by
whom (`stats.costs`).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Hashable
from dataclasses import astuple, dataclass

from se_agent.config.sections import Budget


@dataclass(frozen=True, kw_only=True)
class CallCost:
    """Calls, tokens of both directions, and money in the run file's currency."""

    calls: int = 0
    tokens: int = 0
    money: float = 0.0

    def __add__(self, other: CallCost) -> CallCost:
        return CallCost(
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            money=self.money + other.money,
        )

    def within(self, other: CallCost) -> bool:
        """Say whether this is no more, of anything."""
        mine, theirs = astuple(self), astuple(other)
        return all(own <= most for own, most in zip(mine, theirs, strict=True))


@dataclass(frozen=True, kw_only=True)
class Reservation:
    """What a call asks for.

    Attributes:
        dearest: What it costs at most; there is no call without room for that.
        aside: What is put aside for it; more than that where the endpoint is not known yet.
    """

    dearest: CallCost
    aside: CallCost


class SpendLimiter:
    """The limits of a run on its models.

    1. What was paid never exceeds a limit, as long as no call costs more than was reserved.
    2. No call is refused that fits beside what was paid, however many are under way.
    3. Used by many threads at a time.
    """

    def __init__(self, budget: Budget, paid: CallCost) -> None:
        self._limits = {
            "calls": budget.calls,
            "tokens": budget.tokens,
            "money": budget.money,
        }
        self._paid = paid
        self._under_way: dict[Hashable, CallCost] = {}
        self._settled = threading.Condition()

    def reserve(self, call: Hashable, claimed: Callable[[], Reservation]) -> str:
        """Put aside what a call may cost; return the name of a limit that has no room for it.

        Where one has none, nothing is put aside. It waits while calls under way hold the room.

        Args:
            call: Any name of it.
            claimed: Says what it may cost by what is known then: it is asked after each wait.
        """
        with self._settled:
            while True:
                claim, others = claimed(), self._under_way.values()
                if limit := self._lacking(claim.dearest, self._paid):
                    return limit
                if not others or not self._lacking(claim.aside, self._paid, *others):
                    self._under_way[call] = claim.aside
                    return ""
                self._settled.wait()

    def extend(self, call: Hashable, whole: CallCost) -> bool:
        """Put aside all that a call under way may cost by now, if it fits; else change nothing.

        It never waits: who asks has others waiting for it.
        """
        with self._settled:
            others = [charge for each, charge in self._under_way.items() if each != call]
            if whole.within(self._under_way[call]):  # which alone may be more than there is
                return not self._lacking(whole, self._paid)
            if self._lacking(whole, self._paid, *others):
                return False
            self._under_way[call] = whole
            return True

    def settle(self, call: Hashable, cost: CallCost) -> None:
        """Pay for a call that is done, and give back what it left over."""
        with self._settled:
            del self._under_way[call]
            self._paid += cost
            self._settled.notify_all()

    def wait(self) -> None:
        """Wait until no call is under way."""
        with self._settled:
            self._settled.wait_for(lambda: not self._under_way)

    def _lacking(self, *charges: CallCost) -> str:
        """Return the name of a limit that all these together exceed, or nothing."""
        for name, limit in self._limits.items():
            if limit is None:
                continue
            if math.fsum(getattr(charge, name) for charge in charges) > limit:
                return name
        return ""
