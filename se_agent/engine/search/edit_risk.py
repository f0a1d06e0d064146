"""What changes bring and risk, by what memory believes of those that were tried.

Pure. Not here: where the belief comes from (`se_agent.memory.local.edit_credit`), nor what is
tried by it (`group_testing`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from se_agent.memory import UNKNOWN, approach
from se_agent.values.memory_context import Believed
from se_agent.values.solution import Edit

if TYPE_CHECKING:
    from numpy.random import Generator

TOGETHER = 8
"""Changes that are made together at most, unless they are known to be good."""

HARMLESS = 0.5
"""How likely changes that are made together do no harm, at least: even odds tell most."""

HOPELESS = 0.6
"""Risk of a change that was never tried at which it is not tried with others."""

SURE = 0.85
"""Risk of a change that was tried at which memory does not try it again."""

ACCUSED = 0.3
"""Risk of a change that was tried beyond which it does not delay what is known to be good."""

WORTH = 0.003
"""Share of the initial cost that a change saves at least to be made wherever it can be."""

CLEAR = 0.02
"""Share of the initial cost that is at stake, at least, where one change has a trial."""

_TRIES = 8  # that what is expected before anything was tried weighs
_APART = 0.03  # share of the cost by which two changes of one place differ


class Risks:
    """Answers for any change, tried or not."""

    def __init__(self, believed: Mapping[Edit, Believed]) -> None:
        self._believed = believed
        harm, tries = (sum(known.blame for known in believed.values()), len(believed))
        self._usual = (harm + UNKNOWN * _TRIES) / (tries + _TRIES)
        self._alike: dict[str, list[float]] = {}
        for edit, known in believed.items():
            self._alike.setdefault(approach(edit), []).append(known.blame)

    def of(self, edit: Edit) -> float:
        """Return how likely a change does harm, 0 to 1.

        One that nobody tried is like the others of its rule in its function, and like all.
        """
        if (known := self._believed.get(edit)) is not None:
            return known.blame
        alike = self._alike.get(approach(edit), [])
        return (sum(alike) + self._usual) / (len(alike) + 1)

    def is_good(self, edit: Edit) -> bool:
        """Say whether a change is known to bring something, and to do no harm."""
        known = self._believed.get(edit)
        return known is not None and not known.blame and known.gain > WORTH

    def is_open(self, edit: Edit) -> bool:
        """Say whether there is something to find out about a change."""
        return 0 < self.of(edit) < (SURE if edit in self._believed else HOPELESS)

    def may_be_tried(self, edit: Edit) -> bool:
        """Say whether a change does mostly no harm, as far as is known."""
        return self.of(edit) <= 1 - HARMLESS

    def is_harm(self, edit: Edit) -> bool:
        """Say whether a change is known to cost something."""
        known = self._believed.get(edit)
        return known is not None and known.gain < -max(WORTH, known.error)

    def hope(self, edit: Edit, *, instead: float = 0.0) -> float:
        """Return what a change may save at most, as far as is known; see `drawn`."""
        gain, error = self._told(edit, instead)
        return gain + 2 * error

    def fear(self, edit: Edit) -> float:
        """Return what a change may cost at most, as far as is known."""
        gain, error = self._told(edit)
        return 2 * error - gain

    def gain(self, edit: Edit) -> float:
        """Return what a change saves; 0 where that is not known."""
        return self._told(edit)[0]

    def drawn(self, edit: Edit, rng: Generator, *, instead: float = 0.0) -> float:
        """Return a draw of what a change saves, as sure as that is known.

        Args:
            edit: The change.
            rng: Draws.
            instead: What others save for which it stands: one not measured yet is like them.
        """
        gain, error = self._told(edit, instead)
        return gain + error * float(rng.standard_normal())

    def _told(self, edit: Edit, instead: float = 0.0) -> tuple[float, float]:
        """Return what a change saves, and the standard error of that."""
        known = self._believed.get(edit)
        if known and known.measured:
            return known.gain, known.error
        return instead, max(instead / 2, _APART)

    def few(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return the first of these that mostly do no harm together; or the least risky one."""
        hope, chosen, edits = 1.0, list[Edit](), apart(edits)
        for edit in edits:
            left = hope * (1 - self.of(edit))
            if left >= HARMLESS and len(chosen) < TOGETHER:
                chosen.append(edit)
                hope = left
        return tuple(chosen or sorted(edits, key=self.of)[:1])


def apart(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the first edit of each place, for two of one place spoil each other."""
    first = dict[tuple[str, str], Edit]()
    for edit in edits:
        first.setdefault(place(edit), edit)
    return tuple(first.values())


def place(edit: Edit) -> tuple[str, str]:
    """Return where an edit is made."""
    return edit.function, edit.node
