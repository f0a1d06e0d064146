"""What every rule shares: from the sites that it finds to the proposal of a slot.

A rule is a subclass with a `name` and `changes`. It proposes; tests and timing accept: it
checks what syntax can tell and may hope for the rest, such as hashable elements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from operators.editing import Candidate, Editing, may_change
from operators.rewrite.change import Change, applied
from operators.rewrite.leftover import tidied
from operators.rewrite.program import Place, Program, program
from operators.rewrite.reading import text as code_of
from se_agent.code import node_hash
from se_agent.problem import Language
from se_agent.types import Edit


class Rule(Editing):
    """Base of the rules: an operator that makes one edit at one site."""

    language = Language.PYTHON

    def changes(self, program: Program, place: Place) -> Iterator[Change]:
        """Yield what this rule could do in one function or at module level. Pure."""
        raise NotImplementedError

    def candidates(self, text: str, *, editable: str = "") -> tuple[Candidate, ...]:
        """Return all that this rule makes of a text; see `Editing.candidates`."""
        return _candidates(self, text, editable)


@lru_cache(maxsize=512)
def _candidates(rule: Rule, text: str, editable: str) -> tuple[Candidate, ...]:
    parsed = program(text)
    if parsed is None:
        return ()
    found: list[Candidate] = []
    for place in parsed.places:
        if may_change(place.name, editable):
            found += _in_place(rule, parsed, place, editable)
    return tuple(found)


def _stays_in(parsed: Program, change: Change, editable: str) -> bool:
    """Whether nothing changes above or below the function, but for imports."""
    (function, *_) = [place.node for place in parsed.places if place.name == editable]
    beside = (*change.before, *change.after)
    return all(function in parsed.above(node) for node in beside) and all(
        node is function or function in parsed.above(node) for node in change.replaced
    )


def _in_place(rule: Rule, parsed: Program, place: Place, editable: str) -> Iterator[Candidate]:
    seen: Counter[Edit] = Counter()
    for change in rule.changes(parsed, place):
        if editable and not _stays_in(parsed, change, editable):
            continue
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
        text = tidied(parsed, place, text)
        where = f"in `{place.name}`" if place.name else "at module level"
        yield Candidate(
            text=text,
            edit=Edit(**{**vars(edit), "occurrence": occurrence}),
            direction=f"{change.direction} {where}",
            effect=change.effect,
        )
