"""What is asked of a text before a position: how often a character is there.

Not here: where the answers are looked up (`prefix_counts`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.freshness import bindings
from operators.rewrite.front_cut import TEXT_METHODS
from operators.rewrite.kinds import may_be_none
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import calls, flat, integer, method, named, names, same

if TYPE_CHECKING:
    import libcst as cst


class AskedBefore(NamedTuple):
    """A question about the characters before a position.

    Attributes:
        node: The whole of it.
        source: The text, or a list: a name, or an attribute of one.
        char: The character, a literal.
        position: Where the part ends.
        more: What the answer has above the count.
        proven: Whether it raises an error for anything but a `str`.
    """

    node: cst.BaseExpression
    source: cst.BaseExpression
    char: cst.BaseExpression
    position: cst.BaseExpression
    more: int = 0
    proven: bool = True

    @property
    def key(self) -> tuple[str, str]:
        """The text, and the character whatever its quotes; empty where it is not one."""
        import libcst as cst

        value = self.char.evaluated_value if isinstance(self.char, cst.SimpleString) else None
        return flat(self.source), value if isinstance(value, str) and len(value) == 1 else ""


def asked_before(program: Program, place: Place, node: cst.CSTNode) -> AskedBefore | None:
    """Return what a node asks before a position that may be looked up, else None.

    A position that may be None, or is seen to be perhaps negative, counts from elsewhere.
    """
    import libcst as cst

    found = _asked(node) if isinstance(node, cst.BaseExpression) else None
    if found is None or not found.key[1]:
        return None
    source = found.source
    if isinstance(source, cst.Attribute):
        if source.attr.value in program.functions:
            return None  # perhaps a property, made anew
        source = source.value
    if not named(source) or named(found.position) == "None":
        return None
    unfit = may_be_none(program, place, found.position) or _may_be_negative(place, found)
    return None if unfit else found


def is_used_as_text(code: cst.CSTNode, source: cst.BaseExpression) -> bool:
    """Whether code asks something for a method that lists have not."""
    import libcst as cst

    asked = (n for n in walk(code) if isinstance(n, cst.Attribute))
    return any(n.attr.value in TEXT_METHODS and same(n.value, source) for n in asked)


def _asked(node: cst.BaseExpression) -> AskedBefore | None:
    source, arguments = method(node, "count") or (None, [])
    if source and len(arguments) == 3 and integer(arguments[1]) == 0:
        return AskedBefore(node, source, arguments[0], arguments[2])
    if source and len(arguments) == 1 and (part := _beginning(source)):
        return AskedBefore(node, part[0], arguments[0], part[1], proven=False)
    measured = calls(node, "len") or []
    source, arguments = method(next(iter(measured), None), "split") or (None, [])
    if source and len(measured) == len(arguments) == 1 and (part := _beginning(source)):
        return AskedBefore(node, part[0], arguments[0], part[1], more=1)
    return None


def _beginning(
    node: cst.BaseExpression,
) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """Return value and end of `value[:end]`, else None."""
    import libcst as cst

    if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
        return None
    cut = node.slice[0].slice
    if not isinstance(cut, cst.Slice) or cut.step or cut.upper is None:
        return None
    return (node.value, cut.upper) if not cut.lower or integer(cut.lower) == 0 else None


def _is_of_group(node: cst.CSTNode) -> bool:
    """Whether code is `match.start(1)` or its like: -1 for a group that took no part."""
    asked = (method(node, name) for name in ("start", "end", "span"))
    return any(found is not None and found[1] for found in asked)


def _may_be_negative(place: Place, found: AskedBefore) -> bool:
    """Whether a position, or what its names are given, subtracts, negates or may be -1."""
    import libcst as cst

    used = names(found.position)
    given = [value for name, value, _ in bindings(place.node) if value and name in used]
    added = [n for n in place.own if isinstance(n, cst.AugAssign) and named(n.target) in used]
    below = (cst.BitInvert, cst.Minus, cst.Subtract, cst.SubtractAssign)
    return any(
        isinstance(n, below)
        or (isinstance(n, cst.Attribute) and n.attr.value in ("find", "rfind"))
        or _is_of_group(n)
        for code in (found.position, *given, *added)
        for n in walk(code)
    )
