"""The supervisor: the role that has most to do is asked next, as memory suggests (LF-96).

Before each slot session memory was consolidated, by its fold; the budget or the lack of
anything to ask ends the run; the prompt of whoever is asked holds what all roles agree on. What
is left to this search is the routing. Pure. Not here: what roles tell one another
(`se_agent.memory`), and what a slot asks of each (`authoring`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from se_agent.chat.messages import Role, family_of
from se_agent.config.roles import RoleMatrix
from se_agent.config.sections import Asking
from se_agent.engine.search.self_evolution import Cse
from se_agent.values.step import Slot, Step
from se_agent.values.view import View

if TYPE_CHECKING:
    from numpy.random import Generator

IN_VAIN = 3
"""Times in a row that a role is asked without a gain before others have their turn."""

_MAKERS = {str(Role.MUTATE), str(Role.CROSS_OVER)}


class Supervisor(Cse):
    """Errors are mended first, then whoever was waited for or advised has a turn.

    A role that was asked in vain three times in a row waits until another one brought a gain,
    or all others were in vain, too; each failure is mended once at most, whatever came of
    others. Beginning and end are those of `cse`.
    """

    def __init__(
        self,
        operators: Mapping[str, int],
        *,
        seed: int = 0,
        written: Mapping[str, str] | None = None,
        asking: Asking | None = None,
        matrix: RoleMatrix | None = None,
        mending: str = "",
    ) -> None:
        """Begin with nobody asked; see `Cse`."""
        super().__init__(
            operators,
            seed=seed,
            written=written,
            asking=asking,
            matrix=matrix,
            mending=mending,
        )
        self._in_vain = Counter[str]()

    def _asked(self, view: View, rng: Generator) -> Slot | None:
        if any(action.agent == Role.REPAIR for action in view.advice.actions()):
            names = ("", *self._author.strategies.courses)
            if (slot := self._author.repairs.any(names, view)) is not None:
                return slot
        return super()._asked(view, rng)

    def _in_turn(self, view: View, rng: Generator) -> Slot | None:
        for action in view.advice.actions():
            is_waiting = self._in_vain[action.agent] >= IN_VAIN
            slot = None if is_waiting else self._routed(action.agent, view, rng)
            if slot is not None:
                return slot
        return super()._in_turn(view, rng)

    def _routed(self, agent: str, view: View, rng: Generator) -> Slot | None:
        """Return what a role is asked; None: it has nothing to do, or is none of a search."""
        author = self._author
        match agent:
            case Role.PLAN:
                return author.replan(view)
            case Role.CROSS_OVER:
                return self._union(view, rng)
            case Role.MUTATE:
                names = list(author.strategies.courses)
                least = min(names, key=lambda name: author.tries(name, view))
                return author.follow(least, view, rng)
        return None

    def tell(self, step: Step) -> None:
        """Take note of who brought a gain, and of who was asked in vain."""
        super().tell(step)
        role = self._written.get(step.slot.operator)
        if role is None:
            return
        self._in_vain[family_of(role)] += 1
        makers = {family_of(each) for each in self._written.values()} & _MAKERS
        if step.gain > 0 or all(self._in_vain[each] >= IN_VAIN for each in makers):
            self._in_vain.clear()


if TYPE_CHECKING:
    from se_agent.abilities.optional import Archiving
    from se_agent.protocols import Policy

    _policy: Policy = Supervisor({})
    _archive: Archiving = Supervisor({})
