"""A nested loop, or a filter in one, that looks for equal keys -> elements in a dictionary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import altered, pure
from operators.rewrite.element_parts import parts_stay
from operators.rewrite.invariants import can_precede, has_changed_alias
from operators.rewrite.kinds import elements_of, iterator
from operators.rewrite.loops import confined
from operators.rewrite.own_results import own_result
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    calls,
    comp_for,
    compared,
    conjuncts,
    field_word,
    grouped,
    integer,
    lines,
    named,
    names,
    root,
    same,
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

    Valid when the inner loop does nothing for elements that fail an equality, or a
    comprehension leaves them out, and the elements and their keys do not change while the outer
    loop runs (checked). That keys are hashable and equal to themselves, that every element has
    one, and that the elements can be walked over more than once, is left to the tests.
    `a + b == c` is looked up as `b == c - a` for integers only. The order of the partners
    stays, and the test of a loop. Known as a hash join.
    """

    name = "join_dict"
    relies_on = "every element has its key, keys are hashable, and the elements are no iterator"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each equality of each inner loop."""
        for node in place.own if place.name else ():
            inner = _inner(program, node)
            if inner is None or not _private(program, place, inner):
                continue
            if named(inner.elements) and iterator(program, place, inner.elements):
                continue
            for number, test in enumerate(inner.tests):
                key = _key(test, inner.variables)
                if key and any(_guards(each, key, inner) for each in inner.tests[:number]):
                    continue
                found = _outer(program, place, inner, key) if key else None
                if key and found:
                    yield from _change(program, inner, test, key, found)


class _Inner(NamedTuple):
    """A loop or comprehension that tries all elements for each pass of a loop around it.

    Attributes:
        node: The whole of it.
        target: What an element is called.
        elements: What it walks over.
        tests: What must hold for it to do anything with an element.
        code: What runs for each element.
    """

    node: cst.CSTNode
    target: cst.BaseExpression
    elements: cst.BaseExpression
    tests: tuple[cst.BaseExpression, ...]
    code: cst.CSTNode

    @property
    def variables(self) -> frozenset[str]:
        """The names that an element, or its parts, are called; none that make a new list."""
        import libcst as cst

        lists = any(isinstance(node, cst.List) for node in walk(self.target))
        return frozenset() if lists else frozenset(target_names(self.target))


_EAGER = (
    "all",
    "any",
    "dict",
    "frozenset",
    "list",
    "max",
    "min",
    "set",
    "sorted",
    "sum",
    "tuple",
)
"""Functions that walk at once over a generator that they are given."""


def _inner(program: Program, node: cst.CSTNode) -> _Inner | None:
    import libcst as cst

    if isinstance(node, cst.For):
        tests = () if node.orelse else tuple(_conditions(node))
        return _Inner(node, node.target, node.iter, tests, node.body)
    if not isinstance(node, (cst.ListComp, cst.SetComp, cst.GeneratorExp)):
        return None
    if isinstance(node, cst.GeneratorExp) and not _is_eager(program, node):
        return None
    part = comp_for(node)
    if part.inner_for_in or part.asynchronous:
        return None
    tests = tuple(test for each in part.ifs for test in conjuncts(each.test))
    return _Inner(node, part.target, part.iter, tests, node)


def _is_eager(program: Program, node: cst.GeneratorExp) -> bool:
    above = program.parent[program.parent[node]]
    return any(calls(above, name) for name in _EAGER)


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


def _guards(test: cst.BaseExpression, key: _Key, inner: _Inner) -> bool:
    """Whether an earlier test may see to it that an element has a key at all.

    Such as `y is not None and y.size == x`.
    """
    import libcst as cst

    if isinstance(key.inner, cst.Name) or not names(test) & inner.variables:
        return False
    nodes = [*walk(key.inner)]
    raising = (cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power)
    sides = compared(test, "NotEqual")
    if any(
        isinstance(node, cst.Subscript) and root(node) not in inner.variables for node in nodes
    ):
        sides = sides if sides and all(isinstance(side, cst.Name) for side in sides) else None
    else:
        sides = sides or compared(test, "Equal", "LessThan", "GreaterThan", "LessThanEqual",
                                  "GreaterThanEqual")  # fmt: skip
    asked = any(isinstance(node, cst.Call) or named(node) == "None" for node in walk(test))
    return sides is None or asked or any(isinstance(node, raising) for node in nodes)


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


def _source(program: Program, place: Place, inner: _Inner) -> _Source | None:
    arguments, walked = calls(inner.elements, "range"), inner.elements
    if arguments is None:
        elements = elements_of(program, place, walked)
        return _Source(elements, names(walked)) if pure(walked) else None
    if not all(map(pure, arguments)) or len(arguments) > 2:
        return None
    if len(arguments) == 1 or integer(arguments[0]) is not None:
        return _Source(text(walked), names(walked) - {"range"})
    elements = f"range({text(arguments[1])})"
    return _Source(elements, names(arguments[1]), text(arguments[0]))


def _outer(
    program: Program, place: Place, inner: _Inner, key: _Key
) -> tuple[cst.CSTNode, _Source] | None:
    """Return the outermost loop in which elements and their keys stay the same."""
    import libcst as cst

    source = _source(program, place, inner)
    if source is None:
        return None
    used, outermost = source.used | (names(key.inner) - inner.variables), None
    if (key.used | used) & (altered(program, inner.code) | inner.variables):
        return None
    read = [node for node in walk(key.inner) if root(node) in inner.variables]
    for loop in program.loops(inner.node):
        if used & _altered_within(program, place, loop) or isinstance(loop, cst.Lambda):
            break
        if has_changed_alias(program, loop, used) or not parts_stay(program, loop, read):
            break
        outermost = loop
    if outermost is None or not can_precede(program, outermost, used):
        return None
    return outermost, source


def _altered_within(program: Program, place: Place, loop: cst.CSTNode) -> frozenset[str]:
    """Return what a loop changes; what it walks over may be what a function has computed."""
    import libcst as cst

    if not isinstance(loop, cst.For) or any(
        isinstance(node, (cst.Attribute, cst.Subscript)) for node in walk(loop.target)
    ):
        return altered(program, loop)
    if not computes(program, loop.iter) and own_result(program, place, loop.iter) is None:
        return altered(program, loop)
    parts = [loop.body, *([loop.orelse] if loop.orelse else [])]
    inside = (altered(program, part) for part in parts)
    return frozenset(target_names(loop.target)).union(*inside)


def _asks_later(program: Program, node: cst.CSTNode) -> bool:
    """Whether a node may ask for a variable when the loop has gone on."""
    import libcst as cst

    if isinstance(node, cst.GeneratorExp):
        return not _is_eager(program, node)
    return isinstance(node, (cst.Lambda, cst.FunctionDef, cst.ClassDef))


def _private(program: Program, place: Place, inner: _Inner) -> bool:
    """Whether the loop's variables are of no use outside of loops that set them."""
    later = (node for node in walk(inner.code) if _asks_later(program, node))
    if any(names(node) & inner.variables for node in later):
        return False
    return confined(program, place, inner.node, inner.variables)


