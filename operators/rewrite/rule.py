"""What every rule shares: from the sites that it finds to the proposal of a slot.

A rule is a subclass with a `name` and `changes`. It proposes; tests and timing accept: it
checks what syntax can tell and may hope for the rest, such as hashable elements.
"""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar

from operators.editing.edits import Candidate, Editing
from operators.rewrite.change import TreeChange, applied
from operators.rewrite.imports import imports
from operators.rewrite.leftover import tidied
from operators.rewrite.program import Place, Program, program
from operators.rewrite.reading import bound, named
from operators.rewrite.reading import text as code_of
from se_agent.program.editable import holder, may_change, names_of
from se_agent.program.features import node_hash
from se_agent.program.language import Language
from se_agent.values.solution import Edit

_BUILTINS = frozenset(dir(builtins))


class Rule(Editing):
    """Base of the rules: an operator that makes one edit at one site.

    Attributes:
        relies_on: What of an edit's conditions the rule leaves to the tests, in a clause; a
            patch names it among its caveats.
    """

    language = Language.PYTHON
    relies_on: ClassVar[str] = ""

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield what this rule could do in one function or at module level. Pure."""
        raise NotImplementedError

    def candidates(self, text: str, *, editable: str = "") -> tuple[Candidate, ...]:
        """Return all that this rule makes of a text; see `Editing.candidates`."""
        return _candidates(self, text, editable)

    def made(self, text: str, edit: Edit, *, editable: str = "") -> str | None:
        """Return what one edit makes of a text; see `Editing.made`."""
        return _made(self, text, edit, editable)


@lru_cache(maxsize=512)
def _candidates(rule: Rule, text: str, editable: str) -> tuple[Candidate, ...]:
    found: list[Candidate] = []
    for parsed, place in _places(text, editable):
        for change, edit in _changes(rule, parsed, place, editable):
            new = _text(parsed, place, change)
            if new is None:
                continue
            where = f"in `{place.name}`" if place.name else "at module level"
            direction = f"{change.direction} {where}"
            found.append(
                Candidate(text=new, edit=edit, direction=direction, effect=change.effect)
            )
    return tuple(found)


@lru_cache(maxsize=512)
def _made(rule: Rule, text: str, wanted: Edit, editable: str) -> str | None:
    for parsed, place in _places(text, editable):
        if place.name == wanted.function:
            for change, edit in _changes(rule, parsed, place, editable):
                if edit == wanted and (new := _text(parsed, place, change)) is not None:
                    return new
    return None


def _places(text: str, editable: str) -> Iterator[tuple[Program, Place]]:
    """Yield where a text may change, with the text as a tree; nothing for what is no Python."""
    for parsed, place in _readable(text):
        if may_change(place.name, editable):
            yield parsed, place


@lru_cache(maxsize=128)  # as many as `program` keeps; each rule asks
def _readable(text: str) -> tuple[tuple[Program, Place], ...]:
    """Return where names of builtins that are called mean these, with the text as a tree."""
    if (parsed := program(text)) is None:
        return ()
    return tuple((parsed, p) for p in parsed.places if not _hides_builtins(parsed, p))


def _hides_builtins(parsed: Program, place: Place) -> bool:
    """Whether a function calls by the name of a builtin what the program defines itself."""
    import libcst as cst

    called = {named(node.func) for node in place.own if isinstance(node, cst.Call)}
    others = parsed.definitions.keys() | {each.name for each in imports(parsed)}
    shadowed = called & _BUILTINS & others
    return bool(shadowed) or bool(called & _BUILTINS & bound(place.node))


def _stays_in(parsed: Program, change: TreeChange, name: str, editable: str) -> bool:
    """Whether nothing changes beside what may, but imports and constants above it.

    Args:
        parsed: The program.
        change: What a rule does.
        name: Name of the function or class that the change begins in.
        editable: All that may change.
    """
    known = [parsed.definitions.get(each, ()) for each in names_of(editable)]
    may = frozenset(each[0] for each in known if each)
    (around, *_) = parsed.definitions[name]
    top = [around, *parsed.above(around)][-2]
    beside = (*(node for node in change.before if node is not top), *change.after)
    return all(may.intersection(parsed.above(node)) for node in beside) and all(
        node in may or may.intersection(parsed.above(node)) for node in change.replaced
    )


def _changes(
    rule: Rule, parsed: Program, place: Place, editable: str
) -> Iterator[tuple[TreeChange, Edit]]:
    """Yield what a rule could do in a place, each with the edit that names it."""
    seen: Counter[Edit] = Counter()
    for change in rule.changes(parsed, place):
        if editable and not _stays_in(parsed, change, holder(place.name, editable), editable):
            continue
        edit = Edit(
            rule=rule.name,
            function=place.name,
            node=node_hash(code_of(change.anchor)),
            parameters=change.parameters,
        )
        occurrence = seen[edit]
        seen[edit] += 1
        yield change, replace(edit, occurrence=occurrence)


def _text(parsed: Program, place: Place, change: TreeChange) -> str | None:
    """Return the text that a change makes; None: it cannot be made, or changes nothing."""
    text = applied(parsed, change)
    if text is None or text == parsed.code or _calls_hidden(parsed, place, text):
        return None
    return tidied(parsed, place, text)


def _calls_hidden(parsed: Program, place: Place, text: str) -> bool:
    """Whether a new text calls a builtin whose name stands for something else there."""
    hidden = _BUILTINS & (bound(place.node) | parsed.definitions.keys())
    calls = (rf"(?<![\w.]){name}\(" for name in sorted(hidden))
    return any(len(re.findall(c, text)) > len(re.findall(c, parsed.code)) for c in calls)
