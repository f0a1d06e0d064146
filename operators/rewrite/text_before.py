"""What is asked of a text before a position: how often a character is there, or where last.

Not here: where the answers are looked up (`prefix_counts`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.freshness import bindings
from operators.rewrite.index_order import in_order
from operators.rewrite.kinds import may_be_none
from operators.rewrite.patterns import pattern
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    bound,
    calls,
    flat,
    integer,
    method,
    named,
    names,
    same,
    text,
)

if TYPE_CHECKING:
    import libcst as cst

_OF_TEXT = frozenset(
    ["casefold", "endswith", "find", "isalnum", "isalpha", "isdigit", "isspace", "lower",
     "lstrip", "rfind", "rstrip", "split", "splitlines", "startswith", "strip", "upper"]
)  # fmt: skip
_OF_PATTERN = frozenset(["findall", "finditer", "fullmatch", "match", "search", "split"])
_EDGES = frozenset(["-1", "0", "1"])


class AskedBefore(NamedTuple):
    """A question about the characters before a position.

    Attributes:
        node: The whole of it.
        source: The text, or a list.
        char: The character, a literal.
        position: Where the part ends.
        more: What the answer has above the count.
        last: Whether it asks for the last place, not for the count.
        proven: Whether it raises an error for anything but a `str`.
    """

    node: cst.BaseExpression
    source: cst.BaseExpression
    char: cst.BaseExpression
    position: cst.BaseExpression
    more: int = 0
    last: bool = False
    proven: bool = True

    @property
    def key(self) -> tuple[str, str]:
        """The text, and the character whatever its quotes."""
        return flat(self.source), _character(self.char)


def asked_before(program: Program, place: Place, node: cst.CSTNode) -> AskedBefore | None:
    """Return what a node asks before a position that may be looked up, else None.

    The text is a name or an attribute. A position that may be None, or of which the function
    tells that it may be negative, counts from elsewhere.
    """
    import libcst as cst

    found = _asked(node) if isinstance(node, cst.BaseExpression) else None
    if found is None or not _character(found.char) or not _is_read(found.source):
        return None
    if may_be_none(program, place, found.position) or text(found.position) == "None":
        return None
    if any(_waits_for_bytes(above) for above in program.above(node)):
        return None
    ends = (None, found.position)
    if in_order(place, program.loops(node), found.source, ends):
        return found
    return None if _may_be_negative(place, found.position, frozenset()) else found


def is_used_as_text(program: Program, code: cst.CSTNode, source: cst.BaseExpression) -> bool:
    """Whether code asks something that has only texts of it: a method, or a pattern."""
    import libcst as cst

    for node in walk(code):
        if isinstance(node, cst.Attribute):
            if node.attr.value in _OF_TEXT and same(node.value, source):
                return True
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            given = any(same(arg.value, source) for arg in node.args)
            if given and _is_pattern(program, node.func):
                return True
    return False


def _is_pattern(program: Program, function: cst.Attribute) -> bool:
    """Whether a method is one of `re`, or of a pattern that the program spells out."""
    method_name, owner = function.attr.value, function.value
    if method_name not in _OF_PATTERN:
        return False
    return named(owner) == "re" or pattern(program, owner) is not None


def _waits_for_bytes(block: cst.CSTNode) -> bool:
    """Whether a statement handles the error of a text that is counted in bytes."""
    import libcst as cst

    handlers = block.handlers if isinstance(block, (cst.Try, cst.TryStar)) else ()
    return any(each.type and "TypeError" in names(each.type) for each in handlers)


def _asked(node: cst.BaseExpression) -> AskedBefore | None:
    for name in ("count", "rfind"):
        source, arguments = method(node, name) or (None, [])
        if source is None:
            continue
        last = name == "rfind"
        if len(arguments) == 3 and integer(arguments[1]) == 0:
            return AskedBefore(node, source, arguments[0], arguments[2], last=last)
        part = _beginning(source) if len(arguments) == 1 else None
        if part:
            return AskedBefore(node, part[0], arguments[0], part[1], last=last, proven=last)
    measured = calls(node, "len") or []
    source, arguments = method(measured[0] if len(measured) == 1 else None, "split") or (
        None,
        [],
    )
    part = _beginning(source) if source and len(arguments) == 1 else None
    return AskedBefore(node, part[0], arguments[0], part[1], more=1) if part else None


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


def _character(node: cst.BaseExpression) -> str:
    """Return the one character that a literal stands for, or nothing."""
    import libcst as cst

    value = node.evaluated_value if isinstance(node, cst.SimpleString) else None
    return value if isinstance(value, str) and len(value) == 1 else ""


def _is_read(source: cst.BaseExpression) -> bool:
    """Whether a text is a name, or an attribute of one, of one object or another."""
    import libcst as cst

    here = source
    while isinstance(here, cst.Attribute):
        here = here.value
    return bool(named(here))


def _may_be_negative(place: Place, node: cst.BaseExpression, seen: frozenset[str]) -> bool:
    """Whether the function tells that a number may be negative; not what parameters are."""
    import libcst as cst

    if isinstance(node, cst.UnaryOperation):
        return True
    if isinstance(node, cst.BinaryOperation):
        sides = (node.left, node.right)
        less = isinstance(node.operator, cst.Subtract)
        return less or any(_may_be_negative(place, side, seen) for side in sides)
    if isinstance(node, cst.IfExp):
        return any(_may_be_negative(place, each, seen) for each in (node.body, node.orelse))
    if isinstance(node, cst.NamedExpr):
        return _may_be_negative(place, node.value, seen)
    if method(node, "find") or method(node, "rfind"):
        return True
    least = calls(node, "min") or []
    if isinstance(node, cst.Name) and node.value not in seen:
        return _name_may_be_negative(place, node.value, seen | {node.value})
    return any(_may_be_negative(place, each, seen) for each in least)


def _name_may_be_negative(place: Place, name: str, seen: frozenset[str]) -> bool:
    """Whether a name is given, or lowered to, what may be negative, and nobody asks."""
    import libcst as cst

    lowered = any(
        isinstance(node, cst.AugAssign)
        and named(node.target) == name
        and (
            isinstance(node.operator, cst.SubtractAssign)
            or _may_be_negative(place, node.value, seen)
        )
        for node in place.own
    )
    values = [(value, below) for each, value, below in bindings(place.node) if each == name]
    negative = any(
        _counts_below(place, value, seen) if below else _may_be_negative(place, value, seen)
        for value, below in values
        if isinstance(value, cst.BaseExpression)
    )
    return (lowered or negative) and not any(_is_edge(node, name) for node in place.own)


def _counts_below(place: Place, iterable: cst.BaseExpression, seen: frozenset[str]) -> bool:
    """Whether a `range` begins below nought, or counts down to below."""
    ends = calls(iterable, "range") or []
    if len(ends) == 3 and text(ends[2]).startswith("-"):
        return flat(ends[1]) != "-1" and _may_be_negative(place, ends[1], seen)
    return len(ends) > 1 and _may_be_negative(place, ends[0], seen)


def _is_edge(node: cst.CSTNode, name: str) -> bool:
    """Whether code compares a name with the number below which it is negative."""
    import libcst as cst

    if not isinstance(node, cst.Comparison):
        return False
    sides = [node.left, *(target.comparator for target in node.comparisons)]
    return any(name in names(side) | bound(side) for side in sides) and any(
        flat(side) in _EDGES for side in sides
    )
