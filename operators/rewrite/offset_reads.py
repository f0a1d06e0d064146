"""What reads of a text or list become where a position stands for the front cut off it.

Not here: which lines cut (`front_cut`), what moves the position (the rules).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.loops import substituted
from operators.rewrite.program import Program, walk
from operators.rewrite.reading import calls, positional
from operators.rewrite.uses import truth_only

if TYPE_CHECKING:
    import libcst as cst


class Offset(NamedTuple):
    """Code of the whole text or list, and of the position where its rest begins."""

    name: str
    at: str

    @property
    def rest(self) -> str:
        """Code of a copy of the rest."""
        return f"{self.name}[{self.at}:]"


OF_LISTS = {
    "find": "max({}({}, {at}) - {at}, -1)",
    "index": "{}({}, {at}) - {at}",
    "startswith": "{}({}, {at})",
}
"""How methods with one argument are asked from a position on, also those of lists."""


def put_read(
    program: Program,
    node: cst.CSTNode,
    offset: Offset,
    new: dict[cst.CSTNode, str],
    asked: Mapping[str, str] = OF_LISTS,
) -> bool:
    """Put what a read becomes into `new`, if it needs no copy of the rest.

    Args:
        program: The program.
        node: A mention of the text or list that only reads it.
        offset: What is asked instead.
        new: New code by old node; mentions behind this one are there already.
        asked: The methods that can be asked from a position on.
    """
    import libcst as cst

    (name, at), above = offset, program.parent[node]
    call = program.parent[above]
    if isinstance(above, cst.Arg) and calls(call, "len"):
        new[call] = f"len({name}) - {at}"
    elif truth_only(program, node):
        new[node] = f"{at} < len({name})"
    elif isinstance(above, cst.Subscript) and (part := _part(above, offset, new)):
        new[above] = part
    elif isinstance(above, cst.Attribute) and (sought := _only_argument(call)):
        if above.attr.value not in asked:
            return False
        function = f"{name}.{above.attr.value}"
        new[call] = asked[above.attr.value].format(function, substituted(sought, new), at=at)
    else:
        return False
    return True


def _only_argument(call: cst.CSTNode) -> cst.BaseExpression | None:
    """Return the one argument of a call that has no other."""
    import libcst as cst

    found = positional(call) if isinstance(call, cst.Call) else None
    return found[0] if found and len(found) == 1 else None


def _part(node: cst.Subscript, offset: Offset, new: dict[cst.CSTNode, str]) -> str:
    """Return an element or slice of the rest as one of the whole; empty for one from behind."""
    import libcst as cst

    name, at = offset

    def from_start(bound: cst.BaseExpression) -> str:
        code = term(bound, new)
        return at if code == "0" else f"{at} + {code}"

    part = node.slice[0].slice
    if len(node.slice) != 1 or any(isinstance(n, cst.UnaryOperation) for n in walk(part)):
        return ""
    if isinstance(part, cst.Index):
        return f"{name}[{from_start(part.value)}]"
    assert isinstance(part, cst.Slice)
    if part.step:
        return ""
    lower = from_start(part.lower) if part.lower else at
    upper = from_start(part.upper) if part.upper else ""
    return f"{name}[{lower}:{upper}]"


def term(node: cst.BaseExpression, new: dict[cst.CSTNode, str]) -> str:
    """Return code that can be added to another: sums need no parentheses."""
    import libcst as cst

    sums = (cst.Add, cst.Subtract, cst.Multiply)
    code = substituted(node, new)
    plain = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, sums)
    atom = isinstance(node, (cst.Name, cst.Integer, cst.Subscript, cst.Attribute, cst.Call))
    plain = plain or (atom and node not in new)
    return code if plain or node.lpar else f"({code})"
