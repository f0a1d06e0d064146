"""`max(values[: i + 1])` in a loop, or of what changes step by step -> a running value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import changed, pure
from operators.rewrite.growing import Growing, growing_lists
from operators.rewrite.invariants import invariant_loop
from operators.rewrite.program import Place, Program
from operators.rewrite.reading import (
    calls,
    conjuncts,
    flat,
    integer,
    named,
    names,
    spoken,
    text,
)
from operators.rewrite.rule import Rule
from operators.rewrite.totals import running_totals
from se_agent.program.parsing import expression_tree

if TYPE_CHECKING:
    import libcst as cst

_EFFECT = "O(n) -> O(1) a value, for one pass that keeps it up to date"


class RunningAggregate(Rule):
    """Keep the maximum, minimum, sum or number of kinds up to date instead of asking anew.

    Valid for a beginning or an end of a sequence that does not change while the loop runs,
    and for a list that only grows by `append`; sums, and numbers of those that pass a test,
    also for a list, deque or dictionary that each step of the loop changes in a known way, and
    nobody under another name (all checked). The part must not be empty where the original
    would have raised, and not reach beyond the sequence; what is added up are no fractions,
    whose sum has other last digits in another order (left to the tests, unless fractions are
    seen). Known as running or cumulative extrema, prefix and suffix maxima, running totals.
    """

    name = "running_aggregate"
    relies_on = "the part is not empty and within the sequence, and sums are of no fractions"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each part of a sequence, and for each growing list."""
        groups: dict[tuple[str, str, bool, cst.CSTNode], list[_Part]] = {}
        for node in place.own:
            part = _part(node)
            loop = invariant_loop(program, node, part.values) if part else None
            if part is None or loop is None or not pure(part.values):
                continue
            if names(part.bound) & changed(loop):
                key = (part.function, text(part.values), part.ends, program.statement(loop))
                groups.setdefault(key, []).append(part)
        for (*_, line), parts in groups.items():
            yield _tabulated(program, line, parts)
        own = frozenset(place.own)
        for name, uses in growing_lists(program, place):
            if own.issuperset([*uses.made, *uses.appends]):
                yield from _kept(program, name, uses)
        yield from running_totals(program, place)


class _Part(NamedTuple):
    """`function(values[:bound])`, or of `values[bound:]` if it ends where the values end."""

    node: cst.CSTNode
    function: str
    values: cst.BaseExpression
    bound: cst.BaseExpression
    ends: bool
    default: str = ""


def _part(node: cst.CSTNode) -> _Part | None:
    import libcst as cst

    if not isinstance(node, cst.Call) or not node.args:
        return None
    default = ""
    if len(node.args) == 2 and named(node.args[1].keyword) == "default":
        default = text(node.args[1].value)
    elif len(node.args) != 1 or node.args[0].star:
        return None
    function, argument = named(node.func), node.args[0].value
    kinds = calls(argument, "set")
    if function == "len" and kinds and len(kinds) == 1:
        function, argument = "kinds", kinds[0]
    if function not in ("max", "min", "kinds") or not isinstance(argument, cst.Subscript):
        return None
    cut = argument.slice[0].slice
    if len(argument.slice) != 1 or not isinstance(cut, cst.Slice) or cut.step:
        return None
    whole = f"len({flat(argument.value)})"
    lower = None if integer(cut.lower) == 0 else cut.lower
    upper = None if cut.upper is None or flat(cut.upper) == whole else cut.upper
    bound = lower or upper
    if bound is None or (lower and upper) or text(bound).startswith("-"):
        return None
    return _Part(node, function, argument.value, bound, upper is None, default)


def _tabulated(program: Program, line: cst.CSTNode, parts: list[_Part]) -> TreeChange:
    part = parts[0]
    side = "from" if part.ends else "to"
    table = program.fresh(f"{spoken(part.values) or 'values'}_{part.function}_{side}")
    tabulate = _kinds if part.function == "kinds" else _extrema
    made, imports = tabulate(program, part, table)
    shifted = not part.ends and part.function != "kinds" and not part.default
    return TreeChange(
        anchor=part.node,
        replaced={p.node: f"{table}[{_less_one(p.bound) if shifted else text(p.bound)}]"
                  for p in parts},
        before={line: made},
        imports=imports,
        direction=f"Keep a running {part.function} of `{text(part.values)}`",
        effect=_EFFECT,
    )  # fmt: skip


