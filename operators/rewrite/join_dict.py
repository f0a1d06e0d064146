"""A nested loop that looks for equal keys -> a dictionary of the inner elements by key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import altered, changed, pure
from operators.rewrite.kinds import elements_of
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    calls,
    compared,
    conjuncts,
    grouped,
    integer,
    lines,
    names,
    spoken,
    target_names,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


Pair = tuple["cst.BaseExpression", "cst.BaseExpression"]


class JoinDict(Rule):
    """Look up the partners of an element instead of trying them all.

    Valid when the inner loop does nothing for elements that fail an equality, the elements
    and their keys do not change while the outer loop runs (checked), and keys are hashable
    (left to the tests). `a + b == c` is looked up as `b == c - a` for integers only.
    The order of the partners and the test itself stay. Known as a hash join.
    """

    name = "join_dict"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each equality of each inner loop."""
        import libcst as cst

        for inner in place.own:
            if isinstance(inner, cst.For) and inner.orelse is None:
                variables = frozenset(target_names(inner.target))
                for test in _conditions(inner):
                    key = _key(test, variables)
                    found = _outer(program, place, inner, key) if key else None
                    if key and found and _private(program, place, inner, variables):
                        yield from _change(program, inner, test, key, found)


class _Key(NamedTuple):
    """What the inner elements are filed under, and what is looked up."""

    inner: cst.BaseExpression
    wanted: str
    used: frozenset[str]
    solved: bool


class _Source(NamedTuple):
    """Where the elements come from: all of them, and the first that counts if not the first."""

    elements: str
    used: frozenset[str]
    start: str = ""


def _conditions(loop: cst.For) -> Iterator[cst.BaseExpression]:
    """Yield what must hold for the loop to do anything."""
    import libcst as cst

    body = lines(loop.body)
    while len(body) == 1:
        (statement,) = body
        if not isinstance(statement, cst.If) or statement.orelse is not None:
            return
        yield from conjuncts(statement.test)
        body = lines(statement.body)


def _key(test: cst.BaseExpression, variables: frozenset[str]) -> _Key | None:
    sides = compared(test, "Equal")
    if sides and all(_is_list(side) for side in sides):
        sides = _hashable(sides)
    for mine, other in (sides, sides[::-1]) if sides else ():
        if not names(mine) & variables or names(other) & variables or not pure(test):
            continue
        terms = _terms(mine)
        inner = [term for term in terms if names(term) & variables]
        rest = [term for term in terms if term not in inner]
        if len(inner) == 1:
            wanted = " - ".join([grouped(other), *map(grouped, rest)]) if rest else text(other)
            return _Key(inner[0], wanted, names(test) - variables, bool(rest))
    return None


def _is_list(node: cst.BaseExpression) -> bool:
    import libcst as cst

    return isinstance(node, (cst.List, cst.ListComp)) or calls(node, "sorted") is not None


def _hashable(sides: Pair) -> Pair:
    import libcst as cst

    first, second = (cst.parse_expression(f"tuple({text(side)})") for side in sides)
    return first, second


def _terms(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    import libcst as cst

    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        return [*_terms(node.left), *_terms(node.right)]
    return [node]


def _source(program: Program, place: Place, inner: cst.For) -> _Source | None:
    arguments = calls(inner.iter, "range")
    if arguments is None:
        elements = elements_of(program, place, inner.iter)
        return _Source(elements, names(inner.iter)) if pure(inner.iter) else None
    if not all(map(pure, arguments)) or len(arguments) > 2:
        return None
    if len(arguments) == 1 or integer(arguments[0]) is not None:
        return _Source(text(inner.iter), names(inner.iter) - {"range"})
    elements = f"range({text(arguments[1])})"
    return _Source(elements, names(arguments[1]), text(arguments[0]))


def _outer(
    program: Program, place: Place, inner: cst.For, key: _Key
) -> tuple[cst.CSTNode, _Source] | None:
    """Return the outermost loop in which elements and their keys stay the same."""
    source = _source(program, place, inner)
    if source is None:
        return None
    used, outermost = (
        source.used | (names(key.inner) - frozenset(target_names(inner.target))),
        None,
    )
    if (key.used | used) & (
        altered(program, inner.body) | frozenset(target_names(inner.target))
    ):
        return None
    for loop in program.loops(inner):
        if used & altered(program, loop):
            break
        outermost = loop
    return (outermost, source) if outermost else None


def _private(program: Program, place: Place, inner: cst.For, variables: frozenset[str]) -> bool:
    """Whether the loop's variables are of no use outside of loops that set them."""
    import libcst as cst

    inside = set(walk(inner))
    for node in place.own:
        if isinstance(node, cst.Name) and node.value in variables and node not in inside:
            loops = [n for n in program.above(node) if isinstance(n, (cst.For, cst.BaseComp))]
            if not any(node.value in changed(loop) for loop in loops):
                return False
    return True


def _change(
    program: Program,
    inner: cst.For,
    test: cst.BaseExpression,
    key: _Key,
    found: tuple[cst.CSTNode, _Source],
) -> Iterator[TreeChange]:
    outer, source = found
    table = program.fresh(f"{spoken(inner.iter) or spoken(key.inner) or 'known'}_by_key")
    element = text(inner.target)
    stored = f"({element.strip('()')})" if "," in element else element
    made = (
        f"for {element} in {source.elements}:\n"
        f"    {table}.setdefault({text(key.inner)}, []).append({stored})"
    )
    before = {program.statement(outer): [f"{table} = {{}}", made]}
    lookup = f"{table}.get({key.wanted}, ())"
    if key.solved:
        whole = program.fresh("whole")
        before[program.statement(outer)].append(f"{whole} = {{*map(type, {table})}} <= {{int}}")
        exact = f"{whole} and type({key.wanted}) is int"
        lookup = f"({lookup} if {exact} else {source.elements})"
    imports: tuple[str, ...] = ()
    if source.start:
        bisect, imports = imported(program, "bisect", "bisect_left")
        bucket = program.fresh("partners")
        before[inner] = [f"{bucket} = {lookup}"]
        lookup = f"{bucket}[{bisect}({bucket}, {source.start}) :]"
    yield TreeChange(
        anchor=test,
        replaced={inner.iter: lookup},
        before=before,
        imports=imports,
        direction="Look up partners in a dictionary by key",
        effect="O(n * m) -> O(n + m + matches)",
    )
