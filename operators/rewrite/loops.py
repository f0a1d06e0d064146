"""What a `for` loop walks over, whatever its spelling, and which names are its own.

Not here: what the body does with the elements (the rules).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import is_not
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.effects import changed, pure
from operators.rewrite.program import Place, Program, fields, walk
from operators.rewrite.reading import (
    assigned,
    calls,
    index,
    integer,
    named,
    names,
    same,
    target_names,
    targets,
    text,
)

if TYPE_CHECKING:
    import libcst as cst


_OF_TEXT = frozenset(
    [
        "casefold", "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "islower",
        "isnumeric", "isprintable", "isspace", "isupper", "lower", "swapcase", "upper",
    ]
)  # fmt: skip


class Elements(NamedTuple):
    """The elements that a loop walks over.

    Attributes:
        sequence: Where they come from.
        name: What an element is called in the body, once `replaced` was done.
        replaced: New code by old node: for an index loop, `xs[i]` becomes the element.
    """

    sequence: cst.BaseExpression
    name: str
    replaced: Mapping[cst.CSTNode, str]


def elements(program: Program, place: Place, loop: cst.For | cst.CompFor) -> Elements | None:
    """Return what `for x in xs` or `for i in range(len(xs))` walks over, one name at a time.

    An index loop counts where the index serves for nothing but `xs[i]`, and the sequence
    stays as it is. None for other loops.
    """
    import libcst as cst

    name = named(loop.target)
    if not name:
        return None
    sequence = measured(place, loop.iter)
    if sequence is None:
        counting = calls(loop.iter, "range") is not None
        return None if counting else Elements(loop.iter, name, {})
    scope = loop.body if isinstance(loop, cst.For) else program.parent[loop]
    if names(sequence) & changed(scope) or not pure(sequence):
        return None
    item = program.fresh("item")
    replaced = dict.fromkeys(indexed(scope, sequence, name), item)
    mentions = sum(1 for node in walk(scope) if named(node) == name)
    expected = len(replaced) + (0 if isinstance(loop, cst.For) else 1)
    if not replaced or mentions != expected or name in names(sequence):
        return None
    return Elements(sequence, item, {**replaced, loop.target: item})


def indexed(
    scope: cst.CSTNode, sequence: cst.BaseExpression, name: str
) -> Iterator[cst.CSTNode]:
    """Yield every `sequence[name]` in some code."""
    for node in walk(scope):
        found = index(node)
        if found and same(found[0], sequence) and named(found[1]) == name:
            yield node


def measured(place: Place, iterable: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return `xs` of `range(len(xs))`, also where the length has got a name before."""
    arguments = calls(iterable, "range") or []
    if len(arguments) == 2 and integer(arguments[0]) == 0:
        arguments = arguments[1:]
    if len(arguments) != 1:
        return None
    found = calls(resolved(place, arguments[0]), "len")
    return found[0] if found and len(found) == 1 else None


def resolved(place: Place, node: cst.BaseExpression) -> cst.BaseExpression:
    """Return the length that a name stands for, if it is given to the name once and for all."""
    import libcst as cst

    name = named(node)
    if not name:
        return node
    given = [pair[1] for n in place.own if (pair := assigned(n)) and pair[0] == name]
    bindings = sum(
        1 for t in targets(place.node) for bound_name in target_names(t) if bound_name == name
    )
    if len(given) != 1 or bindings != 1:
        return node
    lengths = calls(given[0], "len")
    scope = getattr(place.node, "body", None)
    lines = scope if isinstance(scope, cst.BaseSuite) else place.node
    if lengths is None or any(names(m) & changed(lines) for m in lengths):
        return node
    return given[0]


def confined(program: Program, place: Place, loop: cst.CSTNode, own: Iterable[str]) -> bool:
    """Whether what the loop leaves in these names is never read after it.

    Other loops and comprehensions may use the same names for their own variables.
    """
    import libcst as cst

    wanted, inside = frozenset(own), frozenset(walk(loop))
    before = not any(True for _ in program.loops(loop))
    for node in walk(place.node):
        if node is loop:
            before = False
        if isinstance(node, (cst.Global, cst.Nonlocal)):
            return False
        if not isinstance(node, cst.Name) or node.value not in wanted or node in inside:
            continue
        outer = list(program.above(node))
        if not _variable(node, outer[0]) or (before and _same_function(outer, place)):
            continue
        if not any(_binds(around, node.value, loop) for around in outer):
            return False
    return True


