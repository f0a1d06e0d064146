"""Crossover of two programs that were made by edits: the edits of both.

Texts that a model wrote whole have no edits: of these only whole files are united.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from operators.editing.genome import replayed
from se_agent.program.features import content_address
from se_agent.values.brief import Brief
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal

if TYPE_CHECKING:
    from se_agent.protocols import Operator


class Crossover:
    """Unite the edits of two parents that start from the same base, or files of any two.

    What one parent has and the other lacks is replayed on the other one's files. An edit that
    finds no place there is dropped: that may be so in one order and not in the other, so the
    one that keeps more edits is taken, and in a tie the first parent's come first. Texts that a
    model wrote have no edits; of a program with several files one is taken from the second.
    """

    name = "crossover"
    arity = 2

    def propose(self, brief: Brief) -> Proposal | None:
        """Return the union, or None when neither order has anything new."""
        if len(brief.slot.parents) != 2 or brief.slot.variant:
            return None
        first, second = brief.slot.parents
        if first.root != second.root:
            return next(_of_files(first, second, brief), None)
        if not _lacking(first, second):
            return None
        unions = [_united(first, second, brief)]
        if unions[0].dropped:
            unions.append(_united(second, first, brief))
        new = [union for union in unions if _is_new(union, brief)]
        return _proposal(brief, min(new, key=lambda one: len(one.dropped))) if new else None


class _Union(NamedTuple):
    files: Mapping[str, str]
    before: tuple[Edit, ...]
    gained: tuple[Edit, ...]
    dropped: tuple[Edit, ...]


def _lacking(first: Solution, second: Solution) -> tuple[Edit, ...]:
    """Return the edits of the second that the first has not."""
    return tuple(edit for edit in second.edits if edit not in first.edits)


def _united(first: Solution, second: Solution, brief: Brief) -> _Union:
    """Replay on the first what the second has and it lacks."""
    missing = _lacking(first, second)
    files, dropped = replayed(first.files, missing, editable=brief.editable)
    gained = tuple(edit for edit in missing if edit not in dropped)
    return _Union(files, first.edits, gained, tuple(dropped))


def _is_new(union: _Union, brief: Brief) -> bool:
    content = content_address(union.files)
    old = content in brief.tried or any(content == one.content for one in brief.slot.parents)
    return bool(union.gained) and not old


def _of_files(first: Solution, second: Solution, brief: Brief) -> Iterator[Proposal]:
    """Yield the first program with a file of the second, where both have others, too."""
    known = {first.content, second.content}
    for path in sorted(first.files.keys() & second.files.keys()):
        files = {**first.files, path: second.files[path]}
        content = content_address(files)
        if content not in known and content not in brief.tried:
            yield Proposal(
                solution=brief.child(files, operator=Crossover.name),
                direction=f"Combine two improved programs: take `{path}` of the other",
                expected_effect="the gains of both files add up where they are independent",
            )


def _proposal(brief: Brief, union: _Union) -> Proposal:
    first = brief.slot.parents[0]
    made = (edit for edit in (*union.before, *union.gained) if edit not in first.edits)
    added = " and ".join(f"`{edit.rule}` {_place(edit)}" for edit in made)
    return Proposal(
        solution=brief.child(
            union.files,
            operator=Crossover.name,
            base=brief.slot.parents[0].root,
            edits=[*union.before, *union.gained],
        ),
        direction=f"Combine two improved programs: add {added}",
        expected_effect="the gains of both parents add up where they are independent",
        notes=tuple(f"dropped: {edit.rule} {_place(edit)}" for edit in union.dropped),
    )


def _place(edit: Edit) -> str:
    return f"in `{edit.function}`" if edit.function else "at module level"


if TYPE_CHECKING:
    _: Operator = Crossover()
