"""A list of an object that is sorted again for each new element -> `insort` keeps its order."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import QUERIES, READ_ONLY, handed
from operators.rewrite.handlers import tried
from operators.rewrite.key_changes import keeps_keys
from operators.rewrite.owners import defined_in, looks_only
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    body_of,
    bound,
    calls,
    flat,
    method,
    named,
    only,
    text,
    variables,
)
from operators.rewrite.rule import Rule
from operators.rewrite.sorted_attribute import (
    CONSUMING,
    TAKING,
    SortedAttribute,
    around,
    is_own,
    methods_of,
    sorted_attribute,
)

if TYPE_CHECKING:
    import libcst as cst

_QUIET = READ_ONLY - {"filter", "map"}


class SortedQueue(Rule):
    """Put a new element of an object's sorted list in its place, and sort no more.

    Valid where the list starts empty, and either each `append` is followed by a sort, or
    whoever asks for elements by their order sorts first, with no call in between. All mentions
    of the list in the file are understood, and what the file shows of sort keys is set in
    `__init__` only (all checked). Other files, which may set what is compared or touch the
    list, are left to the tests, and so are elements without an order, like `nan`. Equal
    elements stay in the order in which they came. Known as binary insertion.
    """

    name = "sorted_queue"
    relies_on = (
        "what the list holds can be ordered and keeps its sort key, "
        "and nobody else touches the list"
    )

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield one change for each list, in the method that is the first to append to it."""
        import libcst as cst

        if not {"sort", "sorted"} & program.names or not place.name:
            return
        owner = defined_in(program, place.node)
        if not isinstance(owner, cst.ClassDef):
            return
        for attribute in dict.fromkeys(map(_appended, place.own)):
            found = sorted_attribute(program, owner, attribute) if attribute else None
            if found is None or around(program, next(iter(found.appends))) is not place.node:
                continue
            change = _change(found)
            if change is not None:
                yield change


def _appended(line: cst.CSTNode) -> str:
    """Return the attribute that a line appends to, or nothing."""
    import libcst as cst

    small = only(line)
    grown = method(small.value, "append") if isinstance(small, cst.Expr) else None
    return grown[0].attr.value if grown and isinstance(grown[0], cst.Attribute) else ""


def _change(found: SortedAttribute) -> TreeChange | None:
    program, methods = found.program, _sort_methods(found)
    called = [line for lines in methods.values() for line in lines]
    sites = [*found.sorts, *called]
    gone = [line for line in sites if around(program, line) not in methods]
    if any(tried(program, line) for line in (*found.appends, *gone)):
        return None
    if not _is_left(program, gone) or not _in_order(found, gone) or not keeps_keys(found):
        return None
    insort, imports = imported(program, "bisect", "insort")
    scopes = [around(program, line) for line in found.appends]
    if any(insort.partition(".")[0] in bound(scope) for scope in scopes if scope):
        return None
    key = f", key={text(found.key)}" if found.key else ""
    return TreeChange(
        anchor=next(iter(found.appends)),
        replaced={
            **dict.fromkeys((*methods, *gone), ""),
            **{
                line: f"{insort}({found.code}, {text(value)}{key})"
                for line, value in found.appends.items()
            },
        },
        imports=imports,
        direction=f"Insert into `{found.code}` by bisection instead of sorting it again",
        effect="O(n log n) or O(n) comparisons -> O(log n) for each element",
    )


def _sort_methods(found: SortedAttribute) -> dict[cst.FunctionDef, list[cst.CSTNode]]:
    """Return private methods that do nothing but sort, each with the lines that call it."""
    return {
        function: lines
        for function in methods_of(found.owner)
        if (body := body_of(function)) and len(body) == 1 and body[0] in found.sorts
        if (lines := _callers(found, function))
    }


def _callers(found: SortedAttribute, function: cst.FunctionDef) -> list[cst.CSTNode]:
    """Return the lines that are `self.order()`; nothing where others may call it, too."""
    import libcst as cst

    program, name, params = found.program, function.name.value, function.params
    private = name.startswith("_") and not name.endswith("__")
    extra = (params.kwonly_params, params.posonly_params, params.star_kwarg)
    alone = len(params.params) == 1 and not any(extra)
    plain = not function.decorators and not function.asynchronous
    if not (private and alone and plain) or isinstance(params.star_arg, cst.Param):
        return []
    mentions = [n for n in program.nodes if isinstance(n, cst.Name) and n.value == name]
    callers = []
    for node in mentions:
        if node is function.name:
            continue
        line, above = program.statement(node), program.parent[node]
        small = only(line)
        called = small.value if isinstance(small, cst.Expr) else None
        if not isinstance(called, cst.Call) or called.args or called.func is not above:
            return []
        if not isinstance(above, cst.Attribute) or not is_own(found, above):
            return []
        callers.append(line)
    return callers


