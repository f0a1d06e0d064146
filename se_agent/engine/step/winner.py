"""The champion of the search: what it is made of, and what it would be without some of that.

A fold of what is on record; nothing is measured here. Not here: which parts are left out, and
what comes of it (`minimise`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from se_agent.abilities.optional import Replaying
from se_agent.config.run_file import Run
from se_agent.engine.search.search_space import is_plain
from se_agent.engine.state.extension import last_opened
from se_agent.engine.state.state import State
from se_agent.engine.step.hunks import RULE, Hunks, hunks
from se_agent.engine.step.restyle import RULE as RESTYLE
from se_agent.engine.step.restyle import Restyling, guard_passes
from se_agent.engine.step.unused import RULE as UNUSED
from se_agent.engine.step.unused import tidied_files
from se_agent.problem.model import Problem
from se_agent.values.solution import Edit, Solution

PLAINER = "plainer"
"""Rule of an edit that puts another program of the search in the champion's place."""

BY = "trimming"
"""What a trimmed program is said to be made by."""


class EditMakers(Protocol):
    """What makes the edits of a run again: `Parts` and `ResolvedRun` have it."""

    @property
    def problem(self) -> Problem:
        """What is solved."""
        ...

    @property
    def config(self) -> Run:
        """The run file."""
        ...

    @property
    def operators(self) -> Mapping[str, object]:
        """By registered name."""
        ...


class Winner:
    """The champion of the search, and smaller programs that are made of its edits.

    Args:
        parts: Has the operators that make edits again.
        state: State of a run after its search.

    Attributes:
        formatter: What the project of the program tells its formatter.
        guards: Passes that may take guards out.
    """

    def __init__(self, parts: EditMakers, state: State) -> None:
        self._parts = parts
        self._state = state
        self.formatter = parts.problem.formatter
        self.guards = guard_passes(parts.problem)

    @property
    def champion(self) -> Solution:
        """Return the champion of the search: small losses do not add up to a large one."""
        trimmed, best = self._state.trimmed, self._state.populated.best.solution
        plainer = [t.solution.id for t in trimmed if t.edit.rule == PLAINER and t.dropped]
        reference = trimmed[0].reference if trimmed else best.id
        return self._state.populated.members[next(iter(plainer), reference)].solution

    def suspects(self, edits: Sequence[Edit]) -> list[Edit]:
        """Return the edits of which memory does not believe that they bring something."""
        seen = self._state.seen
        tells = seen.advice().believed if seen else None
        if tells is None:
            return []
        believed, margin = tells(), self._parts.config.judge.margin
        return [e for e in edits if e not in believed or believed[e].gain <= margin]

    def unplain(self, edits: Sequence[Edit]) -> list[Edit]:
        """Return the edits that read worse than what they replace."""
        operators = self._parts.operators
        return [edit for edit in edits if not is_plain(operators.get(edit.rule))]

    def was_dropped(self, group: Sequence[Edit]) -> bool | None:
        """Return whether a group was dropped; None: it was not tried."""
        tried = (one for one in self._state.trimmed if one.group == tuple(group))
        return next((one.dropped for one in tried), None)

    @property
    def _tidies(self) -> bool:
        """Whether what nothing uses is taken out: not if that has made the champion wrong."""
        assert self._state.started is not None
        failed = any(one.edit.rule == UNUSED and not one.dropped for one in self._state.trimmed)
        return self._state.started.trims_in_groups and not failed

    def without_unused(self, program: Solution) -> Iterator[tuple[Sequence[Edit], Solution]]:
        """Yield a program without what nothing uses, unless there is no such thing."""
        found = tidied_files(self.initial.files, program.files)
        if found.names and self.was_dropped([found.edit]) is None:
            yield [found.edit], self.with_files(program, found.files, program.edits)

    def genome(self, program: Solution) -> tuple[Edit, ...]:
        """Return what turns the initial program into this one; empty where it is unknown."""
        members = self._state.populated.members
        base = members[program.base].solution if program.base in members else None
        origin = base if program.base else program
        if origin is None or origin.files.keys() != self.initial.files.keys():
            return ()
        return (*hunks(self.initial.files, origin.files), *program.edits)

    @property
    def initial(self) -> Solution:
        """Return the initial program."""
        return self._state.populated.initial.solution

    def without(self, champion: Solution, edits: Sequence[Edit]) -> Solution | None:
        """Return the initial program with these edits; None if one finds no place any more."""
        files = replayed_files(
            self.initial.files,
            edits,
            self._makers(),
            editable=self._parts.problem.editable,
        )
        if not files:
            return None
        if self._tidies:
            files = tidied_files(self.initial.files, files).files
        return self.with_files(champion, files, edits)

    def _makers(self) -> Mapping[str, object]:
        """Return what makes edits again, by rule."""
        own = {RULE: Hunks(), RESTYLE: Restyling(self.initial.files, self.formatter)}
        return {**self._parts.operators, **own}

    def with_files(
        self, champion: Solution, files: Mapping[str, str], edits: Sequence[Edit]
    ) -> Solution:
        """Return a smaller program under a name of its own."""
        number = self._state.trials + len(self._state.trimmed)
        return replace(
            champion,
            id=f"Gen{last_opened(self._state) + 1}_Sol_{number}",
            files=files,
            parents=(champion.id,),
            operator=BY,
            base=self.initial.id,
            edits=tuple(edits),
        )


def is_beaten(state: State, program: Solution) -> bool:
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


def replayed_files(
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
