"""What all operators share that make one exact edit of a text: proposing, and replaying.

Not here: how an edit is found. `operators.rewrite` reads syntax trees of Python,
`operators.cpp` tokens of C++.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import ClassVar

from operators.editing.heat import heat
from se_agent.program.editable import in_file, prefix_in, prefix_of
from se_agent.program.features import content_address
from se_agent.program.language import Language
from se_agent.values.brief import Brief
from se_agent.values.solution import Edit, Solution
from se_agent.values.step import Proposal
from se_agent.values.view import Offer


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A text that one edit makes of another, with what is to be said of it."""

    text: str
    edit: Edit
    direction: str
    effect: str


@dataclass(frozen=True)
class _Made:
    """What a candidate makes of all files, and how hot its place is."""

    files: Mapping[str, str]
    candidate: Candidate
    heat: float | None

    @cached_property
    def content(self) -> str:
        return content_address(self.files)


class Editing:
    """Base of the operators that make one edit at one site, in files of one language."""

    name: ClassVar[str]
    arity: ClassVar[int] = 1
    language: ClassVar[Language]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(self.name)

    def candidates(self, text: str, *, editable: str = "") -> tuple[Candidate, ...]:
        """Return all that this operator makes of a text, in the order of the sites.

        Where is known which of them are hot, the hot ones are proposed first.

        Args:
            text: Text of the program.
            editable: What may change of it, see `program.editable` (imports and constants may
                be added above it); empty for all.
        """
        raise NotImplementedError

    def propose(self, brief: Brief) -> Proposal | None:
        """Return candidate number `brief.slot.variant` that was not tried yet."""
        found = next(islice(self._new(brief), brief.slot.variant, None), None)
        if found is None:
            return None
        return self._proposal(brief, brief.slot.parents[0], found)

    def offers(self, brief: Brief) -> tuple[Offer, ...]:
        """Return what `propose` has by variant; see `Offering`."""
        return tuple(
            Offer(edit=one.candidate.edit, content=one.content, heat=one.heat)
            for one in self._new(brief)
        )

    def replay(
        self, files: Mapping[str, str], edit: Edit, *, editable: str = ""
    ) -> Mapping[str, str] | None:
        """Return the files with one of this operator's edits; see `Replaying`."""
        for path, own in self._open(files, editable):
            prefix = prefix_in(files, path)
            if prefix_of(edit.function) != prefix:
                continue
            here = replace(edit, function=edit.function.removeprefix(prefix))
            if (text := self.made(files[path], here, editable=own)) is not None:
                return {**files, path: text}
        return None

    def made(self, text: str, edit: Edit, *, editable: str = "") -> str | None:
        """Return what one edit makes of a text, None if it has no place there.

        Args:
            text: Text of the program.
            edit: One that `candidates` had for this or another text.
            editable: As for `candidates`.
        """
        found = self.candidates(text, editable=editable)
        return next((candidate.text for candidate in found if candidate.edit == edit), None)

    def _new(self, brief: Brief) -> Iterator[_Made]:
        """Yield what was not tried yet, each program once, the hottest place first."""
        known = {brief.slot.parents[0].content}
        for one in self._ordered(brief):
            if one.content not in known and one.content not in brief.tried:
                known.add(one.content)
                yield one

    def _ordered(self, brief: Brief) -> Iterable[_Made]:
        files, seen = brief.slot.parents[0].files, brief.observed
        made = (
            _Made(
                changed,
                candidate,
                heat(seen, files[path], candidate.text, candidate.edit.function),
            )
            for path, changed, candidate in self._all(files, brief.editable)
        )
        return sorted(made, key=lambda one: -(one.heat or 0.0)) if seen.hot else made

    def _all(
        self, files: Mapping[str, str], editable: str
    ) -> Iterator[tuple[str, Mapping[str, str], Candidate]]:
        """Yield the path that changes, all files, and the change."""
        for path, own in self._open(files, editable):
            prefix = prefix_in(files, path)
            for found in self.candidates(files[path], editable=own):
                edit = replace(found.edit, function=f"{prefix}{found.edit.function}")
                yield path, {**files, path: found.text}, replace(found, edit=edit)

    def _open(self, files: Iterable[str], editable: str) -> Iterator[tuple[str, str]]:
        """Yield the files in which something may change, and what."""
        for path in sorted(path for path in files if path.endswith(self.language.suffix)):
            if (own := in_file(editable, path)) is not None:
                yield path, own

    def _proposal(self, brief: Brief, parent: Solution, made: _Made) -> Proposal:
        candidate = made.candidate
        child = brief.child(
            made.files,
            operator=self.name,
            base=parent.root,
            edits=[*parent.edits, candidate.edit],
        )
        return Proposal(
            solution=child, direction=candidate.direction, expected_effect=candidate.effect
        )


def fresh(wanted: str, taken: Container[str]) -> str:
    """Return a name that is not taken: `wanted` if possible, else with a number behind it."""
    number, name = 2, wanted
    while name in taken:
        name = f"{wanted}_{number}"
        number += 1
    return name
