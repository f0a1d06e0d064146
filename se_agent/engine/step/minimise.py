"""The winner is minimised: edits that bring nothing are dropped at the end of the search.

Edits are those of rules, and before them the parts of what a model wrote. They are dropped in
groups, for an edit that brings nothing takes many blocks to be shown harmless: all that may
bring nothing first, then halves of what could not go. Each drop is judged against the champion
of the search: not worse beyond the margin, and that proven, or the edits stay. What edits
brought and nothing uses any more goes as well. Every trial is on record, so that none is made
twice. Not here: the confirmation, which the smaller program has to pass as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from se_agent.config.run_file import Run
from se_agent.engine.judging.evaluator_pool import Arena, Recorder
from se_agent.engine.state.meter import Act
from se_agent.engine.state.state import State
from se_agent.engine.step.components import Parts
from se_agent.engine.step.unused import RULE as UNUSED
from se_agent.engine.step.winner import Winner, is_beaten
from se_agent.events import Trimmed
from se_agent.stats.costs import Costs
from se_agent.stats.sequential import Z_YES
from se_agent.values.evaluation import Comparison, SequentialDecision, Status
from se_agent.values.solution import Edit, Solution

FIRST = -2
"""Slot of the first trial; they count downwards, as what belongs to no step."""


class Trimming:
    """Drops edits of the champion, in groups, the last ones first.

    Args:
        parts: Its rule is the one that drops are judged by (`terms.no_loss_of`).
        arena: Measures.
        record: Makes trials durable.
    """

    def __init__(self, parts: Parts, arena: Arena, record: Recorder) -> None:
        self._parts = parts
        self._arena = arena
        self._record = record
        self._winner = Winner(parts, record.state)

    def run(self) -> None:
        """Try all edits, as long as there is time besides the confirmation."""
        for group, smaller in self._trials():
            if not self._time():
                return
            self._try(group, smaller)

    @property
    def _number(self) -> int:
        """How many trials there were, at earlier ends of the search, too."""
        return self._state.trials + len(self._state.trimmed)

    @property
    def _state(self) -> State:
        return self._record.state

    def _trials(self) -> Iterator[tuple[Sequence[Edit], Solution]]:
        """Yield what is left to try; who asks for the next one has recorded the last one.

        What the search has tried is none, unless it is right and still known: there it had to
        be a gain.
        """
        assert self._state.started is not None
        winner, grouped = self._winner, self._state.started.trims_in_groups
        genome = winner.genome(winner.champion)
        edits = [*dict.fromkeys(genome[::-1])]  # one that was made twice goes as a whole
        if grouped:
            yield from winner.without_unused()
        suspects = winner.suspects(edits) if grouped else ()
        groups = (
            halved_groups(edits, suspects, winner.was_dropped)
            if grouped
            else self._singles(edits)
        )
        for group, gone in groups:
            left = [edit for edit in genome if edit not in gone and edit not in group]
            smaller = winner.without(self._state.populated.best.solution, left)
            if smaller is not None and not is_beaten(self._state, smaller):
                yield group, smaller

    def _singles(self, edits: Sequence[Edit]) -> Iterator[tuple[list[Edit], set[Edit]]]:
        """Yield each edit alone, as runs did that began before there were groups."""
        trimmed = self._state.trimmed
        first = edits.index(trimmed[-1].edit) + 1 if trimmed else 0
        for edit in edits[first:] if len(edits) > 1 else ():
            yield [edit], {one.edit for one in trimmed if one.dropped}

    def _try(self, group: Sequence[Edit], smaller: Solution) -> None:
        slot = FIRST - self._number
        champion = self._winner.champion
        place = self._state.populated.members[champion.id]
        effect, variance = place.effect, place.variance
        if group[0].rule == UNUSED:
            kept = self._is_right(slot, smaller)  # what nothing uses takes no time
        else:
            found = self._compared(slot, champion, smaller)
            kept = found is not None and found.decision is SequentialDecision.YES
            if found is not None:
                low, high = found.interval
                effect, variance = effect + found.effect, variance + spread_of(low, high)
        self._record(
            Trimmed(
                slot=slot,
                edit=group[0],
                others=tuple(group[1:]),
                reference=champion.id,
                solution=smaller,
                dropped=kept,
                effect=effect if kept else None,
                variance=variance if kept else 0.0,
            )
        )

    def _is_right(self, slot: int, smaller: Solution) -> bool:
        """Say whether a program passes all tests that are known by now."""
        evaluation = self._arena.evaluate(slot, smaller)
        later = self._state.tests[self._state.tested :]
        return evaluation.status is Status.AC and all(
            self._arena.retest(slot, smaller, test).status is Status.AC for test in later
        )

    def _compared(self, slot: int, champion: Solution, smaller: Solution) -> Comparison | None:
        """Return the comparison of a program that is right on all that is known by now."""
        if not self._is_right(slot, smaller):
            return None
        found = self._arena.compare(slot, champion, smaller, self._parts.rule)
        right = found.status is Status.AC and found.reference_status is Status.AC
        return found if right else None

    def _time(self) -> bool:
        """Say whether a trial can be expected to end before the confirmation has to begin."""
        state, parts = self._state, self._parts
        if not parts.meter.allows(Act.TRY, len(state.trimmed)):
            return False
        left = state.limits(parts.config).trimming(
            parts.meter.glance(state.costs.child_seconds)
        )
        return left > _trial_seconds(state.costs, parts.config)


def _trial_seconds(costs: Costs, config: Run) -> float:
    """Return the CPU seconds that a trial takes, as blocks have gone so far.

    To prove that nothing is lost takes more blocks than to see a gain.
    """
    each = costs.block_seconds / max(1, costs.blocks)
    return config.judge.max_blocks * each


def halved_groups(
    edits: Sequence[Edit],
    suspects: Sequence[Edit],
    told: Callable[[Sequence[Edit]], bool | None],
) -> Iterator[tuple[Sequence[Edit], Collection[Edit]]]:
    """Yield groups to leave out, with the edits that are gone by then.

    A group that goes is gone as a whole; another one is tried in halves. Who is asked for the
    next group has told what came of the last one, if it was tried.

    Args:
        edits: All of them, in the order in which they are tried.
        suspects: Those that bring nothing as far as is known, which are tried first.
        told: Whether a group was dropped; None: it was not tried.
    """
    gone: set[Edit] = set()
    good = [edit for edit in edits if edit not in suspects]
    todo = [list(group) for group in (good, suspects) if group]
    while todo:
        group = todo.pop()
        if len(group) == len(edits):
            dropped = None  # that is the initial program
        else:
            if (dropped := told(group)) is None:
                yield group, gone
                dropped = told(group)
        if dropped:
            gone.update(group)
        elif len(group) > 1:
            middle = (len(group) + 1) // 2
            todo += [group[middle:], group[:middle]]


def spread_of(low: float, high: float) -> float:
    """Return the variance of an effect that has this interval."""
    return ((high - low) / 2 / Z_YES) ** 2
