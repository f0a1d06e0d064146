"""What a rule leaves behind: assignments to a local name that nobody reads any more.

Not here: dead code that was there before, which is the author's, and names of a module, which
others may import.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, applied
from operators.rewrite.effects import pure
from operators.rewrite.program import Place, Program, program, walk
from operators.rewrite.reading import assigned, only
from operators.rewrite.uses import mentions

if TYPE_CHECKING:
    import libcst as cst

_SEEING = {"_getframe", "currentframe", "dir", "eval", "exec", "globals", "locals", "vars"}
"""Functions that may read a name without its being written."""


def tidied(old: Program, place: Place, text: str) -> str:
    """Return a text without the assignments that its change has left unread.

    Args:
        old: The program before the change.
        place: The function that was changed, in it; at module level nothing is dropped.
        text: The program after the change.
    """
    lost = [name for name in _read(place) if _rarer(name, old.code, text)]
    new = program(text) if lost and place.name and not _SEEING & old.names else None
    if new is None:
        return text
    dropped: dict[cst.CSTNode, str] = {}
    for changed in new.places:
        if changed.name == place.name:
            for name in lost:
                dropped |= dict.fromkeys(_unread(new, changed, name), "")
    if not dropped:
        return text
    change = TreeChange(anchor=new.module, direction="", effect="", replaced=dropped)
    return applied(new, change) or text


def _read(place: Place) -> list[str]:
    """Return the names that a function assigns and reads, in the order of its text."""
    found = (assigned(node) for node in place.own)
    stored = [pair[0] for pair in found if pair is not None]
    return [n for n in dict.fromkeys(stored) if len(mentions(place, n)) > stored.count(n)]


def _rarer(name: str, old: str, new: str) -> bool:
    word = re.compile(rf"\b{re.escape(name)}\b")
    return len(word.findall(new)) < len(word.findall(old))


def _unread(new: Program, place: Place, name: str) -> list[cst.CSTNode]:
    """Return the lines that assign a name, if all that mentions it can go."""
    found = list(_assignments(place, name))
    if len(found) < len(mentions(place, name)):
        return []
    harmless = all(_harmless(value) and not _tried(new, line) for line, value in found)
    return [line for line, _ in found] if harmless else []


def _assignments(place: Place, name: str) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
    for node in place.own:
        pair = assigned(only(node))
        if pair is not None and pair[0] == name:
            yield node, pair[1]


def _tried(new: Program, line: cst.CSTNode) -> bool:
    """Whether somebody waits for its exception: `len` raises one, too."""
    import libcst as cst

    return any(isinstance(above, (cst.Try, cst.TryStar)) for above in new.above(line))


def _harmless(value: cst.BaseExpression) -> bool:
    """Whether nothing is missed without it: no trace, and no exception of an operation."""
    import libcst as cst

    raising = (
        cst.Subscript,
        cst.BinaryOperation,
        cst.UnaryOperation,
        cst.Comparison,
        cst.Await,
    )
    return pure(value) and not any(isinstance(node, raising) for node in walk(value))
