"""The champion rewritten for people: edits that only change how its text reads.

A pass is an edit like any other: it is made again from the texts alone, recorded with what came
of it, and kept only if the program is right with it and no slower. Pure. Not here: the passes
(`se_agent.program.style`), nor the trials (`minimise`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from se_agent.problem.model import Problem
from se_agent.program.style.layout import UNTOLD, FormatterSettings
from se_agent.program.style.passes import GUARDS, PASSES, restyled_files
from se_agent.values.solution import Edit

RULE = "restyle"
"""Rule of an edit that changes how a text reads."""


@dataclass(frozen=True)
class Restyling:
    """Makes such edits again, against the initial program.

    Attributes:
        initial: Its texts by path.
        told: What the project tells its formatter.
        guards: Passes that may take out guards, in the order in which they are tried.
    """

    initial: Mapping[str, str]
    told: FormatterSettings = UNTOLD
    guards: tuple[str, ...] = GUARDS

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str] | None:
        """Return files with the passes of an edit; None for none of ours. See `Replaying`."""
        names = passes_of(edit)
        if not names or not PASSES.keys() >= {*names}:
            return None
        return self.made(files, names)

    def made(self, files: Mapping[str, str], names: tuple[str, ...]) -> Mapping[str, str]:
        """Return files with these passes."""
        return restyled_files(self.initial, files, names, self.told)

    def guards_edits(self, files: Mapping[str, str]) -> list[Edit]:
        """Return the edits that take guards out, the one that takes most of them first."""
        return [edit_of([name]) for name in self.guards if self.made(files, (name,)) != files]

    def restyle_edits(self, files: Mapping[str, str]) -> list[Edit]:
        """Return all other passes that change it as one edit, then each of them alone."""
        names = [n for n in PASSES if n not in GUARDS and self.made(files, (n,)) != files]
        alone = [edit_of((name,)) for name in names if len(names) > 1]
        return [edit_of(names), *alone] if names else []


def guard_passes(problem: Problem) -> tuple[str, ...]:
    """Return the passes that may take guards out of programs of a problem.

    What a workload calls may get values of other types from other callers, and the inputs of
    the workload say nothing of these: there guards stay, unless the user's own tests run too.
    """
    return () if problem.workload and not problem.gate else GUARDS


def passes_of(edit: Edit) -> tuple[str, ...]:
    """Return the passes that an edit makes; none for another edit."""
    told = dict(edit.parameters).get("passes", "") if edit.rule == RULE else ""
    return tuple(told.split(", ")) if told else ()


def takes_guards(edit: Edit) -> bool:
    """Say whether an edit takes out guards: it needs to know more than the texts."""
    return not {*GUARDS}.isdisjoint(passes_of(edit))


def edit_of(names: Sequence[str]) -> Edit:
    """Return the edit that makes these passes."""
    return Edit(rule=RULE, function="", node="0", parameters=(("passes", ", ".join(names)),))
