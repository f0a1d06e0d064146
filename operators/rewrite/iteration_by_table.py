"""A recursion whose argument goes down by fixed steps -> a table that is filled upwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.lending import lends
from operators.rewrite.loops import exchanged
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes
from operators.rewrite.reading import (
    bound,
    calls,
    compared,
    integer,
    lines,
    named,
    only,
    text,
)
from operators.rewrite.rule import Rule

if TYPE_CHECKING:
    import libcst as cst


class IterationByTable(Rule):
    """Compute the results for small arguments first, each once.

    Valid for a function without side effects that calls itself at least twice, lowers one
    integer by constants and passes on all other arguments unchanged, and whose tests at the
    start return for enough small values to begin with, and whose results are only read
    where they are lists or the like (all checked). No depth of recursion
    is left. Known as dynamic programming bottom-up, or tabulation.
    """

    name = "iteration_by_table"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield the one change of a function that qualifies."""
        import libcst as cst

        node = place.node
        if not isinstance(node, cst.FunctionDef) or not _plain(node):
            return
        inner = [c for c in walk(node.body) if isinstance(c, cst.Call) and _own(c, node)]
        mentions = sum(1 for n in walk(node.body) if named(n) == node.name.value)
        steps = _steps(node, inner)
        if mentions != len(inner) or not steps or not computes(program, node.body):
            return
        if len(inner) == 1 and not any(True for _ in program.loops(inner[0])):
            return  # A chain of calls takes as long as a chain of steps.
        if lends(program, node, inner):
            return
        start = _start(_small(node, steps.parameter), steps.most)
        if start is None:
            return
        yield TreeChange(
            anchor=node,
            replaced={node: _filled(program, node, inner, steps, start)},
            direction="Fill a table from the small arguments upwards instead of recursing",
            effect="one evaluation for each smaller argument, at no depth",
        )


class _Steps(NamedTuple):
    """The parameter that goes down, its position, and the longest step."""

    parameter: str
    position: int
    most: int


class _Small(NamedTuple):
    """The arguments that are answered without a call: all up to `limit`, and some more."""

    limit: int | None = None
    points: frozenset[int] = frozenset()

    def __or__(self, other: _Small) -> _Small:
        limits = [limit for limit in (self.limit, other.limit) if limit is not None]
        return _Small(max(limits, default=None), self.points | other.points)


def _plain(node: cst.FunctionDef) -> bool:
    import libcst as cst

    p = node.params
    strange = (cst.Yield, cst.Await, cst.Global, cst.Nonlocal, cst.Lambda, cst.FunctionDef)
    return (
        not (p.kwonly_params or p.posonly_params or p.star_kwarg or node.decorators)
        and not isinstance(p.star_arg, (cst.Param, cst.ParamStar))
        and node.asynchronous is None
        and not any(param.default for param in p.params)
        and not any(isinstance(n, strange) for n in walk(node.body))
        and isinstance(node.body, cst.IndentedBlock)
    )


def _own(call: cst.Call, node: cst.FunctionDef) -> bool:
    return named(call.func) == node.name.value


def _steps(node: cst.FunctionDef, inner: list[cst.Call]) -> _Steps | None:
    """Return which parameter goes down, if all others are passed on as they are."""
    names = [param.name.value for param in node.params.params]
    if set(names) & bound(node.body):
        return None
    found: dict[int, list[int]] = {}
    for call in inner:
        arguments = calls(call, node.name.value)
        if arguments is None or len(arguments) != len(names):
            return None
        for i, (name, argument) in enumerate(zip(names, arguments, strict=True)):
            if named(argument) != name:
                found.setdefault(i, []).append(_lowered(argument, name))
    if len(found) != 1:
        return None
    ((position, lowered),) = found.items()
    if len(lowered) != len(inner) or min(lowered) < 1 or max(lowered) > 100:
        return None
    return _Steps(names[position], position, max(lowered))


def _lowered(argument: cst.BaseExpression, name: str) -> int:
    """Return c of `name - c`, 0 for anything else."""
    import libcst as cst

    if not isinstance(argument, cst.BinaryOperation) or named(argument.left) != name:
        return 0
    lower = isinstance(argument.operator, cst.Subtract)
    return (integer(argument.right) or 0) if lower else 0


