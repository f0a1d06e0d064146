"""Plainer programs in the champion's place: another one as good, and the best one reworded.

Nothing is measured here. Not here: what comes of each (`minimise`), nor the passes
(`se_agent.program.style`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from se_agent.engine.state.state import State
from se_agent.engine.step.restyle import Restyling, edit_of, passes_of, takes_guards
from se_agent.engine.step.winner import PLAINER, Winner, is_beaten
from se_agent.program.style.score import style_change
from se_agent.values.solution import Edit, Solution

_MOST = 2  # programs that are compared with the champion
_PLAINLY = 1.0  # points of style that one must be plainer by


class PlainerPrograms:
    """Programs that read better than the best one, and may take its place.

    Args:
        winner: The champion of the search.
        state: State of a run after its search.
    """

    def __init__(self, winner: Winner, state: State) -> None:
        self._winner = winner
        self._state = state

    def restyled(self) -> Iterator[tuple[Sequence[Edit], Solution]]:
        """Yield the best program in plainer words: by all passes, or else by each of them.

        Before that without its guards for types, and what these alone used. Who asks for the
        next one has recorded the last one.
        """
        for guards in self._restyling.guards_edits(self._best.files):
            yield from self._restyled(guards)
        assert self._state.started is not None
        unguarded = any(t.dropped and takes_guards(t.edit) for t in self._state.trimmed)
        if self._state.started.trim_share and unguarded:
            yield from self._winner.without_unused(self._best)
        edits = self._restyle_edits()
        for edit in edits:
            yield from self._restyled(edit)
            if edit is edits[0] and self._winner.was_dropped([edit]):
                return

    def _restyle_edits(self) -> list[Edit]:
        """Return all passes as one edit, then each: those of a run that was broken off here."""
        tried = [one.edit for one in self._state.trimmed if passes_of(one.edit)]
        begun = next((each for each in tried if not takes_guards(each)), None)
        if begun is None:
            return self._restyling.restyle_edits(self._best.files)
        names = passes_of(begun)
        return [begun, *(edit_of([name]) for name in names if len(names) > 1)]

    def _restyled(self, edit: Edit) -> Iterator[tuple[Sequence[Edit], Solution]]:
        """Yield the best program with one more edit, if that is new and changes something."""
        best = self._best
        files = self._restyling.made(best.files, passes_of(edit))
        if self._winner.was_dropped([edit]) is None and files != best.files:
            yield [edit], self._winner.with_files(best, files, [*best.edits, edit])

    @property
    def _restyling(self) -> Restyling:
        winner = self._winner
        return Restyling(winner.initial.files, winner.formatter, winner.guards)

    @property
    def _best(self) -> Solution:
        return self._state.populated.best.solution

    def plainer(self) -> Iterator[tuple[Sequence[Edit], Solution]]:
        """Yield programs that are as good as the champion, as far as is known, and plainer.

        Those that the search went on from, or knows to be worse, are none.
        """
        best, initial = self._state.populated.best, self._winner.initial.files
        points = style_change(initial, best.solution.files).points
        tried = 0
        for one in self._state.populated.elite:
            spread = 2 * math.sqrt(one.variance + best.variance)
            near = one.proven and one.effect > 0 and one.effect + spread >= best.effect
            if not near or one.solution.content == best.solution.content or tried == _MOST:
                continue
            edit = Edit(
                rule=PLAINER, function="", node="0", parameters=(("program", one.solution.id),)
            )
            if points - style_change(initial, one.solution.files).points < _PLAINLY:
                continue
            tried += 1
            if self._winner.was_dropped([edit]) is None and not is_beaten(
                self._state, one.solution
            ):
                yield (
                    [edit],
                    self._winner.with_files(
                        one.solution, one.solution.files, one.solution.edits
                    ),
                )
            if self._winner.was_dropped([edit]):
                return