def _is_left(program: Program, gone: Collection[cst.CSTNode]) -> bool:
    """Whether each block keeps a statement without these lines, besides its documentation."""
    import libcst as cst

    for line in gone:
        rest = [each for each in program.block(line) if each not in gone]
        small = [only(each) for each in rest]
        texts = [
            s for s in small if isinstance(s, cst.Expr) and isinstance(s.value, cst.BaseString)
        ]
        if len(rest) == len(texts):
            return False
    return True


def _in_order(found: SortedAttribute, sites: Collection[cst.CSTNode]) -> bool:
    """Whether nobody can tell a list that is always in order from the one that is sorted."""
    program = found.program
    if found.anew and not _is_never_old(found):
        return False
    if all(_next(program, line) in sites for line in found.appends):
        return True
    return all(_comes_after(found, sites, node) for node in found.ordered) and all(
        _walks_alone(found, node) and _comes_after(found, sites, node) for node in found.walked
    )


def _is_never_old(found: SortedAttribute) -> bool:
    """Whether a sort that makes another list comes while nobody holds the one before."""
    import libcst as cst

    program = found.program
    uses: list[cst.CSTNode] = []
    for node in found.ordered:
        above = program.parent[node]
        given = isinstance(above, cst.Arg) and not above.star
        called = given or isinstance(above, cst.Attribute)
        uses.append(program.parent[above] if called else above)
    return (
        all(_walks_alone(found, node) for node in found.walked)
        and all(_is_quiet(found, use, ()) for use in uses)
        and all(_is_quiet(found, v, _objects(found, v)) for v in found.appends.values())
    )


def _objects(found: SortedAttribute, value: cst.CSTNode) -> Collection[cst.CSTNode]:
    """Return the calls that make an object of a class without the one that has the list."""
    import libcst as cst

    made = []
    for call in walk(value):
        if isinstance(call, cst.Call) and named(call.func)[:1].isupper():
            own = [n for n in variables(call) if n.value == found.me]
            made += [call] if all(looks_only(found.program, n) for n in own) else []
    return made


def _next(program: Program, line: cst.CSTNode) -> cst.CSTNode | None:
    """Return the statement that follows in the same block."""
    block = program.block(line)
    following = block[block.index(line) + 1 :] if block else ()
    return following[0] if following else None


def _walks_alone(found: SortedAttribute, node: cst.CSTNode) -> bool:
    """Whether a loop over the list is at its end before anybody can append."""
    import libcst as cst

    program = found.program
    for above in program.above(node):
        if isinstance(above, cst.GeneratorExp):
            arg = program.parent[above]
            call = program.parent[arg]
            if not any(calls(call, name) for name in sorted(CONSUMING)):
                return False
        if isinstance(above, cst.BaseStatement):
            break
    line = program.statement(node)
    return _is_quiet(found, line, _later(program, node, line))


def _comes_after(
    found: SortedAttribute, sites: Collection[cst.CSTNode], node: cst.CSTNode
) -> bool:
    """Whether a sort comes before a mention, and nothing that could append in between."""
    import libcst as cst

    program = found.program
    line = program.statement(node)
    spared = _later(program, node, line)
    while not isinstance(line, cst.FunctionDef):
        if not _is_quiet(found, line, spared):
            return False
        block = program.block(line)
        for each in reversed(block[: block.index(line)] if block else ()):
            if each in sites:
                return True
            if not _is_quiet(found, each, ()):
                return False
        line, spared = program.statement(program.parent[line]), ()
    return False


def _later(program: Program, node: cst.CSTNode, line: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    """Return what a statement evaluates after a mention: what that is handed to."""
    if any(loop is line or line in program.above(loop) for loop in program.loops(node)):
        return ()
    return tuple(above for above in program.above(node) if line in program.above(above))


def _is_quiet(
    found: SortedAttribute, code: cst.CSTNode, spared: Collection[cst.CSTNode]
) -> bool:
    """Whether code, but for a part, calls nothing that could append to the list, nor waits."""
    import libcst as cst

    for node in walk(code):
        if getattr(node, "asynchronous", None):
            return False
        if isinstance(node, (cst.Await, cst.Yield)) and node not in spared:
            return False
        if isinstance(node, cst.Call) and node not in spared:
            callees = (node.func, *handed(node))
            if not all(_leaves_alone(found, callee) for callee in callees):
                return False
    return True


def _leaves_alone(found: SortedAttribute, callee: cst.BaseExpression) -> bool:
    """Whether a function is known not to append to the list; a lambda is read with the rest."""
    import libcst as cst

    program = found.program
    if isinstance(callee, cst.Attribute):
        name = callee.attr.value
        if flat(callee.value) == found.code:
            return name in TAKING
        return name in QUERIES and name not in program.functions
    name = named(callee)
    known = name in program.functions or name in program.definitions
    return isinstance(callee, cst.Lambda) or (name in _QUIET and not known)
