"""Loops that do nothing but add to variables: which, what, and under which tests.

Not here: what they walk over (`loops`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.program import walk
from operators.rewrite.reading import assigned, bound, lines, named, names

if TYPE_CHECKING:
    import libcst as cst


class Addition(NamedTuple):
    """One `name += value`.

    Attributes:
        statement: The statement that adds.
        name: Name of the total.
        value: What is added; it does not mention the total.
    """

    statement: cst.BaseSmallStatement
    name: str
    value: cst.BaseExpression


def added(statement: cst.CSTNode | None) -> Addition | None:
    """Return what `name += value` or `name = name + value` does, None for other code."""
    import libcst as cst

    pair = assigned(statement)
    if isinstance(statement, cst.AugAssign) and isinstance(statement.operator, cst.AddAssign):
        name, value = named(statement.target), statement.value
    elif pair is not None and isinstance(pair[1], cst.BinaryOperation):
        name, value = pair[0], pair[1].right
        if not isinstance(pair[1].operator, cst.Add) or named(pair[1].left) != name:
            return None
    else:
        return None
    assert isinstance(statement, cst.BaseSmallStatement)
    return Addition(statement, name, value) if name and name not in names(value) else None


class GrowingLine(NamedTuple):
    """What is put to one end of a text, or of a sequence.

    Attributes:
        name: Name of what grows; no piece mentions it.
        pieces: In the order in which they stand in the result.
        in_front: Whether they come before what was there.
    """

    name: str
    pieces: tuple[cst.BaseExpression, ...]
    in_front: bool


def grown(statement: cst.CSTNode | None) -> GrowingLine | None:
    """Return what `s += p`, `s = s + p + q`, `s = p + q + s` or `s = f"{s}..."` does.

    Also `s = "%s..." % (s, x)`, and `s = [*s, x]` or `s = (x, *s)`, whose pieces are lists or
    tuples, whatever s is. None for other code. Unlike `added`, it does not keep the order in
    which numbers are added.
    """
    import libcst as cst

    if isinstance(statement, cst.AugAssign) and isinstance(statement.operator, cst.AddAssign):
        name, terms = named(statement.target), [statement.target, statement.value]
    else:
        name, total = assigned(statement) or ("", None)
        terms = [*_told(total), *_unpacked(total, name), *_inserted(total)] if total else []
        terms = _terms(total) if total and not terms else terms
    if not name or len(terms) < 2:
        return None
    for in_front, pieces in ((False, terms[1:]), (True, terms[:-1])):
        whole = named(terms[-1 if in_front else 0]) == name
        if whole and not any(name in names(piece) for piece in pieces):
            return GrowingLine(name, tuple(pieces), in_front)
    return None


def _unpacked(node: cst.BaseExpression, name: str) -> list[cst.BaseExpression]:
    """Return the name that a list or tuple begins or ends with, and the rest of it in place."""
    import libcst as cst

    if not isinstance(node, (cst.List, cst.Tuple)) or len(node.elements) < 2:
        return []
    for end, rest in ((0, node.elements[1:]), (-1, node.elements[:-1])):
        whole = node.elements[end]
        if isinstance(whole, cst.StarredElement) and named(whole.value) == name:
            last = rest[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            terms = [whole.value, node.with_changes(elements=[*rest[:-1], last])]
            return terms if end == 0 else terms[::-1]
    return []


def _told(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Return the name that a formatted text begins with, and the rest of the text."""
    import libcst as cst

    if not isinstance(node, cst.FormattedString):
        return []
    first, *rest = [*node.parts, node]
    if not isinstance(first, cst.FormattedStringExpression) or len(rest) < 2:
        return []
    if first.conversion or first.format_spec or first.equal:
        return []
    return [first.expression, node.with_changes(parts=rest[:-1])]


def _inserted(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Return what `"%s..." % (s, x)` begins with, and the rest of the text."""
    import libcst as cst

    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Modulo):
        return []
    pattern, values = node.left, node.right
    if not isinstance(pattern, cst.SimpleString) or not isinstance(values, cst.Tuple):
        return []
    if not pattern.raw_value.startswith("%s") or len(values.elements) < 2:
        return []
    quote, (first, *rest) = pattern.quote, values.elements
    left = cst.SimpleString(f"{pattern.prefix}{quote}{pattern.raw_value[2:]}{quote}")
    rest[-1] = rest[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return [first.value, node.with_changes(left=left, right=values.with_changes(elements=rest))]


def _terms(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    import libcst as cst

    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        return [*_terms(node.left), node.right]
    return [node]


def additions(loop: cst.For) -> list[Addition] | None:
    """Return all additions of a loop that does nothing else.

    Tests may decide about them, and the body may set variables of its own where it sets them
    first; no step asks for a total or for what another step has left. None for other loops.
    """
    import libcst as cst

    found: list[Addition] = []
    sets: set[str] = set()
    for small in smalls(loop.body):
        addition = added(small)
        if addition:
            found.append(addition)
        elif isinstance(small, (cst.Assign, cst.AnnAssign)):
            sets |= bound(small)
        elif not isinstance(small, (cst.Pass, cst.Continue)):
            return None
    totals = {addition.name for addition in found}
    mentions = sum(1 for n in walk(loop) if named(n) in totals)
    own = sum(1 for a in found for n in walk(a.statement) if named(n) == a.name)
    if not found or mentions != own or not _flat(loop) or not _sets_first(loop, sets):
        return None
    return found


def smalls(body: cst.CSTNode) -> Iterator[cst.BaseSmallStatement]:
    """Yield every small statement at any depth of a body."""
    import libcst as cst

    yield from (node for node in walk(body) if isinstance(node, cst.BaseSmallStatement))


def _flat(loop: cst.For) -> bool:
    """Whether the body holds tests at most: no loops, functions or handlers."""
    import libcst as cst

    kinds = (cst.If, cst.Else, cst.SimpleStatementLine, cst.BaseSuite)
    blocks = (cst.BaseStatement, cst.BaseSuite)
    found = [n for n in walk(loop.body) if isinstance(n, blocks)]
    return all(isinstance(node, kinds) for node in found)


def _sets_first(loop: cst.For, own: set[str]) -> bool:
    """Whether the body sets each of its variables, and always, before it reads it."""
    import libcst as cst

    known: set[str] = set()
    for line in lines(loop.body):
        alone = isinstance(line, cst.SimpleStatementLine)
        new = (bound(line) & own) if alone else frozenset()
        for small in smalls(line):
            read = names(getattr(small, "value", None) or small) if new else names(line)
            if (read & own) - known:
                return False
        known |= new
    return own <= known
