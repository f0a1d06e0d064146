"""`queue.pop(0)`, `queue = queue[1:]` and `queue.insert(0, x)` -> a deque."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from operators.rewrite.change import TreeChange, imported
from operators.rewrite.effects import altered
from operators.rewrite.program import Place, Program, walk
from operators.rewrite.reading import (
    calls,
    flat,
    integer,
    lines,
    named,
    only,
    positional,
    target_names,
    targets,
    text,
    variables,
)
from operators.rewrite.rule import Rule
from operators.rewrite.uses import mentions, truth_only

if TYPE_CHECKING:
    import libcst as cst

_SHARED = frozenset(
    [
        "append",
        "extend",
        "pop",
        "clear",
        "remove",
        "reverse",
        "count",
        "index",
        "insert",
        "copy",
    ]
)
_LAZY = frozenset(["enumerate", "iter", "reversed"])
_TAKING = _LAZY | frozenset(
    ["Counter", "all", "any", "bool", "dict", "frozenset", "len", "list", "max", "min", "set",
     "sorted", "sum", "tuple"]
)  # fmt: skip


class DequePopleft(Rule):
    """Take from the front of a deque, not of a list.

    Valid when the list is made in the same function and only used in ways that a deque
    knows (checked); where it is returned, added to another or cut, it becomes a list again. A
    queue that a loop only drains and fills can also be walked while it grows. Known as a FIFO
    queue; a list moves all its elements for each one taken from the front.
    """

    name = "deque_popleft"

    def changes(self, program: Program, place: Place) -> Iterator[TreeChange]:
        """Yield a deque for each such list, and the walk where it is possible."""
        own = frozenset(place.own)
        found = (target for target in targets(place.node) if target in own)
        for name in dict.fromkeys(name for target in found for name in target_names(target)):
            uses = _uses(program, place, name)
            if uses is None or not uses.fronts or not uses.made:
                continue
            yield _deque(program, uses)
            walked = _walk(program, place, name)
            if walked is not None:
                yield walked


@dataclass(kw_only=True)
class _Uses:
    made: dict[cst.CSTNode, cst.BaseExpression] = field(default_factory=dict)
    fronts: dict[cst.CSTNode, str] = field(default_factory=dict)
    listed: dict[cst.CSTNode, str] = field(default_factory=dict)


def _uses(program: Program, place: Place, name: str) -> _Uses | None:
    """Return the uses of a list, or None when a deque does not know one of them."""
    import libcst as cst

    uses, own = _Uses(), frozenset(place.own)
    mentioned = [node for node in variables(place.node) if node.value == name]
    if isinstance(program.parent[mentioned[0]], cst.Param):
        del mentioned[0]
        if not mentioned or not _set_first(program, place, mentioned[0]):
            return None
    for node in mentioned:
        parent, line = program.parent[node], program.statement(node)
        if taken := _taken_apart(program, line, name):
            uses.fronts |= {taken: f"{name}.popleft()", line: ""}
        elif _is_target(program, node):
            value = _given(program, node)
            if value is None or not _is_list(value):
                return None
            uses.made[value] = value
        elif isinstance(parent, cst.Attribute):
            call = program.parent[parent]
            if not isinstance(call, cst.Call) or parent.attr.value not in _SHARED:
                return None
            if parent.attr.value == "copy":
                uses.listed[call] = f"list({name})"
            front = _front(call, name)
            if front:
                uses.fronts[call] = front
            elif parent.attr.value == "pop" and call.args:
                return None  # from anywhere else: a deque does not
        elif node in own and _is_list_again(program, node):
            uses.listed[node] = f"list({name})"
        elif not _reads(program, node):
            return None
    return uses


def _taken_apart(program: Program, line: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """Return the first element where the line above reads it, and this line takes it off.

    Reading raises an error where there is none.
    """
    small, block = only(line), program.block(line)
    cuts = (f"{name}={name}[1:]", f"del{name}[0]", f"del{name}[:1]")
    if small is None or flat(small) not in cuts or line not in block:
        return None
    before = block[: block.index(line)]
    taken = getattr(only(before[-1]), "value", None) if before else None
    return taken if taken and flat(taken) == f"{name}[0]" else None


def _set_first(program: Program, place: Place, node: cst.CSTNode) -> bool:
    """Whether the first mention of a parameter sets it anew, whatever comes later."""
    import libcst as cst

    function = place.node
    top = lines(function.body) if isinstance(function, cst.FunctionDef) else ()
    return _is_target(program, node) and program.statement(node) in top


def _is_target(program: Program, node: cst.CSTNode) -> bool:
    import libcst as cst

    return any(
        isinstance(above, cst.AssignTarget) and node in set(walk(above.target))
        for above in program.above(node)
    ) and isinstance(program.parent[node], (cst.AssignTarget, cst.Element))


def _given(program: Program, node: cst.CSTNode) -> cst.BaseExpression | None:
    """Return what a name is set to, by itself or as one of several names."""
    import libcst as cst

    small = only(program.statement(node))
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    target, value = small.targets[0].target, small.value
    if target is node:
        return value
    if not isinstance(target, cst.Tuple) or not isinstance(value, cst.Tuple):
        return None
    given = (*target.elements, *value.elements)
    if len(target.elements) != len(value.elements) or any(
        isinstance(each, cst.StarredElement) for each in given
    ):
        return None
    pairs = zip(target.elements, value.elements, strict=True)
    return next((each.value for mine, each in pairs if mine.value is node), None)


def _is_list_again(program: Program, node: cst.CSTNode) -> bool:
    """Whether a mention wants a list: it is returned, added to another, or cut after loops."""
    import libcst as cst

    parent = program.parent[node]
    if isinstance(parent, cst.Element):
        parent = program.parent[program.parent[parent]]
        if not isinstance(parent, cst.Return):
            return False
    if isinstance(parent, cst.Return):
        tries = (n for n in program.above(node) if isinstance(n, (cst.Try, cst.TryStar)))
        return not any(n.finalbody for n in tries)
    if isinstance(parent, cst.BinaryOperation):
        return isinstance(parent.operator, cst.Add)
    cut = isinstance(parent, cst.Subscript) and any(
        isinstance(part.slice, cst.Slice) for part in parent.slice
    )
    used = isinstance(program.parent[parent], (cst.Assign, cst.Return, cst.Arg, cst.Element))
    return cut and used and not any(True for _ in program.loops(node))


def _is_list(node: cst.BaseExpression) -> bool:
    import libcst as cst

    made = isinstance(node, (cst.List, cst.ListComp))
    return made or calls(node, "list") is not None or calls(node, "sorted") is not None


def _front(call: cst.Call, name: str) -> str:
    """Return the call of a deque for one that touches the front of a list, else nothing."""
    import libcst as cst

    arguments = positional(call) or []
    assert isinstance(call.func, cst.Attribute)
    if not arguments or integer(arguments[0]) != 0:
        return ""
    if call.func.attr.value == "pop":
        return f"{name}.popleft()"
    return f"{name}.appendleft({text(arguments[1])})" if len(arguments) == 2 else ""


def _reads(program: Program, node: cst.CSTNode) -> bool:
    import libcst as cst

    parent = program.parent[node]
    above = program.parent[parent]
    if isinstance(parent, cst.Subscript):
        sliced = any(isinstance(part.slice, cst.Slice) for part in parent.slice)
        return not sliced and not isinstance(above, cst.Del)
    if isinstance(parent, cst.Arg):
        if not isinstance(above, cst.Call):
            return False
        if isinstance(above.func, cst.Attribute):
            return above.func.attr.value in ("extend", "join", "update")
        first = above.args[0] is parent and not parent.keyword
        kept = named(above.func) in _LAZY and not isinstance(program.parent[above], cst.For)
        more = any(not arg.keyword for arg in above.args[1:])
        several = more and named(above.func) in ("max", "min")
        return first and not kept and not several and named(above.func) in _TAKING
    if isinstance(parent, cst.ComparisonTarget):
        return isinstance(parent.operator, (cst.In, cst.NotIn))
    if isinstance(parent, (cst.For, cst.CompFor)):
        walked = parent.body if isinstance(parent, cst.For) else above
        lazy = isinstance(walked, cst.GeneratorExp) and not _is_walked(program, walked)
        # A list may grow under way.
        return not lazy and named(node) not in altered(program, walked)
    if isinstance(parent, cst.AugAssign):
        return isinstance(parent.operator, cst.AddAssign)  # to it, or of it
    return isinstance(parent, cst.StarredElement) or truth_only(program, node)


def _is_walked(program: Program, generator: cst.GeneratorExp) -> bool:
    """Whether a builtin walks over a generator at once."""
    import libcst as cst

    call = program.parent[program.parent[generator]]
    return isinstance(call, cst.Call) and named(call.func) in _TAKING - _LAZY


def _deque(program: Program, uses: _Uses) -> TreeChange:
    deque, imports = imported(program, "collections", "deque")
    made = {}
    for node, value in uses.made.items():
        plain = flat(value) in ("[]", "list()")
        copied = calls(value, "list") or [value]  # of a copy that was made for the queue alone
        made[node] = f"{deque}()" if plain else f"{deque}({text(copied[0])})"
    return TreeChange(
        anchor=next(iter(uses.fronts)),
        replaced={**made, **uses.fronts, **uses.listed},
        imports=imports,
        parameters=(("form", "deque"),),
        direction="Take from the front of a deque",
        effect="O(n) -> O(1) for each element taken from the front",
    )


def _walk(program: Program, place: Place, name: str) -> TreeChange | None:
    """Return `while queue: x = queue.pop(0)` as `for x in queue`, else None."""
    import libcst as cst

    loop = next((n for n in place.own if isinstance(n, cst.While) and _drains(n, name)), None)
    if loop is None or loop.orelse is not None:
        return None
    first, *rest = lines(loop.body)
    small = only(first)
    target = small.targets[0].target if isinstance(small, cst.Assign) else None
    if target is None or not rest or not isinstance(small, cst.Assign):
        return None
    if flat(small.value) != f"{name}.pop(0)" or len(small.targets) != 1:
        return None
    others = [n for n in place.own if named(n) == name and program.statement(n) is not first]
    grown = [n for n in others if isinstance(program.parent[n], cst.Attribute)]
    used = [n for n in others if n not in grown and n not in set(walk(loop.test))]
    if any(not _appends(program, n) for n in grown) or len(used) != 1:
        return None
    if any(n not in place.own and not _appends(program, n) for n in mentions(place, name)):
        return None  # a function within may ask how many are left
    if not set(program.loops(loop)) <= set(program.loops(used[0])):
        return None  # it would be walked again
    body = loop.body.with_changes(body=rest)
    made = cst.For(target=target, iter=cst.Name(name), body=body)
    return TreeChange(
        anchor=loop,
        replaced={loop: made.with_changes(leading_lines=loop.leading_lines)},
        parameters=(("form", "walk"),),
        direction="Walk the queue while it grows instead of draining it",
        effect="O(n) -> O(1) for each element taken from the front",
    )


def _appends(program: Program, node: cst.CSTNode) -> bool:
    import libcst as cst

    parent = program.parent[node]
    return isinstance(parent, cst.Attribute) and parent.attr.value in ("append", "extend")


def _drains(loop: cst.While, name: str) -> bool:
    code = flat(loop.test)
    return code in (name, f"len({name})>0", f"len({name})!=0", f"len({name})", f"{name}!=[]")
