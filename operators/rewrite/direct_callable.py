"""A lambda or a list that only hands its elements on -> the function that takes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.program import Place, Program
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    comp_for,
    index,
    named,
    names,
    positional,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst

_TAKING = frozenset({"map", "filter", "reduce", "accumulate", "groupby", "takewhile"})
_SLOWER = frozenset({"str", "bool"})
_OPERATORS = {"Add": "add", "Subtract": "sub", "Multiply": "mul", "BitXor": "xor"}


class DirectCallable(Rule):
    """Give the function itself, a method of the table, or a getter, instead of code around it.

    Valid where the code does nothing but one call, one lookup or one operation with its
    arguments, and what it calls or looks up stays the same meanwhile (checked: it is a name or
    an attribute of one). Covers lambdas as keys and as functions of `map` and `reduce`, and
    lists of such values. Each element costs one step of the interpreter less or more.
    """

    name = "direct_callable"
    is_plain: ClassVar[bool] = False

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each lambda and each list."""
        import libcst as cst

        for node in place.own:
            if isinstance(node, cst.Lambda) and _handed(program, node):
                parameters = _parameters(node)
                found = _function(program, node.body, parameters) if parameters else None
                if found is not None:
                    yield _change(node, found.code, found.imports)
            elif isinstance(node, cst.ListComp):
                yield from _list(program, node)


class _Function(NamedTuple):
    code: str
    imports: tuple[str, ...] = ()


def _change(node: cst.CSTNode, code: str, imports: tuple[str, ...]) -> TreeChange:
    return TreeChange(
        anchor=node,
        replaced={node: code},
        imports=imports,
        direction="Hand elements to the function itself instead of code that only calls it",
        effect="no frame of Python for each element",
    )


def _handed(program: Program, node: cst.Lambda) -> bool:
    """Whether a lambda is a key, or what `map` and its like call for each element."""
    import libcst as cst

    argument = program.parent[node]
    if not isinstance(argument, cst.Arg):
        return False
    if named(argument.keyword) == "key":
        return True
    call = program.parent[argument]
    return isinstance(call, cst.Call) and named(call.func) in _TAKING and not argument.star


def _parameters(node: cst.Lambda) -> list[str]:
    """Return the names of plain parameters; none where there are others."""
    import libcst as cst

    parts = node.params
    plain = not (parts.star_kwarg or parts.kwonly_params or parts.posonly_params)
    if not plain or any(param.default for param in parts.params):
        return []
    found = [param.name.value for param in parts.params]
    return found if isinstance(parts.star_arg, cst.MaybeSentinel) else []


def _list(program: Program, comp: cst.ListComp) -> Iterator[TreeChange]:
    """`[f(x) for x in xs]`."""
    loop = comp_for(comp)
    name = named(loop.target)
    if loop.ifs or loop.inner_for_in or loop.asynchronous or not name:
        return
    found = _function(program, comp.elt, [name])
    if found and found.code not in _SLOWER and computes(program, comp):
        code = f"list(map({found.code}, {text(loop.iter)}))"
        yield _change(comp, code, found.imports)


def _function(
    program: Program, body: cst.BaseExpression, parameters: Sequence[str]
) -> _Function | None:
    """Return what can be called in place of `lambda parameters: body`."""
    import libcst as cst

    if isinstance(body, cst.Call):
        arguments = positional(body)
        if arguments is None or [named(a) for a in arguments] != list(parameters):
            return None
        return _Function(text(body.func)) if _steady(body.func, parameters) else None
    if isinstance(body, cst.BinaryOperation):
        operator = _OPERATORS.get(type(body.operator).__name__)
        if operator is None or [named(body.left), named(body.right)] != list(parameters):
            return None
        return _Function(*imported(program, "operator", operator))
    if len(parameters) != 1:
        return None
    (name,) = parameters
    found = index(body)
    if found and named(found[1]) == name and _steady(found[0], parameters):
        return _Function(f"{text(found[0])}.__getitem__")
    if isinstance(body, cst.Attribute) and named(body.value) == name:
        if body.attr.value.startswith("__"):  # a class may call it otherwise
            return None
        getter, imports = imported(program, "operator", "attrgetter")
        return _Function(f'{getter}("{body.attr.value}")', imports)
    return _items(program, body, name)


def _items(program: Program, body: cst.BaseExpression, name: str) -> _Function | None:
    """`x[1]`, or a tuple of such."""
    import libcst as cst

    elements = body.elements if isinstance(body, cst.Tuple) else [cst.Element(body)]
    found = [index(e.value) if isinstance(e, cst.Element) else None for e in elements]
    if not found or (isinstance(body, cst.Tuple) and len(found) < 2):
        return None
    keys = []
    for pair in found:
        if pair is None or named(pair[0]) != name or not _literal(pair[1]):
            return None
        keys.append(text(pair[1]))
    getter, imports = imported(program, "operator", "itemgetter")
    return _Function(f"{getter}({', '.join(keys)})", imports)


def _literal(node: cst.BaseExpression) -> bool:
    import libcst as cst

    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        return isinstance(node.expression, cst.Integer)
    return isinstance(node, (cst.Integer, cst.SimpleString))


def _steady(node: cst.BaseExpression, parameters: Sequence[str]) -> bool:
    """Whether a name, or an attribute of one, has nothing to do with the parameters."""
    import libcst as cst

    if names(node) & set(parameters):
        return False
    part = node.value if isinstance(node, cst.Attribute) else node
    return isinstance(part, cst.Name)
