"""What every rule shares: from the sites that it finds to the proposal of a slot.

A rule is a subclass with a `name` and `changes`. It proposes; tests and timing accept: it
checks what syntax can tell and may hope for the rest, such as hashable elements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from operators.rewrite.change import Change, applied
from operators.rewrite.program import Place, Program, program
from operators.rewrite.reading import text as code_of
from se_agent.code import content_address, node_hash
from se_agent.types import Brief, Edit, Proposal, Solution


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A text that one edit makes of another, with what is to be said of it."""

    text: str
    edit: Edit
    direction: str
    effect: str


class Rule:
    """Base of the rules: an operator that makes one edit at one site."""

    name: ClassVar[str]
    arity: ClassVar[int] = 1

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(self.name)

    def changes(self, program: Program, place: Place) -> Iterator[Change]:
        """Yield what this rule could do in one function or at module level. Pure."""
        raise NotImplementedError

    def candidates(self, text: str, *, editable: str = "") -> tuple[Candidate, ...]:
        """Return all that this rule makes of a text, in the order of the sites.

        Args:
            text: Of the program.
            editable: Qualified name of the only function that may change (imports may be
                added above it); empty for all.
        """
        return _candidates(self, text, editable)

    def propose(self, brief: Brief) -> Proposal | None:
        """Return candidate number `brief.slot.variant` that was not tried yet."""
        parent = brief.slot.parents[0]
        known = {parent.content}
        number = brief.slot.variant
        for path in sorted(parent.files):
            for candidate in self.candidates(parent.files[path], editable=brief.editable):
                files = {**parent.files, path: candidate.text}
                content = content_address(files)
                if content in known or content in brief.tried:
                    continue
                known.add(content)
                if number == 0:
                    return self._proposal(brief, parent, files, candidate)
                number -= 1
        return None

    def _proposal(
        self, brief: Brief, parent: Solution, files: Mapping[str, str], candidate: Candidate
    ) -> Proposal:
        child = brief.child(
            files,
            operator=self.name,
            base=parent.base or parent.id,
            edits=[*parent.edits, candidate.edit],
        )
        return Proposal(
            solution=child, direction=candidate.direction, expected_effect=candidate.effect
        )


@lru_cache(maxsize=512)
def _candidates(rule: Rule, text: str, editable: str) -> tuple[Candidate, ...]:
    parsed = program(text)
    if parsed is None:
        return ()
    found: list[Candidate] = []
    for place in parsed.places:
        if _may_change(place.name, editable):
            found += _in_place(rule, parsed, place)
    return tuple(found)


def _may_change(name: str, editable: str) -> bool:
    return not editable or name == editable or name.startswith(f"{editable}.")


def _in_place(rule: Rule, parsed: Program, place: Place) -> Iterator[Candidate]:
    seen: Counter[Edit] = Counter()
    for change in rule.changes(parsed, place):
        edit = Edit(
            rule=rule.name,
            function=place.name,
            node=node_hash(code_of(change.anchor)),
            parameters=change.parameters,
        )
        occurrence = seen[edit]
        seen[edit] += 1
        text = applied(parsed, change)
        if text is None or text == parsed.module.code:
            continue
        where = f"in `{place.name}`" if place.name else "at module level"
        yield Candidate(
            text=text,
            edit=Edit(**{**vars(edit), "occurrence": occurrence}),
            direction=f"{change.direction} {where}",
            effect=change.effect,
        )
