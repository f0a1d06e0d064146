"""A search among all that was kept for one with the same key -> a set of keys beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import indent
from typing import TYPE_CHECKING, NamedTuple

from operators.rewrite.change import TreeChange
from operators.rewrite.effects import pure, waits
from operators.rewrite.freshness import bindings
from operators.rewrite.growing import Growing, growing_lists
from operators.rewrite.loops import confined, substituted
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.purity import computes, functions_behind
from operators.rewrite.reading import (
    assigned,
    bound,
    calls,
    compared,
    flat,
    lines,
    method,
    named,
    names,
    only,
    text,
    variables,
)
from operators.rewrite.rule import Rule
from operators.rewrite.steady_reads import reads_constants
from operators.rewrite.uses import mentions

if TYPE_CHECKING:
    import libcst as cst


class SeenKeys(Rule):
    """Look the key of an element up among the keys of what was kept, in a set.

    Valid when the list only grows by `append` after it is made empty, its elements are not
    changed while the function runs, and the search asks for one with an equal key and nothing
    else (checked as far as syntax tells); keys are hashable (left to the tests). Known as a
    hashed visited set by key.
    """

    name = "seen_keys"
    relies_on = "keys are hashable"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each list and key that is searched for."""
        for name, uses in growing_lists(program, place):
            if any(flat(v) not in ("[]", "list()") for v in uses.made.values()):
                continue
            groups: dict[str, list[_Search]] = {}
            for node in uses.reads:
                found = _expression(program, node) or _loop(program, place, node)
                found = found or _flagged(program, place, node)
                if found and not _touched(program, place, uses, found):
                    groups.setdefault(found.kind, []).append(found)
            for searches in groups.values():
                if change := _change(program, name, uses, searches):
                    yield change


class _Search(NamedTuple):
    """A search that is replaced by a test.

    Attributes:
        node: An expression, or the loop whose `else` is the case that nothing was found.
        element: What an element is called.
        key: Its key.
        wanted: Code of the key that is looked up.
        denied: Whether the test is true where nothing was found.
        flag: A name that a loop sets to True where one was found; empty: there is none.
        unset: The line before the loop that sets it to False.
    """

    node: cst.CSTNode
    element: str
    key: cst.BaseExpression
    wanted: str
    denied: bool = False
    flag: str = ""
    unset: cst.CSTNode | None = None

    @property
    def kind(self) -> str:
        """Code that is the same for all searches by the same key."""
        import libcst as cst

        return flat(cst.parse_expression(self.of("_")))

    def of(self, element: str) -> str:
        """Return the code of an element's key."""
        mine: dict[cst.CSTNode, str] = {
            n: element for n in variables(self.key) if n.value == self.element
        }
        return substituted(self.key, mine)


def _expression(program: Program, node: cst.CSTNode) -> _Search | None:
    """Return the search of an expression.

    It is `any(key == wanted for other in kept)`, `all(... != ...)`, or a membership such as
    `wanted in [key for other in kept]`.
    """
    import libcst as cst

    loop = program.parent[node]
    comp = program.parent[loop] if isinstance(loop, cst.CompFor) else None
    if not isinstance(loop, cst.CompFor) or not isinstance(
        comp, (cst.GeneratorExp, cst.ListComp)
    ):
        return None
    if loop.iter is not node or loop.ifs or loop.inner_for_in:
        return None
    above = program.parent[comp]
    test = program.parent[above]
    if isinstance(above, cst.ComparisonTarget) and isinstance(test, cst.Comparison):
        denied = isinstance(above.operator, cst.NotIn)
        if len(test.comparisons) > 1 or not (denied or isinstance(above.operator, cst.In)):
            return None
        return _keyed(program, test, loop.target, (comp.elt, test.left), denied=denied)
    call = test
    for function, kind in (("any", "Equal"), ("all", "NotEqual")):
        arguments = calls(call, function)
        if arguments and arguments[0] is comp:
            sides = compared(comp.elt, kind)
            return _keyed(program, call, loop.target, sides, denied=function == "all")
    return None


def _loop(program: Program, place: Place, node: cst.CSTNode) -> _Search | None:
    """Return the search of a loop that breaks at an equal key and has an `else`."""
    import libcst as cst

    loop = program.parent[node]
    if not isinstance(loop, cst.For) or loop.iter is not node or loop.orelse is None:
        return None
    body = lines(loop.body)
    test = body[0] if len(body) == 1 else None
    if not isinstance(test, cst.If) or test.orelse or loop.asynchronous:
        return None
    inner = lines(test.body)
    if len(inner) != 1 or not isinstance(only(inner[0]), cst.Break):
        return None
    if not confined(program, place, loop, names(loop.target)):
        return None
    return _keyed(program, loop, loop.target, compared(test.test, "Equal"), denied=True)


def _flagged(program: Program, place: Place, node: cst.CSTNode) -> _Search | None:
    """Return the search of a loop that sets a flag at an equal key, and does nothing else."""
    import libcst as cst

    loop = program.parent[node]
    if not isinstance(loop, cst.For) or loop.iter is not node or loop.orelse:
        return None
    block = program.block(loop)
    unset = block[block.index(loop) - 1] if loop in block and block[0] is not loop else None
    (test, *more) = lines(loop.body) or [loop]
    if unset is None or more or not isinstance(test, cst.If) or test.orelse:
        return None
    does = [flat(row) for row in lines(test.body)]
    flag, value = assigned(only(unset)) or ("", None)
    if named(value) != "False" or does not in ([f"{flag}=True", "break"], [f"{flag}=True"]):
        return None
    if loop.asynchronous or not confined(program, place, loop, names(loop.target)):
        return None
    found = _keyed(program, loop, loop.target, compared(test.test, "Equal"), denied=False)
    if found is None or flag in names(test.test) | names(loop.target):
        return None
    return found._replace(flag=flag, unset=unset)