def _small(node: cst.FunctionDef, name: str) -> _Small:
    """Return for which arguments the tests at the start of the body return."""
    import libcst as cst

    found = _Small()
    for line in lines(node.body):
        small = only(line)
        if isinstance(small, cst.Expr) and isinstance(small.value, cst.BaseString):
            continue
        if isinstance(small, cst.Return) and isinstance(small.value, cst.IfExp):
            return found | _chosen(node, small.value, name)
        if not isinstance(line, cst.If):
            break
        test: cst.If | cst.Else | None = line
        while isinstance(test, cst.If) and _answers(node, test):
            found = found | _covered(test.test, name)
            test = test.orelse
        if test is not None:
            break
    return found


def _chosen(node: cst.FunctionDef, value: cst.IfExp, name: str) -> _Small:
    """The same for `return a if test else ...`."""
    import libcst as cst

    found = _Small() if _calls_itself(node, value.body) else _covered(value.test, name)
    rest = value.orelse
    return found | _chosen(node, rest, name) if isinstance(rest, cst.IfExp) else found


def _answers(node: cst.FunctionDef, test: cst.If) -> bool:
    """Whether the body of a test returns at its end, and calls nothing on the way."""
    import libcst as cst

    body = lines(test.body) or tuple(getattr(test.body, "body", ()))
    last = (only(body[-1]) or body[-1]) if body else None
    return isinstance(last, cst.Return) and not _calls_itself(node, test)


def _calls_itself(node: cst.FunctionDef, code: cst.CSTNode) -> bool:
    import libcst as cst

    parts = code.body if isinstance(code, cst.If) else code
    return any(isinstance(n, cst.Call) and _own(n, node) for n in walk(parts))


def _covered(test: cst.BaseExpression, name: str) -> _Small:
    """Return for which values of the name a test is true, as far as it can be read."""
    import libcst as cst

    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        return _covered(test.left, name) | _covered(test.right, name)
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        zero = named(test.expression) == name
        return _Small(points=frozenset({0} if zero else ()))
    for kind in ("Equal", "LessThan", "LessThanEqual", "In"):
        sides = compared(test, kind)
        if not sides or named(sides[0]) != name:
            continue
        number = integer(sides[1])
        if kind == "In" and isinstance(sides[1], (cst.Tuple, cst.List, cst.Set)):
            values = [integer(element.value) for element in sides[1].elements]
            return _Small(points=frozenset(v for v in values if v is not None))
        if number is not None:
            if kind == "Equal":
                return _Small(points=frozenset({number}))
            return _Small(number - (kind == "LessThan"))
    return _Small()


def _start(small: _Small, most: int) -> int | None:
    """Return from where on the table can be filled: after it come `most` known values."""
    known = set(small.points)
    if small.limit is not None:
        known |= set(range(small.limit - most + 1, small.limit + 1))
    return max(
        (first for first in known if all(first + i in known for i in range(most))),
        default=None,
    )


def _filled(
    program: Program, node: cst.FunctionDef, inner: list[cst.Call], steps: _Steps, start: int
) -> cst.FunctionDef:
    """Return the function with one of its own inside that takes one step."""
    import libcst as cst

    name = node.name.value
    table, step = program.fresh(f"{name}_table"), program.fresh(f"{name}_step")
    looked_up: dict[cst.CSTNode, str] = {
        c: f"{table}[{text(c.args[steps.position].value)}]" for c in inner
    }
    body = exchanged(node.body, looked_up)
    assert isinstance(body, cst.IndentedBlock)
    small = only(body.body[0])
    documented = isinstance(small, cst.Expr) and isinstance(small.value, cst.BaseString)
    head, rest = (body.body[:1], body.body[1:]) if documented else ((), body.body)
    parameter = node.params.params[steps.position]
    work = cst.FunctionDef(
        name=cst.Name(step),
        params=cst.Parameters([parameter.with_changes(comma=cst.MaybeSentinel.DEFAULT)]),
        body=body.with_changes(body=rest),
        returns=node.returns,
    )
    n, k = steps.parameter, program.fresh("smaller")
    fill = f"{table} = {{}}\nfor {k} in range({start}, {n}):\n    {table}[{k}] = {step}({k})\n"
    last = cst.parse_module(f"{fill}return {step}({n})\n").body
    return node.with_changes(body=body.with_changes(body=[*head, work, *last]))