def _change(
    program: Program,
    inner: _Inner,
    test: cst.BaseExpression,
    key: _Key,
    found: tuple[cst.CSTNode, _Source],
) -> Iterator[TreeChange]:
    import libcst as cst

    outer, source = found
    words = (
        spoken(inner.elements) or spoken(key.inner) or "known",
        "by",
        field_word(key.inner) or "key",
    )
    table = program.fresh("_".join(words))
    element = text(inner.target)
    bare = isinstance(inner.target, cst.Tuple) and not inner.target.lpar
    stored = f"({element})" if bare else element
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
        before[program.statement(inner.node)] = [f"{bucket} = {lookup}"]
        lookup = f"{bucket}[{bisect}({bucket}, {source.start}) :]"
    yield TreeChange(
        anchor=test,
        replaced=_looked_up(inner, test, key, lookup),
        before=before,
        imports=imports,
        direction="Look up partners in a dictionary by key",
        effect="O(n * m) -> O(n + m + matches)",
    )


def _looked_up(
    inner: _Inner, test: cst.BaseExpression, key: _Key, lookup: str
) -> dict[cst.CSTNode, str | cst.CSTNode]:
    """Return what walks over the partners alone; a filter that asks for no more is left out."""
    import libcst as cst

    comp = inner.node
    if isinstance(comp, cst.For) or inner.tests != (test,) or key.solved:
        return {inner.elements: lookup}
    if isinstance(comp, cst.ListComp) and same(comp.elt, inner.target):
        return {comp: f"list({lookup})"}
    part = comp_for(comp).with_changes(ifs=(), iter=cst.parse_expression(lookup))
    return {comp: comp.with_changes(for_in=part)}
