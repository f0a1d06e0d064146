"""Crossover of two rule-made programs: the edits of both. Not for model-written texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from operators.rewrite.genome import Replayed, apply_edits
from se_agent.code import content_address
from se_agent.types import Brief, Edit, Proposal, Solution

if TYPE_CHECKING:
    from se_agent.protocols import Operator


class Crossover:
    """Unite the edits of two parents that start from the same base.

    What the second parent has and the first lacks is replayed on the first one's text; an
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
        if _base(first) != _base(second) or len(first.files) != 1 or not missing:
            return None
        replayed = apply_edits(first.text, missing, editable=brief.editable)
        gained = tuple(edit for edit in missing if edit not in replayed.dropped)
        files = dict.fromkeys(first.files, replayed.text)
        content = content_address(files)
        if not gained or content in (first.content, second.content) or content in brief.tried:
            return None
        return self._proposal(brief, files, gained, replayed)

    def _proposal(
        self, brief: Brief, files: dict[str, str], gained: tuple[Edit, ...], replayed: Replayed
    ) -> Proposal:
        first = brief.slot.parents[0]
        rules = " and ".join(f"`{edit.rule}` in `{edit.function}`" for edit in gained)
        return Proposal(
            solution=brief.child(
                files,
                operator=self.name,
                base=_base(first),
                edits=[*first.edits, *gained],
            ),
            direction=f"Combine two improved programs: add {rules}",
            expected_effect="the gains of both parents add up where they are independent",
            notes=tuple(f"dropped: {e.rule} in {e.function}" for e in replayed.dropped),
        )


def _base(solution: Solution) -> str:
    return solution.base or solution.id


if TYPE_CHECKING:
    _: Operator = Crossover()
