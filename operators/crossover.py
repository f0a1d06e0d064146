"""Crossover of two programs that were made by edits: the edits of both.

Not for texts that a model wrote whole: they have no edits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from operators.genome import replayed
from se_agent.code import content_address
from se_agent.types import Brief, Edit, Proposal

if TYPE_CHECKING:
    from se_agent.protocols import Operator


class Crossover:
    """Unite the edits of two parents that start from the same base.

    What the second parent has and the first lacks is replayed on the first one's files; an
    edit that finds no place there is dropped, so a conflict goes to the first parent.
    """

    name = "crossover"
    arity = 2

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the union, or None when the second parent has nothing to add."""
        if len(brief.slot.parents) != 2 or brief.slot.variant:
            return None
        first, second = brief.slot.parents
        missing = [edit for edit in second.edits if edit not in first.edits]
        if first.root != second.root or not missing:
            return None
        files, dropped = replayed(first.files, missing, editable=brief.editable)
        gained = tuple(edit for edit in missing if edit not in dropped)
        content = content_address(files)
        if not gained or content in (first.content, second.content) or content in brief.tried:
            return None
        return self._proposal(brief, files, gained, dropped)

    def _proposal(
        self,
        brief: Brief,
        files: Mapping[str, str],
        gained: tuple[Edit, ...],
        dropped: tuple[Edit, ...],
    ) -> Proposal:
        first = brief.slot.parents[0]
        added = " and ".join(f"`{edit.rule}` {_place(edit)}" for edit in gained)
        return Proposal(
            solution=brief.child(
                files,
                operator=self.name,
                base=first.root,
                edits=[*first.edits, *gained],
            ),
            direction=f"Combine two improved programs: add {added}",
            expected_effect="the gains of both parents add up where they are independent",
            notes=tuple(f"dropped: {edit.rule} {_place(edit)}" for edit in dropped),
        )


def _place(edit: Edit) -> str:
    return f"in `{edit.function}`" if edit.function else "at module level"


if TYPE_CHECKING:
    _: Operator = Crossover()