def _keyed(
    program: Program,
    node: cst.CSTNode,
    target: cst.BaseExpression,
    sides: tuple[cst.BaseExpression, cst.BaseExpression] | None,
    *,
    denied: bool,
) -> _Search | None:
    """Return the search by the two sides of an equality, one of them the key of the element."""
    name = named(target)
    for mine, other in (sides, sides[::-1]) if sides and name else ():
        apart = name in names(mine) and name not in names(other)
        if apart and _is_steady(program, mine) and _is_steady(program, other):
            return _Search(node, name, mine, text(other), denied)
    return None


def _is_steady(program: Program, value: cst.BaseExpression) -> bool:
    """Whether a value follows from its names alone, with functions of the file or without."""
    behind = functions_behind(program, value)
    return pure(value) or (
        computes(program, value)
        and all(reads_constants(program, function, frozenset()) for function in behind)
    )


def _touched(program: Program, place: Place, uses: Growing, found: _Search) -> bool:
    """Whether an element may be changed after it was kept, or a key may be another one then."""
    kept = frozenset[str]().union(*(names(value) for value in uses.appends.values()))
    reads = {n.value for n in uses.reads if hasattr(n, "value")}
    out = {
        name
        for name, value, _ in bindings(place.node)
        if value is not None and reads & names(value) and not names(value) <= {name}
    }
    used = names(found.key) - {found.element} - program.functions.keys()
    watched = (kept | out | {found.element}) - {*program.functions}
    every = [*uses.reads, *(node for name in sorted(watched) for node in mentions(place, name))]
    strange = not all(_is_calm(program, uses, node) for node in every)
    grows = [loop for line in uses.appends for loop in program.loops(line)]
    return strange or any(map(waits, grows)) or bool(used & bound(place.node))


def _is_calm(program: Program, uses: Growing, node: cst.CSTNode) -> bool:
    """Whether a mention of an element, or of what it is made of, changes none of it."""
    import libcst as cst

    above = program.parent[node]
    while isinstance(above, (cst.Attribute, cst.Subscript)) and above.value is node:
        call = program.parent[above]
        if isinstance(call, cst.Call) and call.func is above:
            return computes(program, call)
        node, above = above, program.parent[above]
    if isinstance(above, cst.Arg):
        call = program.parent[above]
        grows = program.statement(node) in uses.appends and method(call, "append") is not None
        return isinstance(call, cst.Call) and (grows or computes(program, call))
    changing = (cst.AugAssign, cst.Del, cst.AssignTarget, cst.AnnAssign, cst.NamedExpr)
    if isinstance(node, (cst.Attribute, cst.Subscript)):
        return not isinstance(above, changing) or getattr(above, "target", None) is not node
    return not isinstance(above, (cst.AugAssign, cst.Del))


def _change(
    program: Program, name: str, uses: Growing, searches: list[_Search]
) -> TreeChange | None:
    import libcst as cst

    known, first = program.fresh(f"{name}_keys"), searches[0]
    after = {line: [f"{known} = set()"] for line in uses.made}
    added = {
        line: f"{known}.add({first.of(_appended(name, v))})" for line, v in uses.appends.items()
    }
    replaced: dict[cst.CSTNode, str] = {}
    for found in searches:
        word = "not in" if found.denied else "in"
        test = f"{found.wanted} {word} {known}"
        if found.unset is not None:
            replaced |= {found.unset: "", found.node: f"{found.flag} = {test}"}
            continue
        if not isinstance(found.node, cst.For):
            replaced[found.node] = test
            continue
        body = _otherwise(found.node, added)
        if body is None:
            return None
        replaced[found.node] = f"if {test}:\n{indent(body, '    ')}"
    after |= {
        line: [code]
        for line, code in added.items()
        if not set(program.above(line)) & replaced.keys()
    }
    return TreeChange(
        anchor=first.node,
        replaced=replaced,
        after=after,
        direction="Look keys up in a set of those that were seen",
        effect="O(n) -> O(1) a search, O(n^2) -> O(n) for the loop",
    )


def _appended(name: str, value: cst.BaseExpression) -> str:
    import libcst as cst

    return text(value) if isinstance(value, cst.Name) else f"{name}[-1]"


def _otherwise(loop: cst.For, added: Mapping[cst.CSTNode, str]) -> str | None:
    """Return what a loop does in its `else`, with the keys of what is appended there."""
    import libcst as cst

    found: list[str] = []
    for line in lines(loop.orelse.body) if loop.orelse else ():
        inner = [node for node in walk(line) if node in added]
        if inner not in ([], [line]):
            return None
        found += [text(line), *([added[line]] if inner else [])]
        if isinstance(line, cst.BaseCompoundStatement) and '"""' in found[-1]:
            return None  # a text of several lines would be indented, too
    return "\n".join(found) or None
