"""A search of several policies: after a plateau another one goes on, as if it had just begun.

One that is stuck goes round in what it knows. The next one starts from the best program and
knows nothing of the steps before: it is told of its own steps only, to it that program is the
initial one, and prompts show none of the strategies, failures and contrasts of earlier legs.
Memory stays, and so do the programs themselves. Pure: a switch is an event of the run, and
`due` says when one is. Not here: the policies, and who records the switch (`step.propose`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from se_agent.abilities.optional import Archiving
from se_agent.events import Relayed
from se_agent.protocols import Policy
from se_agent.values.step import Slot, Step
from se_agent.values.view import View


class Relay:
    """Policies in turn; after the last one the first goes on, anew.

    Attributes:
        policy: The one of this leg.
    """

    def __init__(self, *, parts: Sequence[tuple[str, Policy]], plateau: int) -> None:
        """Take the policies, which were asked nothing yet.

        Args:
            parts: Names with what they name, in their order.
            plateau: Closed steps of a leg in a row without a new best program, after which the
                next policy goes on.
        """
        self._parts = tuple(parts)
        self._plateau = plateau
        self._leg = self._first = self._told = 0
        self._base = ""
        self._own: set[str] = set()
        self.policy = deepcopy(self._parts[0][1])

    def ask(self, view: View) -> Slot | None:
        """Return what the policy of this leg tries next; see `Policy.ask`."""
        return self.policy.ask(self._of_leg(view))

    def tell(self, step: Step) -> None:
        """Tell the policy of this leg of a step of its own."""
        if step.slot.number >= self._first:
            self._told += 1
            self._own.add(step.slot.child)
            self.policy.tell(step)

    def kept(self) -> list[str]:
        """Return the ids of what the policy keeps, and of where its leg began."""
        kept: Iterable[str] = self.policy.kept() if isinstance(self.policy, Archiving) else ()
        return [*kept, *filter(None, [self._base])]

    def due(self, view: View) -> Relayed | None:
        """Return the switch that comes before this slot is filled; None: the leg goes on.

        A policy with nothing left to try is given up once no step is open, and only for one
        that has something.
        """
        if min(self._told, view.stale) >= self._plateau:
            return self._switch(view, self._leg + 1, "plateau")
        if view.open_slots or self.ask(view) is not None:
            return None
        legs = range(self._leg + 1, self._leg + len(self._parts))
        able = (leg for leg in legs if self._begun(view, leg) is not None)
        leg = next(able, None)
        return None if leg is None else self._switch(view, leg, "nothing_left")

    def go_on(self, event: Relayed) -> None:
        """Switch to another leg."""
        self._leg, self._first, self._told = event.leg, event.slot, 0
        self._base, self._own = event.best, set()
        self.policy = deepcopy(self._at(event.leg)[1])

    def _at(self, leg: int) -> tuple[str, Policy]:
        return self._parts[leg % len(self._parts)]

    def _switch(self, view: View, leg: int, why: Literal["plateau", "nothing_left"]) -> Relayed:
        return Relayed(
            slot=view.slot,
            policy=self._at(leg)[0],
            leg=leg,
            before=self._at(self._leg)[0],
            steps=self._told,
            best=view.best.solution.id,
            why=why,
        )

    def _begun(self, view: View, leg: int) -> Slot | None:
        """Return what another policy would try first."""
        fresh = replace(view, initial=view.best, members=(view.best,))
        return deepcopy(self._at(leg)[1]).ask(fresh)

    def _of_leg(self, view: View) -> View:
        """Return what the policy of this leg may see: its own programs, and where it began."""
        if not self._base:
            return view
        known = {*self._own, self._base, view.best.solution.id}
        return replace(
            view,
            initial=view.solutions.get(self._base, view.best),
            members=tuple(one for one in view.members if one.solution.id in known),
        )


if TYPE_CHECKING:
    from se_agent.abilities.optional import Relaying

    _policy: Policy = Relay(parts=(), plateau=1)
    _archive: Archiving = Relay(parts=(), plateau=1)
    _relaying: Relaying = Relay(parts=(), plateau=1)
