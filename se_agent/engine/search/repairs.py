"""Repairs of programs that are not right: by what is known first, else by a model. Pure.

Not here: what a model is asked besides (`authoring`), nor how a program is mended
(`operators`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from se_agent.engine.search.repeated_errors import RepeatedErrors
from se_agent.values.evaluation import Status
from se_agent.values.search_context import Failure
from se_agent.values.step import Slot, Step
from se_agent.values.view import Member, View

REPAIRABLE = frozenset({Status.WA, Status.RE, Status.CE, Status.TLE, Status.MLE})
_REMEMBERED = 1024  # failures and unions that were asked for


class AuthoringState:
    """What is asked for once: the repair of a failure, the union of two; the newest of them."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], None] = {}

    def add(self, slot: Slot) -> None:
        """Note what a slot asked for."""
        self._known[_what(slot)] = None
        if len(self._known) > _REMEMBERED:
            del self._known[next(iter(self._known))]

    def is_new(self, slot: Slot, under_way: Iterable[Slot]) -> bool:
        """Say whether neither a closed slot nor one under way asked for the same."""
        wanted = _what(slot)
        return wanted not in self._known and all(_what(s) != wanted for s in under_way)


class Repairs:
    """Has each failure mended once by what is known, and where that has nothing by a model.

    1. The model is not asked before it is known what the other one made.
    2. A mended program stands in the place of the failed one, right or not.
    3. An error that came back twice is left alone.
    """

    def __init__(self, mending: str, repair: str) -> None:
        """Take the operator that mends without a model, and that of a model; empty: none."""
        self._mending, self._repair = mending, repair
        self._tried = {mending: AuthoringState(), repair: AuthoringState()}
        self._replaced = AuthoringState()
        self._errors = RepeatedErrors()

    def tell(self, step: Step) -> None:
        """Take note of a closed step, whoever made it."""
        self._errors.tell(step)
        slot = step.slot
        if not slot.subject or slot.operator not in self._tried:
            return
        self._tried[slot.operator].add(slot)
        is_new = step.proposal is not None and not step.duplicate_of
        if slot.operator == self._mending and is_new:
            self._replaced.add(slot)

    def next(self, name: str, view: View) -> Slot | None:
        """Return the repair of a strategy's newest failure that may be mended, if any may."""
        slots = (self._of(failure, parent, view) for failure, parent in _failures(name, view))
        return next((slot for slot in slots if slot is not None), None)

    def any(self, names: Iterable[str], view: View) -> Slot | None:
        """Return the repair of the first of some strategies that has a failure to mend."""
        slots = (self.next(name, view) for name in names)
        return next((slot for slot in slots if slot is not None), None)

    def _of(self, failure: Failure, parent: Member, view: View) -> Slot | None:
        """Return who mends a failure next: what is known first; None: nobody, or not yet."""
        known = _repair(failure, parent, view, self._mending)
        if self._errors.is_hopeless(failure):
            return None
        if not self._replaced.is_new(known, _under_way(view, self._mending)):
            return None
        is_untried = bool(self._mending) and self._tried[self._mending].is_new(known, ())
        if is_untried and view.can_mend(failure):
            return known
        if not self._repair or failure.solution.operator == self._repair:
            return None
        asked = _repair(failure, parent, view, self._repair)
        is_new = self._tried[self._repair].is_new(asked, _under_way(view, self._repair))
        return asked if is_new else None


def _repair(failure: Failure, parent: Member, view: View, operator: str) -> Slot:
    subject = failure.solution
    return view.fill(
        parent.solution, operator=operator, strategy=subject.strategy, subject=subject.id
    )


def _under_way(view: View, operator: str) -> list[Slot]:
    return [slot for slot in view.open_slots if slot.operator == operator]


def _what(slot: Slot) -> tuple[str, ...]:
    """Return the failure that is mended, or the pair that is united in any order."""
    return (slot.subject,) if slot.subject else tuple(sorted(p.id for p in slot.parents))


def _failures(name: str, view: View) -> Iterator[tuple[Failure, Member]]:
    """Yield a strategy's failures that may be mended with their parents, the newest first."""
    for failure in reversed(view.failures):
        subject, parent = failure.solution, _parent(failure, view)
        if parent is None or subject.strategy != name:
            continue
        if failure.evaluation.status in REPAIRABLE:
            yield failure, parent


def _parent(failure: Failure, view: View) -> Member | None:
    """Return the program that a failed one was made from, if it is still known."""
    parents = failure.solution.parents
    return view.solutions.get(parents[0]) if parents else None
