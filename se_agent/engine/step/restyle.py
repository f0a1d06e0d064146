"""The champion rewritten for people: edits that only change how its text reads.

A pass is an edit like any other: it is made again from the texts alone, recorded with what came
of it, and kept only if the program is right with it and no slower. Pure. Not here: the passes
(`se_agent.program.style`), nor the trials (`minimise`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from se_agent.program.style.passes import GUARDS, PASSES, restyled_files
from se_agent.values.solution import Edit

RULE = "restyle"
"""Rule of an edit that changes how a text reads."""


@dataclass(frozen=True)
class Restyling:
    """Makes such edits again, against the initial program.

    Attributes:
        initial: Its texts by path.
    """

    initial: Mapping[str, str]

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str] | None:
        """Return files with the passes of an edit; None for none of ours. See `Replaying`."""
        names = passes_of(edit)
        if not names or not PASSES.keys() >= {*names}:
            return None
        return restyled_files(self.initial, files, names)


def passes_of(edit: Edit) -> tuple[str, ...]:
    """Return the passes that an edit makes; none for another edit."""
    told = dict(edit.parameters).get("passes", "") if edit.rule == RULE else ""
    return tuple(told.split(", ")) if told else ()


def guards_edits(initial: Mapping[str, str], files: Mapping[str, str]) -> list[Edit]:
    """Return the edits that take guards out, the one that takes most of them first.

    Args:
        initial: Texts of the initial program, by path.
        files: Those of the program.
    """
    return [edit_of([name]) for name in GUARDS if _changes(initial, files, name)]


def restyle_edits(initial: Mapping[str, str], files: Mapping[str, str]) -> list[Edit]:
    """Return all other passes that change a program as one edit, then each of them alone.

    Args:
        initial: Texts of the initial program, by path.
        files: Those of the program.
    """
    names = [name for name in PASSES if name not in GUARDS and _changes(initial, files, name)]
    alone = [edit_of((name,)) for name in names if len(names) > 1]
    return [edit_of(names), *alone] if names else []


def edit_of(names: Sequence[str]) -> Edit:
    """Return the edit that makes these passes."""
    return Edit(rule=RULE, function="", node="0", parameters=(("passes", ", ".join(names)),))


def _changes(initial: Mapping[str, str], files: Mapping[str, str], name: str) -> bool:
    return restyled_files(initial, files, (name,)) != files