def _variable(node: cst.CSTNode, above: cst.CSTNode) -> bool:
    """Whether a name is read: no attribute, no keyword, not what is assigned to."""
    import libcst as cst

    if isinstance(above, cst.Attribute):
        return above.attr is not node
    if isinstance(above, cst.Arg):
        return above.keyword is not node
    return not isinstance(above, cst.AssignTarget)


def _same_function(outer: list[cst.CSTNode], place: Place) -> bool:
    import libcst as cst

    scopes = (cst.FunctionDef, cst.Lambda, cst.Module, cst.ClassDef)
    return next(node for node in outer if isinstance(node, scopes)) is place.node


def _binds(outer: cst.CSTNode, name: str, loop: cst.CSTNode) -> bool:
    """Whether `outer` is another loop or comprehension that gives the name a value first."""
    import libcst as cst

    if isinstance(outer, cst.For):
        return name in target_names(outer.target) and loop not in walk(outer)
    if isinstance(outer, cst.BaseComp):
        found = (n for n in walk(outer) if isinstance(n, cst.CompFor))
        return any(name in target_names(n.target) for n in found)
    if isinstance(outer, cst.FunctionDef):
        return name in {p.name.value for p in outer.params.params} and loop not in walk(outer)
    return False


def characters(found: Elements, body: cst.CSTNode) -> bool:
    """Whether the elements look like characters of a text: by what the body asks of them."""
    if calls(found.sequence, "str"):
        return True
    item = [n for n in walk(body) if n in found.replaced or named(n) == found.name]
    return any(_asks_character(node, item) for node in walk(body))


def _asks_character(node: cst.CSTNode, item: list[cst.CSTNode]) -> bool:
    import libcst as cst

    if isinstance(node, cst.Call):
        if isinstance(node.func, cst.Attribute):
            return node.func.value in item and node.func.attr.value in _OF_TEXT
        first = node.args[0].value if node.args else None
        return named(node.func) in ("ord", "int") and first in item
    if isinstance(node, cst.Comparison):
        sides = [node.left, *(target.comparator for target in node.comparisons)]
        return any(side in item for side in sides) and any(map(_letters, sides))
    return False


def _letters(node: cst.CSTNode) -> bool:
    """Whether a literal holds nothing but text, such as "a" or ("a", "e")."""
    import libcst as cst

    if isinstance(node, (cst.List, cst.Tuple, cst.Set)):
        return bool(node.elements) and all(_letters(e.value) for e in node.elements)
    return isinstance(node, cst.BaseString)


def substituted(node: cst.CSTNode, new: Mapping[cst.CSTNode, str]) -> str:
    """Return the code of a node in which others below it are replaced by new code."""
    return text(exchanged(node, new)) if new else text(node)


def _apart(around: cst.CSTNode, made: cst.CSTNode) -> cst.CSTNode:
    """Return a new node in parentheses where it would run into what is around it."""
    import libcst as cst

    joined = (isinstance(around, cst.Attribute) and isinstance(made, cst.Integer)) or (
        isinstance(around, cst.FormattedStringExpression)
        and isinstance(made, (cst.BaseSet, cst.BaseDict))
    )
    if not joined or (isinstance(made, cst.BaseExpression) and made.lpar):
        return made
    return made.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def exchanged(
    node: cst.CSTNode, new: Mapping[cst.CSTNode, str], *, alone: bool = False
) -> cst.CSTNode:
    """Return a node in which others below it are replaced by new expressions.

    They are in parentheses where they may need them; `alone`: the node itself needs none.
    """
    import libcst as cst

    if node in new:
        made = cst.parse_expression(new[node])
        shown = (cst.BaseList, cst.BaseSet, cst.BaseDict, cst.SimpleString)
        plain = (cst.Name, cst.Call, cst.Subscript, cst.Attribute, cst.Integer, *shown)
        loose = (cst.BinaryOperation, cst.BooleanOperation, cst.Comparison, cst.UnaryOperation)
        if isinstance(made, plain) or made.lpar or (alone and isinstance(made, loose)):
            return made
        return made.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    changes: dict[str, object] = {}
    held = (cst.Arg, cst.Index, cst.Element, cst.Return, cst.Expr, cst.If, cst.While)
    alone = isinstance(node, held)
    for name in fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            below = exchanged(value, new, alone=alone)
            changes[name] = value if below is value else _apart(node, below)
        elif isinstance(value, (list, tuple)) and value:
            parts = [exchanged(v, new) if isinstance(v, cst.CSTNode) else v for v in value]
            changes[name] = parts if any(map(is_not, parts, value)) else value
    changes = {name: v for name, v in changes.items() if v is not getattr(node, name)}
    if not changes:
        return node
    return node.with_changes(**changes)