def _extrema(program: Program, part: _Part, table: str) -> tuple[list[str], tuple[str, ...]]:
    """Return a table of extrema, and what it imports."""
    accumulate, imports = imported(program, "itertools", "accumulate")
    values, function, turned = text(part.values), part.function, ""
    if part.ends:
        # Of equal ones the first stays, which comes last where it is asked from the end on.
        last, each = program.fresh("last"), program.fresh("each")
        function = f"lambda {last}, {each}: {function}({each}, {last})"
        values, turned = f"reversed({values})", "[::-1]"
    default = f"{part.default}, " if part.default else ""
    return [f"{table} = [{default}*{accumulate}({values}, {function})]{turned}"], imports


def _kinds(program: Program, part: _Part, table: str) -> tuple[list[str], tuple[str, ...]]:
    known, each = program.fresh("known"), program.fresh("each")
    values = f"reversed({text(part.values)})" if part.ends else text(part.values)
    grown = (
        f"for {each} in {values}:\n    {known}.add({each})\n    {table}.append(len({known}))"
    )
    turned = [f"{table}.reverse()"] if part.ends else []
    return [f"{known} = set()", f"{table} = [0]", grown, *turned], ()


def _less_one(bound: cst.BaseExpression) -> str:
    """Return `bound - 1`, worked out where it ends in a number."""
    code = text(bound)
    match expression_tree(code):
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=1)):
            return ast.unparse(left)
        case ast.Name() | ast.Call():
            return f"{code} - 1"
    return f"({code}) - 1"


def _kept(program: Program, name: str, uses: Growing) -> Iterator[TreeChange]:
    """Yield a running value for each function that is asked about a growing list."""
    for function in ("max", "min"):
        asked = [node for node in uses.reads if _is_asked(program, node, function)]
        calls_of = [program.parent[program.parent[node]] for node in asked]
        if not any(True for call in calls_of for _ in program.loops(call)):
            continue
        running = program.fresh(f"{name}_{function}")
        after = {
            line: [f"{running} = {_first(value, function)}"]
            for line, value in uses.made.items()
        }
        after |= {line: [_next(name, running, function)] for line in uses.appends}
        yield TreeChange(
            anchor=next(iter(uses.made)),
            replaced={
                call: running
                if _is_filled(program, call, name, uses)
                else f"{running} if {name} else {function}(())"  # raises what it did
                for call in calls_of
            },
            after=after,
            direction=f"Keep a running {function} of the growing list `{name}`",
            effect=_EFFECT,
            parameters=(("function", function),),
        )


def _is_asked(program: Program, node: cst.CSTNode, function: str) -> bool:
    import libcst as cst

    argument = program.parent[node]
    call = program.parent[argument] if isinstance(argument, cst.Arg) else None
    return calls(call, function) is not None and len(getattr(call, "args", ())) == 1


def _is_filled(program: Program, call: cst.CSTNode, name: str, uses: Growing) -> bool:
    """Whether a growing list holds something wherever it is asked.

    It began with an element, has got one in each pass by then, or is asked for its truth first.
    """
    import libcst as cst

    if all(_has_element(value) for value in uses.made.values()):
        return True
    emptied = {node for line in uses.made for node in (line, *program.above(line))}
    below = call
    for above in program.above(call):
        later = (cst.FunctionDef, cst.GeneratorExp, cst.Lambda)
        if below in emptied or isinstance(above, later):
            return False
        test: cst.BaseExpression | None = None
        if isinstance(above, (cst.If, cst.IfExp, cst.While)) and below is above.body:
            test = above.test
        elif isinstance(above, cst.BooleanOperation) and isinstance(above.operator, cst.And):
            test = above.left if below is above.right else None
        elif isinstance(above, cst.IndentedBlock):
            for line in reversed(above.body[: above.body.index(below)]):
                if line in uses.appends:
                    return True
                if line in emptied:
                    return False
        if test is not None and name in map(named, conjuncts(test)):
            return True
        below = above
    return False


def _has_element(value: cst.BaseExpression) -> bool:
    import libcst as cst

    return isinstance(value, cst.List) and any(
        isinstance(element, cst.Element) for element in value.elements
    )


def _first(value: cst.BaseExpression, function: str) -> str:
    empty = flat(value) in ("[]", "list()")
    return "None" if empty else f"{function}({text(value)}, default=None)"


def _next(name: str, running: str, function: str) -> str:
    sign = ">" if function == "max" else "<"
    return f"if {running} is None or {name}[-1] {sign} {running}:\n    {running} = {name}[-1]"
