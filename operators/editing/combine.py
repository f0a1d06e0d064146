"""Polish: several of the changes that are on offer, made together and judged as one.

Rules that are right on their own mostly are so together, and most programs have places for
several: one evaluation shows what would take one each. At the end of the run, where the winner
is minimised, each of them is left out for a trial. Not here: which changes, and how
many (`se_agent.engine.search.portfolio`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from operators.editing.genome import replayed
from se_agent.program.features import content_address
from se_agent.values.brief import Brief
from se_agent.values.solution import Edit
from se_agent.values.step import Proposal

if TYPE_CHECKING:
    from se_agent.protocols import Operator


class Polish:
    """Make several changes of rules at once, those that the search holds for the best ones."""

    name: ClassVar[str] = "polish"
    arity: ClassVar[int] = 1
    unites: ClassVar[bool] = True

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the last parent with the changes of the slot that find a place, if two do."""
        base = brief.slot.parents[-1]
        files, dropped = replayed(base.files, brief.slot.edits, editable=brief.editable)
        made = tuple(edit for edit in brief.slot.edits if edit not in dropped)
        content, old = content_address(files), {one.content for one in brief.slot.parents}
        if len(made) < 2 or content in old or content in brief.tried:
            return None
        child = brief.child(
            files, operator=self.name, base=base.root, edits=[*base.edits, *made]
        )
        if len(brief.slot.parents) > 1:
            direction = _other(brief.slot.parents[0].edits, child.edits)
            effect = "what is left out brings little, or what stands in for it brings more"
        else:
            direction = f"Make {len(made)} changes together: {', '.join(map(_told, made))}"
            effect = "their gains add up where they are independent"
        return Proposal(
            solution=child,
            direction=direction,
            expected_effect=effect,
            notes=tuple(f"dropped: {_told(edit)}" for edit in dropped),
        )


def _other(old: Sequence[Edit], edits: Sequence[Edit]) -> str:
    """Say what of a program made anew is other than in the one it is compared with."""
    new = [_told(edit) for edit in edits if edit not in old]
    gone = [_told(edit) for edit in old if edit not in edits]
    moved = [edit for edit in new if edit in gone]
    new = [f"{edit} at another place" if edit in moved else edit for edit in new]
    gone = [edit for edit in gone if edit not in moved]
    told = [
        f"{word} {', '.join(some)}" for word, some in (("with", new), ("without", gone)) if some
    ]
    return f"Make the program anew {' and '.join(told) or 'in another order'}"


def _told(edit: Edit) -> str:
    return f"`{edit.rule}`" + (f" in `{edit.function}`" if edit.function else "")


if TYPE_CHECKING:
    _: Operator = Polish()
