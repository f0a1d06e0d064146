"""A comparison function for sorting -> the key that it compares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.loops import substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    calls,
    compared,
    flat,
    integer,
    lines,
    named,
    names,
    only,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class SortKey(Rule):
    """Sort by a key that is computed once an element, not by a function of two elements.

    Valid for comparisons that ask the same of both elements, such as `f(a) - f(b)` or tests
    of `f(a) < f(b)` (checked). A descending comparison becomes `-key` or, for all that is no
    number, needs `reverse` (both keep the order of equals). Known as decorate, sort,
    undecorate.
    """

    name = "sort_key"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each `key=cmp_to_key(...)` that can be read."""
        import libcst as cst

        for node in place.own:
            if not isinstance(node, cst.Call):
                continue
            for arg in node.args:
                compare = calls(arg.value, "cmp_to_key") or _of_functools(arg.value)
                if named(arg.keyword) != "key" or not compare or len(compare) != 1:
                    continue
                found = _compare(program, compare[0])
                change = _change(node, arg, found) if found else None
                if change and found and computes(program, found.key):
                    yield change


class _Key(NamedTuple):
    """The key of an element and its name in the key."""

    element: str
    key: cst.BaseExpression
    falling: bool


def _change(call: cst.Call, arg: cst.Arg, found: _Key) -> TreeChange | None:
    import libcst as cst

    if found.falling and any(named(other.keyword) == "reverse" for other in call.args):
        return None
    key = cst.parse_expression(f"lambda {found.element}: {text(found.key)}")
    replaced: dict[cst.CSTNode, str | cst.CSTNode] = {arg.value: key}
    if found.falling:
        last = call.args[-1]
        more = cst.Arg(
            cst.Name("True"),
            keyword=cst.Name("reverse"),
            equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
        )
        first = [a.with_changes(value=key) if a is arg else a for a in call.args]
        if last is arg:
            first[-1] = first[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        replaced = {call: call.with_changes(args=[*first, more])}
    return TreeChange(
        anchor=arg,
        replaced=replaced,
        direction="Sort by a key instead of comparing elements by a function",
        effect="n log n calls -> n",
    )


def _of_functools(node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    import libcst as cst

    if isinstance(node, cst.Call) and flat(node.func) == "functools.cmp_to_key":
        return [arg.value for arg in node.args]
    return None


def _compare(program: Program, function: cst.BaseExpression) -> _Key | None:
    """Return the key of a comparison function: a lambda, or one that the program defines."""
    import libcst as cst

    if isinstance(function, cst.Lambda):
        both = [param.name.value for param in function.params.params]
        return _sides(function.body, both) if len(both) == 2 else None
    for place in program.places[1:]:
        if isinstance(place.node, cst.FunctionDef) and place.node.name.value == named(function):
            both = [param.name.value for param in place.node.params.params]
            return _tests(lines(place.node.body), both) if len(both) == 2 else None
    return None


def _sides(body: cst.BaseExpression, both: list[str]) -> _Key | None:
    """`key(a) - key(b)`, or `-1 if key(a) < key(b) else ...`."""
    import libcst as cst

    if isinstance(body, cst.BinaryOperation) and isinstance(body.operator, cst.Subtract):
        return _key(body.left, body.right, both, falling=False)
    if isinstance(body, cst.IfExp):
        return _decided(body.test, _sign(body.body), both)
    return None


def _tests(body: tuple[cst.CSTNode, ...], both: list[str]) -> _Key | None:
    """`if key(a) < key(b): return -1` and the rest, or a single `return`."""
    import libcst as cst

    first = body[0] if body else None
    small = only(first) if first is not None else None
    if isinstance(small, cst.Return) and small.value is not None:
        return _sides(small.value, both)
    tests = [n.test for line in body for n in walk(line) if isinstance(n, cst.If)]
    returned = [n.value for line in body for n in walk(line) if isinstance(n, cst.Return)]
    signs = [_sign(value) if value else None for value in returned]
    if not isinstance(first, cst.If) or len(tests) > 2 or None in signs or not signs[0]:
        return None
    keys = {
        frozenset(map(text, sides))
        for test in tests
        if (sides := compared(test, "LessThan", "GreaterThan", "Equal"))
    }
    return _decided(first.test, signs[0], both) if len(keys) == 1 else None


def _sign(node: cst.BaseExpression) -> int | None:
    """Return the value of an integer literal that may have a minus."""
    import libcst as cst

    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        number = integer(node.expression)
        return None if number is None else -number
    return integer(node)


def _decided(test: cst.BaseExpression, sign: int | None, both: list[str]) -> _Key | None:
    less, more = compared(test, "LessThan"), compared(test, "GreaterThan")
    sides = less or more
    if not sides or not sign:
        return None
    return _key(*sides, both, falling=(sign < 0) is (less is None))


def _key(
    left: cst.BaseExpression, right: cst.BaseExpression, both: list[str], *, falling: bool
) -> _Key | None:
    """Return the key if both sides ask the same, of the first and of the second element."""
    first, second = both
    if second in names(left):
        first, second, falling = second, first, not falling
    own = {node: first for node in walk(right) if named(node) == second}
    fits = {first} == names(left) & set(both) and {second} == names(right) & set(both)
    if not fits or substituted(right, own) != text(left):
        return None
    return _Key(first, left, falling)
