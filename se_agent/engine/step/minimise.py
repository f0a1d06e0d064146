"""The winner is minimised, and rewritten for people, at the end of the search.

Edits are those of rules, and before them the parts of what a model wrote. Those that read badly
and all that may bring nothing are dropped in groups first, then in halves of what could not go;
all others one by one. Each drop is judged against the champion of the search: an edit stays if
it is seen to be worth more than the margin, or than 3 % where it reads worse than what it
replaces. What edits brought and nothing uses any more goes as well. At last the text is put
into the words and the layout of its file (`restyle`). Every trial is on record, so that none is
made twice.
Not here: the confirmation, which the program has to pass as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from se_agent.engine.judging.evaluator_pool import Arena, Recorder
from se_agent.engine.state.meter import Act
from se_agent.engine.state.state import State
from se_agent.engine.step.components import Parts
from se_agent.engine.step.plainer import PlainerPrograms
from se_agent.engine.step.restyle import RULE as RESTYLE
from se_agent.engine.step.restyle import takes_guards
from se_agent.engine.step.unused import RULE as UNUSED
from se_agent.engine.step.winner import Winner, is_beaten
from se_agent.events import Trimmed
from se_agent.stats.sequential import Z_YES, SequentialRule
from se_agent.values.evaluation import Comparison, SequentialDecision, Status
from se_agent.values.solution import Edit, Solution

FIRST = -2
"""Slot of the first trial; they count downwards, as what belongs to no step."""


class TrimTerms(NamedTuple):
    """The rules that drops are judged by (`terms.no_loss_of`).

    Attributes:
        usual: For most edits.
        unplain: For those that read worse than what they replace.
    """

    usual: SequentialRule
    unplain: SequentialRule


class Trimming:
    """Drops edits of the champion, in groups, the last ones first.

    Args:
        parts: What the run is wired from.
        arena: Measures.
        record: Makes trials durable.
        terms: The rules that drops are judged by.
    """

    def __init__(self, parts: Parts, arena: Arena, record: Recorder, terms: TrimTerms) -> None:
        self._terms = terms
        self._parts = parts
        self._arena = arena
        self._record = record
        self._winner = Winner(parts, record.state)
        self._plainer = PlainerPrograms(self._winner, record.state)

    def run(self) -> None:
        """Try all edits, as long as there is time besides the confirmation.

        Whatever there was no time for, the text is put into plainer words at last: that takes
        little.
        """
        assert self._state.started is not None
        if not any(one.edit.rule == RESTYLE for one in self._state.trimmed):
            for group, smaller in self._trials():
                if not self._time():
                    break
                self._try(group, smaller)
        for group, smaller in self._plainer.restyled() if self._state.started.restyles else ():
            if not self._parts.meter.allows(Act.REWORD, len(self._state.trimmed)):
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
        winner, started = self._winner, self._state.started
        grouped = started.trims_in_groups
        if started.restyles:
            yield from self._plainer.plainer()
        genome = [e for e in winner.genome(winner.champion) if e.rule != RESTYLE]
        edits = [*dict.fromkeys(genome[::-1])]  # one that was made twice goes as a whole
        if grouped:
            yield from winner.without_unused(winner.champion)
        suspects = winner.suspects(edits) if grouped else []
        unplain = winner.unplain(edits) if started.restyles else []
        groups = (
            halved_groups(
                edits, [suspects, unplain], winner.was_dropped, singly=started.thrifty
            )
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
        if self._takes_no_time(group[0], smaller):
            kept = self._is_right(slot, smaller)
            best = self._state.populated.best
            effect, variance = best.effect, best.variance
        else:
            effect, variance = place.effect, place.variance
            found = self._compared(slot, champion, smaller, self._rule(group))
            kept = found is not None and found.decision is SequentialDecision.YES
            kept = kept and (
                not takes_guards(group[0]) or _stands(self._arena, self._parts, slot, smaller)
            )
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

    def _takes_no_time(self, edit: Edit, smaller: Solution) -> bool:
        """Say whether an edit cannot change the time: of what nothing uses, or of layout."""
        same = smaller.content == self._state.populated.best.solution.content
        return edit.rule == UNUSED or (edit.rule == RESTYLE and same)

    def _rule(self, group: Sequence[Edit]) -> SequentialRule:
        unplain = len(self._winner.unplain(group)) == len(group)
        return self._terms.unplain if unplain else self._terms.usual

    def _is_right(self, slot: int, smaller: Solution) -> bool:
        """Say whether a program passes all tests that are known by now."""
        evaluation = self._arena.evaluate(slot, smaller)
        later = self._state.tests[self._state.tested :]
        return evaluation.status is Status.AC and all(
            self._arena.retest(slot, smaller, test).status is Status.AC for test in later
        )

    def _compared(
        self, slot: int, champion: Solution, smaller: Solution, rule: SequentialRule
    ) -> Comparison | None:
        """Return the comparison of a program that is right on all that is known by now."""
        if not self._is_right(slot, smaller):
            return None
        found = self._arena.compare(slot, champion, smaller, rule)
        right = found.status is Status.AC and found.reference_status is Status.AC
        return found if right else None

    def _time(self) -> bool:
        """Say whether a trial can be expected to end before the confirmation has to begin."""
        state, parts = self._state, self._parts
        if not parts.meter.allows(Act.TRY, len(state.trimmed)):
            return False
        each = state.costs.block_seconds / max(1, state.costs.blocks)
        left = state.limits(parts.config).trimming(
            parts.meter.glance(state.costs.child_seconds),
            blocks=parts.config.measure.confirm_blocks * each,
        )
        # Half of the most blocks are enough for most trials; as many are kept for a trial
        # without guards, which the plainer words come behind.
        return left > parts.config.judge.max_blocks * each


def _stands(arena: Arena, parts: Parts, slot: int, smaller: Solution) -> bool:
    """Say whether no input that was made up tells a program from the initial one.

    Not even one unlike those that were seen: guards are for these.
    """
    hunt = arena.hunt(slot, smaller, seconds=parts.config.judge.counterexample_seconds)
    return hunt.found is None and not hunt.outside and hunt.tried > 0


def halved_groups(
    edits: Sequence[Edit],
    first: Sequence[Sequence[Edit]],
    told: Callable[[Sequence[Edit]], bool | None],
    *,
    singly: bool = True,
) -> Iterator[tuple[Sequence[Edit], Collection[Edit]]]:
    """Yield groups to leave out, with the edits that are gone by then.

    A group that goes is gone as a whole; another one is tried in halves. Who is asked for the
    next group has told what came of the last one, if it was tried.

    Args:
        edits: All of them, in the order in which they are tried.
        first: Groups of those that are tried before the others, the last group first of all.
            One that is in several is tried with the last of them.
        told: Whether a group was dropped; None: it was not tried.
        singly: Whether all others are tried one by one: most of them stay, so that a group of
            them would be tried for nothing, and so would its halves.
    """
    gone: set[Edit] = set()
    todo, left = list[list[Edit]](), [*edits]
    for group in reversed(first):
        todo.insert(0, [edit for edit in left if edit in group])
        left = [edit for edit in left if edit not in group]
    rest = [[edit] for edit in reversed(left)] if singly else [left]
    todo = [group for group in (*rest, *todo) if group]
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
