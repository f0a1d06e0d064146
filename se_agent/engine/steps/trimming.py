"""The winner is minimised: edits that bring nothing are dropped at the end of the search.

Edits are those of rules, and before them the parts of what a model wrote. Each drop is judged
against the champion of the search: not worse beyond the margin, and that proven, or the edit
stays. Every trial is on record, so that none is made twice. Not here: the confirmation, which
the smaller program has to pass as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from se_agent.config import Run
from se_agent.costs import Costs
from se_agent.engine.judging.arena import Arena, Recorder
from se_agent.engine.state.extension import opened
from se_agent.engine.state.meter import Act
from se_agent.engine.state.state import State
from se_agent.engine.steps.hunks import RULE, Hunks, hunks
from se_agent.engine.steps.parts import Parts
from se_agent.events import Trimmed
from se_agent.protocols import Replaying
from se_agent.stats import Z_YES
from se_agent.types import Comparison, Decision, Edit, Solution, Status

FIRST = -2
"""Slot of the first trial; they count downwards, as what belongs to no step."""

BY = "trimming"
"""What a trimmed program is said to be made by."""


class Trimming:
    """Drops edits of the champion, one after the other, the last one first.

    Args:
        parts: Its rule is the one that drops are judged by (`terms.no_loss_of`).
        arena: Measures.
        record: Makes trials durable.
    """

    def __init__(self, parts: Parts, arena: Arena, record: Recorder) -> None:
        self._parts = parts
        self._arena = arena
        self._record = record

    def run(self) -> None:
        """Try all edits, as long as there is time besides the confirmation."""
        for edit, smaller in self._trials():
            if not self._time():
                return
            self._try(edit, smaller)

    @property
    def _number(self) -> int:
        """How many trials there were, at earlier ends of the search, too."""
        return self._state.trials + len(self._state.trimmed)

    @property
    def _state(self) -> State:
        return self._record.state

    def _trials(self) -> Iterator[tuple[Edit, Solution]]:
        """Yield what is left to try; who asks for the next one has recorded the last one.

        What the search has tried is none, unless it is right and still known: there it had to
        be a gain.
        """
        genome, trimmed = self._genome(self._champion()), self._state.trimmed
        edits = [*dict.fromkeys(genome[::-1])]  # one that was made twice goes as a whole
        first = edits.index(trimmed[-1].edit) + 1 if trimmed else 0
        for edit in edits[first:] if len(edits) > 1 else ():
            best = self._state.populated.best.solution
            left = [kept for kept in self._genome(best) if kept != edit]
            smaller = self._made(best, left)
            if smaller is not None and not _settled(self._state, smaller):
                yield edit, smaller

    def _genome(self, program: Solution) -> tuple[Edit, ...]:
        """Return what turns the initial program into this one; empty where it is unknown."""
        members = self._state.populated.members
        base = members[program.base].solution if program.base in members else None
        origin = base if program.base else program
        if origin is None or origin.files.keys() != self._initial.files.keys():
            return ()
        return (*hunks(self._initial.files, origin.files), *program.edits)

    @property
    def _initial(self) -> Solution:
        return self._state.populated.initial.solution

    def _made(self, champion: Solution, edits: list[Edit]) -> Solution | None:
        """Return the initial program with these edits; None if one finds no place any more."""
        files = replayed(
            self._initial.files,
            edits,
            {**self._parts.operators, RULE: Hunks()},
            editable=self._parts.problem.editable,
        )
        if not files:
            return None
        return replace(
            champion,
            id=f"Gen{opened(self._state) + 1}_Sol_{self._number}",
            files=files,
            parents=(champion.id,),
            operator=BY,
            base=self._initial.id,
            edits=tuple(edits),
        )

    def _try(self, edit: Edit, smaller: Solution) -> None:
        slot = FIRST - self._number
        champion = self._champion()
        found = self._compared(slot, champion, smaller)
        kept = found is not None and found.decision is Decision.YES
        place, error = self._state.populated.members[champion.id], 0.0
        if found is not None:
            low, high = found.interval
            error = (high - low) / 2 / Z_YES
        self._record(
            Trimmed(
                slot=slot,
                edit=edit,
                reference=champion.id,
                solution=smaller,
                dropped=kept,
                effect=place.effect + found.effect if kept and found else None,
                variance=place.variance + error**2 if kept else 0.0,
            )
        )

    def _compared(self, slot: int, champion: Solution, smaller: Solution) -> Comparison | None:
        """Return the comparison of a program that is right on all that is known by now."""
        evaluation = self._arena.evaluate(slot, smaller)
        later = self._state.tests[self._state.tested :]
        if evaluation.status is not Status.AC or any(
            self._arena.retest(slot, smaller, test).status is not Status.AC for test in later
        ):
            return None
        found = self._arena.compare(slot, champion, smaller, self._parts.rule)
        right = found.status is Status.AC and found.reference_status is Status.AC
        return found if right else None

    def _champion(self) -> Solution:
        """Return the champion of the search: small losses do not add up to a large one."""
        trimmed, best = self._state.trimmed, self._state.populated.best.solution
        return self._state.populated.members[
            trimmed[0].reference if trimmed else best.id
        ].solution

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


def _settled(state: State, program: Solution) -> bool:
    """Say whether it is known that a program does not take the champion's place.

    It may be wrong, or one that was tried here, or the search went on from it to the champion.
    """
    origin, members = state.contents.get(program.content), state.populated.members
    if origin is None:
        return False
    line = [state.populated.best.solution]
    while (parent := next(iter(line[-1].parents), "")) in members:
        line.append(members[parent].solution)
    here = (program.content == one.solution.content for one in state.trimmed)
    beaten = (program.content == one.content for one in line)
    return origin.solution not in members or any(here) or any(beaten)


def replayed(
    files: Mapping[str, str],
    edits: Iterable[Edit],
    operators: Mapping[str, object],
    *,
    editable: str = "",
) -> Mapping[str, str] | None:
    """Return files with these edits, each made by its operator; None where one cannot be.

    Args:
        files: To begin with.
        edits: In the order of application.
        operators: By registered name.
        editable: Qualified name of the only function that may change; empty: all.
    """
    for edit in edits:
        operator = operators.get(edit.rule)
        if not isinstance(operator, Replaying):
            return None
        made = operator.replay(files, edit, editable=editable)
        if made is None:
            return None
        files = made
    return files
